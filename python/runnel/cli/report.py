# SPDX-License-Identifier: Apache-2.0 OR MIT
"""report: what speed measures, as one HTML file."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from runnel.cli.options import examples, force_option, new_file, pass_inputs
from runnel.cli.values import CIPHER_OR_AEAD, FileName
from runnel.inputs import Inputs
from runnel.report import page
from runnel.speed import QUICK, MeasuringError, UsageError, measure, usual_seconds
from runnel.transfer import write_all


@click.command(
    short_help="Measure this machine, for a page with charts.",
    epilog=examples("runnel report speed.html", "runnel report --figures speed.json speed.html"),
)
@click.option(
    "--cipher",
    "ciphers",
    type=CIPHER_OR_AEAD,
    metavar="NAME",
    multiple=True,
    help="Only this cipher or AEAD; may be repeated.",
)
@click.option("--seconds", type=click.FloatRange(0, 3600), metavar="N", help="How long to measure.")
@click.option("--quick", is_flag=True, help="A third of the time, and not quite as steady.")
@click.option(
    "--figures", type=FileName(), metavar="FILE", help="What runnel speed --json printed; nothing is measured."
)
@force_option
@click.option("-q", "--quiet", is_flag=True, help="No progress line.")
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
    context = click.get_current_context()
    result = None if figures is None else _read(inputs, figures)
    with new_file(inputs, out, force) as output:
        if result is None:
            if seconds is None:
                seconds = usual_seconds(ciphers) / (QUICK if quick else 1)
            on_terminal = sys.stderr is not None and sys.stderr.isatty()
            if seconds >= 1 and not quiet and not on_terminal:
                click.echo(f"measuring, about {seconds:.0f} s", err=True)
            try:
                result = measure(ciphers, seconds=seconds, progress=on_terminal and not quiet)
            except UsageError as error:
                raise click.UsageError(str(error), context) from error
            except MeasuringError as error:
                raise click.ClickException(str(error)) from error
        with open(output.fileno(), "wb", closefd=False, buffering=0) as opened:
            write_all(opened.write, out, memoryview(page(result).encode()))
        output.commit()


def _read(inputs: Inputs, file: str) -> dict[str, Any]:
    try:
        result: dict[str, Any] = json.loads(inputs.read(file))
        if isinstance(result["rows"], list) and isinstance(result["machine"], dict):
            return result
    except (ValueError, KeyError, TypeError):
        pass
    raise click.ClickException(f"{file}: is not what runnel speed --json prints")
