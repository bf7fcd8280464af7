# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Calls of 2^31 - 1, 2^31 and 2^32 + 1 bytes, and positions beyond 2^38."""

import random

import c_programs
import runnel

from campaign import programs
from campaign.work import Work, time_of_children

GOALS = ("G11",)

SHORT = (1_000_000, 1_000_001)
"""Lengths where there is no time for those: the same code, of which nothing is recorded as big."""

LENGTHS = ((1 << 31) - 1, 1 << 31, (1 << 32) + 1)
"""The program's own."""

MINUTES = 15
"""A kernel too slow for the three calls within these minutes is not begun: it has no calls."""


def minutes(work: Work, name: str, seed: int) -> float:
    """Estimate the processor time of the three calls, by that of short ones."""
    began = time_of_children()
    programs.call(work, "runnel-big", name, seed, *SHORT)
    return (time_of_children() - began) / sum(SHORT) * sum(LENGTHS) / 60


def run(work: Work) -> None:
    """Run one cipher or AEAD after another, each whole: a run ends some minutes late rather than in the middle."""
    names = [*c_programs.ciphers(), *runnel.aeads()]
    work.expect(names, "calls")
    seeds = random.Random(work.seed)
    for name in programs.Recorded(work, "big").seldom_first(names, lambda name: [name]):
        seed = seeds.getrandbits(63)
        if work.seconds < 60:
            for what, count, unit in programs.call(work, "runnel-big", name, seed, *SHORT):
                work.add(what, count, "short calls" if unit == "calls" else unit)
        elif minutes(work, name, seed) < MINUTES:
            programs.count(work, programs.call(work, "runnel-big", name, seed, timeout=600 * MINUTES))
        if not work.left():
            break
