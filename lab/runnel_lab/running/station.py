# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A target ready to measure, and what all of its rows say of where they come from."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runnel_lab import history, targets
from runnel_lab import results as recording
from runnel_lab.targets import Target


@dataclass(frozen=True)
class Station:
    """A target with its runner made, and the simulator that counts for it, where the runner only measures time."""

    target: Target
    runner: Path
    machine: dict[str, Any]
    results: Path
    """The folder that rows go to."""
    counting: Station | None = None

    @property
    def file(self) -> Path:
        """Where its rows are."""
        return recording.file_of(self.results, self.target, str(self.machine["machine"]))


def station(target: Target, folder: Path, results: Path | None = None) -> Station:
    """Make the runners in the folder; rows go to results, or where they are tried out. Raise Skipped."""
    target.require()
    counting = target.counting()
    if counting is not None:
        (folder / "counter").mkdir()
    return Station(
        target,
        runner := targets.build_runner(target, folder),
        target.describe_machine(runner),
        results or recording.scratch(target.tree),
        station(counting, folder / "counter", results) if counting else None,
    )


def about(at: Station) -> dict[str, Any]:
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
