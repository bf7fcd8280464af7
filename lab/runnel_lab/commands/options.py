# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from runnel.cli.values import Names

from runnel_lab import LabError, subjects, targets
from runnel_lab.source import source_tree


def in_the_tree(names: Callable[[Path], list[str]]) -> Callable[[], list[str]]:
    """List names for a value that may be completed outside a source tree."""

    def known() -> list[str]:
        try:
            return names(source_tree())
        except LabError:
            return []

    return known


target_option = click.option(
    "--target",
    "wanted",
    multiple=True,
    type=Names(in_the_tree(targets.find)),
    metavar="NAME",
    help="Only this target; may be repeated.",
)


def chosen(function: Any) -> Any:
    """Add the options that choose the measurements."""
    for decorator in (
        click.option("--kernel", "kernels", multiple=True, metavar="NAME", help="Only this kernel; may be repeated."),
        click.option(
            "--cipher",
            "ciphers",
            multiple=True,
            type=Names(lambda: [*subjects.ciphers(), *subjects.macs()]),
            metavar="NAME",
            help="Only this cipher; may be repeated.",
        ),
        target_option,
    ):
        function = decorator(function)
    return function
