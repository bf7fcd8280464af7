# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The standard streams and the files of a command. click, whose import takes as long as all else in a short command, is
imported only for an error of the command line."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import sys
from collections.abc import Iterator

from runnel._typing import TYPE_CHECKING
from runnel.cli.standard import StandardOutput
from runnel.errors import Error
from runnel.inputs import Inputs, PathLike
from runnel.output import OutputFile
from runnel.transfer import read_whole, write_all

if TYPE_CHECKING:
    from typing import Any

    import click

STANDARD = "-"


def usage_error(message: str) -> click.UsageError:
    """Return an error of the command line, as it is in the current context of click."""
    import click

    return click.UsageError(message, click.get_current_context())


class CommandInputs(Inputs):
    """The inputs of one command. The standard input is one of them, read or not."""

    def __init__(self) -> None:
        super().__init__()
        with contextlib.suppress(OSError):  # closed
            self.remember(0, "stdin")

    def read(self, path: PathLike, limit: int = -1) -> bytes:
        """Read a file as Inputs does; - is the standard input."""
        if path != STANDARD:
            return super().read(path, limit)
        with opened_input(self, STANDARD) as (file, name):
            return read_whole(file, name, limit)


def associated_data(inputs: Inputs, text: str) -> bytes:
    """Return TEXT as UTF-8 in every locale, or the bytes of FILE for @FILE."""
    return inputs.read(file_of(text, "--aad")) if text.startswith("@") else text.encode("utf-8", "surrogateescape")


def file_of(text: str, option: str) -> str:
    """Return FILE of @FILE."""
    if text == "@":
        raise usage_error(f"invalid value for '{option}': no name follows @")
    return text[1:]


def check_one_reader(aad: str | None = None, **paths: str | None) -> None:
    """Refuse the standard input in the place of two files. The names are those of the usage. aad is TEXT or @FILE."""
    readers = [name for name, path in paths.items() if path == STANDARD]
    if aad == f"@{STANDARD}":
        readers.insert(0, "aad")
    if len(readers) > 1:
        names = " and ".join(f"--{name.replace('_', '-')}" if name.islower() else name for name in readers)
        raise usage_error(f"{names} cannot both be the standard input: name a file")


@contextlib.contextmanager
def opened_input(inputs: Inputs, path: str) -> Iterator[tuple[io.FileIO, str]]:
    """Yield (unbuffered file, name to show); - is the standard input."""
    if path == STANDARD:
        if sys.stdin is None:
            raise OSError(9, "is closed", "stdin")
        yield io.FileIO(0, "rb", closefd=False), "stdin"
    else:
        with inputs.open(path) as file:
            yield file, path


@contextlib.contextmanager
def new_file(inputs: Inputs, path: str, force: bool) -> Iterator[OutputFile]:
    """Yield the output file, which the body commits; an error about an existing one says what to do."""
    try:
        with OutputFile(path, inputs=inputs, force=force) as out:
            yield out
    except FileExistsError as error:
        message = str(error.strerror)
        if message.endswith("not a regular file"):
            instead = "use - for the standard output"
        elif message.startswith("already exists") and not force:
            instead = "use --force to replace it"
        else:
            raise
        raise FileExistsError(error.errno, f"{message} ({instead})", error.filename) from None


def standard_output(inputs: Inputs) -> io.FileIO:
    """Return the standard output without a buffer, refused where it is one of the inputs."""
    if sys.stdout is None:
        raise OSError(9, "is closed", "stdout")
    inputs.check(os.fstat(1), "stdout")
    return StandardOutput()


def binary_output(inputs: Inputs, force: bool | None, *, text: bool = False, instead: str = "redirect it") -> io.FileIO:
    """Return the standard output for binary data, which no terminal gets except by force.

    force: None where the command has no --force. text: text may pass all the same. instead: what the user may do.
    """
    file = standard_output(inputs)
    if force or not os.isatty(1):
        return file
    if text:
        return _TextToTerminal()
    raise _refusal(instead if force is None else f"{instead}, or use --force")


def _refusal(instead: str = "redirect it, or use --force") -> Error:
    return Error(f"stdout: refusing to write binary data to a terminal ({instead})")


class _TextToTerminal(StandardOutput):
    """Lets text pass, without what a terminal might take for commands."""

    def __init__(self) -> None:
        super().__init__()
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def write(self, data: Any, /) -> int:
        try:
            text = self._decoder.decode(bytes(data))
        except UnicodeDecodeError:
            raise _refusal() from None
        if not all(character.isprintable() or character in "\t\n\r" for character in text):
            raise _refusal()
        write_all(super().write, "stdout", memoryview(data))  # all of it: the decoder has seen it
        return len(data)


def write_standard_output(inputs: Inputs, data: bytes) -> None:
    write_all(standard_output(inputs).write, "stdout", memoryview(data))
