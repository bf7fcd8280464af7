# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Many combinations measured, as many at a time as there are processors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from runnel._processors import usable_processors

from runnel_lab import LabError, targets
from runnel_lab.packets import measure, recorded
from runnel_lab.packets.combinations import Combination
from runnel_lab.running.campaign import Outcome
from runnel_lab.running.measure import Station
from runnel_lab.targets import Target


def processors(tree: Path) -> list[str]:
    """Returns the targets without an operating system, except those that run another one's kernels."""
    return [name for name in targets.find(tree) if _is_node(targets.load(tree, name))]


def _is_node(target: Target) -> bool:
    hosted = target.measured or any("posix_channel" in source for source in target.sources)
    return not (hosted or target.kernels or target.like)


def run(at: Station, folder: Path, wanted: Sequence[Combination]) -> Iterator[Outcome]:
    """Measures the combinations and records them in the folder."""
    with ThreadPoolExecutor(usable_processors()) as pool:
        waiting = [pool.submit(_one, at, folder, combination) for combination in wanted]
        try:
            for done in as_completed(waiting):
                yield done.result()
        finally:
            for each in waiting:
                each.cancel()


def _one(at: Station, folder: Path, combination: Combination) -> Outcome:
    name = f"{at.target.name} {combination.name}: "
    try:
        rows = measure.measure_packets(at, combination)
    except LabError as error:
        return Outcome(combination.name, False, name + str(error).removeprefix(name), failed=True)
    recorded.record(folder, at.target, combination.name, rows)
    said = next((f"{name}does not fit: {row['does_not_fit']}" for row in rows if "does_not_fit" in row), None)
    return Outcome(combination.name, True, said)
