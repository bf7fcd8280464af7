# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Checks whether rows are of the code as it is: everything is built, nothing is run."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from runnel_lab import LabError, Skipped, history, results, subjects, targets
from runnel_lab.building.kernels import kernels as kernels_of
from runnel_lab.building.ninja import build
from runnel_lab.packets.combinations import combinations
from runnel_lab.results import Row
from runnel_lab.running import campaign, macs
from runnel_lab.running.campaign import Job
from runnel_lab.subjects import Mode, Subject
from runnel_lab.targets import Target


@dataclass
class Found:
    """The result of a check: how much was looked at, the messages, and how many of these are errors."""

    rows: int = 0
    wrong: int = 0
    lines: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    stale: set[tuple[Any, ...]] = field(default_factory=set)
    """Target, machine and what the row is of."""

    def is_stale(self, row: Row) -> bool:
        """Tell whether a row of results.read_all was found stale."""
        return place_of(row["target"], row) in self.stale


def place_of(target: str, row: Row) -> tuple[Any, ...]:
    return target, row.get("machine"), *results.what(row)


def check(
    tree: Path,
    folder: Path,
    wanted: Sequence[str],
    ciphers: Sequence[str],
    kernels: Sequence[str],
    most: int | None = None,
) -> Found:
    """Compare the rows of the folder with what the build makes. most: of each target a sample of so many rows, another
    one whenever rows are measured anew."""
    found = Found()
    if not history.is_whole(tree):
        found.skipped.append("commits: unknown, the history is not whole here")
    for target in (targets.load(tree, name) for name in dict.fromkeys(wanted or targets.find(tree))):
        places = [f"*/{target.name}.json"] if target.measured else [f"{target.name}.json"]
        rows = [row for place in places for file in sorted(folder.glob(place)) for row in results.read(file)]
        rows = [row for row in rows if not row.get("peer") and _is_wanted(row, ciphers, kernels)]
        try:
            target.require()
            _check(target, _sample(rows, most), found)
        except Skipped as error:
            found.skipped.append(str(error))
    return found


def _is_wanted(row: Row, ciphers: Sequence[str], kernels: Sequence[str]) -> bool:
    name = row.get("cipher") or row["aead"]
    return (not ciphers or name in ciphers) and (not kernels or row.get("kernel") in kernels)


def _sample(rows: list[Row], most: int | None) -> list[Row]:
    def rank(row: Row) -> str:
        return hashlib.sha256(f"{results.what(row)} {row.get('code')}".encode()).hexdigest()

    return rows if most is None else sorted(rows, key=rank)[:most]


def _check(target: Target, rows: Sequence[Row], found: Found) -> None:
    jobs = {results.what(row): _job(target, row) for row in rows}
    build(target, [program for job in jobs.values() if job for program in job.programs(target)])
    lost = history.unknown(target.tree, {row.get("commit") for row in rows})
    for row in rows:
        job, commit = jobs[results.what(row)], row.get("commit")
        name = f"{target.name} {' '.join(str(part) for part in results.what(row))}"
        why = [f"commit {commit}: {lost[commit]}"] if commit in lost else []
        found.wrong += bool(why)
        stale = None
        if job is None:
            stale = "stale: there is no such kernel"
        elif job.code(target) != row.get("code"):
            stale = "stale: the build makes other code" + (" here" if target.measured else "")
        if stale:
            found.stale.add(place_of(target.name, row))
            found.wrong += not (why or target.measured)  # another compiler than that machine's makes other code
            why.append(stale)
        found.rows += 1
        found.lines += [f"{name}: {', '.join(why)}"] if why else []


def _job(target: Target, row: Row) -> Job | None:
    """Return what the row is of; None: that no longer exists."""
    if "aead" in row:
        known = combinations(target.tree)
        return campaign.packets_job(known[row["aead"]]) if row["aead"] in known else None
    try:
        cipher = subjects.cipher(row["cipher"])
    except LabError:
        return None
    names = macs.kernels(target, cipher) if cipher.mode == Mode.MAC else kernels_of(target, cipher)
    if row["kernel"] not in names:
        return None
    return campaign.job(Subject(cipher, row["kernel"], row["key_bits"] // 8, row["iv_bits"] // 8))
