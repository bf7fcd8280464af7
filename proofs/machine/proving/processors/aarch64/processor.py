# SPDX-License-Identifier: Apache-2.0 OR MIT
"""AArch64 as AAPCS64 calls functions."""

from __future__ import annotations

import re
from typing import ClassVar

import capstone

from ...machine import Instruction
from ...pcode import Lifter
from ..base import RETURN_ADDRESS, Argument, Processor, store_arguments
from . import vectors


class Aarch64Lifter(Lifter):
    """Decodes AArch64."""

    def __init__(self) -> None:
        super().__init__("AARCH64:LE:64:v8A")
        self.disassembler = capstone.Cs(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM)

    def decode(self, code: bytes, address: int) -> Instruction:
        """Find out what an instruction does."""
        ins = next(self.disassembler.disasm(code[:4], address, 1), None)
        if ins is None:
            return super().decode(code, address)
        form = f"{ins.mnemonic} {_shape(ins.op_str)}".strip()
        if ins.mnemonic in ("nop", "bti", "paciasp", "autiasp", "hint", "prfm"):
            return Instruction(form, 4, (), code[:4])
        if vectors.HANDLED.search(ins.op_str) and not vectors.BY_SLEIGH.match(ins.mnemonic):
            return Instruction(form, 4, (vectors.instruction(ins.mnemonic, ins.op_str, self.places),), code[:4])
        scalar = super().decode(code, address)
        return Instruction(form, scalar.length, scalar.steps, scalar.code)


def _shape(text: str) -> str:
    """Return the kinds of operands."""
    text = re.sub(r"#-?(0x)?[0-9a-f]+", "#", text)
    text = re.sub(r"\b([wxvqdsbh])\d+\b", r"\1", text)
    return re.sub(r"\b(wzr|xzr)\b", lambda found: found[1][0], text)


class Aarch64(Processor):
    """An AArch64 processor."""

    callee_saved = (*(f"x{i}" for i in range(19, 30)), *(f"d{i}" for i in range(8, 16)))
    fixed_registers: ClassVar[dict[str, int]] = {"x30": RETURN_ADDRESS}

    def new_decoder(self) -> Lifter:
        """Return what decodes its instructions."""
        return Aarch64Lifter()

    def pass_arguments(self, arguments: list[Argument], stack: int) -> None:
        """Pass numbers in x0 to x7, then on the stack."""
        for i, argument in enumerate(arguments[:8]):
            self.set_register(f"x{i}", argument.word(64))
        store_arguments(self, arguments[8:], stack, 8)

    def set_return_address(self, stack: int) -> int:
        """Put the return address into x30."""
        return stack

    def result(self) -> int:
        """Return x0."""
        return self.machine.concrete(self.register("x0"), "a result")
