# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the command line for tests, as a process or inside this one, and checks how it says what went wrong."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import click
from runnel.cli.command import run
from runnel.cli.group import group

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


@contextlib.contextmanager
def standard_files(stdin: IO[bytes], stdout: IO[bytes]) -> Iterator[None]:
    """Puts files in the place of this process's standard input and output."""
    with contextlib.ExitStack() as stack:
        for descriptor, file in ((0, stdin), (1, stdout)):
            saved = os.dup(descriptor)
            stack.callback(os.close, saved)
            stack.callback(os.dup2, saved, descriptor)
            os.dup2(file.fileno(), descriptor)
        yield


def output_of(*arguments: object, stdin: bytes = b"") -> bytes:
    """Runs a command that must succeed inside this process, with files in memory for its standard input and output."""
    with (
        open(os.memfd_create("stdin"), "w+b", buffering=0) as given,
        open(os.memfd_create("stdout"), "w+b", buffering=0) as out,
    ):
        given.write(stdin)
        given.seek(0)
        with standard_files(given, out):
            accepted(*arguments)
        out.seek(0)
        return out.readall()


def commands(
    command: click.Command = group, context: click.Context | None = None
) -> Iterator[tuple[click.Command, list[str]]]:
    """(command, its words) of the program, or a command, and of those within it."""
    context = context or click.Context(command, info_name="runnel")
    yield command, context.command_path.split()
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from commands(found, click.Context(found, context, name))


def listing(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))
