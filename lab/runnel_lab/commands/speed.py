# SPDX-License-Identifier: Apache-2.0 OR MIT
"""speed: this machine, our ciphers beside the libraries found on it."""

from __future__ import annotations

import json
import sys

import click
from runnel.cli.options import examples, json_option, pass_inputs
from runnel.cli.streams import standard_output
from runnel.cli.values import KERNEL
from runnel.inputs import Inputs

from runnel_lab.commands.speed_options import ciphers_option, measured, quick_option, quiet_option, seconds_option
from runnel_lab.speed import OPERATIONS, batch_table, full_table, summary, table

_IN_BATCHES = ("iv", "message")


@click.command(
    short_help="Measure the ciphers here, beside other libraries.",
    epilog=examples(
        "runnel speed --quick --cipher aes-128-ctr --cipher aes-128-gcm", "runnel speed --json > speed.json"
    ),
)
@ciphers_option
@click.option(
    "--kernel", type=KERNEL, metavar="NAME", help="Our kernel of this name, not the one that runs by default."
)
@click.option("--all-kernels", is_flag=True, help="All of our kernels that this CPU runs.")
@click.option(
    "--operation",
    "operations",
    type=click.Choice(OPERATIONS, case_sensitive=False),
    multiple=True,
    help="Only this; may be repeated.",
)
@click.option(
    "--full",
    is_flag=True,
    help="Nine sizes, each with a new IV, continued and with a new key; takes six times as long.",
)
@click.option(
    "--batch",
    type=click.IntRange(2, 8),
    metavar="N",
    help="N streams of ours, 2 to 8, one by one and at once, instead.",
)
@seconds_option
@quick_option
@click.option("--brief", is_flag=True, help="Only the summary.")
@quiet_option
@json_option
@pass_inputs
def speed(
    inputs: Inputs,
    ciphers: tuple[str, ...],
    kernel: str | None,
    all_kernels: bool,
    operations: tuple[str, ...],
    full: bool,
    batch: int | None,
    seconds: float | None,
    quick: bool,
    brief: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Measure this machine: our ciphers beside the libraries found on it, after it has compared their bytes with ours.

    AEADs are measured when they are named: a key, and messages sealed under a new nonce each. With --full, continued means
    further pieces of one message, of AEADs that take them.

    First comes a summary, then all figures. Nothing else should run meanwhile.
    """
    context = click.get_current_context()
    if kernel is not None and all_kernels:
        raise click.UsageError("--kernel and --all-kernels cannot be used together", context)
    if batch is not None and operations and not set(operations) & set(_IN_BATCHES):
        raise click.UsageError(f"--batch measures --operation {' and '.join(_IN_BATCHES)} alone", context)
    if batch is not None and full:
        raise click.UsageError("--batch and --full cannot be used together", context)
    standard_output(inputs)  # refused before anything is measured
    result = measured(
        ciphers,
        seconds,
        quick,
        quiet,
        full=full,
        kernel=kernel,
        all_kernels=all_kernels,
        operations=operations,
        batch=batch,
    )
    if as_json:
        click.echo(json.dumps(result, indent=1))
    elif batch is not None:
        click.echo(batch_table(result, batch))
    else:
        chart = summary(result, blocks=_takes_blocks())
        figures = full_table(result) if full else table(result)
        click.echo(chart if brief else "\n".join(filter(None, (chart, figures))), nl=not brief)


def _takes_blocks() -> bool:
    try:
        "█".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
