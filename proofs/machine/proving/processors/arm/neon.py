# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What NEON's instructions of Armv7 do, from capstone's disassembly."""

from __future__ import annotations

from collections.abc import Mapping

from ...machine import Step
from ...refusal import UnknownInstructionError

Places = Mapping[str, tuple[int, int]]


def form(mnemonic: str, operands: str) -> str:
    """Return an instruction's form."""
    return f"{mnemonic} {operands}"


def instruction(mnemonic: str, operands: str, places: Places) -> Step:
    """Return what an instruction does."""
    raise UnknownInstructionError(f"{mnemonic} {operands}")
