# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A sample of the generated faults, tried one after the other, and how many of them were seen, by function."""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import c_programs

from mutation.areas import File, equivalents, key_of
from mutation.operators import Mutant
from mutation.reached import Reached
from mutation.trial import Checks, Result, Verdict, tried

PATIENCE, AT_LEAST = 8, 20.0  # times, and seconds, that a run may take with a fault


@dataclass(frozen=True)
class Outcome:
    """A fault that was tried."""

    file: File
    mutant: Mutant
    result: Result


class Limits:
    """How long runs take over the code as it is, measured once. A run that sees something wrong there is an error."""

    def __init__(self) -> None:
        self._limits: dict[Checks, dict[str, float]] = {}
        self._reached: dict[Checks, Reached] = {}
        self.wrong: list[str] = []

    def measure(self, file: File) -> None:
        """Try the code as it is by the runs of the file, if no other has the same."""
        if file.tests in self._limits:
            return
        with tempfile.NamedTemporaryFile(suffix=".json") as kept:
            place = Path(kept.name) if file.path.endswith(".py") else None
            result = tried(file.path, file.tests, None, reached=place)
            if place is not None and (text := place.read_text()):
                self._reached[file.tests] = json.loads(text)
        if result.verdict is not Verdict.SURVIVED:
            self.wrong.append(f"{file.path}: {result.verdict.value} without a fault: {result.by}")
        self._limits[file.tests] = {run: max(AT_LEAST, PATIENCE * took) for run, took in result.took.items()}

    def of(self, file: File) -> dict[str, float]:
        """Return the seconds that each run may take."""
        return self._limits[file.tests]

    def first(self, file: File, mutant: Mutant) -> tuple[str, ...]:
        """Return the tests that call the function of a fault, as far as that is known."""
        return tuple(self._reached.get(file.tests, {}).get(f"{mutant.path}:{mutant.function}", ()))


def sample(files: Iterable[File], seed: int) -> Iterator[tuple[File, Mutant]]:
    """Yield all faults of the files in an order that the seed decides, the areas by turns."""
    by_area: dict[str, list[tuple[File, Mutant]]] = defaultdict(list)
    for file in files:
        by_area[file.area] += [(file, mutant) for mutant in file.mutants()]
    for area, own in by_area.items():
        random.Random(f"{seed} {area}").shuffle(own)
    for turn in zip_longest(*by_area.values()):
        yield from (each for each in turn if each is not None)


def outcomes(
    chosen: Iterable[tuple[File, Mutant]], limits: Limits, left: Callable[[], float] = lambda: 1.0
) -> Iterator[Outcome]:
    """Yield what became of faults, tried on all processors, as long as there is time."""
    listed = list(chosen)

    def one(each: tuple[File, Mutant]) -> Outcome | None:
        file, mutant = each
        if not left():
            return None
        if why := equivalents().get(key_of(mutant)):
            return Outcome(file, mutant, Result(Verdict.EQUIVALENT, why))
        first = limits.first(file, mutant)
        return Outcome(file, mutant, tried(file.path, file.tests, mutant.applied, limits.of(file), first))

    with ThreadPoolExecutor(c_programs.jobs()) as pool:
        for outcome in pool.map(one, listed):
            if outcome is not None:
                yield outcome


class Score:
    """How many faults were seen, by area and by function."""

    def __init__(self) -> None:
        self.by_area: dict[str, Counter[Verdict]] = defaultdict(Counter)
        self.by_function: dict[tuple[str, str], Counter[Verdict]] = defaultdict(Counter)
        self.survivors: list[Mutant] = []

    def add(self, outcome: Outcome) -> None:
        verdict, mutant = outcome.result.verdict, outcome.mutant
        self.by_area[outcome.file.area][verdict] += 1
        self.by_function[mutant.path, mutant.function][verdict] += 1
        if verdict is Verdict.SURVIVED:
            self.survivors.append(mutant)

    def lines(self) -> list[str]:
        """List, by function, how many of how many were seen, and under it those that were not."""
        found = []
        for (path, function), verdicts in sorted(self.by_function.items()):
            if count := counted(verdicts):
                found.append(f"{path}: {function}: {verdicts[Verdict.SEEN]} of {count}")
                own = [each for each in self.survivors if (each.path, each.function) == (path, function)]
                found += [f"    {each.line}: {each.what}" for each in sorted(own, key=lambda each: each.line)]
        return found


def counted(verdicts: Counter[Verdict]) -> int:
    """Return the faults that could have been seen."""
    return verdicts[Verdict.SEEN] + verdicts[Verdict.SURVIVED]
