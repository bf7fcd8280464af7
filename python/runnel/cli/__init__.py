# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command `runnel`. Exit status: 0; 2 for a wrong command line; 3 for data that is not authentic;
1 for all else; 128 and the signal's number after a signal. What went wrong is one line on the standard error output."""

from __future__ import annotations

import os
import sys

from runnel._typing import TYPE_CHECKING
from runnel.cli import signals

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with its status."""
    try:
        signals.begin()
        _occupy_standard_descriptors()
        from runnel.cli import standard
        from runnel.cli.command import run

        standard.redirect_print()
        status, line = run(sys.argv[1:] if args is None else args)
        signals.done()
    except signals.Interrupted as interrupt:
        status, line = interrupt.status, interrupt.line
    signals.remove_temporaries()
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        from runnel.cli import standard

        standard.drop(1)
        status, line = status or 1, line or f"stdout: {error.strerror}"
    if line is not None:
        from runnel.cli import standard

        standard.say(f"runnel: {_shown(line)}\n")
    signals.leave()
    sys.exit(status)


def _occupy_standard_descriptors() -> None:
    """Open /dev/null where the caller closed 0, 1 or 2: a file of ours with that number would get messages written
    into it."""
    fd = os.open(os.devnull, os.O_RDWR)
    while fd < 3:
        fd = os.dup(fd)
    os.close(fd)


def _shown(line: str) -> str:
    """Return one printable line, whatever is in it: a name of a file may hold anything."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in " ".join(line.split("\n")))
