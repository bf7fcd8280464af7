# SPDX-License-Identifier: Apache-2.0 OR MIT
"""--passphrase and --passphrase-file: passphrases from the terminal, and from files for scripts."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from runnel.cli.streams import STANDARD
from runnel.cli.values import FileName
from runnel.errors import Error
from runnel.inputs import Inputs

if TYPE_CHECKING:
    from runnel.sealed.passphrase import Passphrase

_FILE_BYTES_MAX = 4096
_LOCAL_MODES = 3
_TERMINAL = "/dev/tty"


def passphrase_options(help_text: str) -> Callable[[Any], Any]:
    """Return the two options; help_text is for the first."""

    def decorate(function: Any) -> Any:
        for decorator in (
            click.option(
                "--passphrase-file",
                type=FileName(),
                metavar="FILE",
                help="The same, with the passphrase that is the one line of FILE (/dev/fd/3: of a descriptor).",
            ),
            click.option("-p", "--passphrase", "wanted", is_flag=True, help=help_text),
        ):
            function = decorator(function)
        return function

    return decorate


def check_one_way(wanted: bool, passphrase_file: str | None) -> bool:
    """Return whether there is to be a passphrase; both options together are refused."""
    if wanted and passphrase_file is not None:
        raise click.UsageError("use either --passphrase or --passphrase-file", click.get_current_context())
    return wanted or passphrase_file is not None


def passphrase_from(inputs: Inputs, passphrase_file: str | None, *, of: str, new: bool = False) -> Passphrase:
    """Return the passphrase in the file, or that of the file called `of` from the terminal, where a new one is asked
    for twice."""
    if passphrase_file is not None:
        return _in_file(inputs, passphrase_file)
    shown = "".join(c if c.isprintable() else "?" for c in of)
    typed = _ask(f"{'New passphrase' if new else 'Passphrase'} for {shown}: ")
    if not typed:
        raise Error("no passphrase given")
    if new and _ask("Repeat passphrase: ") != typed:
        raise Error("the passphrases do not match")
    from runnel.sealed.passphrase import Passphrase

    return Passphrase(typed)


def _in_file(inputs: Inputs, path: str) -> Passphrase:
    from runnel.sealed.passphrase import Passphrase

    name = "stdin" if path == STANDARD else path
    if path != STANDARD and not os.path.exists(path):  # it may be the passphrase itself, which no message shows
        raise Error("--passphrase-file: no such file")
    line = inputs.read(path, _FILE_BYTES_MAX).removesuffix(b"\n").removesuffix(b"\r")
    if line.startswith(codecs.BOM_UTF8):
        raise ValueError(f"{name}: begins with a byte order mark, which would be part of the passphrase")
    if b"\n" in line:
        raise ValueError(f"{name}: a passphrase is one line")
    try:
        return Passphrase(line)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _ask(prompt: str) -> bytes:
    """Return a line from the terminal, which does not show it."""
    import termios

    try:
        fd = os.open(_TERMINAL, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        raise _no_terminal() from None
    try:
        shown = termios.tcgetattr(fd)
        hidden = list(shown)
        hidden[_LOCAL_MODES] &= ~termios.ECHO
        try:
            termios.tcsetattr(fd, termios.TCSAFLUSH, hidden)
            os.write(fd, os.fsencode(prompt))
            return os.read(fd, _FILE_BYTES_MAX).removesuffix(b"\n")
        finally:
            termios.tcsetattr(fd, termios.TCSAFLUSH, shown)
            os.write(fd, b"\n")
    except termios.error:  # of a process in the background, for instance
        raise _no_terminal() from None
    finally:
        os.close(fd)


def _no_terminal() -> Error:
    return Error("no terminal to read the passphrase from: use --passphrase-file FILE")
