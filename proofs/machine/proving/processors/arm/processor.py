# SPDX-License-Identifier: Apache-2.0 OR MIT
"""32-bit ARM as AAPCS calls functions: Cortex-M, and Armv7-A with NEON."""

from __future__ import annotations

from typing import ClassVar

from ..base import RETURN_ADDRESS, Argument, Processor, store_arguments
from .lifter import ArmLifter


class Arm(Processor):
    """A processor with Thumb-2, and with ARM code and NEON if it is one for applications."""

    stack_align = 8
    callee_saved = (*(f"r{i}" for i in range(4, 12)), *(f"d{i}" for i in range(8, 16)))
    fixed_registers: ClassVar[dict[str, int]] = {"lr": RETURN_ADDRESS | 1, "ISAModeSwitch": 1, "TB": 1}

    def new_decoder(self) -> ArmLifter:
        """Return what decodes its instructions."""
        return ArmLifter(self.image.is_thumb if self.image.arm_profile == "A" else None)

    def pass_arguments(self, arguments: list[Argument], stack: int) -> None:
        """Pass words in r0 to r3, long numbers in even pairs, then on the stack."""
        number = 0
        rest: list[Argument] = []
        for argument in arguments:
            size = argument.size or 4
            if size == 8 and not rest:
                number += number % 2
            if number + size // 4 <= 4 and not rest:
                for at in range(0, max(size, 4), 4):
                    self.set_register(f"r{number}", argument.word(32, 8 * at))
                    number += 1
            else:
                number = 4
                if size == 8 and len(rest) % 2:
                    rest.append(Argument(0, 4))
                rest += [Argument(argument.word(32, 8 * at), 4) for at in range(0, max(size, 4), 4)]
        store_arguments(self, rest, stack, 4)

    def set_return_address(self, stack: int) -> int:
        """Put the return address into lr."""
        return stack

    def entry(self, address: int) -> int:
        """Return the address of a function, whose lowest bit says Thumb."""
        return address & ~1

    def result(self) -> int:
        """Return r0."""
        return self.machine.concrete(self.register("r0"), "a result")
