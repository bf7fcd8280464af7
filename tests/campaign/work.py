# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The input of a part of the campaign, and its counts."""

from __future__ import annotations

import re
import resource
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def time_of_children() -> float:
    """Processor seconds of all programs that were run and waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@dataclass
class Figure:
    """The number of trials of one thing in one run, and how many failed."""

    what: str
    count: int
    unit: str
    found: int = 0


@dataclass
class Work:
    """One run of one part.

    seconds: what the run may take; a part stops soon after `left()` is 0.
    seed: what everything random in it begins with; another in each run of the same part.
    folder: what the part keeps from run to run: corpora, and how far it came.
    build: the build directory with the C test programs, which `c_programs.build()` makes.
    only: expressions; a part that asks `wanted()` does what one of them fits, everything if there are none.
    """

    seconds: float
    seed: int
    folder: Path
    build: Path
    only: Sequence[str] = ()
    figures: list[Figure] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    stopped: bool = False  # before its time was over
    began: float = field(default_factory=time.monotonic)

    def left(self) -> float:
        """Return the seconds that are left, 0 when none are."""
        return max(0.0, self.began + self.seconds - time.monotonic())

    def wanted(self, name: str) -> bool:
        """Return whether this run includes the item of this name."""
        return not self.only or any(re.fullmatch(each, name) for each in self.only)

    def add(self, what: str, count: int, unit: str, found: int = 0) -> None:
        """Adds to a figure of this run."""
        for figure in self.figures:
            if (figure.what, figure.unit) == (what, unit):
                figure.count += count
                figure.found += found
                return
        self.figures.append(Figure(what, count, unit, found))

    def expect(self, names: Iterable[str], unit: str) -> None:
        """Declare the figures of a whole run: what is not reached counts 0, so that no goal is called reached without it."""
        for name in names:
            self.add(name, 0, unit)

    def finding(self, text: str) -> None:
        """Something that is wrong: one line that says what, where and under which seed. The run fails at its end. It is
        recorded, so paths in it begin at the root of the project."""
        self.findings.append(text.replace(f"{ROOT}/", ""))

    def record(self) -> dict[str, object]:
        """Return the run's record, beside date, commit and machine. Findings that no figure counts as wrong have one
        of their own, or a goal would be called reached in spite of them."""
        figures = list(self.figures)
        if (others := len(self.findings) - sum(figure.found for figure in figures)) > 0:
            figures.append(Figure("findings that no other figure has", others, "findings", others))
        return {
            "seconds": round(time.monotonic() - self.began),
            "seed": self.seed,
            "figures": [asdict(figure) for figure in figures],
            "findings": self.findings,
        }
