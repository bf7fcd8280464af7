# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compares the semantics of x86-64 instructions with this processor.

An instruction is executed once on a machine whose registers and memory are free, which is how proofs use it; what comes
out is evaluated for random inputs, and the processor executes the same instruction on the same inputs. Registers that form
addresses are known. Where the semantics need known operands (shift counts, permutations, masks of memory), all are known, and
every trial is an execution of its own."""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from pathlib import Path

import capstone
import numpy as np

from ..machine import Machine
from ..processors.x86.lifter import X86Lifter
from ..refusal import Refusal, SecretError
from ..words import Word, Words, cut, lanes, of_octets, value_of

STATE, MEMORY, FLAGS_AT, GENERAL_AT, MASKS_AT = 2304, 512, 2240, 2112, 2048
GENERAL = ("RAX", "RCX", "RDX", "RBX", "RSP", "RBP", "RSI", "RDI", *(f"R{i}" for i in range(8, 16)))
FLAGS = {"CF": 0, "PF": 2, "ZF": 6, "SF": 7, "OF": 11}

CONTROL = re.compile(r"(j\w+|call|ret|endbr64|leave|ud2|nop|notrack.*|cs.*|data16.*|push|sfence|rep.*|prefetch\w*)\b")
"""What is not executed here: a wrong branch, call or return makes a proof fail, and a hint does nothing. Nor is what reads
through FS, the stack protector's secret."""
UNDEFINED_FLAGS = re.compile(r"(sh[lr]d?|sar|ro[lr]|mul|imul|bs[fr]|bt|and|or|xor|test|tzcnt|lzcnt|popcnt)\b")
"""After these the manual leaves flags undefined, or SLEIGH sets some that it says are: only CF is compared, and for shifts
and rotations none."""
NO_FLAGS = re.compile(r"(sh[lr]d?|sar|ro[lr]|mul|imul|bs[fr]|bt)\b")


@dataclass(frozen=True)
class Tested:
    """The result of a test."""

    form: str
    encodings: int
    operands: int
    wrong: str = ""


class Processor:
    """This processor."""

    def __init__(self, library: Path) -> None:
        self.library = ctypes.CDLL(str(library))
        self.library.forms_memory.restype = ctypes.c_size_t
        self.library.forms_slot_address.restype = ctypes.c_size_t
        self.memory = int(self.library.forms_memory())
        self.slot = int(self.library.forms_slot_address())

    def run(self, code: bytes, states: np.ndarray) -> np.ndarray:
        """Return the states after the instruction."""
        after = np.ascontiguousarray(states).copy()
        pointer = after.ctypes.data_as(ctypes.c_char_p)
        if self.library.forms_run_many(code, len(code), pointer, len(after)) != 0:
            raise OSError("code may not be written here")
        return after


