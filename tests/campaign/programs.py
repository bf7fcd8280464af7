# SPDX-License-Identifier: Apache-2.0 OR MIT
"""C test programs in a campaign: many short runs, each with a seed of its own, whose order continues where it stopped."""

from __future__ import annotations

import functools
import json
import random
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import c_programs

from campaign.work import Work

RESULTS = c_programs.ROOT / "results" / "reliability"

LONGEST = 300
"""Characters of what a program says that a finding has."""

ABSENT = 77
"""The status of a program that has nothing to do here."""

Item = TypeVar("Item")


def goals() -> dict:
    return _read(RESULTS / "goals.toml")


@functools.cache
def _read(path: Path) -> dict:
    return tomllib.loads(path.read_text(encoding="utf-8"))


class Recorded:
    """Counts of a part's trials of each thing, in its recorded runs and in this one."""

    def __init__(self, work: Work, part: str) -> None:
        path = RESULTS / f"{part}.json"
        runs = json.loads(path.read_text())["runs"] if path.exists() else []
        self.work, self.before, self.right = work, Counter[tuple[str, str]](), Counter[str]()
        for each in (figure for run in runs for figure in run["figures"]):
            self.before[each["what"], each["unit"]] += each["count"]
            self.right[each["what"]] += each["count"] > 0 and not each["found"]
        self.targets = [
            target
            for goal in goals()["goals"].values()
            for target in goal.get("targets", [])
            if target["part"] == part and target.get("each")
        ]

    def counts(self) -> Counter[tuple[str, str]]:
        return self.before + Counter({(each.what, each.unit): each.count for each in self.work.figures})

    def enough(self, what: str, unit: str) -> bool:
        """Return how often it is enough: as often as the goals ask for; once, if none does."""
        return not self.lacks(what, unit)

    def lacks(self, what: str, unit: str) -> int:
        """Return how many trials are missing to the goals; to one, if there is no goal."""
        return max(0, self._wanted(what, unit) - self._tried(what, unit))

    def share(self, what: str, unit: str) -> float:
        """Return the number of trials as a fraction of the goal."""
        return self._tried(what, unit) / self._wanted(what, unit)

    def _wanted(self, what: str, unit: str) -> int:
        counts = (
            target["count"]
            for target in self.targets
            if target.get("unit", unit) == unit and re.fullmatch(target.get("what", ".*"), what)
        )
        return max(counts, default=1)

    def _tried(self, what: str, unit: str) -> int:
        now = sum(each.count for each in self.work.figures if (each.what, each.unit) == (what, unit))
        return self.before[what, unit] + now

    def seldom_first(self, items: Sequence[Item], whats: Callable[[Item], Iterable[str]]) -> list[Item]:
        """Those first that the fewest runs have tried and found right; whats: the figures that tell."""
        return sorted(items, key=lambda item: min(self.right[what] for what in whats(item)))


def in_turn(
    work: Work, items: Sequence[Item], *, most: float = 20.0, enough: Callable[[Item], bool] = lambda _: False
) -> Iterable[tuple[Item, float, int]]:
    """Items, over and over until the time is up, with the seconds that each may take and a seed. Those that have had enough
    leave their turns to the others, until all have. The next run begins with the item after the last one of this run; each
    run has one item at least."""
    place = work.folder / "next"
    index = int(place.read_text()) if place.exists() else 0
    seeds = random.Random(work.seed)
    seconds = None
    while True:
        waiting = [n for n, item in enumerate(items) if not enough(item)] or range(len(items))
        index = min(waiting, key=lambda n: (n - index) % len(items))  # the next in the circle
        seconds = seconds or min(most, max(0.02, work.seconds / len(waiting)))
        yield items[index], seconds, seeds.getrandbits(63)
        index = (index + 1) % len(items)
        place.write_text(str(index))
        if work.left() == 0:
            return


def call(work: Work, program: str, *arguments: object, timeout: float = 600) -> list[tuple[str, int, str]]:
    """Return a program's counts: its lines `WHAT: COUNT UNIT`. If it fails that is a finding, with the line that
    repeats it."""
    done = c_programs.run(program, *map(str, arguments), timeout=timeout)
    if done.returncode == ABSENT:
        return []
    if done.returncode != 0:
        last_line = " ".join(done.stdout.strip().splitlines()[-1:])[:LONGEST]
        work.finding(f"{program} {' '.join(map(str, arguments))}: status {done.returncode}: {last_line}")
    lines = re.findall(r"^(.+): (\d+) (\w+)$", done.stdout, re.MULTILINE)
    return [(what, int(count), unit) for what, count, unit in lines]


def count(work: Work, lines: Iterable[tuple[str, int, str]], name: Callable[[str], str] = str) -> None:
    for what, number, unit in lines:
        work.add(name(what), number, unit)


def properties(work: Work, part: str, names: dict[str, tuple[str, int]], *, most: float = 20.0) -> None:
    """Properties of every kernel that this processor runs, each time with another seed. names: of a property what the
    part's figure is called, and how many steps a call takes, 0 where its checks are counted. In less than a minute there is
    time for a sample only, which is called one: no goal is reached by it."""
    scale = 1 if work.seconds >= 60 else 100
    sample = " (sample)" if scale > 1 else ""
    kernels = [each for each in c_programs.kernels() if each.available and not each.directional]
    items = [(kernel, name) for name in names for kernel in kernels]
    for kernel, name in items:
        called, steps = names[name]
        work.expect([f"{kernel}: {called}"], "steps" if steps else "checks")
    recorded = Recorded(work, part)

    def enough(item: tuple[c_programs.Kernel, str]) -> bool:
        called, steps = names[item[1]]
        return recorded.enough(f"{item[0]}: {called}", "steps" if steps else "checks")

    for (kernel, name), _, seed in in_turn(work, items, most=most, enough=enough):
        chosen = ("--cipher", kernel.cipher, "--kernel", kernel.name, "--seed", seed, "--scale", scale)
        called, steps = names[name]
        for _, checks, _ in call(work, "runnel-properties", name, *chosen):
            number, unit = (steps // scale, "steps") if steps else (checks, "checks")
            work.add(f"{kernel}: {called}{sample}", number, unit)
