# SPDX-License-Identifier: Apache-2.0 OR MIT
"""report: what speed measures, as one HTML file."""

from __future__ import annotations

import json
from typing import Any

import click

from runnel.cli.measuring import ciphers_option, measured, quick_option, quiet_option, seconds_option
from runnel.cli.options import examples, force_option, new_file, pass_inputs
from runnel.cli.values import FileName
from runnel.inputs import Inputs
from runnel.report import page


@click.command(
    short_help="Measure this machine, for a page with charts.",
    epilog=examples("runnel report speed.html", "runnel report --figures speed.json speed.html"),
)
@ciphers_option
@seconds_option
@quick_option
@click.option(
    "--figures", type=FileName(), metavar="FILE", help="What runnel speed --json printed; nothing is measured."
)
@force_option
@quiet_option
@click.argument("out", type=FileName(), metavar="OUT")
@pass_inputs
def report(
    inputs: Inputs,
    ciphers: tuple[str, ...],
    seconds: float | None,
    quick: bool,
    figures: str | None,
    force: bool,
    quiet: bool,
    out: str,
) -> None:
    """Measure this machine as speed does, and write OUT: one HTML file with charts and all figures, beside machines that were
    recorded. It has no script and asks no other host for anything.
    """
    result = None if figures is None else _read(inputs, figures)
    with new_file(inputs, out, force) as output:
        if result is None:
            result = measured(ciphers, seconds, quick, quiet)
        output.write_all(_page(result, figures).encode())
        output.commit()


def _page(result: dict[str, Any], figures: str | None) -> str:
    try:
        return page(result)
    except (ValueError, KeyError, TypeError, AttributeError):
        if figures is None:
            raise
        raise _unknown(figures) from None


def _unknown(figures: str) -> click.ClickException:
    return click.ClickException(f"{figures}: is not what runnel speed --json prints")


def _read(inputs: Inputs, file: str) -> dict[str, Any]:
    try:
        result: dict[str, Any] = json.loads(inputs.read(file))
        if isinstance(result["rows"], list) and isinstance(result["machine"], dict):
            return result
    except (ValueError, KeyError, TypeError):
        pass
    raise _unknown(file)
