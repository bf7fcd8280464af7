# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A target ready to measure, and what all of its rows say of where they come from."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runnel.processors import usable_processors

from runnel_lab import history, targets
from runnel_lab import results as recording
from runnel_lab.targets import Target


@dataclass(frozen=True)
class TargetRun:
    """A target with its runner made, and the simulator that counts for it, where the runner only measures time."""

    target: Target
    runner: Path
    machine: dict[str, Any]
    results: Path
    """The folder that rows go to."""
    counting: TargetRun | None = None

    @property
    def file(self) -> Path:
        """Return the path of its rows."""
        return recording.file_of(self.results, self.target, str(self.machine["machine"]))


@dataclass(frozen=True)
class Outcome:
    """The result of one job: how much was recorded, or passed, and what to say of it."""

    subject: str
    recorded: int
    message: str | None = None
    failed: bool = False


def run_jobs(at: TargetRun, jobs: Sequence[Callable[[], Outcome]]) -> Iterator[Outcome]:
    """Do as many at a time as there are processors; where a clock measures, one at a time."""
    with ThreadPoolExecutor(1 if at.target.measured else usable_processors()) as pool:
        waiting = [pool.submit(job) for job in jobs]
        try:
            for done in as_completed(waiting):
                yield done.result()
        finally:
            for each in waiting:
                each.cancel()


def target_run(target: Target, folder: Path, results: Path | None = None) -> TargetRun:
    """Make the runners in a folder of this one; rows go to results, or where they are tried out. Raise Skipped."""
    target.require()
    counting = target.counting()
    folder = folder / target.name
    folder.mkdir()
    return TargetRun(
        target,
        runner := targets.build_runner(target, folder),
        target.describe_machine(runner),
        results or recording.scratch(target.tree),
        target_run(counting, folder, results) if counting else None,
    )


def about(at: TargetRun) -> dict[str, Any]:
    """Return what every row of a target says of itself."""
    return {
        "kind": at.target.kind,
        "compiler": at.target.compiler_version,
        "flags": [*at.target.flags],
        "simulator": at.target.simulator,
        **at.machine,
        "commit": history.commit(at.target.tree),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
    }
