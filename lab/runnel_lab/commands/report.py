# SPDX-License-Identifier: Apache-2.0 OR MIT
"""report: what speed measures, as one HTML file."""

from __future__ import annotations

import json

import click
from runnel.cli.options import examples, force_option, pass_inputs
from runnel.cli.streams import STANDARD, new_file, standard_output
from runnel.cli.values import FileName
from runnel.inputs import Inputs
from runnel.transfer import write_all

from runnel_lab.commands.speed_options import ciphers_option, measured, quick_option, quiet_option, seconds_option
from runnel_lab.report import page


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
    recorded. It has no script and asks no other host for anything. - is the standard output.
    """
    drawn = None if figures is None else _page_of(inputs, figures)

    def rendered() -> bytes:
        return page(measured(ciphers, seconds, quick, quiet)).encode() if drawn is None else drawn

    if out == STANDARD:
        file = standard_output(inputs)  # refused before anything is measured
        write_all(file.write, "stdout", memoryview(rendered()))
        return
    with new_file(inputs, out, force) as output:
        output.write_all(rendered())
        output.commit()


def _page_of(inputs: Inputs, file: str) -> bytes:
    """Return the page of figures in a file, which may have anything where those are expected."""
    try:
        return page(json.loads(inputs.read(file))).encode()
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
        raise click.ClickException(f"{file}: is not what runnel speed --json prints") from None
