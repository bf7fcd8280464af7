# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Decodes Thumb-2 by SLEIGH. NEON has no semantics yet."""

from __future__ import annotations

from typing import Any

import capstone
from pypcode import OpCode

from ...machine import Instruction, Machine, Step
from ...pcode import Lifter
from ...refusal import UnknownInstructionError


def _nothing(m: Machine) -> None:
    """Do nothing: the state of the instruction set is Thumb all the time, and barriers order nothing here."""


class ArmLifter(Lifter):
    """Decodes Thumb-2."""

    def __init__(self) -> None:
        super().__init__("ARM:LE:32:Cortex")
        self.disassembler = capstone.Cs(capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB)

    def decode(self, code: bytes, address: int) -> Instruction:
        """Find out what an instruction does."""
        first = int.from_bytes(code[:2], "little")
        if first & 0xEF00 == 0xEF00 or first & 0xFF10 == 0xF900 or first & 0xFFA0 == 0xF920 or first & 0xFF00 == 0xF900:
            ins = next(self.disassembler.disasm(code[:4], address, 1), None)
            if ins is not None and ins.mnemonic.startswith("v"):
                raise UnknownInstructionError(f"NEON: {ins.mnemonic} {ins.op_str} at {address:#x}")
        return super().decode(code, address)

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
