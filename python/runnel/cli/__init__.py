# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command `runnel`. Exit status: 0; 2 for anything wrong with the command line alone; 1 for all else; 128 and
the signal's number after a signal. What went wrong is one line on the standard error output."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import NoReturn, Sequence

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Interrupted(BaseException):
    def __init__(self, number: int) -> None:
        self.number = number


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    _ignore_signals()
    raise _Interrupted(number)


def _ignore_signals() -> None:
    """Nothing may interrupt the removal of temporary files and the last line."""
    for each in _SIGNALS:
        signal.signal(each, signal.SIG_IGN)


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line and exits with its status."""
    try:
        _occupy_standard_descriptors()
        for each in _SIGNALS:
            if signal.getsignal(each) != signal.SIG_IGN:  # nohup and shells in the background ignore some
                signal.signal(each, _interrupt)
        from runnel.cli.group import run

        status, line = run(sys.argv[1:] if args is None else args)
        _ignore_signals()
    except _Interrupted as interrupt:
        status, line = 128 + interrupt.number, "interrupted" if interrupt.number == signal.SIGINT else "terminated"
    _remove_temporaries()
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the interpreter flushes once more as it exits
        status, line = status or 1, line or f"stdout: {error.strerror}"
    if line is not None:
        _say(line)
    sys.exit(status)


def _occupy_standard_descriptors() -> None:
    """Where the caller closed 0, 1 or 2, no file of ours may get that number: messages would go into it."""
    fd = os.open(os.devnull, os.O_RDWR)
    while fd < 3:
        fd = os.dup(fd)
    os.close(fd)


def _remove_temporaries() -> None:
    """What a signal at the worst moment may have left behind."""
    output = sys.modules.get("runnel.output")
    if output is not None:
        output.remove_temporaries()


def _say(line: str) -> None:
    """One line, whatever is in it: a name of a file may hold anything."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in " ".join(line.split("\n")))
    try:
        if sys.stderr is not None:
            sys.stderr.write(f"runnel: {shown}\n")
            sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
