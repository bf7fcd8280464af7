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

from runnel_lab import LabError, UnknownNameError, checking, results, targets
from runnel_lab.commands.options import in_the_tree
from runnel_lab.export import data as exported
from runnel_lab.packets import text as packets
from runnel_lab.source import source_tree
from runnel_lab.tables import behind as being_behind
from runnel_lab.tables import comparison, curves, kernels, papers, printing, published

_LINES_MAX = 40
"""A longer table is printed only when it is asked for."""
PACKETS = "packets"
"""In a paper's place: lab/packets."""


def existing(names: Iterable[str]) -> list[Path]:
    """Return the folders of results. Raise LabError: one does not exist."""
    for name in names:
        if not Path(name).is_dir():
            raise LabError(f"{name}: no such folder")
    return [Path(name) for name in names]


@click.command(
    short_help="Print a paper's tables with ours beside them.",
    epilog=examples("runnel lab show seed", "runnel lab show aes-ctr-c --svg curves", "runnel lab show avr"),
)
@click.argument("paper", type=Names(in_the_tree(lambda tree: [*published.names(tree), PACKETS, *targets.find(tree)])))
@click.option("--table", "wanted", multiple=True, metavar="NAME", help="Only this table or curve; may be repeated.")
@click.option("--all", "everything", is_flag=True, help="All tables, however long.")
@click.option(
    "--results",
    "folders",
    multiple=True,
    metavar="FOLDER",
    type=FileName(),
    help="Figures of this folder, not of lab/results; of several folders, side by side.",
)
@click.option("--csv", "as_csv", is_flag=True, help="Print the rows as CSV.")
@click.option("--svg", metavar="FILE|FOLDER", type=FileName(), help="Write the paper's curves as SVG files.")
@click.option("--check", "checked", is_flag=True, help="Build the measured programs, and mark rows of other code.")
@json_option
def show(
    paper: str,
    wanted: tuple[str, ...],
    everything: bool,
    folders: tuple[str, ...],
    as_csv: bool,
    svg: str | None,
    checked: bool,
    as_json: bool,
) -> None:
    """Print a paper's tables with ours beside them; runnel lab list names the papers. An author, a word of the title or the
    DOI will do as well, in English or in Korean.

    kind says how ours came about: exact (a simulator without error), model (timing rules), mca (a ranking), measured (by a
    clock). Cells that were not measured stay empty. Long tables, and those with only our figures, are printed when they are
    named. Where several machines or folders have figures, each has its columns.

    A target in a paper's place: what every kernel costs there. packets: authenticated packets ranked by energy, a table for
    each processor, frame and length, and what others published; with --all --json for every frame, without header, and with a
    new key each too.
    """
    tree, places = source_tree(), existing(folders)
    if paper == PACKETS:
        if places or as_csv or svg:
            raise LabError("packets have neither --results nor --csv nor --svg")
        click.echo(packets.shown(tree, list(wanted), everything, as_json), nl=False)
        return
    if paper in targets.find(tree):
        if svg or wanted:
            raise LabError("a target has no curves, and one table alone")
        click.echo(kernels.shown(places or [results.recorded(tree)], paper, as_csv, as_json), nl=False)
        return
    paper = papers.find(tree, paper)
    if svg is not None:
        _draw(tree, paper, wanted, places, Path(svg))
        return
    rows = comparison.rows(tree, paper, places, _stale(tree, paper, places) if checked else comparison.is_unnamed)
    known = comparison.tables(rows)
    tables = [_named(paper, "table", name, known) for name in wanted]
    if tables:
        rows = [row for row in rows if row["table"] in tables]
    if as_json:
        click.echo(json.dumps({"paper": paper, "rows": rows}, indent=1))
    elif as_csv:
        click.echo(printing.as_csv(rows), nl=False)
    else:
        text = printing.text(tree, paper, rows, None if tables or everything else _LINES_MAX, places)
        click.echo(text, nl=False)


def _stale(tree: Path, paper: str, folders: list[Path]) -> comparison.Stale:
    """Build what the paper's tables show, and return which rows are of other code."""
    rows = comparison.rows(tree, paper, folders)
    shown = sorted({str(row["target"]) for row in rows if row["target"]})
    ciphers = sorted({str(row["cipher"]) for row in rows if row["cipher"]})
    found = [checking.check(tree, folder, shown, ciphers, ()) for folder in folders or [results.recorded(tree)]]
    return lambda row: comparison.is_unnamed(row) or any(each.is_stale(row) for each in found)


def _draw(tree: Path, paper: str, wanted: tuple[str, ...], folders: list[Path], place: Path) -> None:
    """Write the curves that are named, or all, and name the files."""
    known = {curve.name: curve for curve in papers.describe(tree, paper).curves}
    chosen = [known[_named(paper, "curve", name, known)] for name in wanted] or list(known.values())
    if place.suffix == ".svg" and len(chosen) > 1:
        raise LabError(f"{paper} has the curves {', '.join(known)}: name one by --table, or a folder for all")
    for file in curves.write(chosen, comparison.sources(tree, folders)[0].result_set, place):
        click.echo(file)


@click.command(
    short_help="List where ours got slower, and where a paper's is faster.",
    epilog=examples("runnel lab behind", "runnel lab behind --results build/lab/results --before lab/results"),
)
@click.option("--results", "now", metavar="FOLDER", type=FileName(), help="Other results than lab/results.")
@click.option("--before", metavar="FOLDER", type=FileName(), help="Earlier results: list what got slower since.")
@json_option
def behind(now: str | None, before: str | None, as_json: bool) -> None:
    """List the cells that got slower or larger than in earlier results, and then the figures of ours that are worse than a
    paper's, of its technique in our code and of our best kernel, on the paper's class of processor. The papers' files say
    why; what has no reason is listed first, as not explained.

    A cell is a set-up, an encryption, ROM or RAM. A counted figure got slower if it is larger at all, one that a clock
    measured if it is more by a tenth.
    """
    tree = source_tree()
    existing(filter(None, (now, before)))
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


def _named(paper: str, what: str, name: str, known: Iterable[str]) -> str:
    found = find(name, known)
    if found is None:
        there = suggestion(name, known, "it has " + ", ".join(known))
        raise UnknownNameError(f"{paper} has no {what} {name!r}; {there}")
    return found
