# SPDX-License-Identifier: Apache-2.0 OR MIT
"""RV32 and RV64, by SLEIGH's p-code."""

from __future__ import annotations

from ..image import Image
from ..pcode import Lifter
from ..words import Words, constant
from .base import RETURN_ADDRESS, Argument, Processor, store_arguments


class Riscv(Processor):
    """A RISC-V processor."""

    callee_saved = ("gp", "tp", *(f"s{i}" for i in range(12)))

    def __init__(self, words: Words, image: Image) -> None:
        self.pointer = image.bits // 8
        self.fixed = {"zero": 0, "ra": RETURN_ADDRESS, "gp": image.symbols.get("__global_pointer$", 0)}
        super().__init__(words, image, RiscvLifter(f"RISCV:LE:{image.bits}:default"))

    def pass_arguments(self, arguments: list[Argument], stack: int) -> None:
        """Pass words in a0 to a7, two for a long number, then on the stack."""
        pieces: list[Argument] = []
        for argument in arguments:
            size = argument.size or self.pointer
            for at in range(0, max(size, 1), self.pointer):
                pieces.append(Argument(argument.value >> 8 * at, min(size, self.pointer)))
        for number, piece in enumerate(pieces[:8]):
            self.set_register(f"a{number}", constant(piece.value, 8 * self.pointer))
        store_arguments(self, pieces[8:], stack, self.pointer)

    def set_return_address(self, stack: int) -> int:
        """The return address is in ra."""
        return stack

    def result(self) -> int:
        """Return a0."""
        return self.machine.concrete(self.register("a0"), "a result")


class RiscvLifter(Lifter):
    """Decodes RISC-V."""
