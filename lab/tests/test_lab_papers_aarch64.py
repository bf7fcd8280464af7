# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Count loads and instructions of the kernels after the thesis on SEED for Armv8-A, under QEMU. Never time."""

from __future__ import annotations

import pytest
from lab_programs import LAYOUTS, program
from runnel_lab.running import session

pytestmark = pytest.mark.of("seed")

S_BOX_LOADS = 2 * 16
"""A load of a register of 16 bytes counts as two."""


def of_two_blocks(folder, kernel: str, layout: str) -> tuple[float, float]:
    """Returns instructions and loads, of 32 pairs more in one call."""
    built = program("aarch64", "seed-ctr", kernel, folder)
    calls = [session.key(bytes(16))]
    for pairs in (32, 64):
        calls += [session.iv(bytes(16), LAYOUTS.index(layout)), session.encrypt("long", bytes(32 * pairs))]
    answers = session.run(built.target, built.runner, built.elf, calls)
    assert all(answer.status == 0 for answer in answers)
    short, long = (answers[i].cost for i in (2, 4))
    return (long.instructions - short.instructions) / 32, (long.loads - short.loads) / 32


@pytest.mark.parametrize(
    "kernel, layout, s_boxes",
    [
        ("neon-tbl-literal", "be128", 2 * 48),
        ("neon-tbl-literal", "be32-left", 2 * 45),
        ("neon-tbl", "be128", 48),
        ("neon-tbl", "be32-left", 45 + 1),
    ],
)
def test_how_often_an_s_box_is_loaded(tmp_path, kernel, layout, s_boxes):
    """Table 3-2 loads both for each G, and section 3.1 leaves out the three G of round 1. Ours loads one, and one more where
    the first G does not find the one that it begins with. What remains are text, keys and counters."""
    _, loads = of_two_blocks(tmp_path, kernel, layout)
    assert 40 <= loads - s_boxes * S_BOX_LOADS < 48


@pytest.mark.parametrize("layout, rounds, rest", [("be128", 16, 56), ("be32-left", 15, 61)])
def test_blocks_are_aligned_once(tmp_path, layout, rounds, rest):
    """24 instructions of Table 3-2 and 18 for masks in each G; outside of G a round has 27. A gather for each G would show
    here. The eight of Table 3-1 are among the rest, once for two blocks."""
    instructions, _ = of_two_blocks(tmp_path, "neon-tbl-literal", layout)
    assert instructions == rounds * (3 * (24 + 18) + 27) + rest
