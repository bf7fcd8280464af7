# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Many measurements: which they are, and how they run beside each other."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from runnel._processors import usable_processors

from runnel_lab import DoesNotFit, LabError, Skipped, results, subjects, targets
from runnel_lab.building import objects
from runnel_lab.building.objects import run_tool
from runnel_lab.running import known_answers, macs, measure
from runnel_lab.running.measure import Station
from runnel_lab.subjects import Cipher, Mode, Subject
from runnel_lab.tables import papers, published
from runnel_lab.targets import Target


@dataclass(frozen=True)
class Outcome:
    """What came of one subject: recorded, or what to say of it."""

    subject: Subject | str
    recorded: bool
    said: str | None = None
    failed: bool = False


def _lengths(target: Target) -> dict[str, list[tuple[int, int]]]:
    """The lengths of key and IV that papers measure ciphers with."""
    found: dict[str, list[tuple[int, int]]] = {}
    for name in published.names(target.tree):
        for cipher, pairs in papers.lengths(target.tree, published.read(target.tree, name)).items():
            found[cipher] = list(dict.fromkeys([*found.get(cipher, []), *pairs]))
    return found


def plan(target: Target, ciphers: Sequence[str]) -> list[Subject]:
    """Returns what can be measured on the target, of these ciphers or of all that have rows without being asked for."""
    usual = _lengths(target)
    found: list[Subject] = []
    if target.packets_only:
        return found
    for cipher in map(subjects.cipher, dict.fromkeys(ciphers or [*subjects.usual(), *subjects.macs()])):
        for kernel in macs.kernels(target, cipher) if cipher.mode == Mode.MAC else objects.kernels(target, cipher):
            found += subjects.variants(cipher, kernel, usual)
    return found


def _too_large(file: Path, subject: Subject) -> bool:
    """What was measured last on the target with this file says that it does not fit there."""
    return any(
        "does_not_fit" in row
        and (row["kernel"], row["key_bits"], row["iv_bits"])
        == (subject.kernel, 8 * subject.key_bytes, 8 * subject.iv_bytes)
        for row in results.read(file)
        if row["cipher"] == subject.cipher.name
    )


def forget_the_gone(at: Station, found: Sequence[Subject]) -> None:
    """Drops the results of kernels that exist no more."""
    for cipher in {subject.cipher.name for subject in found}:
        results.forget(at.file, cipher, [s.kernel for s in found if s.cipher.name == cipher])


def run(at: Station, wanted: Sequence[Subject]) -> Iterator[Outcome]:
    """Measures and records, as many at a time as there are processors; where a clock measures, one at a time."""
    workers = 1 if at.target.measured else usable_processors()
    with ThreadPoolExecutor(workers) as pool:
        waiting = [pool.submit(_one, at, subject) for subject in wanted]
        try:
            for done in as_completed(waiting):
                yield done.result()
        finally:
            for each in waiting:
                each.cancel()


def _file_beside(at: Station, name: str) -> Path:
    """The file of the target that comes before this one."""
    return results.file_of(at.results, targets.load(at.target.tree, name), "")


def _one(at: Station, subject: Subject) -> Outcome:
    name = f"{at.target.name} {subject}: "
    if at.target.beside is not None and not _too_large(_file_beside(at, at.target.beside), subject):
        return Outcome(subject, False)
    try:
        results.record(at.file, at.target, measure.measure(at, subject))
        return Outcome(subject, True)
    except DoesNotFit as error:
        results.record(at.file, at.target, measure.does_not_fit(at, subject, error))
        return Outcome(subject, True, f"{name}does not fit: {error}")
    except Skipped as error:
        return Outcome(subject, False, str(error))
    except LabError as error:
        return Outcome(subject, False, name + str(error).removeprefix(name), failed=True)


@dataclass(frozen=True)
class Verified:
    """What came of one kernel's vectors."""

    said: str
    vectors: int = 0
    failed: bool = False


def verify(at: Station, ciphers: Sequence[Cipher], kernels: Sequence[str], files: Sequence[Path]) -> Iterator[Verified]:
    """Puts all vectors through the kernels of these ciphers, as many at a time as there are processors."""
    if at.target.packets_only:
        return
    with ThreadPoolExecutor(usable_processors()) as pool:
        waiting = []
        for cipher in ciphers:
            vectors = known_answers.read(files, cipher.name)
            for kernel in objects.kernels(at.target, cipher):
                if not kernels or kernel in kernels:
                    waiting.append(pool.submit(_verify, at, cipher, kernel, vectors))
        for done in as_completed(waiting):
            yield done.result()


def _verify(at: Station, cipher: Cipher, kernel: str, vectors: Sequence[known_answers.Vector]) -> Verified:
    name = f"{at.target.name} {cipher.name} {kernel}"
    try:
        taken = known_answers.verify(at.target, at.runner, cipher, kernel, vectors)
        return Verified(f"{name}: {taken} vectors", taken, failed=taken == 0)
    except DoesNotFit as error:
        return Verified(f"{name}: does not fit: {error}")
    except Skipped as error:
        return Verified(str(error))
    except LabError as error:
        return Verified(str(error), failed=True)


def peers(at: Station, ciphers: Collection[str]) -> int:
    """Measures other projects' code where the target has programs for it, and records their rows for these ciphers: new ones
    for peers, additions to ours. Returns how many."""
    return sum(_peers(at, command, ciphers) for command in at.target.peers)


def _peers(at: Station, command: list[str], ciphers: Collection[str]) -> int:
    said = run_tool(at.target.expand(command, runner=at.runner, results=at.file, ciphers=",".join(sorted(ciphers))))
    try:
        rows = [row for row in json.loads(said) if row["cipher"] in ciphers]
        for row in rows:
            if row.get("peer"):
                results.record(at.file, at.target, measure.about(at) | row)
            else:
                results.record(at.file, at.target, row, merge=True)
    except (ValueError, TypeError, KeyError) as error:
        raise LabError(f"{at.target.name}: the peers' program prints no rows: {error}") from None
    return len(rows)
