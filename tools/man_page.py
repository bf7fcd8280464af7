#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Prints the manual page runnel(1), or writes it to docs/runnel.1: what --help says of every command.

.venv/bin/python tools/man_page.py [--write]
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click
from runnel.cli.group import group

PAGE = Path(__file__).resolve().parent.parent / "docs" / "runnel.1"
HEAD = """\
.\\" SPDX-License-Identifier: Apache-2.0 OR MIT
.\\" Made by tools/man_page.py --write of what --help prints.
.TH RUNNEL 1 "" "runnel" "User Commands"
.SH NAME
runnel \\- encrypt files, authenticated, and make raw keystream
"""
TAIL = """\
.SH ENVIRONMENT
.TP
.B RUNNEL_CPU
The CPU features that kernels may use, such as aes,avx2; all or none.
.TP
.B RUNNEL_SOURCE
The source tree that runnel lab works on, whoever owns it; without it the tree around the current folder, if it is yours
or root's.
.TP
.B _RUNNEL_COMPLETE
bash_source, zsh_source or fish_source: print what makes the shell complete names and options.
.SH SEE ALSO
The project's docs/command\\-line.md has an example of every command.
"""


def escaped(text: str) -> str:
    """Escape one line of text: a full stop or a quote at its start is no request."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return f"\\&{text}" if text.startswith(".") else text


def paragraphs(text: str) -> Iterator[str]:
    """Return click's paragraphs, filled; text that stands behind \\b as it is."""
    for number, paragraph in enumerate(re.split(r"\n\s*\n", text.strip())):
        if number:
            yield ".PP"
        if paragraph.startswith("\b"):
            lines = [line.strip() for line in paragraph.splitlines()[1:]]
            yield from (escaped(lines[0]), ".PP", ".nf", ".RS", *map(escaped, lines[1:]), ".RE", ".fi")
        else:
            yield escaped(re.sub(r"\s+", " ", paragraph.strip()))


def options(command: click.Command, context: click.Context) -> Iterator[str]:
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context) if isinstance(parameter, click.Option) else None
        if record is not None:
            yield from (".TP", f".B {escaped(record[0])}", escaped(record[1]))


def commands(command: click.Command, context: click.Context) -> Iterator[tuple[click.Command, click.Context]]:
    """Yield the command and those within it, as --help lists them."""
    yield command, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from commands(found, click.Context(found, context, name))


def page() -> str:
    root = click.Context(group, info_name="runnel", help_option_names=["-h", "--help"])
    lines = [".SH SYNOPSIS"]
    for command, context in commands(group, root):
        if command is not group:
            lines.append(".SH " + escaped(context.command_path.upper()))
            usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
            lines += [".B " + escaped(usage), ".PP"]
            lines += paragraphs(command.help or "")
        else:
            lines += [".B runnel", escaped("[OPTIONS] COMMAND [ARGS]..."), ".SH DESCRIPTION"]
            lines += paragraphs(command.help or "")
        lines += options(command, context)
        if command.epilog:
            lines += [".PP", *paragraphs(command.epilog)]
    return HEAD + "\n".join(lines) + "\n" + TAIL


def main() -> None:
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page(), end="")


if __name__ == "__main__":
    main()
