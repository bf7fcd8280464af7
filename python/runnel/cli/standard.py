# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The standard output and error output of the command."""

from __future__ import annotations

import io
import os
import select
import sys

from runnel._typing import TYPE_CHECKING
from runnel.cli import signals
from runnel.transfer import naming, until_writable

if TYPE_CHECKING:
    from typing import Any


class StandardOutput(io.FileIO):
    """The standard output without a buffer. Its errors say its name, and where it was made not to block, writing waits.

    After a signal nothing waits: buffers are written as far as a reader takes them, and the rest is dropped.
    """

    def __init__(self) -> None:
        super().__init__(1, "wb", closefd=False)

    def write(self, data: Any, /) -> int:
        with naming("stdout"):
            if signals.came():
                return self._write_at_once(data)
            try:
                while (count := super().write(data)) is None:
                    until_writable(1)()
            except signals.Interrupted:
                drop(1)  # buffers may have lost what they were writing: nothing may follow it
                raise
        return count

    def _write_at_once(self, data: Any) -> int:
        if _takes_a_piece():
            count = super().write(memoryview(data)[: select.PIPE_BUF])
            if count is not None:
                return count
        drop(1)
        return len(data)


def _takes_a_piece() -> bool:
    """Return whether the standard output takes PIPE_BUF bytes now, even where it blocks."""
    poll = select.poll()
    poll.register(1, select.POLLOUT)
    return bool(poll.poll(0))


def drop(fd: int) -> None:
    """Discard whatever else is written to a standard stream, also when the interpreter flushes it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), fd)


def redirect_print() -> None:
    """Replace sys.stdout so that print() uses StandardOutput too."""
    before = sys.stdout
    if isinstance(before, io.TextIOWrapper) and before is sys.__stdout__:  # nobody has put another file in its place
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(StandardOutput()),
            before.encoding,
            before.errors,
            line_buffering=before.line_buffering,
            write_through=before.write_through,
        )


def say(text: str) -> None:
    """Write to the standard error output, if possible."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        drop(2)
