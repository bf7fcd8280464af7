# SPDX-License-Identifier: Apache-2.0 OR MIT
"""AVR against simavr."""

from __future__ import annotations

import re
from pathlib import Path

from runnel_lab.building.tools import run_tool

from ..machine import Machine
from ..processors.avr import AvrLifter
from ..words import Words
from .base import Layout, Tester
from .emulated import NATIVE
from .x86 import Library

CONTROL = re.compile(
    r"(r?jmp|r?call|i?jmp|icall|ret|br\w\w|cpse|sbrs|sbrc|sbis|sbic|e?lpm|nop|cli|sei|in|out|sbi|cbi)( |$)"
)
"""Instructions that are not compared: branches, skips, look-ups in flash, which lies elsewhere here, and ports."""
REGISTERS, STATE = 32, 36
FLAGS = {"C": 0, "Z": 1, "N": 2, "V": 3, "S": 4, "T": 6}
"""Those that code uses; of the half carry nothing is claimed."""


class AvrTester(Tester):
    """Tests AVR."""

    layout = Layout(
        {f"R{i}": (i, 1) for i in range(REGISTERS)} | {"SP": (34, 2)},
        {f"{name}flg": 8 * REGISTERS + bit for name, bit in FLAGS.items()},
        STATE,
    )

    def __init__(self, folder: Path, seed: int = 1) -> None:
        library = folder / "native_avr.so"
        command = ("cc", "-std=gnu11", "-O2", "-shared", "-fPIC", str(NATIVE / "avr.c"), "-lsimavr", "-lelf")
        run_tool([*command, "-o", str(library)])
        super().__init__(Library(library), AvrLifter(), seed)

    def new_machine(self, words: Words) -> Machine:
        """Return a machine with flash."""
        machine = super().new_machine(words)
        machine.code_base, machine.code_bytes = 0, bytes(0x500)
        return machine

    def is_control(self, form: str) -> bool:
        """Branches, skips, look-ups and ports."""
        return bool(CONTROL.match(form))

    def with_addresses(self, code: bytes) -> tuple[bytes, dict[str, int]]:
        """Return the code, and the pointer that it uses."""
        word = int.from_bytes(code[:2], "little")
        target = self.executor.memory + 192
        fixed = {"SP": target}
        if word & 0xD000 == 0x8000:  # LDD and STD
            distance = word & 7 | word >> 7 & 0x18 | word >> 8 & 0x20
            self.set_pointer(fixed, 28 if word & 8 else 30, target - distance)
        elif word & 0xFC00 == 0x9000:
            kind = word & 15
            if kind == 0:  # LDS and STS
                code = code[:2] + target.to_bytes(2, "little")
            elif kind in (1, 2, 9, 10, 12, 13, 14):
                self.set_pointer(fixed, 26 if kind >= 12 else 28 if kind >= 9 else 30, target)
        return code, fixed

    def set_pointer(self, fixed: dict[str, int], low: int, value: int) -> None:
        """Fix the two registers of a pointer."""
        fixed[f"R{low}"], fixed[f"R{low + 1}"] = value & 255, value >> 8
