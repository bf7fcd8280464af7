# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measuring what was asked for, target by target, into a folder of results."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from runnel_lab import LabError, Skipped, UnknownNameError, subjects, targets
from runnel_lab.running import campaign
from runnel_lab.running import measure as measuring
from runnel_lab.tally import Tally


def measure(
    tree: Path, wanted: Sequence[str], ciphers: Sequence[str], kernels: Sequence[str], place: Path, tally: Tally
) -> None:
    """Measure these ciphers by these kernels on these targets, no name standing for all, and write the rows to the folder.

    Other projects' code is measured too where no kernel is named. What fails or is skipped goes to the tally. Raise
    UnknownNameError: a target or kernel does not exist."""
    chosen = [targets.load(tree, name) for name in dict.fromkeys(wanted or targets.find(tree))]
    plans = _plans(chosen, ciphers, kernels, tally)
    with tempfile.TemporaryDirectory() as scratch:
        for target, plan in plans:
            folder = Path(scratch) / target.name
            folder.mkdir()
            try:
                station = measuring.station(target, folder, place)
            except Skipped as error:
                tally.skip(error, target)
                continue
            except LabError as error:
                tally.failures.append(str(error))
                continue
            if not kernels:
                campaign.forget_the_gone(station, plan)
            tally.follow(target, campaign.run(station, plan), len(plan))
            if not kernels:
                try:
                    tally.recorded += campaign.peers(station, {subject.cipher.name for subject in plan})
                except LabError as error:
                    tally.failures.append(f"{target.name}: {error}")


def _plans(
    chosen: list[targets.Target], ciphers: Sequence[str], kernels: Sequence[str], tally: Tally
) -> list[tuple[targets.Target, list[subjects.Subject]]]:
    """Finds out what there is to measure on each target whose tools are there."""
    plans = []
    seen: set[str] = set()
    skipped = False
    for target in chosen:
        try:
            target.require()
            plan = campaign.plan(target, ciphers)
        except Skipped as error:
            tally.skip(error, target)
            skipped = True
        except LabError as error:
            tally.failures.append(f"{target.name}: {error}")
        else:
            seen |= {subject.kernel for subject in plan}
            plans.append((target, [subject for subject in plan if not kernels or subject.kernel in kernels]))
    unknown = [kernel for kernel in kernels if kernel not in seen]
    if unknown and not skipped and not tally.failures:
        raise UnknownNameError(f"no kernel {unknown[0]}; there are {', '.join(sorted(seen))}")
    return [(target, plan) for target, plan in plans if plan]
