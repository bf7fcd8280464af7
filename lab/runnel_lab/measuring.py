# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measuring what was asked for, target by target, into a folder of results; and whether rows are of the code as it is."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from runnel_lab import LabError, Skipped, UnknownNameError, targets
from runnel_lab.running import campaign
from runnel_lab.running.campaign import Job
from runnel_lab.running.station import Station, station
from runnel_lab.tally import Tally


def measure(
    tree: Path,
    wanted: Sequence[str],
    ciphers: Sequence[str],
    kernels: Sequence[str],
    place: Path,
    tally: Tally,
    *,
    aeads: Sequence[str] = (),
    again: bool = False,
) -> None:
    """Measure these ciphers by these kernels, and packets by these AEADs, on these targets, and write the rows to the folder:
    those that are missing there or of other code, or with `again` all. No name stands for all.

    Other projects' code is measured too where no kernel is named. What fails or is skipped goes to the tally. Raise
    UnknownNameError: a target or kernel does not exist."""
    chosen = [targets.load(tree, name) for name in dict.fromkeys(wanted or targets.find(tree))]
    plans = _plans(chosen, ciphers, kernels, aeads, tally)
    with tempfile.TemporaryDirectory() as scratch:
        for target, jobs in plans:
            folder = Path(scratch) / target.name
            folder.mkdir()
            try:
                at = station(target, folder, place)
                if not kernels:
                    campaign.forget_the_gone(at, ciphers, jobs)
                due = campaign.due(at, jobs, again=again)
            except Skipped as error:
                tally.skip(error, target)
                continue
            except LabError as error:
                tally.failures.append(str(error))
                continue
            tally.follow(target, campaign.run(at, due), len(due))
            if due and not kernels:
                _measure_peers(at, jobs, tally)


def _measure_peers(at: Station, jobs: Sequence[Job], tally: Tally) -> None:
    try:
        tally.recorded += campaign.peers(at, {job.what[0] for job in jobs})
    except LabError as error:
        tally.failures.append(f"{at.target.name}: {error}")


def _plans(
    chosen: list[targets.Target], ciphers: Sequence[str], kernels: Sequence[str], aeads: Sequence[str], tally: Tally
) -> list[tuple[targets.Target, list[Job]]]:
    """Find out what there is to measure on each target whose tools are there."""
    plans = []
    seen: set[str] = set()
    skipped = False
    for target in chosen:
        try:
            target.require()
            jobs = campaign.plan(target, ciphers, aeads)
        except Skipped as error:
            tally.skip(error, target)
            skipped = True
        except LabError as error:
            tally.failures.append(f"{target.name}: {error}")
        else:
            seen |= {job.kernel for job in jobs}
            plans.append((target, [job for job in jobs if not kernels or job.kernel in kernels]))
    unknown = [kernel for kernel in kernels if kernel not in seen]
    if unknown and not skipped and not tally.failures:
        raise UnknownNameError(f"no kernel {unknown[0]}; there are {', '.join(sorted(filter(None, seen)))}")
    return [(target, jobs) for target, jobs in plans if jobs]
