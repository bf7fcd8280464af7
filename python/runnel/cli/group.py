# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The group of commands, each imported when it is called."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

import runnel
from runnel._native import _cpu_complaint
from runnel.cli import signals
from runnel.cli.completion import complete
from runnel.cli.errors import WRONG_COMMAND_LINE, UnknownFeatureError, explain
from runnel.cli.names import suggestion
from runnel.cli.options import examples
from runnel.cli.repeated import refuse_repeated
from runnel.cli.standard import say

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_COMMANDS = {
    "keygen": "runnel.cli.sealed",
    "encrypt": "runnel.cli.sealed",
    "decrypt": "runnel.cli.sealed",
    "key": "runnel.cli.key_commands",
    "xor": "runnel.cli.raw",
    "keystream": "runnel.cli.raw",
    "ciphers": "runnel.cli.listing",
    "aeads": "runnel.cli.listing",
    "selftest": "runnel.cli.selftest",
}
_ADDED = "runnel.commands"
"""The entry points by which packages that are installed beside this one add commands of their own."""
_EXTRAS = {"store": "store", "choose": "lab", "speed": "lab", "report": "lab", "lab": "lab"}
"""The extras of this package that bring commands, in the order of the help."""


def _added() -> Iterable[EntryPoint]:
    from importlib.metadata import entry_points  # a third of a command's start, and hardly one needs it

    order = list(_EXTRAS)
    return sorted(
        entry_points(group=_ADDED), key=lambda each: order.index(each.name) if each.name in order else len(order)
    )


class _Group(click.Group):
    """Imports a command's module only when the command is needed, so that the others start sooner."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*_COMMANDS, *(each.name for each in _added())]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command: click.Command | None
        if cmd_name in _COMMANDS:
            command = getattr(importlib.import_module(_COMMANDS[cmd_name]), cmd_name)
        else:
            command = next((each.load() for each in _added() if each.name == cmd_name), None)
        return None if command is None else refuse_repeated(command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            known = self.list_commands(ctx)
            if args[0] in known:
                return super().resolve_command(ctx, args)
            if (extra := _EXTRAS.get(args[0])) is not None:
                raise click.ClickException(f"{args[0]} needs the package runnel-{extra}: pip install 'runnel[{extra}]'")
            hint = suggestion(args[0], known, f"choose from {', '.join(known)}")
            raise click.UsageError(f"unknown command {args[0]!r}; {hint}", ctx)
        found = super().resolve_command(ctx, args)
        signals.unwind()  # all is imported
        return found


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "runnel keygen key.json",
        "runnel encrypt --key key.json photos.tar photos.sealed",
        "runnel decrypt --key key.json photos.sealed photos-again.tar",
    ),
)
@click.version_option(runnel.__version__, "-V", "--version", prog_name="runnel", message="%(prog)s %(version)s")
def group() -> None:
    """Encrypt files, authenticated, as Cobblestone or in the formats of Google Tink; make raw keystream.

    Use encrypt and decrypt. xor and keystream do not authenticate: anyone who can change their output can
    change the plaintext, and an IV used twice under one key gives both messages away.

    Exit status: 0; 1 when a file cannot be read or written, or holds no key; 2 when the command line is wrong; 3 when
    the data is not authentic: changed, cut, or encrypted with another key or other associated data. One line says what
    and where.
    """
    if (complaint := _cpu_complaint()) is not None:
        raise UnknownFeatureError(complaint)


# Without a command click 8.1, which Debian 12 has, prints the help as an answer, with status 0.
_NO_COMMAND: tuple[type[click.UsageError], ...] = tuple(
    error for name in ("NoArgsIsHelpError",) if (error := getattr(click.exceptions, name, None))
)


def run(args: Sequence[str]) -> tuple[int, str | None]:
    """Run a command line; return the exit status and what to say of an error."""
    try:
        if (completed := complete(group)) is not None:
            return completed
        with group.make_context("runnel", list(args)) as context:
            group.invoke(context)
        return 0, None
    except click.exceptions.Exit as done:
        return done.exit_code, None
    except _NO_COMMAND as error:
        say(error.format_message() + "\n")
        return WRONG_COMMAND_LINE, None
    except click.UsageError as error:
        return WRONG_COMMAND_LINE, _usage(error)
    except click.ClickException as error:
        return error.exit_code, error.format_message()
    except Exception as error:
        return explain(error)


def _usage(error: click.UsageError) -> str:
    message = error.format_message().strip().rstrip(".")
    if "extra argument" in message:  # they might be a key in the wrong place: not to be shown
        message = "too many arguments"
    message = re.sub(r"\s+", " ", message)
    if not re.match(r"[A-Z]{2}", message):  # an argument's name stays as the usage has it
        message = message[:1].lower() + message[1:]
    command = error.ctx.command_path if error.ctx else "runnel"
    return f"{message} (see {command} --help)"
