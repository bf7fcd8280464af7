# SPDX-License-Identifier: Apache-2.0 OR MIT
"""AArch64, 32-bit ARM and RISC-V against QEMU's user mode: a program of ours there executes what it is sent."""

from __future__ import annotations

import re
import struct
import subprocess
from pathlib import Path

import capstone
import numpy as np
from runnel_lab.building.tools import run_tool

from ..machine import Machine
from ..pcode import Lifter
from ..processors.aarch64.processor import Aarch64Lifter
from ..processors.arm.lifter import ARM, ArmLifter
from ..processors.riscv import ABI_NAMES, RiscvLifter
from ..refusal import Refusal
from ..words import Words, constant
from .base import Layout, Tested, Tester

ROOT = Path(__file__).resolve().parents[4]
NATIVE = ROOT / "proofs" / "machine" / "native"
AT_ONCE = 32
"""States that fit into a pipe."""

RISCV = ("riscv64-unknown-elf-gcc", "--specs=picolibc.specs", "-nostartfiles", "-mcmodel=medany", "-Wl,--no-relax")
BUILDS = {
    "aarch64": ("aarch64-linux-gnu-gcc", "-static"),
    "arm": ("arm-linux-gnueabihf-gcc", "-static", "-marm", "-march=armv7-a", "-mfpu=neon"),
    "rv32": (*RISCV, "-march=rv32im", "-mabi=ilp32"),
    "rv64": (*RISCV, "-march=rv64im", "-mabi=lp64"),
}
EMULATORS = {
    "aarch64": ("qemu-aarch64",),
    "arm": ("qemu-arm",),
    "rv32": ("qemu-riscv32", "-cpu", "rv32,zbkb=true,zkne=true"),
    "rv64": ("qemu-riscv64", "-cpu", "rv64,zbkb=true,zkne=true"),
}


def program(name: str, folder: Path) -> Path:
    """Build what executes instructions of a processor, and return where it lies."""
    binary = folder / f"forms-{name}"
    assembly = "riscv" if name.startswith("rv") else name
    channel = "linux_channel.c" if name.startswith("rv") else "posix_channel.c"
    lab = ROOT / "lab"
    files = [NATIVE / "program.c", NATIVE / f"{assembly}.S", lab / channel]
    run_tool([*BUILDS[name], "-O2", f"-I{NATIVE}", f"-I{lab}", *map(str, files), "-o", str(binary)])
    return binary


