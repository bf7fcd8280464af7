# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the command line for tests, as a process or inside this one, and checks how it says what went wrong."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

from runnel.cli.group import run

PROGRAM = [sys.executable, "-m", "runnel"]


def runnel(*arguments: object, status: int = 0, **options) -> subprocess.CompletedProcess[bytes]:
    """Runs the program and checks its exit status and that an error is one line; options: as of subprocess.run."""
    if "stdout" not in options:
        options["stdout"] = subprocess.PIPE
    if "input" not in options and "stdin" not in options:
        options["stdin"] = subprocess.DEVNULL
    done = subprocess.run([*PROGRAM, *map(str, arguments)], stderr=subprocess.PIPE, check=False, timeout=100, **options)
    assert done.returncode == status, (done.returncode, done.stderr)
    one_line(done.stderr, bool(status))
    return done


def one_line(stderr: bytes, wanted: bool = True) -> str:
    """Exactly one line that begins with the program's name, or nothing."""
    text = stderr.decode()
    if wanted:
        assert text.startswith("runnel: ") and text.endswith("\n") and text.count("\n") == 1, text
        assert len(text) > len("runnel: \n") and "Traceback" not in text, text
    else:
        assert text == "", text
    return text


def refused(*arguments: object, status: int = 1) -> str:
    """Runs the command inside this process, for tests that need it very often; returns the line."""
    found, line = run([str(argument) for argument in arguments])
    assert found == status, (found, line)
    assert line and "\n" not in line
    return line


def accepted(*arguments: object) -> None:
    found, line = run([str(argument) for argument in arguments])
    assert (found, line) == (0, None), (found, line)


def output_of(*arguments: object, stdin: bytes = b"") -> bytes:
    """Runs a command that must succeed inside this process, with files in memory for its standard input and output."""
    with contextlib.ExitStack() as stack:
        files = []
        for descriptor, content in ((0, stdin), (1, b"")):
            file = stack.enter_context(open(os.memfd_create("standard"), "w+b", buffering=0))
            file.write(content)
            file.seek(0)
            saved = os.dup(descriptor)
            stack.callback(os.close, saved)
            stack.callback(os.dup2, saved, descriptor)
            os.dup2(file.fileno(), descriptor)
            files.append(file)
        accepted(*arguments)
        files[1].seek(0)
        return files[1].readall()


def listing(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))
