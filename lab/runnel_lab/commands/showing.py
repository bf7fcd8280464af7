# SPDX-License-Identifier: Apache-2.0 OR MIT
"""runnel lab show, behind and export."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import click
from runnel.cli.names import find, suggestion
from runnel.cli.options import examples, json_option, pass_inputs, write_standard_output
from runnel.cli.values import FileName, Names
from runnel.inputs import Inputs

from runnel_lab import LabError, UnknownNameError, results
from runnel_lab.commands.options import in_the_tree
from runnel_lab.export import data as exported
from runnel_lab.packets.command import show_packets
from runnel_lab.source import source_tree
from runnel_lab.tables import behind as being_behind
from runnel_lab.tables import comparison, papers, printing, published

_LINES_MAX = 40
"""A longer table is printed only when it is asked for."""
PACKETS = "packets"
"""In a paper's place: lab/packets."""


@click.command(
    short_help="Print a paper's tables with ours beside them.",
    epilog=examples("runnel lab show seed", "runnel lab show sensor-streams --table state_bytes"),
)
@click.argument("paper", type=Names(in_the_tree(lambda tree: [*published.names(tree), PACKETS])))
@click.option("--table", "wanted", multiple=True, metavar="NAME", help="Only this table; may be repeated.")
@click.option("--all", "everything", is_flag=True, help="All tables, however long.")
@json_option
def show(paper: str, wanted: tuple[str, ...], everything: bool, as_json: bool) -> None:
    """Print a paper's tables with ours beside them; runnel lab list names the papers. An author, a word of the title or the
    DOI will do as well, in English or in Korean.

    kind says how ours came about: exact (a simulator without error), model (timing rules), mca (a ranking), measured (by a
    clock). What was not measured stays empty. Long tables, and those of ours alone, are printed when they are named.

    packets in a paper's place: authenticated packets ranked by energy, a table for each processor, frame and length, and
    what others published; with --all --json for every frame, without header, and with a new key each too.
    """
    tree = source_tree()
    if paper == PACKETS:
        show_packets(tree, list(wanted), everything, as_json)
        return
    paper = papers.find(tree, paper)
    rows = comparison.rows(tree, paper)
    known = comparison.tables(rows)
    tables = [_table(paper, name, known) for name in wanted]
    if tables:
        rows = [row for row in rows if row["table"] in tables]
    if as_json:
        click.echo(json.dumps({"paper": paper, "rows": rows}, indent=1))
    else:
        click.echo(printing.text(tree, paper, rows, None if tables or everything else _LINES_MAX), nl=False)


@click.command(
    short_help="List where ours got slower, and where a paper's is faster.",
    epilog=examples("runnel lab behind", "runnel lab behind --results build/lab/results --before lab/results"),
)
@click.option("--results", "now", metavar="FOLDER", type=FileName(), help="Other results than lab/results.")
@click.option("--before", metavar="FOLDER", type=FileName(), help="Earlier results: list what got slower since.")
@json_option
def behind(now: str | None, before: str | None, as_json: bool) -> None:
    """List the cells that got slower or larger than in earlier results, and then those of the papers' tables in which ours
    is behind, with the reasons of lab/behind.toml; what has none is listed first, as not explained.

    A cell is a set-up, an encryption, ROM or RAM. What was counted got slower if it is more at all, what a clock measured if
    it is more by a tenth.
    """
    tree = source_tree()
    for folder in filter(None, (now, before)):
        if not Path(folder).is_dir():
            raise LabError(f"{folder}: no such folder")
    here = results.recorded(tree) if now is None else Path(now)
    slower = None if before is None else being_behind.slower(here, Path(before))
    lines, among = being_behind.behind(tree, here)
    if as_json:
        click.echo(json.dumps({"slower": slower, "behind": lines}, indent=1))
        return
    if slower is not None:
        click.echo(being_behind.slower_text(slower))
    click.echo(being_behind.behind_text(lines, among), nl=False)


@click.command(
    short_help="Write cipher-data.json, the figures for those who choose a cipher.",
    epilog=examples("runnel lab export > cipher-data.json"),
)
@pass_inputs
def export(inputs: Inputs) -> None:
    """Write cipher-data.json: every figure that `runnel choose` and the project's page choose by, with its kind and the
    command that measures it anew.

    It is made of what lab/results and results hold, and measures nothing.
    """
    write_standard_output(inputs, exported.text(source_tree()).encode())


def _table(paper: str, name: str, known: Iterable[str]) -> str:
    found = find(name, known)
    if found is None:
        raise UnknownNameError(
            f"{paper} has no table {name!r}; {suggestion(name, known, 'it has ' + ', '.join(known))}"
        )
    return found
