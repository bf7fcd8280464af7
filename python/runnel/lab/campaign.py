# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Many measurements: which they are, and how they run beside each other."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from . import DoesNotFit, LabError, Skipped, measure, objects, results, subjects
from .subjects import Subject
from .targets import Target


@dataclass(frozen=True)
class Outcome:
    """What came of one subject: recorded, or what to say of it."""

    subject: Subject
    recorded: bool
    said: str | None = None
    failed: bool = False


def plan(target: Target, ciphers: Sequence[str]) -> list[Subject]:
    """Gives what can be measured on the target, of these ciphers or of all."""
    found = []
    for cipher in map(subjects.cipher, dict.fromkeys(ciphers or subjects.ciphers())):
        for kernel in objects.kernels(target, cipher):
            found += subjects.variants(cipher, kernel)
    return found


def forget_the_gone(target: Target, found: Sequence[Subject]) -> None:
    """Drops the results of kernels that exist no more."""
    for cipher in {subject.cipher.name for subject in found}:
        results.forget(target, cipher, [s.kernel for s in found if s.cipher.name == cipher])


def run(target: Target, runner: Path, wanted: Sequence[Subject]) -> Iterator[Outcome]:
    """Measures and records, as many at a time as there are processors; where a clock measures, one at a time."""
    workers = 1 if target.measured else max(1, len(os.sched_getaffinity(0)))
    with ThreadPoolExecutor(workers) as pool:
        waiting = [pool.submit(_one, target, runner, subject) for subject in wanted]
        try:
            for done in as_completed(waiting):
                yield done.result()
        finally:
            for each in waiting:
                each.cancel()


def _one(target: Target, runner: Path, subject: Subject) -> Outcome:
    try:
        results.record(target, measure.measure(target, subject, runner))
        return Outcome(subject, True)
    except DoesNotFit as error:
        results.record(target, measure.does_not_fit(target, subject, error))
        return Outcome(subject, True, f"{target.name} {subject}: does not fit: {error}")
    except Skipped as error:
        return Outcome(subject, False, str(error))
    except LabError as error:
        said = str(error)
        name = f"{target.name} {subject}: "
        return Outcome(subject, False, said if said.startswith(name) else name + said, failed=True)
