# SPDX-License-Identifier: Apache-2.0 OR MIT
"""encrypt and decrypt without click, whose import takes longer than all the rest of a short command.

Only well-formed command lines with a key file are understood here. All others, and everything that a command line may be
refused for, are left to click.
"""

from __future__ import annotations

import os

from runnel import _interrupt
from runnel._native import _cpu_complaint
from runnel._typing import TYPE_CHECKING
from runnel.cli.errors import explain
from runnel.cli.streams import STANDARD, CommandInputs, associated_data

if TYPE_CHECKING:
    from collections.abc import Sequence

VALUES = {"-k": "keyfile", "--key": "keyfile", "--aad": "aad"}
FLAGS = {"-f": "force", "--force": "force", "-q": "quiet", "--quiet": "quiet"}


class CommandLine:
    """A command line of encrypt or decrypt."""

    def __init__(self, verb: str, keyfile: str, aad: str, force: bool, quiet: bool, source: str, target: str) -> None:
        self.verb = verb
        self.keyfile = keyfile
        self.aad = aad
        self.force = force
        self.quiet = quiet
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
    keyfile, aad = values.get("keyfile", ""), values.get("aad", "")
    readers = [keyfile == STANDARD, aad == f"@{STANDARD}", files[:1] == [STANDARD]]
    if len(files) != 2 or not all(files) or sum(readers) > 1 or aad == "@":
        return None
    if keyfile != STANDARD and not os.path.exists(keyfile):
        return None
    return CommandLine(args[0], keyfile, aad, "force" in flags, "quiet" in flags, *files)


def run(args: Sequence[str]) -> tuple[int, str | None] | None:
    """Run a command line; return the exit status and what to say of an error. None: click has to."""
    line = parsed(args)
    if line is None or _cpu_complaint() is not None:
        return None
    from runnel.cli import file_work
    from runnel.cli.key_files import read_key_file

    _interrupt.unwind()  # all is imported
    try:
        inputs = CommandInputs()
        keyset = read_key_file(inputs, line.keyfile, False, None)
        data = associated_data(inputs, line.aad)
        work = file_work.encrypt if line.verb == "encrypt" else file_work.decrypt
        work(inputs, keyset, line.source, line.target, aad=data, force=line.force, quiet=line.quiet)
    except Exception as error:
        return explain(error)
    return 0, None
