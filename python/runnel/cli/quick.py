# SPDX-License-Identifier: Apache-2.0 OR MIT
"""encrypt and decrypt without click, whose import takes longer than all the rest of a short command.

Only well-formed command lines with a key file, recipients or identities are understood here. All others, and everything that
a command line may be refused for, are left to click.
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

    from runnel.sealed.opening import Lock

VALUES = {"-k": "keyfile", "--key": "keyfile", "--aad": "aad"}
FLAGS = {"-f": "force", "--force": "force", "-q": "quiet", "--quiet": "quiet"}
REPEATED = {
    "encrypt": {
        "-r": "recipient",
        "--recipient": "recipient",
        "-R": "recipients_file",
        "--recipients-file": "recipients_file",
    },
    "decrypt": {"-i": "identity", "--identity": "identity"},
}


class CommandLine:
    """A command line of encrypt or decrypt. values: of its options, by their names in the other reader of command lines.
    people: values of options that may be repeated, in the same way."""

    def __init__(
        self, verb: str, values: dict[str, str], people: dict[str, list[str]], flags: set[str], source: str, target: str
    ) -> None:
        self.verb = verb
        self.keyfile = values.get("keyfile")
        self.people = people
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
    people: dict[str, list[str]] = {}
    flags: set[str] = set()
    files: list[str] = []
    repeated = REPEATED[args[0]]
    words = iter(args[1:])
    for word in words:
        name, equals, value = word.partition("=")
        if word == "--":
            files += words
        elif word in FLAGS:
            flags.add(FLAGS[word])
        elif (option := VALUES.get(word) or repeated.get(word)) or (
            equals and name.startswith("--") and (option := VALUES.get(name) or repeated.get(name))
        ):
            given = value if equals else next(words, None)
            if given is None or option in values:
                return None
            if option in VALUES.values():
                values[option] = given
            else:
                people.setdefault(option, []).append(given)
        elif word.startswith("-") and word != STANDARD:
            return None
        else:
            files.append(word)
    if len(files) != 2 or not all(files):
        return None
    line = CommandLine(args[0], values, people, flags, *files)
    return line if (_key_is_sound(line) if line.keyfile is not None else _people_are_sound(line)) else None


def _key_is_sound(line: CommandLine) -> bool:
    readers = [line.keyfile == STANDARD, line.aad == f"@{STANDARD}", line.source == STANDARD]
    if sum(readers) > 1 or line.aad == "@" or line.people:
        return False
    return line.keyfile == STANDARD or os.path.exists(line.keyfile or "")


def _people_are_sound(line: CommandLine) -> bool:
    from runnel.cli.key_files import people

    if not line.people or line.aad:
        return False
    recipients = line.people.get("recipient", [])
    files = [path for option, paths in line.people.items() if option != "recipient" for path in paths]
    if not all(path != STANDARD and os.path.exists(path) for path in files):
        return False
    try:
        for each in recipients:
            people().recipient_in(each)
    except ValueError:
        return False
    return True


def run(args: Sequence[str]) -> tuple[int, str | None] | None:
    """Run a command line; return the exit status and what to say of an error. None: click has to."""
    line = parsed(args)
    if line is None or _cpu_complaint() is not None:
        return None
    from runnel.cli.file_work import FileWork
    from runnel.cli.key_files import people

    if line.people:
        people()
    signals.unwind()  # all is imported
    try:
        inputs = CommandInputs()
        lock = _lock(inputs, line)
        data = associated_data(inputs, line.aad)
        work = FileWork(inputs, line.source, line.target, aad=data, force=line.force, quiet=line.quiet)
        (work.encrypt if line.verb == "encrypt" else work.decrypt)(lock)
    except Exception as error:
        return explain(error)
    return 0, None


def _lock(inputs: CommandInputs, line: CommandLine) -> Lock:
    from runnel.cli import key_files

    if line.keyfile is not None:
        return key_files.read_key_file(inputs, line.keyfile)
    if line.verb == "decrypt":
        return key_files.identities_in(inputs, line.people["identity"])
    given = line.people
    return key_files.recipients_in(inputs, given.get("recipient", []), given.get("recipients_file", []))
