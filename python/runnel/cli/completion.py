# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Completion in bash, zsh and fish: `_RUNNEL_COMPLETE=bash_source runnel` prints what the shell has to read."""

from __future__ import annotations

import os

import click

from runnel.cli.command import COMPLETION as VARIABLE


def complete(group: click.Group) -> tuple[int, str | None] | None:
    """Return the exit status and what to say of an error; None: nothing is asked of the completion."""
    instruction = os.environ.get(VARIABLE)
    if not instruction:
        return None
    from click import shell_completion

    if instruction.endswith("_complete") and not {"COMP_WORDS", "COMP_CWORD"} <= os.environ.keys():
        return 2, f"{VARIABLE} is {instruction!r} without COMP_WORDS and COMP_CWORD, which a shell sets as it completes"
    if instruction in ("bash_complete", "zsh_complete") and not _is_number(os.environ["COMP_CWORD"]):
        return 2, f"COMP_CWORD is {os.environ['COMP_CWORD']!r}, not the number of a word"
    if shell_completion.shell_complete(group, {}, "runnel", VARIABLE, instruction):
        return 2, f"{VARIABLE} is {instruction!r}, not bash_source, zsh_source or fish_source"
    return 0, None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10
