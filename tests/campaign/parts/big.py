# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Calls of 2^31 - 1, 2^31 and 2^32 + 1 bytes, and positions beyond 2^38."""

import subprocess

import c_programs
import runnel

from campaign import programs
from campaign.work import Work

GOALS = ("G11",)

SHORT = (1_000_000, 1_000_001)
"""Lengths where there is no time for those: the same code, of which nothing is recorded as big."""

MINUTES = 15
"""A cipher that takes longer for the three is not waited for: it has no calls."""


def run(work: Work) -> None:
    """One cipher or AEAD after another, each whole: a run ends some minutes late rather than in the middle."""
    lengths = () if work.seconds >= 60 else SHORT
    names = [*c_programs.ciphers(), *runnel.aeads()]
    work.expect(names, "calls")
    for name, _, seed in programs.in_turn(work, names):
        try:
            lines = programs.call(work, "runnel-big", name, seed, *lengths, timeout=60 * MINUTES)
        except subprocess.TimeoutExpired:
            lines = []
        for what, count, unit in lines:
            work.add(what, count, "short calls" if lengths and unit == "calls" else unit)
