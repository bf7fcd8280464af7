# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A count of the objects done, on the terminal."""

from __future__ import annotations

import contextlib
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runnel_store.manifest import Manifest

_EVERY_SECONDS = 0.5


class Counter:
    """One line that counts, from the first second on; nothing where there is no terminal."""

    def __init__(self, quiet: bool) -> None:
        self._wanted = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._next = time.monotonic() + 1
        self._started = time.monotonic()
        self._shown = False

    def __enter__(self) -> Counter:
        return self

    def __call__(self, manifest: Manifest) -> None:
        now = time.monotonic()
        if not self._wanted or now < self._next:
            return
        self._next = now + _EVERY_SECONDS
        self._shown = True
        counts = manifest.counts
        total = counts.done + counts.skipped + counts.failed
        rate = total / (now - self._started)
        line = f"{total} objects, {counts.failed} failed, {counts.bytes / 1e6:.0f} MB, {rate:.0f} objects/s"
        try:
            sys.stderr.write(f"\r{line}\033[K")
            sys.stderr.flush()
        except OSError:  # the terminal has gone; the work continues
            self._wanted = False

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            with contextlib.suppress(OSError):
                sys.stderr.write("\n")
