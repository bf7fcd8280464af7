# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Progress on the terminal."""

from __future__ import annotations

import contextlib
import sys
import time

from runnel._typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any

_BAR_AFTER_SECONDS = 1.0


class Progress:
    """A bar with the rate for what takes longer than a second; nothing where there is no terminal.

    total: the bytes to come, or a little more than them: at the end the bar is full.
    """

    def __init__(self, total: int | None, quiet: bool) -> None:
        self._wanted = bool(total) and not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._total = total
        self._done = 0
        self._started = time.monotonic()
        self._bar: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is None:
            return
        with contextlib.suppress(OSError):
            if kind is None:
                self._bar.update(max(0, (self._total or 0) - self._bar.pos), self._rate())
            self._bar.render_finish()

    def __call__(self, count: int) -> None:
        self._done += count
        if not self._wanted:
            return
        try:
            self._show(count)
        except OSError:  # the terminal has gone; the work continues
            self._wanted = False

    def _show(self, count: int) -> None:
        if self._bar is None:
            if time.monotonic() - self._started < _BAR_AFTER_SECONDS:
                return
            import click

            count = self._done
            self._bar = click.progressbar(length=self._total, file=sys.stderr, item_show_func=_shown)
            self._bar.render_progress()
        self._bar.update(count, self._rate())

    def _rate(self) -> str:
        mb_per_s = self._done / max(time.monotonic() - self._started, 1e-9) / 1e6
        return f"{mb_per_s / 1000:.2f} GB/s" if mb_per_s >= 1000 else f"{mb_per_s:.0f} MB/s"


def _shown(rate: str | None) -> str | None:
    """Return the rate; nothing before there is one, where click would show None."""
    return rate
