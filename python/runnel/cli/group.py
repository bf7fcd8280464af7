# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The group of commands, each imported when it is called, and what every exception means to the user."""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence

import click

import runnel
from runnel import _interrupt
from runnel._native import _cpu_complaint
from runnel.lab import LabError, UnknownNameError


class UnknownFeatureError(ValueError):
    """RUNNEL_CPU has a word that is no CPU feature's name: what runs might be slower than anybody wants."""


# Wrong with the command line alone: a name, a length, an option that the cipher cannot honour.
_USAGE = (
    runnel.UnknownCipherError,
    runnel.BrokenCipherError,
    runnel.KeyLengthError,
    runnel.IVLengthError,
    runnel.LayoutError,
    runnel.SeekError,
    runnel.DirectionError,
    UnknownNameError,
    UnknownFeatureError,
)

_COMMANDS = {
    "keygen": ("runnel.cli.sealed", "keygen"),
    "encrypt": ("runnel.cli.sealed", "encrypt"),
    "decrypt": ("runnel.cli.sealed", "decrypt"),
    "xor": ("runnel.cli.raw", "xor"),
    "keystream": ("runnel.cli.raw", "keystream"),
    "ciphers": ("runnel.cli.listing", "ciphers"),
    "lab": ("runnel.cli.lab", "lab"),
}


class _Group(click.Group):
    """Imports a command's module only when the command is needed, so that the others start sooner."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*_COMMANDS, *(name for name in ("speed",) if self.get_command(ctx, name))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _COMMANDS:
            module, attribute = _COMMANDS[cmd_name]
            command: click.Command = getattr(importlib.import_module(module), attribute)
            return command
        if cmd_name == "speed" and cmd_name not in self.commands:
            try:
                module_of_speed = importlib.import_module("runnel.speed")
            except ModuleNotFoundError as error:
                if error.name != "runnel.speed":
                    raise
                return None
            module_of_speed.add_to(self)
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        found = super().resolve_command(ctx, args)
        _interrupt.unwind()  # all is imported
        return found


@click.group(cls=_Group, no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(runnel.__version__, prog_name="runnel", message="%(prog)s %(version)s")
def group() -> None:
    """Encrypts files, authenticated, in the streaming format of Google Tink; makes raw keystream.

    encrypt and decrypt are what you want. xor and keystream do not authenticate: whoever can change their output can
    change the plaintext, and an IV used twice under one key gives both messages away.

    Exit status: 0; 2 when the command line alone is wrong; 1 for all else, with one line saying what and where.
    """
    if (complaint := _cpu_complaint()) is not None:
        raise UnknownFeatureError(complaint)


def run(args: Sequence[str]) -> tuple[int, str | None]:
    """Runs a command line; returns the exit status and what to say of an error."""
    try:
        with group.make_context("runnel", list(args)) as context:
            group.invoke(context)
        return 0, None
    except click.exceptions.Exit as done:
        return done.exit_code, None
    except click.UsageError as error:
        return 2, _usage(error)
    except click.ClickException as error:
        return error.exit_code, error.format_message()
    except _USAGE as error:
        return 2, str(error)
    except OSError as error:
        return 1, _operating_system(error)
    except MemoryError:
        return 1, "not enough memory"
    except (runnel.Error, LabError, ValueError) as error:
        return 1, str(error)


def _usage(error: click.UsageError) -> str:
    message = error.format_message().strip().rstrip(".")
    if "extra argument" in message:  # they might be a key in the wrong place: not to be shown
        message = "too many arguments"
    message = re.sub(r"\s+", " ", message)
    command = error.ctx.command_path if error.ctx else "runnel"
    return f"{message[:1].lower()}{message[1:]} (see {command} --help)"


def _operating_system(error: OSError) -> str:
    what = error.strerror or str(error)
    return f"{_text(error.filename)}: {what}" if error.filename is not None else what


def _text(name: object) -> str:
    return name.decode(errors="surrogateescape") if isinstance(name, bytes) else str(name)
