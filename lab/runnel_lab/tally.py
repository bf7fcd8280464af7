# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Progress and summary of a command that measures: a bar a target, what was skipped, what failed, and how much was recorded.
One that fails does not stop the others."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import click

from runnel_lab import LabError, Skipped
from runnel_lab.running.target_run import Outcome, TargetRun, target_run
from runnel_lab.targets import Target


@dataclass
class Tally:
    wanted: tuple[str, ...] = ()
    """The targets that were asked for by name."""
    quiet: bool = False
    recorded: int = 0
    failures: list[str] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    """The targets whose bars were shown."""

    def follow(self, target: Target, outcomes: Iterable[Outcome], length: int) -> None:
        """Shows a bar while the outcomes come, and then their messages."""
        messages: list[str] = []
        with click.progressbar(
            outcomes,
            length=length,
            label=target.name,
            show_pos=True,
            file=sys.stderr,
            hidden=self.quiet or (target.name in self.named and not sys.stderr.isatty()),
            item_show_func=lambda outcome: outcome and str(outcome.subject),
        ) as shown:
            for outcome in shown:
                self.recorded += outcome.recorded
                if outcome.message is not None:
                    (self.failures if outcome.failed else messages).append(outcome.message)
        for line in messages:
            click.echo(line, err=True)

    @contextmanager
    def surviving(self, target: Target) -> Iterator[None]:
        """Go on behind the body if that fails, and note why; if a tool is missing, say so, unless the target was asked for by
        its name: then it has failed."""
        try:
            yield
        except Skipped as error:
            if target.name in self.wanted:
                self.failures.append(f"{target.name}: {without_name(error, target)}")
            else:
                click.echo(str(error), err=True)
        except LabError as error:
            self.failures.append(f"{target.name}: {str(error).removeprefix(f'{target.name}: ')}")

    def target_runs(self, chosen: Iterable[Target], results: Path | None = None) -> Iterator[TargetRun]:
        """Yield the targets with their runners made, without those that cannot be."""
        with tempfile.TemporaryDirectory() as scratch:
            for target in chosen:
                found = None
                with self.surviving(target):
                    found = target_run(target, Path(scratch), results)
                if found is not None:
                    yield found

    def end(self, place: Path) -> None:
        """Raises LabError if anything failed: of several each gets a line."""
        if len(self.failures) == 1:
            raise LabError(self.failures[0])
        for line in self.failures:
            click.echo(line, err=True)
        if self.failures:
            raise LabError(f"{len(self.failures)} failed, {self.recorded} recorded")
        if not self.quiet:
            click.echo(f"{self.recorded} recorded in {place}", err=True)


def without_name(error: Skipped, target: Target) -> str:
    """Return what is missing."""
    return str(error).removeprefix(f"{target.name}: skipped, ")
