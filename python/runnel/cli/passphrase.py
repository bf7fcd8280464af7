# SPDX-License-Identifier: Apache-2.0 OR MIT
"""--passphrase, --passphrase-file and --passphrase-env: passphrases from the terminal, and for scripts."""

from __future__ import annotations

import codecs
import functools
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from runnel import environment
from runnel.cli.streams import STANDARD
from runnel.cli.values import FileName
from runnel.errors import Error
from runnel.inputs import Inputs

if TYPE_CHECKING:
    from runnel.sealed.passphrase import Passphrase

_FILE_BYTES_MAX = 4096
_LOCAL_MODES = 3
_TERMINAL = "/dev/tty"


class PassphraseSource:
    """Where a command is to get a passphrase from: the terminal, a file or a variable of the environment."""

    def __init__(self, wanted: bool = False, file: str | None = None, variable: str | None = None) -> None:
        """wanted: --passphrase; file, variable: the values of the other two. Raises UsageError: more than one of them."""
        given = {
            "--passphrase": wanted, "--passphrase-file": file is not None, "--passphrase-env": variable is not None
        }  # fmt: skip
        names = [name for name, is_given in given.items() if is_given]
        if len(names) > 1:
            raise click.UsageError(f"use either {' or '.join(names)}", click.get_current_context())
        self.given = bool(names)
        self.file = file
        self._variable = variable
        self._known: Passphrase | None = None

    def read(self, inputs: Inputs, *, of: str, new: bool = False) -> Passphrase:
        """Return the passphrase of the file called `of`. On the terminal a new one is asked for twice."""
        if self._known is not None:  # a variable is removed as it is read, and a descriptor is at its end
            return self._known
        if self.file is not None:
            self._known = _in_file(inputs, self.file)
        elif self._variable is not None:
            self._known = _in_environment(self._variable)
        return self._known or _typed(of, new)


def _typed(of: str, new: bool) -> Passphrase:
    """Return what is typed on the terminal for the file called `of`."""
    printable = "".join(c if c.isprintable() else "?" for c in of)
    typed = _ask(f"{'New passphrase' if new else 'Passphrase'} for {printable}: ")
    if not typed:
        raise Error("no passphrase given")
    if new and _ask("Repeat passphrase: ") != typed:
        raise Error("the passphrases do not match")
    from runnel.sealed.passphrase import Passphrase

    return Passphrase(typed)


def passphrase_options(help_text: str | None) -> Callable[[Any], Any]:
    """Return the three options, whose function gets a PassphraseSource called passphrase; help_text is for the first; None:
    without that."""

    def decorate(function: Any) -> Any:
        @functools.wraps(function)
        def with_source(
            *args: Any, passphrase_file: str | None, passphrase_env: str | None, wanted: bool = False, **values: Any
        ) -> Any:
            source = PassphraseSource(wanted, passphrase_file, passphrase_env)
            return function(*args, passphrase=source, **values)

        passphrase = "the passphrase" if help_text is not None else "a locked key's passphrase"
        options = [
            click.option(
                "--passphrase-env",
                metavar="NAME",
                help=f"Take {passphrase} from the environment variable NAME, which child processes do not inherit.",
            ),
            click.option(
                "--passphrase-file",
                type=FileName(),
                metavar="FILE",
                help=f"Read {passphrase} from FILE, which has one line; /dev/fd/3 names a descriptor.",
            ),
        ]
        if help_text is not None:
            options.append(click.option("-p", "--passphrase", "wanted", is_flag=True, help=help_text))
        decorated: Any = with_source
        for option in options:
            decorated = option(decorated)
        return decorated

    return decorate


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


def _in_environment(variable: str) -> Passphrase:
    from runnel.sealed.passphrase import Passphrase

    text = environment.secret_in(variable)
    try:
        return Passphrase(os.fsencode(text))
    except ValueError as error:
        raise ValueError(f"{environment.shown(variable)}: {error}") from None


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
