# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Coverage: the instructions that a proof executed, of the functions that it entered, and those that it did not."""

from __future__ import annotations

from typing import Any

from .processors.base import Processor
from .refusal import Refusal


def of(processor: Processor) -> dict[str, Any]:
    """Return the numbers of instructions, and where those lie that no proof executed."""
    machine, image = processor.machine, processor.image
    executed = machine.executed
    entered = {image.function_at(address) for address in executed}
    total = done = 0
    missing: dict[str, list[str]] = {}
    for start, size, name in image.functions:
        if name not in entered or not size or name.startswith("proof_"):
            continue
        at = start
        ranges: list[list[int]] = []
        while at < start + size:
            try:
                length = machine.instructions[at].length if at in machine.instructions else processor.length_at(at)
            except Refusal:
                break  # a pool of constants
            total += 1
            if at in executed:
                done += 1
            elif ranges and ranges[-1][1] == at:
                ranges[-1][1] = at + length
            else:
                ranges.append([at, at + length])
            at += length
        if ranges:
            missing[name] = [f"{a - start:#x}-{b - start:#x}" for a, b in ranges]
    return {"instructions": total, "executed": done, "missing": missing}
