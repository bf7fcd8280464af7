# SPDX-License-Identifier: Apache-2.0 OR MIT
"""runnel lab: measure kernels on their targets, and show the papers' tables with ours beside them."""

from __future__ import annotations

import contextlib
import json
import sys

import click
from runnel.cli.options import examples, json_option, pass_inputs, standard_output
from runnel.columns import columns
from runnel.inputs import Inputs

from runnel_lab import LabError, Skipped, targets
from runnel_lab.commands import measuring, reproducing, showing
from runnel_lab.source import source_tree
from runnel_lab.tables import papers, published
from runnel_lab.tally import without_name


@click.group(
    short_help="Measure kernels on other processors, and compare them with papers.",
    epilog=examples("runnel lab list", "runnel lab show seed-armv8", "runnel lab run --target avr --cipher rabbit"),
)
@pass_inputs
def lab(inputs: Inputs) -> None:
    """Measure every kernel on every target, simulated where need be, and compare it with the papers.

    The lab needs Runnel's source tree: run it inside a checkout of your own, or name one in RUNNEL_SOURCE. It runs the
    tree's code: one that other users may have written is refused unless RUNNEL_SOURCE names it.
    """
    with contextlib.suppress(LabError):  # not in a source tree: the command says so
        tree = source_tree()
        for pattern in ("lab/**/*.json", "src/*/*/vectors.txt"):
            inputs.remember_all(tree.glob(pattern))
    if sys.stdout is not None:
        standard_output(inputs)


for _command in (
    measuring.run, measuring.packets, measuring.check, measuring.verify, reproducing.reproduce, showing.show, showing.behind,
    showing.export,
):  # fmt: skip
    lab.add_command(_command)


@lab.command("list", short_help="List the targets and the papers.", epilog=examples("runnel lab list"))
@json_option
def list_(as_json: bool) -> None:
    """List the targets, with what keeps them from running here, and the papers."""
    tree = source_tree()
    found = [(target, _missing(target)) for target in (targets.load(tree, name) for name in targets.find(tree))]
    titles = {name: papers.describe(tree, name).title for name in published.names(tree)}
    if as_json:
        record = {
            "targets": [{"name": t.name, "title": t.title, "kind": t.kind, "missing": missing} for t, missing in found],
            "papers": [{"name": name, "title": title} for name, title in titles.items()],
        }
        click.echo(json.dumps(record, indent=1))
        return
    click.echo("Targets, and the kind of their figures:")
    rows = [[t.name, t.kind, t.title + (f"; {missing}" if missing else "")] for t, missing in found]
    click.echo(columns(rows, indent="  "), nl=False)
    click.echo("\nPapers, for runnel lab show:")
    click.echo(columns(list(titles.items()), indent="  "), nl=False)


def _missing(target: targets.Target) -> str | None:
    """Return which of its tools are missing."""
    try:
        target.require()
    except Skipped as error:
        return without_name(error, target)
    return None