class Tester:
    """Tests encodings of instructions."""

    def __init__(self, processor: Processor, seed: int = 1) -> None:
        self.processor = processor
        self.lifter = X86Lifter()
        self.disassembler = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
        self.disassembler.detail = True
        self.random = np.random.default_rng(seed)

    def test(self, form: str, codes: list[bytes], operands: int) -> Tested:
        """Test some encodings of a form, with so many operands for all together."""
        if CONTROL.match(form) or form.endswith(" fs"):
            return Tested(form, 0, 0)
        total = 0
        each = max(64, operands // len(codes) // 64 * 64)
        for code in codes:
            count, wrong = self.encoding(code, each)
            total += count
            if wrong:
                return Tested(form, len(codes), total, f"{code.hex()}: {wrong}")
        return Tested(form, len(codes), total)

    def encoding(self, code: bytes, count: int) -> tuple[int, str]:
        """Test one encoding; return how many operands, and what is wrong."""
        ins = next(self.disassembler.disasm(code, self.processor.slot, 1))
        code, fixed = self.with_addresses(code, ins)
        try:
            return count, self.compare(code, fixed, count, free=True)
        except SecretError:
            trials = min(count, 64)
            for _ in range(trials):
                if wrong := self.compare(code, fixed, 1, free=False):
                    return trials, wrong
            return trials, ""
        except Refusal as refusal:
            return 0, str(refusal)

    def with_addresses(self, code: bytes, ins: capstone.CsInsn) -> tuple[bytes, dict[str, int]]:
        """Return the code, and values of registers with which its operand in memory lies in ours."""
        fixed = {"RSP": self.processor.memory + 256}
        for operand in ins.operands:
            if operand.type != capstone.x86.X86_OP_MEM:
                continue
            base, index = (ins.reg_name(r) if r else "" for r in (operand.mem.base, operand.mem.index))
            target = self.processor.memory + 192
            if base == "rip":
                at = ins.disp_offset
                distance = target - (self.processor.slot + ins.size)
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

    def compare(self, code: bytes, fixed: dict[str, int], count: int, free: bool) -> str:
        """Execute an encoding here and there; return where they differ."""
        states = self.random.integers(0, 256, (count, STATE + MEMORY), dtype=np.uint8)
        states[:, FLAGS_AT : FLAGS_AT + 8] = np.frombuffer((0x202).to_bytes(8, "little"), np.uint8)
        states[:, FLAGS_AT] |= self.random.integers(0, 2, count, dtype=np.uint8)  # CF is random
        for name, value in fixed.items():
            at = GENERAL_AT + 8 * GENERAL.index(name)
            states[:, at : at + 8] = np.frombuffer(value.to_bytes(8, "little"), np.uint8)
        words = Words()
        machine = Machine(words, self.lifter, self.lifter.register_bytes)
        machine.registers[:] = bytes(len(machine.registers))
        machine.temporaries = bytearray(32 * 4096)
        region = machine.memory.add("memory", self.processor.memory, MEMORY)
        inputs = words.fresh(8 * (STATE + MEMORY)) if free else of_octets(states[0].tobytes())
        for name, value in fixed.items():
            at = GENERAL_AT + 8 * GENERAL.index(name)
            inputs = inputs[: 32 * at] + of_octets(value.to_bytes(8, "little")) + inputs[32 * at + 256 :]
        self.put(machine, inputs)
        region.fill(cut(inputs, 8 * STATE, 8 * MEMORY))
        known = words.domain.sizes()[4]
        unknown: set[int] = set()

        def havoc(bits: int) -> Word:
            made = words.fresh(bits)
            unknown.update(int.from_bytes(bit, "little") >> 1 for bit in lanes(made, 1))
            return made

        machine.unknown = havoc  # type: ignore[method-assign]
        instruction = self.lifter.decode(code, self.processor.slot)
        machine.execute(instruction)
        outputs = self.got(machine, inputs) + region.word()
        after = self.processor.run(code, states)
        if not free:
            result = value_of(outputs)
            if result is None:
                raise SecretError("the result is not known")
            mine = np.frombuffer(result.to_bytes(STATE + MEMORY, "little"), np.uint8)[None, :]
        else:
            mine = self.simulated(words, outputs, states, known)
        return self.difference(instruction.form, mine, after, outputs, unknown)

    def put(self, machine: Machine, inputs: Word) -> None:
        """Load the state into the machine."""
        places = self.lifter.places
        for i in range(32):
            machine.put(places[f"ZMM{i}"][0], cut(inputs, 512 * i, 512))
        for i in range(8):
            machine.put(places[f"K{i}"][0], cut(inputs, 8 * MASKS_AT + 64 * i, 64))
        for i, name in enumerate(GENERAL):
            machine.put(places[name][0], cut(inputs, 8 * GENERAL_AT + 64 * i, 64))
        for name, bit in FLAGS.items():
            machine.put(places[name][0], cut(inputs, 8 * FLAGS_AT + bit, 1) + bytes(28))

    def got(self, machine: Machine, inputs: Word) -> Word:
        """Return the state of the machine; flags that have no place in it as they were."""
        places = self.lifter.places
        parts = [machine.get(places[f"ZMM{i}"][0], 64) for i in range(32)]
        parts += [machine.get(places[f"K{i}"][0], 8) for i in range(8)]
        parts += [machine.get(places[name][0], 8) for name in GENERAL]
        flags = bytearray(cut(inputs, 8 * FLAGS_AT, 64))
        for name, bit in FLAGS.items():
            flags[4 * bit : 4 * bit + 4] = machine.get(places[name][0], 1)[:4]
        return b"".join([*parts, bytes(flags), cut(inputs, 8 * FLAGS_AT + 64, 8 * (STATE - FLAGS_AT) - 64)])

    def simulated(self, words: Words, outputs: Word, states: np.ndarray, known: int) -> np.ndarray:
        """Return the machine's state after the instruction, for each of the states before."""
        count = len(states)
        bits = np.unpackbits(states, axis=1, bitorder="little").T  # of every input, in the order of their making
        values = np.packbits(bits, axis=1, bitorder="little")
        values = np.pad(values, ((0, 0), (0, -values.shape[1] % 8)))
        every = words.domain.sizes()[4]
        values = np.vstack([values, np.zeros((every - known, values.shape[1]), np.uint8)])
        made = words.domain.simulate(outputs, values.tobytes(), values.shape[1] // 8)
        result = np.frombuffer(made, np.uint8).reshape(len(outputs) // 4, -1)
        lanes_of_bits = np.unpackbits(result, axis=1, bitorder="little")[:, :count].T
        return np.packbits(lanes_of_bits, axis=1, bitorder="little")

    def difference(self, form: str, mine: np.ndarray, after: np.ndarray, outputs: Word, unknown: set[int]) -> str:
        """Return where two sets of states differ, "" if nowhere."""
        wrong = np.asarray(np.unpackbits(mine ^ after, axis=1, bitorder="little").any(axis=0))
        wrong[8 * FLAGS_AT : 8 * FLAGS_AT + 64] &= self.compared_flags(form)
        for place in np.flatnonzero(wrong):
            if int.from_bytes(outputs[4 * place : 4 * place + 4], "little") >> 1 not in unknown:
                return f"bit {place % 8} of byte {place // 8} of the state"
        return ""

    def compared_flags(self, form: str) -> np.ndarray:
        """Return which flags are compared."""
        compared = np.zeros(64, bool)
        if not NO_FLAGS.match(form):
            chosen = ["CF"] if UNDEFINED_FLAGS.match(form) else list(FLAGS)
            compared[[FLAGS[name] for name in chosen]] = True
        return compared
