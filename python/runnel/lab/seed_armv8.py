# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Paper 5, SEED in counter mode on Armv8-A: one block of the reference in C beside two blocks of the NEON kernel. The lab
has no such processor: instructions are exact, cycles are llvm-mca's, core by core. The paper's counter position is
be32-left, in which F of round 1 is computed once; the lab's default is the standard one, at the end of the block."""

from __future__ import annotations

from . import mca
from .published import Place
from .rules import Rule
from .values import Shelf, Value, each, gain, quotient, ranked

_TARGET, _CIPHER, _LABELS = "aarch64", "seed-ctr", {"": "long", ", be32-left": "left"}
_REFERENCE, _KERNEL = "table", "neon-tbl"


def _rule(place: Place, unit: str, kernel: str, value: Value, kind: str) -> Rule:
    return Rule(place, unit, _TARGET, _CIPHER, kernel, value, kind)


def _gain(cost: Value) -> Value:
    return gain(quotient(lambda case: 1.0, cost), _REFERENCE)


def rules(shelf: Shelf) -> list[Rule]:
    cores = mca.MACHINES[_TARGET].cores
    found = []
    for row, kernel, blocks in (("reference_c_1_block", _REFERENCE, 1), ("neon_tbl_2_blocks", _KERNEL, 2)):
        place = Place("cycles", row)
        found += [_rule(place, f"cycles on {core}", kernel, ranked(core, bytes=16 * blocks), "mca") for core in cores]
        found += [
            _rule(place, f"instructions{layout}", kernel, each(label, "instructions", bytes=16 * blocks), "exact")
            for layout, label in _LABELS.items()
        ]
    place = Place("gain_percent_per_block")
    found += [_rule(place, f"% on {core}", _KERNEL, _gain(ranked(core)), "mca") for core in cores]
    found += [
        _rule(place, f"% of instructions{layout}", _KERNEL, _gain(each(label, "instructions")), "exact")
        for layout, label in _LABELS.items()
    ]
    for kernel in (r["kernel"] for r in shelf.rows if (r["target"], r["cipher"]) == (_TARGET, _CIPHER)):
        found += [
            _rule(Place("ours: cycles by llvm-mca", kernel, core), "cycles/byte", kernel, ranked(core, bytes=1), "mca")
            for core in cores
        ]
        found.append(
            _rule(
                Place("ours: be32-left", kernel, "long message"),
                "instructions/block",
                kernel,
                each("left", "instructions"),
                "exact",
            )
        )
    return found
