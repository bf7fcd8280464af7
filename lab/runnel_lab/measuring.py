# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measuring what was asked for, target by target, into a folder of results; and whether rows are of the code as it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from runnel_lab import UnknownNameError, targets
from runnel_lab.running import campaign
from runnel_lab.running.campaign import Job
from runnel_lab.tally import Tally
from runnel_lab.targets import Target


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
    for at in tally.target_runs(plans, place):
        jobs, due = plans[at.target], list[Job]()
        with tally.surviving(at.target):
            if not kernels:
                campaign.forget_the_gone(at, ciphers, jobs)
            due = campaign.due(at, jobs, again=again)
        tally.follow(at.target, campaign.run(at, due), len(due))
        if due and not kernels:
            with tally.surviving(at.target):
                tally.recorded += campaign.peers(at, {job.what[0] for job in jobs})


def _plans(
    chosen: Sequence[Target], ciphers: Sequence[str], kernels: Sequence[str], aeads: Sequence[str], tally: Tally
) -> dict[Target, list[Job]]:
    """Find out what there is to measure on each target whose tools are there."""
    plans = {}
    for target in chosen:
        with tally.surviving(target):
            target.require()
            plans[target] = campaign.plan(target, ciphers, aeads)
    seen = {job.kernel for jobs in plans.values() for job in jobs}
    unknown = [kernel for kernel in kernels if kernel not in seen]
    if unknown and len(plans) == len(chosen):
        raise UnknownNameError(f"no kernel {unknown[0]}; there are {', '.join(sorted(filter(None, seen)))}")
    wanted = {target: [job for job in jobs if not kernels or job.kernel in kernels] for target, jobs in plans.items()}
    return {target: jobs for target, jobs in wanted.items() if jobs}
