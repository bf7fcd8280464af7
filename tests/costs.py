# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cost of each part of a run, as a short table before pytest's own last lines: seconds on the clock and seconds of
processors, those of the programs that a test starts included. `--costs FILE` writes those of every test as it
ends, a line each: both seconds and its name. conftest.py registers the two classes."""

from __future__ import annotations

import os
import resource
import time
from collections import defaultdict
from pathlib import Path

import pytest

LINES = 16
COLLECTION = "collection"


def processor_seconds() -> float:
    """Return the processor time in seconds of this process, and of all its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


class Meter:
    """In each process that runs tests: adds to every report what has been used since the last one."""

    def __init__(self, config) -> None:
        self.config = config
        self.clock, self.processors = time.monotonic(), 0.0  # what was used before, too, to load all this

    def used(self) -> list[float]:
        before = self.clock, self.processors
        self.clock, self.processors = time.monotonic(), processor_seconds()
        return [self.clock - before[0], self.processors - before[1]]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        outcome = yield
        outcome.get_result().cost = self.used()

    def pytest_collection_finish(self, session) -> None:
        self.config.collection_cost = self.used()

    def pytest_sessionfinish(self, session) -> None:
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["collection_cost"] = getattr(self.config, "collection_cost", None)


class Table:
    """In the process that prints."""

    def __init__(self, config) -> None:
        self.config = config
        self.parts: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        self.tests: dict[str, set[str]] = defaultdict(set)
        self.file = open(config.getoption("costs") or os.devnull, "w", buffering=1)

    def add(self, part: str, cost, test: str | None = None) -> None:
        for i, seconds in enumerate(cost or ()):
            self.parts[part][i] += seconds
        if cost:
            self.file.write(f"{cost[0]:.3f} {cost[1]:.3f} {test or part}\n")

    def pytest_runtest_logreport(self, report) -> None:
        part = Path(report.nodeid.split("::")[0]).name
        self.tests[part].add(report.nodeid)
        self.add(part, getattr(report, "cost", None), report.nodeid)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node, error) -> None:
        self.add(COLLECTION, getattr(node, "workeroutput", {}).get("collection_cost"))

    def pytest_terminal_summary(self, terminalreporter) -> None:
        self.add(COLLECTION, getattr(self.config, "collection_cost", None))
        if self.tests:
            terminalreporter.section("what it cost, in seconds")
            for line in self.lines():
                terminalreporter.line(line)
        self.file.close()

    def lines(self) -> list[str]:
        """Return the most expensive parts first, the others as one, and the sum."""
        ranked = sorted(self.parts, key=lambda part: -self.parts[part][1])
        first, others = ranked[:LINES], ranked[LINES:]
        rows = [(part, len(self.tests[part]), *self.parts[part]) for part in first]
        for name, those in ((f"{len(others)} others", others), ("all", ranked)):
            if those:
                sums = (sum(self.parts[part][i] for part in those) for i in (0, 1))
                rows.append((name, sum(len(self.tests[part]) for part in those), *sums))
        width = max(len(row[0]) for row in rows)
        return [f"{'':{width}}  tests    clock  processors"] + [
            f"{name:{width}}  {tests:5}  {clock:7.1f}  {processors:10.1f}" for name, tests, clock, processors in rows
        ]
