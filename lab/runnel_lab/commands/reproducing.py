# SPDX-License-Identifier: Apache-2.0 OR MIT
"""runnel lab reproduce: a paper's figures measured anew."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click
from runnel.cli.options import examples, json_option, quiet_option
from runnel.cli.values import FileName, Names

from runnel_lab import UnknownNameError, measuring, targets
from runnel_lab.commands.options import in_the_tree
from runnel_lab.source import source_tree
from runnel_lab.tables import papers, published, reproduction
from runnel_lab.tally import Tally


@click.command(
    short_help="Measure a paper's tables again, beside the recorded figures.",
    epilog=examples("runnel lab reproduce fixslicing-rv32", "runnel lab reproduce seed --results mine"),
)
@click.argument("paper", type=Names(in_the_tree(published.names)))
@click.option("--table", "tables", multiple=True, metavar="NAME", help="Only for this table; may be repeated.")
@click.option("--target", "wanted", multiple=True, type=Names(in_the_tree(targets.find)), metavar="NAME",
              help="Only on this target; may be repeated.")  # fmt: skip
@click.option("--results", "place", metavar="FOLDER", type=FileName(), help="Else build/lab/reproduce/PAPER.")
@json_option
@quiet_option
def reproduce(
    paper: str, tables: tuple[str, ...], wanted: tuple[str, ...], place: str | None, as_json: bool, quiet: bool
) -> None:
    """Measure what a paper's tables need, into a folder of your own, and print the paper's figures, those recorded and yours,
    with what differs most.

    It says beforehand about how long that takes. A target whose tools are not installed is left out, with a line that names
    them. runnel lab show PAPER --results FOLDER prints the paper's tables from your figures only.
    """
    tree = source_tree()
    paper = papers.find(tree, paper)
    folder = Path(place) if place else tree / "build" / "lab" / "reproduce" / paper
    known = [table.name for table in papers.describe(tree, paper).tables]
    for name in tables:
        if name not in known:
            raise UnknownNameError(f"{paper} has no table {name!r}; it has {', '.join(known)}")
    plan = reproduction.plan(tree, paper, tables, wanted)
    tally, ready = Tally(quiet=quiet), list[str]()
    for name in plan.minutes:
        with tally.surviving(target := targets.load(tree, name)):
            target.require()
            ready.append(name)
    if ready:
        each = ", ".join(f"{name} {_minutes(plan.minutes[name])}" for name in ready)
        minutes = _minutes(sum(plan.minutes[name] for name in ready))
        click.echo(f"{paper}: about {minutes} minutes ({each}), into {folder}", err=True)
    for (name, kernels), ciphers in plan.ciphers.items():
        if name in ready:
            measuring.measure(tree, (name,), ciphers, kernels, folder, tally, again=True)
    found = reproduction.figures(tree, paper, folder, tables, wanted)
    if as_json:
        click.echo(json.dumps({"paper": paper, "rows": [asdict(each) for each in found]}, indent=1))
    else:
        click.echo(reproduction.text(found), nl=False)
    tally.end(folder)


def _minutes(count: float) -> str:
    return f"{max(count, 0.1):.1f}".removesuffix(".0")
