# SPDX-License-Identifier: Apache-2.0 OR MIT
"""x86-64 against this processor, and what it lacks against Bochs."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable
from pathlib import Path

import capstone
import numpy as np

from ..processors.x86.lifter import X86Lifter
from . import bochs
from .base import Layout, Tested, Tester

MASKS_AT, GENERAL_AT, FLAGS_AT, STATE = 2048, 2112, 2240, 2304
GENERAL = ("RAX", "RCX", "RDX", "RBX", "RSP", "RBP", "RSI", "RDI", *(f"R{i}" for i in range(8, 16)))
FLAGS = {"CF": 0, "PF": 2, "ZF": 6, "SF": 7, "OF": 11}

CONTROL = re.compile(r"(j\w+|call|ret|endbr64|leave|ud2|nop|notrack.*|cs.*|data16.*|push|sfence|rep.*|prefetch\w*)\b")
"""Instructions that are not executed here, and those that read through FS, the stack protector's secret."""
UNDEFINED_FLAGS = re.compile(r"(sh[lr]d?|sar|ro[lr]|mul|imul|bs[fr]|bt|and|or|xor|test|tzcnt|lzcnt|popcnt)\b")
"""After these the manual leaves flags undefined, or SLEIGH sets some that it says are: only CF is compared, and for shifts
and rotations none."""
NO_FLAGS = re.compile(r"(sh[lr]d?|sar|ro[lr]|mul|imul|bs[fr]|bt)\b")


EVEX = 0x62
NOT_EVERYWHERE = re.compile(r"k(mov|or|and|xor|xnor|not|shift|unpck|add|test|andn)\w*\b|v?gf2p8")


class Library:
    """A library of ours that runs an instruction on many states."""

    def __init__(self, file: Path) -> None:
        self.library = ctypes.CDLL(str(file))
        self.library.forms_memory.restype = ctypes.c_size_t
        self.library.forms_slot_address.restype = ctypes.c_size_t
        self.memory = int(self.library.forms_memory())
        self.slot = int(self.library.forms_slot_address())

    def run(self, code: bytes, states: np.ndarray) -> np.ndarray:
        """Return the states after the instruction."""
        after = np.ascontiguousarray(states).copy()
        pointer = after.ctypes.data_as(ctypes.c_char_p)
        if self.library.forms_run_many(code, ctypes.c_size_t(len(code)), pointer, ctypes.c_size_t(len(after))) != 0:
            raise OSError("the instruction could not be run")
        return after


class X86Tester(Tester):
    """Tests x86-64."""

    layout = Layout(
        {f"ZMM{i}": (64 * i, 64) for i in range(32)}
        | {f"K{i}": (MASKS_AT + 8 * i, 8) for i in range(8)}
        | {name: (GENERAL_AT + 8 * i, 8) for i, name in enumerate(GENERAL)},
        {name: 8 * FLAGS_AT + bit for name, bit in FLAGS.items()},
        STATE,
    )

    def __init__(self, library: Path, seed: int = 1) -> None:
        self.native = Library(library)
        super().__init__(self.native, X86Lifter(), seed)
        self.has_all = bool(self.native.library.forms_have_all())
        """The processor has AVX-512 and GFNI."""
        self.emulator: bochs.Bochs | None = None
        self.disassembler = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
        self.disassembler.detail = True

    def has(self, form: str, code: bytes) -> bool:
        """Tell whether this processor has an instruction. Without AVX-512 there are no masks and no EVEX encodings, whose
        first byte no other instruction has."""
        return self.has_all or not (code[0] == EVEX or NOT_EVERYWHERE.match(form))

    def can_run(self, form: str, code: bytes) -> bool:
        """Tell whether this processor or Bochs can execute the instruction."""
        return self.has(form, code) or bochs.is_there()

    def by(self, form: str, codes: list[bytes]) -> str:
        """Return which emulator executes a form, "" for this processor."""
        return "" if all(self.has(form, code) for code in codes) else bochs.NAME

    def test(self, form: str, codes: list[bytes], operands: int) -> Tested:
        """Test some encodings of a form, with so many operands for all together."""
        self.executor = self.native
        if self.by(form, codes):
            self.emulator = self.emulator or bochs.Bochs()
            self.executor = self.emulator
        return super().test(form, codes, operands)

    def is_control(self, form: str) -> bool:
        """Branches, calls, hints, and what reads the stack protector's secret."""
        return bool(CONTROL.match(form)) or form.endswith(" fs")

    def prepare(self, states: np.ndarray) -> None:
        """Fill the state with random values; of the flags, only CF is random. Vectors that the processor lacks are zeros."""
        if self.executor is self.native and not self.has_all:
            for i in range(16):
                states[:, 64 * i + 32 : 64 * i + 64] = 0
        states[:, FLAGS_AT : FLAGS_AT + 8] = np.frombuffer((0x202).to_bytes(8, "little"), np.uint8)
        states[:, FLAGS_AT] |= self.random.integers(0, 2, len(states), dtype=np.uint8)

    def with_addresses(self, code: bytes) -> tuple[bytes, dict[str, int]]:
        """Return the code, and values of registers with which its operand in memory lies in ours."""
        executor = self.executor
        ins = next(self.disassembler.disasm(code, executor.slot, 1))
        fixed = {"RSP": executor.memory + 256}
        for operand in ins.operands:
            if operand.type != capstone.x86.X86_OP_MEM:
                continue
            base, index = (ins.reg_name(r) if r else "" for r in (operand.mem.base, operand.mem.index))
            target = executor.memory + 192
            if base == "rip":
                at = ins.disp_offset
                distance = target - (executor.slot + ins.size)
                code = code[:at] + distance.to_bytes(4, "little", signed=True) + code[at + 4 :]
                continue
            if base and index == base:
                fixed[base.upper()] = (target - operand.mem.disp) // (1 + operand.mem.scale)
                continue
            if index:
                fixed[index.upper()] = 3
            if base:
                fixed[base.upper()] = target - operand.mem.disp - (3 * operand.mem.scale if index else 0)
        return code, {name: value % 2**64 for name, value in fixed.items()}

    def compared_flags(self, form: str) -> Iterable[str]:
        """Return which flags are compared."""
        if NO_FLAGS.match(form):
            return ()
        return ("CF",) if UNDEFINED_FLAGS.match(form) else FLAGS
