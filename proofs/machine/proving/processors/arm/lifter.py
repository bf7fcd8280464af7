# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Decodes ARM code and Thumb-2 by SLEIGH, NEON by neon.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import capstone
import pypcode
from pypcode import OpCode

from ...machine import Instruction, Machine, Step
from ...pcode import Lifter
from ...refusal import UnknownInstructionError
from ..aarch64.vectors import split
from . import neon

ARM = " arm"
"""At the end of a form: it is ARM code."""


def _nothing(m: Machine) -> None:
    """Do nothing: which code is of which set says the linker (Image.modes), and barriers order nothing here."""


class ArmLifter(Lifter):
    """Decodes the code of Cortex-M, which is Thumb-2, and of Armv7-A, which may be ARM code too."""

    def __init__(self, thumb_at: Callable[[int], bool] | None = None) -> None:
        super().__init__("ARM:LE:32:v8" if thumb_at else "ARM:LE:32:Cortex")
        self.thumb_at = thumb_at
        self.disassemblers = {True: capstone.Cs(capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB)}
        self.contexts = {True: self.context}
        """For each set a context of its own, since p-code does not tell when it changes."""
        if thumb_at:
            self.contexts = {thumb: _context_of(thumb) for thumb in (True, False)}
            self.disassemblers[False] = capstone.Cs(capstone.CS_ARCH_ARM, capstone.CS_MODE_ARM)

    def decode(self, code: bytes, address: int) -> Instruction:
        """Find out what an instruction does."""
        thumb = self.thumb_at(address) if self.thumb_at else True
        ins = next(self.disassemblers[thumb].disasm(code[:4], address, 1), None)
        if ins is not None and ins.mnemonic.startswith("v"):
            step = neon.instruction(ins.mnemonic, ins.op_str, self.places, address + (4 if thumb else 8))
            instruction = Instruction(neon_form(ins), ins.size, (step,), code[: ins.size])
        else:
            self.context = self.contexts[thumb]
            instruction = super().decode(code, address)
            if instruction.form.startswith("blx") and self.thumb_at:
                # From the target on SLEIGH takes all code to be of the other set, also in calls to come.
                self.contexts[thumb] = _context_of(thumb)
        return (
            instruction
            if thumb
            else Instruction(instruction.form + ARM, instruction.length, instruction.steps, instruction.code)
        )

    def other(self, op: Any, address: int) -> Step:
        """Operations that p-code only names: hints and changes of state."""
        name = self.user_operation(op)
        if name in ("setISAMode", "DataMemoryBarrier", "DataSynchronizationBarrier", "HintPreloadData"):
            return _nothing
        raise UnknownInstructionError(f"p-code {name or op.opcode} at {address:#x}")

    def user_operation(self, op: Any) -> str:
        """Return the name of an operation."""
        if op.opcode != OpCode.CALLOTHER:
            return ""
        return str(op.inputs[0].getUserDefinedOpName())


def _context_of(thumb: bool) -> pypcode.Context:
    context = pypcode.Context("ARM:LE:32:v8")
    context.setVariableDefault("TMode", int(thumb))
    return context


def neon_form(ins: capstone.CsInsn) -> str:
    """Return the form of an instruction of NEON: its mnemonic and the kinds of its operands."""
    kinds = split(ins.op_str)
    return f"{ins.mnemonic} {', '.join(neon.kind_of(each) for each in kinds)}".strip()
