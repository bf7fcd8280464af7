# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Records which tests reach which functions of the package: a plugin of pytest that writes it down, so that a fault in a
function is first shown to those that call it, the quickest first. What runs in other processes it does not see: tests of that
come afterwards, with all others.

pytest -p mutation.reached, and RUNNEL_TESTS_REACHED names the file."""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

WHERE = "RUNNEL_TESTS_REACHED"
MOST = 40
"""Of a function's tests so many are tried first."""
Reached = dict[str, list[str]]


class Recorder:
    """Keeps the code that each test runs."""

    def __init__(self) -> None:
        self.codes: set[CodeType] = set()
        self.tests: list[tuple[float, str, set[CodeType]]] = []

    def _called(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            self.codes.add(frame.f_code)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.codes = set()
        began = time.monotonic()
        threading.setprofile(self._called)
        sys.setprofile(self._called)
        yield
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
        self.tests.append((time.monotonic() - began, item.nodeid, self.codes))

    def pytest_sessionfinish(self) -> None:
        found: Reached = {}
        for _, test, codes in sorted(self.tests, key=lambda each: each[0]):
            for code in codes:
                file = re.search(r".*/runnel(?:_(\w+))?/(.*)", code.co_filename)
                name = code.co_qualname.partition(".<locals>")[0]
                if file:
                    home = f"{file[1]}/runnel_{file[1]}" if file[1] else "python/runnel"
                    tests = found.setdefault(f"{home}/{file[2]}:{name}", [])
                    if test not in tests and len(tests) < MOST:
                        tests.append(test)
        kept = Path(os.environ[WHERE])
        before = json.loads(kept.read_text() or "{}")  # by an earlier run
        kept.write_text(
            json.dumps({name: (before.get(name, []) + found.get(name, []))[:MOST] for name in before | found})
        )


def pytest_configure(config: pytest.Config) -> None:
    if WHERE in os.environ:
        config.pluginmanager.register(Recorder())
