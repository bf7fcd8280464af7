# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the commands share: kinds of values, the standard streams, the progress bar."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time
from collections.abc import Iterator
from typing import Any

import click

from runnel.inputs import Inputs
from runnel.transfer import write_all

STANDARD = "-"
_BAR_AFTER_SECONDS = 1.0


def hex_option(context: click.Context, option: click.Parameter, value: str) -> bytes:
    """Bytes in hexadecimal. The value never appears in an error: it may be a key."""
    try:
        return bytes_of_hex(value)
    except ValueError as error:
        raise click.BadParameter(str(error), context, option) from None


def bytes_of_hex(text: str) -> bytes:
    for number, character in enumerate(text, 1):
        if character not in "0123456789abcdefABCDEF":
            raise ValueError(f"character {number} is not a hexadecimal digit")
    if len(text) % 2:
        raise ValueError(f"{len(text)} hexadecimal digits, an odd number, make no whole bytes")
    return bytes.fromhex(text)


class _CommandInputs(Inputs):
    """The inputs of one command. The standard input is one of them, read or not."""

    def __init__(self) -> None:
        super().__init__()
        with contextlib.suppress(OSError):  # closed
            self.remember(0, "stdin")


def inputs_of(context: click.Context) -> Inputs:
    """The inputs of the command that runs: through these alone it opens files, and its output is none of them."""
    return context.ensure_object(_CommandInputs)


pass_inputs = click.make_pass_decorator(_CommandInputs, ensure=True)


def associated_data(inputs: Inputs, text: str) -> bytes:
    """TEXT as UTF-8, or the bytes of FILE for @FILE."""
    return inputs.read(text[1:]) if text.startswith("@") else os.fsencode(text)


@contextlib.contextmanager
def opened_input(inputs: Inputs, path: str) -> Iterator[tuple[io.FileIO, str]]:
    """(file without a buffer, name to show); - is the standard input."""
    if path == STANDARD:
        if sys.stdin is None:
            raise OSError(9, "is closed", "stdin")
        yield io.FileIO(0, "rb", closefd=False), "stdin"
    else:
        with inputs.open(path) as file:
            yield file, path


def standard_output(inputs: Inputs) -> io.FileIO:
    """The standard output without a buffer, refused where it is one of the inputs."""
    if sys.stdout is None:
        raise OSError(9, "is closed", "stdout")
    inputs.check(os.fstat(1), "stdout")
    return io.FileIO(1, "wb", closefd=False)


def write_standard_output(inputs: Inputs, data: bytes) -> None:
    write_all(standard_output(inputs).write, "stdout", memoryview(data))


class Progress:
    """A bar on the terminal for what takes longer than a second; nothing where there is no terminal."""

    def __init__(self, total: int | None, quiet: bool) -> None:
        self._wanted = bool(total) and not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._total = total
        self._done = 0
        self._started = time.monotonic()
        self._bar: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.render_finish()

    def __call__(self, count: int) -> None:
        if not self._wanted:
            return
        if self._bar is None:
            self._done += count
            if time.monotonic() - self._started < _BAR_AFTER_SECONDS:
                return
            count = self._done
            self._bar = click.progressbar(length=self._total, file=sys.stderr, show_pos=False)
            self._bar.render_progress()
        self._bar.update(count)
