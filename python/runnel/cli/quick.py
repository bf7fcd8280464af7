# SPDX-License-Identifier: Apache-2.0 OR MIT
"""encrypt and decrypt without click, whose import takes longer than all the rest of a short command.

Only well-formed command lines with a key file are understood here. All others, and everything that a command line may be
refused for, are left to click.
"""

from __future__ import annotations

import os

from runnel._native import _cpu_complaint
from runnel._typing import TYPE_CHECKING
from runnel.cli import signals
from runnel.cli.errors import explain
from runnel.cli.streams import STANDARD, CommandInputs, associated_data

if TYPE_CHECKING:
    from collections.abc import Sequence

VALUES = {"-k": "keyfile", "--key": "keyfile", "--aad": "aad"}
FLAGS = {"-f": "force", "--force": "force", "-q": "quiet", "--quiet": "quiet"}


class CommandLine:
    """A command line of encrypt or decrypt. values: of its options, by their names in the other reader of command lines."""

    def __init__(self, verb: str, values: dict[str, str], flags: set[str], source: str, target: str) -> None:
        self.verb = verb
        self.keyfile = values.get("keyfile", "")
        self.aad = values.get("aad", "")
        self.force = "force" in flags
        self.quiet = "quiet" in flags
        self.source = source
        self.target = target


def parsed(args: Sequence[str]) -> CommandLine | None:
    """Return a well-formed command line; None: click has to look at it."""
    if not args or args[0] not in ("encrypt", "decrypt"):
        return None
    values: dict[str, str] = {}
    flags: set[str] = set()
    files: list[str] = []
    words = iter(args[1:])
    for word in words:
        name, equals, value = word.partition("=")
        if word == "--":
            files += words
        elif word in FLAGS:
            flags.add(FLAGS[word])
        elif word in VALUES or (equals and name.startswith("--") and name in VALUES):
            given = value if equals else next(words, None)
            if given is None or VALUES[name] in values:
                return None
            values[VALUES[name]] = given
        elif word.startswith("-") and word != STANDARD:
            return None
        else:
            files.append(word)
    if len(files) != 2 or not all(files):
        return None
    line = CommandLine(args[0], values, flags, *files)
    readers = [line.keyfile == STANDARD, line.aad == f"@{STANDARD}", line.source == STANDARD]
    if sum(readers) > 1 or line.aad == "@":
        return None
    if line.keyfile != STANDARD and not os.path.exists(line.keyfile):
        return None
    return line


def run(args: Sequence[str]) -> tuple[int, str | None] | None:
    """Run a command line; return the exit status and what to say of an error. None: click has to."""
    line = parsed(args)
    if line is None or _cpu_complaint() is not None:
        return None
    from runnel.cli.file_work import FileWork
    from runnel.cli.key_files import read_key_file

    signals.unwind()  # all is imported
    try:
        inputs = CommandInputs()
        keyset = read_key_file(inputs, line.keyfile)
        data = associated_data(inputs, line.aad)
        work = FileWork(inputs, line.source, line.target, aad=data, force=line.force, quiet=line.quiet)
        (work.encrypt if line.verb == "encrypt" else work.decrypt)(keyset)
    except Exception as error:
        return explain(error)
    return 0, None
