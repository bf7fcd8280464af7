# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Options and error handling of the commands that measure this machine."""

from __future__ import annotations

import sys
from typing import Any

import click
from runnel.cli.standard import say
from runnel.cli.values import CIPHER_OR_AEAD, Number

from runnel_lab.speed import QUICK, MeasuringError, UsageError, default_seconds, measure

ciphers_option = click.option(
    "--cipher",
    "ciphers",
    type=CIPHER_OR_AEAD,
    metavar="NAME",
    multiple=True,
    help="Only this cipher or AEAD; may be repeated.",
)
seconds_option = click.option(
    "--seconds", type=Number(0, 3600), metavar="N", help="How long to measure; 45 for all ciphers if not given."
)
quick_option = click.option("--quick", is_flag=True, help="A third of the time, and not quite as steady.")
quiet_option = click.option("-q", "--quiet", is_flag=True, help="No progress line.")


def measured(
    ciphers: tuple[str, ...], seconds: float | None, quick: bool, quiet: bool, *, full: bool = False, **what: Any
) -> dict[str, Any]:
    """Announce the time it takes, measure, and report errors as the command line does. what: as measure() takes it."""
    if seconds is None:
        seconds = default_seconds(ciphers, full) / (QUICK if quick else 1)
    on_terminal = sys.stderr is not None and sys.stderr.isatty()
    if seconds >= 1 and not quiet and not on_terminal:
        say(f"measuring, about {seconds:.0f} s\n")
    try:
        return measure(ciphers, full=full, seconds=seconds, progress=on_terminal and not quiet, **what)
    except UsageError as error:
        raise click.UsageError(str(error), click.get_current_context()) from error
    except MeasuringError as error:
        raise click.ClickException(str(error)) from error