class Emulator:
    """An emulator with the program in it."""

    def __init__(self, name: str, folder: Path) -> None:
        self.command = [*EMULATORS[name], str(program(name, folder))]
        self.thumb = False
        self.memory = 0
        self.slots: list[int] = []
        self.start()

    @property
    def slot(self) -> int:
        """Return where the instruction is put."""
        return self.slots[self.thumb]

    def start(self) -> None:
        """Start it."""
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.memory, *self.slots = struct.unpack("<3Q", self.read(24))

    def read(self, count: int) -> bytes:
        """Return so many bytes from the program; refused if it ends."""
        assert self.process.stdout is not None
        got = self.process.stdout.read(count)
        if len(got) != count:
            self.process.wait()
            raise Refusal("the emulator stopped")
        return got

    def run(self, code: bytes, states: np.ndarray) -> np.ndarray:
        """Return the states after the instruction."""
        answers = []
        assert self.process.stdin is not None
        for at in range(0, len(states), AT_ONCE):
            part = np.ascontiguousarray(states[at : at + AT_ONCE])
            order = struct.pack("<3I16s", len(code), self.thumb, len(part), code)
            try:
                self.process.stdin.write(order + part.tobytes())
                self.process.stdin.flush()
                answers.append(self.read(part.size))
            except (Refusal, BrokenPipeError):
                self.start()
                raise Refusal("the emulator stopped") from None
        return np.frombuffer(b"".join(answers), np.uint8).reshape(states.shape)

    def close(self) -> None:
        """End it."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


INDEX = 3
"""The contents of a register that is added to an address."""
CONDITIONS = {"NG": 31, "ZR": 30, "CY": 29, "OV": 28}


class EmulatedTester(Tester):
    """A tester with an emulator."""

    control: re.Pattern[str]
    emulator: str

    def __init__(self, lifter: Lifter, folder: Path, seed: int = 1) -> None:
        self.machine = Emulator(self.emulator, folder)
        super().__init__(self.machine, lifter, seed)

    @property
    def target(self) -> int:
        """Return where operands in memory lie."""
        return self.executor.memory + 192

    def is_control(self, form: str) -> bool:
        """Branches and hints."""
        return bool(self.control.match(form))


class Aarch64Tester(EmulatedTester):
    """Tests AArch64."""

    emulator = "aarch64"
    control = re.compile(r"(b|bl|br|blr|ret|b\..*|cbn?z|tbn?z|nop|bti|paciasp|autiasp|hint|prfm)( |$)|ldr \w, #")
    """And loads from beside the code."""
    layout = Layout(
        {f"x{i}": (8 * i, 8) for i in range(31)} | {"sp": (248, 8)} | {f"q{i}": (272 + 16 * i, 16) for i in range(32)},
        {name: 8 * 256 + bit for name, bit in CONDITIONS.items()},
        784,
    )

    def __init__(self, folder: Path, seed: int = 1) -> None:
        super().__init__(Aarch64Lifter(), folder, seed)
        self.disassembler = capstone.Cs(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM)

    def with_addresses(self, code: bytes) -> tuple[bytes, dict[str, int]]:
        """Return the values of registers in the brackets."""
        text = next(self.disassembler.disasm(code, self.executor.slot, 1)).op_str
        fixed = {"sp": self.target + 64}
        found = re.search(r"\[(x\d+|sp)(?:, (?:#(-?\w+)|([xw]\d+)(?:, \w+(?: #(\d+))?)?))?\]", text)
        if found:
            distance = int(found[2], 0) if found[2] else 0
            if found[3]:
                fixed[f"x{found[3][1:]}"] = INDEX
                distance = INDEX << int(found[4] or 0)
            fixed[found[1]] = self.target - distance
        return code, fixed


class ArmTester(EmulatedTester):
    """Tests ARM code, Thumb-2 and NEON of Armv7-A."""

    emulator = "arm"
    control = re.compile(
        r"(b|bl|bx|blx|cbn?z|it\w*|nop|pld|push|pop|dmb)(eq|ne|cs|cc|hi|ls|lt|ge|gt|le|mi|pl)?( |$|\.)"
    )
    layout = Layout(
        {f"r{i}": (4 * i, 4) for i in range(13)}
        | {"sp": (52, 4), "lr": (56, 4)}
        | {f"d{i}": (64 + 8 * i, 8) for i in range(32)},
        {name: 8 * 60 + bit for name, bit in CONDITIONS.items()},
        320,
    )

    def __init__(self, folder: Path, seed: int = 1) -> None:
        super().__init__(ArmLifter(lambda address: self.machine.thumb), folder, seed)
        self.disassemblers = {
            thumb: capstone.Cs(capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB if thumb else capstone.CS_MODE_ARM)
            for thumb in (False, True)
        }

    def test(self, form: str, codes: list[bytes], operands: int) -> Tested:
        """Test some encodings of a form in the set that it is of."""
        self.machine.thumb = not form.endswith(ARM)
        return super().test(form, codes, operands)

    def disassembled(self, code: bytes) -> capstone.CsInsn:
        """Return an instruction as capstone writes it."""
        return next(self.disassemblers[self.machine.thumb].disasm(code, self.executor.slot, 1))

    def is_skipped(self, code: bytes) -> bool:
        """Loads from beside the code, and what jumps."""
        return bool(re.search(r"\bpc\b", self.disassembled(code).op_str))

    def new_machine(self, words: Words) -> Machine:
        """Return a machine in the state of the set."""
        machine = super().new_machine(words)
        for name in ("ISAModeSwitch", "TB"):
            machine.put(self.lifter.places[name][0], constant(int(self.machine.thumb), 8))
        return machine

    def with_addresses(self, code: bytes) -> tuple[bytes, dict[str, int]]:
        """Return the values of registers in the brackets, or before them."""
        ins = self.disassembled(code)
        names = {"sb": "r9", "sl": "r10", "fp": "r11", "ip": "r12"}
        text = re.sub(r"\b(sb|sl|fp|ip)\b", lambda each: names[each[1]], ins.op_str)
        fixed = {"sp": self.target + 64}
        if re.match(r"v?(ld|st)m", ins.mnemonic):
            fixed[re.split(r"[!,]", text)[0]] = self.target
            return code, fixed
        found = re.search(r"\[(r\d+|sp|lr)(?::\w+)?(?:, (?:#(-?\w+)|(\w+)(?:, lsl #(\w+))?))?\]", text)
        if found:
            distance = int(found[2], 0) if found[2] else 0
            if found[3]:
                fixed[found[3]] = INDEX
                distance = INDEX << int(found[4] or "0", 0)
            fixed[found[1]] = (self.target - distance) % 2**32
        return code, fixed


class ThumbTester(ArmTester):
    """Tests the Thumb-2 of microcontrollers, which SLEIGH has as another language."""

    def __init__(self, folder: Path, seed: int = 1) -> None:
        super().__init__(folder, seed)
        self.lifter = ArmLifter()


class RiscvTester(EmulatedTester):
    """Tests RISC-V."""

    control = re.compile(r"(b\w+|jal|jalr|j|jr|ret|call|ecall|fence\S*|nop|c\.j\w*)( |$)")

    def __init__(self, bits: int, folder: Path, seed: int = 1) -> None:
        self.emulator = f"rv{bits}"
        size = bits // 8
        names = {name: (size * i, size) for i, name in enumerate(ABI_NAMES) if name not in ("zero", "tp")}
        self.layout = Layout(names, {}, 32 * size, known={"zero": 0})
        super().__init__(RiscvLifter(f"RISCV:LE:{bits}:default"), folder, seed)

    def with_addresses(self, code: bytes) -> tuple[bytes, dict[str, int]]:
        """Return the value of the register in parentheses."""
        bits = 8 * self.lifter.stack_size
        fixed = {"sp": self.target + 64}
        word = int.from_bytes(code[:4], "little")
        if word & 0x7F in (0x03, 0x23):
            number = word >> 20 if word & 0x7F == 0x03 else word >> 25 << 5 | word >> 7 & 31
            distance = number - (number >> 11 << 12)
            fixed[ABI_NAMES[word >> 15 & 31]] = (self.target - distance) % 2**bits
        return code, fixed
