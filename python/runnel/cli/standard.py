# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The standard output and error output of the command."""

from __future__ import annotations

import io
import os
import sys
from typing import Any

from runnel.transfer import naming, until_writable


class StandardOutput(io.FileIO):
    """The standard output without a buffer. Its errors say its name, and where it was made not to block, writing waits."""

    def __init__(self) -> None:
        super().__init__(1, "wb", closefd=False)

    def write(self, data: Any, /) -> int:
        with naming("stdout"):
            while (count := super().write(data)) is None:
                until_writable(1)()
        return count


def print_there() -> None:
    """Lets what is printed go the same way."""
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
    """Writes to the standard error output, if that can be."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # the interpreter flushes once more as it exits
