# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests that another target runs, with tools that `make test` does not install: `@pytest.mark.left_to(target, tool)`. Where
the tool, a program, a Python package or a path, is here they run; elsewhere they are deselected, and one line at the end
says so."""

from __future__ import annotations

import importlib.util
import shutil
from collections import Counter
from pathlib import Path

import pytest


def is_here(tool: str) -> bool:
    if "/" in tool:
        return Path(tool).exists()
    return shutil.which(tool) is not None or importlib.util.find_spec(tool) is not None


class LeftTo:
    """Deselects them. In the process that prints, `tests` has the targets by the tests' names at the end."""

    def __init__(self, config) -> None:
        self.config = config
        self.tests: dict[str, str] = {}

    def target(self, item) -> str | None:
        return next((mark.args[0] for mark in item.iter_markers("left_to") if not is_here(mark.args[1])), None)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config, items) -> None:
        self.tests = {item.nodeid: target for item in items if (target := self.target(item))}
        if self.tests:
            config.hook.pytest_deselected(items=[item for item in items if item.nodeid in self.tests])
            items[:] = [item for item in items if item.nodeid not in self.tests]

    def pytest_sessionfinish(self, session) -> None:
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["left_to"] = self.tests

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node, error) -> None:
        self.tests |= getattr(node, "workeroutput", {}).get("left_to", {})

    def pytest_terminal_summary(self, terminalreporter) -> None:
        if self.tests:
            counts = Counter((target, Path(test.split("::")[0]).name) for test, target in self.tests.items())
            listed = (f"{count} of {file} ({target})" for (target, file), count in sorted(counts.items()))
            terminalreporter.line(f"Left to other targets: {', '.join(listed)}")
