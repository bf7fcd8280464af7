# SPDX-License-Identifier: Apache-2.0 OR MIT
"""x86-64 as the System V ABI calls functions."""

from __future__ import annotations

from typing import ClassVar

from ...image import Image
from ...refusal import Refusal
from ...words import Words, constant_bytes, value_of
from ..base import RETURN_ADDRESS, Argument, Processor, store_arguments
from .lifter import X86Lifter

_IN_REGISTERS = ("RDI", "RSI", "RDX", "RCX", "R8", "R9")
_THREAD = 0x5000_0000


class X86(Processor):
    """An x86-64 processor."""

    stack_register = "RSP"
    callee_saved = ("RBX", "RBP", "R12", "R13", "R14", "R15")
    fixed_registers: ClassVar[dict[str, int]] = {"DF": 0, "FS_OFFSET": _THREAD}

    def __init__(self, words: Words, image: Image, before: Processor | None = None) -> None:
        super().__init__(words, image, before)
        thread = self.machine.memory.add("thread", _THREAD, 64, writable=False)
        thread.fill(words.fresh(64), 0x28)  # the stack protector's secret

    def new_decoder(self) -> X86Lifter:
        """Return what decodes its instructions."""
        return X86Lifter()

    def pass_arguments(self, arguments: list[Argument], stack: int) -> None:
        """Pass numbers in registers, then on the stack; upper vector state is clear, as it must be afterwards."""
        for name, argument in zip(_IN_REGISTERS, arguments):
            self.set_register(name, argument.word(64))
        store_arguments(self, arguments[len(_IN_REGISTERS) :], stack, 8)
        for i in range(16):
            self.machine.put(self.places[f"ZMM{i}"][0] + 16, bytes(4 * 384))

    def set_return_address(self, stack: int) -> int:
        """Push the return address."""
        self.machine.memory.store(stack - 8, constant_bytes(RETURN_ADDRESS, 8))
        return stack - 8

    def result(self) -> int:
        """Return rax."""
        return self.machine.concrete(self.register("RAX"), "a result")

    def check_return(self, stack: int) -> None:
        """Refuse, besides, dirty upper halves and a set direction flag."""
        super().check_return(stack)
        if value_of(self.register("DF")) != 0:
            raise Refusal("the direction flag is set")
        for i in range(16):
            if value_of(self.register(f"ZMM{i}")[4 * 128 :]) != 0:
                raise Refusal(f"the upper part of vector register {i} is not clear")
