# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The jobs of a target, which of them are stale, and measuring them in parallel."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from runnel_lab import LabError, Skipped, results, subjects, targets
from runnel_lab.building import programs
from runnel_lab.building.code import code_hash
from runnel_lab.building.kernels import kernels
from runnel_lab.building.ninja import Program, build
from runnel_lab.building.tools import run_tool
from runnel_lab.packets import measure as packets
from runnel_lab.packets import program as packet_programs
from runnel_lab.packets.combinations import Combination, combinations
from runnel_lab.results import Row
from runnel_lab.running import macs, measure
from runnel_lab.running.target_run import Outcome, TargetRun, about, run_jobs
from runnel_lab.subjects import Mode, Subject
from runnel_lab.tables import papers, published
from runnel_lab.targets import Target


@dataclass(frozen=True)
class Job:
    """A job that gets one row, or of packets one or two: a kernel of a cipher, a MAC, or a combination."""

    name: str
    kernel: str
    what: tuple[Any, ...]
    """By which results know its rows."""
    programs: Callable[[Target], list[Program]]
    code: Callable[[Target], str]
    rows: Callable[[TargetRun], list[Row]]


def job(subject: Subject) -> Job:
    def code(target: Target) -> str:
        return code_hash(measure.building(target, subject)[-1])

    return Job(
        str(subject),
        subject.kernel,
        (subject.cipher.name, subject.kernel, 8 * subject.key_bytes, 8 * subject.iv_bytes),
        lambda target: [programs.program(measure.rooms(target, subject)[0], subject)],
        code,
        lambda at: [measure.measure(at, subject)],
    )


def packets_job(combination: Combination) -> Job:
    def programs_of(target: Target) -> list[Program]:
        found = packet_programs.candidates(target, combination)
        return [packet_programs.program(packets.rooms(target)[-1], combination, each) for each in found]

    return Job(
        combination.name,
        "",
        ("packets", combination.name),
        programs_of,
        lambda target: packets.code_of(packets.tried(target, combination)),
        partial(packets.measure, combination=combination),
    )


def plan(target: Target, ciphers: Sequence[str], aeads: Sequence[str]) -> list[Job]:
    """Return what can be measured on the target of these ciphers and MACs, and of these packets; no name of either stands for
    all that have rows without being asked for, or that are recorded."""
    found: list[Job] = []
    if not target.packets_only and (ciphers or not aeads):
        usual = _lengths(target)
        for cipher in map(subjects.cipher, dict.fromkeys(ciphers or _everything(target))):
            names = macs.kernels(target, cipher) if cipher.mode == Mode.MAC else kernels(target, cipher)
            found += [job(subject) for name in names for subject in subjects.variants(cipher, name, usual)]
    if target.packets and (aeads or not ciphers):
        known = combinations(target.tree)
        found += [packets_job(known[name]) for name in aeads or known]
    return found


def _everything(target: Target) -> list[str]:
    known = subjects.ciphers() | subjects.macs()
    rows = results.read_all(results.recorded(target.tree))
    recorded = {row["cipher"] for row in rows if row["target"] == target.name and not row.get("peer")}
    return [*subjects.usual(), *subjects.macs(), *sorted(recorded & known.keys())]


def _lengths(target: Target) -> dict[str, list[tuple[int, int]]]:
    """Return the lengths of key and IV that papers measure ciphers with."""
    found: dict[str, list[tuple[int, int]]] = {}
    for name in published.names(target.tree):
        for cipher, pairs in papers.lengths(target.tree, published.read(target.tree, name)).items():
            found[cipher] = list(dict.fromkeys([*found.get(cipher, []), *pairs]))
    return found


def forget_the_gone(at: TargetRun, ciphers: Sequence[str], jobs: Sequence[Job]) -> None:
    """Drop our rows of kernels and combinations that no longer exist."""
    known = {job.what for job in plan(at.target, ciphers, ())}
    kinds = {(what[0], what[1]) for what in known}
    of = {what[0] for what in known}

    def lives(row: Row) -> bool:
        first = results.what(row)
        return first[0] not in of or bool(row.get("peer")) or (first[0], first[1]) in kinds

    if jobs:
        results.keep(at.file, at.target, lives)


def due(at: TargetRun, jobs: Sequence[Job], *, again: bool) -> list[Job]:
    """Return those whose row is missing, or of other code than the build makes now, or with `again` all; on a target that
    stands beside another one those that do not fit there."""
    if at.target.beside is not None:
        file = results.file_of(at.results, targets.load(at.target.tree, at.target.beside), "")
        too_large = {results.what(row) for row in results.read(file) if "does_not_fit" in row}
        jobs = [job for job in jobs if job.what[0] == "packets" or job.what in too_large]
    known = {results.what(row): row.get("code") for row in results.read(at.file)}
    build(at.target, [program for job in jobs for program in job.programs(at.target)])
    return [job for job in jobs if again or known.get(job.what) != job.code(at.target)]


def run(at: TargetRun, jobs: Sequence[Job]) -> Iterator[Outcome]:
    """Measure and record."""
    return run_jobs(at, [partial(_one, at, job) for job in jobs])


def _one(at: TargetRun, job: Job) -> Outcome:
    name = f"{at.target.name} {job.name}: "
    try:
        rows = job.rows(at)
    except Skipped as error:
        return Outcome(job.name, 0, str(error))
    except LabError as error:
        return Outcome(job.name, 0, name + str(error).removeprefix(name), failed=True)
    results.record(at.file, at.target, rows)
    message = next((f"{name}does not fit: {row['does_not_fit']}" for row in rows if "does_not_fit" in row), None)
    return Outcome(job.name, 1, message)


def peers(at: TargetRun, ciphers: Collection[str]) -> int:
    """Measure other projects' code where the target has programs for it, and record their rows for these ciphers: new ones
    for peers, additions to ours. Return how many."""
    return sum(_peers(at, command, ciphers) for command in at.target.peers)


def _peers(at: TargetRun, command: list[str], ciphers: Collection[str]) -> int:
    output = run_tool(at.target.expand(command, runner=at.runner, results=at.file, ciphers=",".join(sorted(ciphers))))
    try:
        rows = [row for row in json.loads(output) if row["cipher"] in ciphers]
        for row in rows:
            if row.get("peer"):
                results.record(at.file, at.target, [about(at) | row])
            else:
                results.merge(at.file, at.target, row)
    except (ValueError, TypeError, KeyError) as error:
        raise LabError(f"{at.target.name}: the peers' program prints no rows: {error}") from None
    return len(rows)
