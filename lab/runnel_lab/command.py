# SPDX-License-Identifier: Apache-2.0 OR MIT
"""runnel lab: measure kernels on their targets, and show the papers' tables with ours beside them."""

from __future__ import annotations

import contextlib
import json
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click
from runnel.cli.names import find, suggestion
from runnel.cli.options import examples, json_option, pass_inputs, quiet_option, standard_output, write_standard_output
from runnel.cli.values import FileName, Names
from runnel.columns import columns
from runnel.inputs import Inputs

from runnel_lab import LabError, Skipped, UnknownNameError, results, subjects, targets
from runnel_lab.export import data as exported
from runnel_lab.packets.command import packets, show_packets
from runnel_lab.running import campaign, known_answers, measure
from runnel_lab.source import source_tree
from runnel_lab.tables import behind as being_behind
from runnel_lab.tables import comparison, papers, printing, published
from runnel_lab.tally import Tally, without_name

_LINES_MAX = 40
"""A longer table is printed only when it is asked for."""
PACKETS = "packets"
"""In a paper's place: lab/packets."""


def _in_the_tree(names: Callable[[Path], list[str]]) -> Callable[[], list[str]]:
    """Names for a value that may be completed outside a source tree."""

    def known() -> list[str]:
        try:
            return names(source_tree())
        except LabError:
            return []

    return known


def _chosen(function: Any) -> Any:
    """The options that say what is measured."""
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
        click.option(
            "--target",
            "wanted",
            multiple=True,
            type=Names(_in_the_tree(targets.find)),
            metavar="NAME",
            help="Only this target; may be repeated.",
        ),
    ):
        function = decorator(function)
    return function


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


lab.add_command(packets)


@lab.command("list", short_help="List the targets and the papers.", epilog=examples("runnel lab list"))
@json_option
def list_(as_json: bool) -> None:
    """List the targets, with what keeps them from running here, and the papers."""
    tree = source_tree()
    found = [(target, _missing(target)) for target in (targets.load(tree, name) for name in targets.find(tree))]
    titles = {name: papers.title(tree, name) for name in published.names(tree)}
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
    """What of its tools is not here."""
    try:
        target.require()
    except Skipped as error:
        return without_name(error, target)
    return None


@lab.command(short_help="Measure what it costs.", epilog=examples("runnel lab run --target avr --cipher rabbit"))
@_chosen
@click.option("--record", is_flag=True, help="Keep the rows in lab/results, which the tables are made of.")
@quiet_option
def run(wanted: tuple[str, ...], ciphers: tuple[str, ...], kernels: tuple[str, ...], record: bool, quiet: bool) -> None:
    """Build, run, compare the bytes with the host's, and write what it costs to build/lab/results.

    A target whose tools are not installed is skipped with a line that says so; where --target names it, that is an error.
    A kernel that fails does not stop the others. Raw blocks go by the name aes-128-ecb and so on. Without --kernel other
    projects' code is measured too, where a target has a program for it.
    """
    tree = source_tree()
    for name in ciphers:
        subjects.cipher(name)
    chosen = [targets.load(tree, name) for name in dict.fromkeys(wanted or targets.find(tree))]
    tally = Tally(wanted, quiet)
    plans = _plans(chosen, ciphers, kernels, tally)
    place = results.recorded(tree) if record else results.scratch(tree)
    with tempfile.TemporaryDirectory() as scratch:
        for target, plan in plans:
            folder = Path(scratch) / target.name
            folder.mkdir()
            try:
                station = measure.station(target, folder, place)
            except Skipped as error:
                tally.skip(error, target)
                continue
            except LabError as error:
                tally.failures.append(str(error))
                continue
            if not kernels:
                campaign.forget_the_gone(station, plan)
            tally.follow(target, campaign.run(station, plan), len(plan))
            if not kernels:
                try:
                    tally.recorded += campaign.peers(station, {subject.cipher.name for subject in plan})
                except LabError as error:
                    tally.failures.append(f"{target.name}: {error}")
    tally.end(place)


def _plans(
    chosen: list[targets.Target], ciphers: tuple[str, ...], kernels: tuple[str, ...], tally: Tally
) -> list[tuple[targets.Target, list[subjects.Subject]]]:
    """Finds out what there is to measure on each target whose tools are there."""
    plans = []
    seen: set[str] = set()
    skipped = False
    for target in chosen:
        try:
            target.require()
            plan = campaign.plan(target, ciphers)
        except Skipped as error:
            tally.skip(error, target)
            skipped = True
        except LabError as error:
            tally.failures.append(f"{target.name}: {error}")
        else:
            seen |= {subject.kernel for subject in plan}
            plans.append((target, [subject for subject in plan if not kernels or subject.kernel in kernels]))
    unknown = [kernel for kernel in kernels if kernel not in seen]
    if unknown and not skipped and not tally.failures:
        raise UnknownNameError(f"no kernel {unknown[0]}; there are {', '.join(sorted(seen))}")
    return [(target, plan) for target, plan in plans if plan]


@lab.command(
    short_help="Put the published vectors through every kernel.",
    epilog=examples("runnel lab verify --target rv32 --cipher salsa20"),
)
@_chosen
def verify(wanted: tuple[str, ...], ciphers: tuple[str, ...], kernels: tuple[str, ...]) -> None:
    """Put the published vectors of the stream ciphers through every kernel on every target, 512 bytes of each.

    The complete collection is taken where it lies beside the source tree, else those in the ciphers' folders. AES is
    verified by the tests. A kernel that differs does not stop the others; what does not fit a target is said to be so.
    """
    tree = source_tree()
    known = known_answers.with_vectors()
    for name in ciphers:
        if subjects.cipher(name).name not in known:
            raise UnknownNameError(f"no vectors of {name} for this; there are those of {', '.join(known)}")
    chosen = [subjects.cipher(name) for name in dict.fromkeys(ciphers or known)]
    tally = Tally(wanted)
    passed = 0
    with tempfile.TemporaryDirectory() as scratch:
        found = known_answers.files(tree, Path(scratch))
        for target in (targets.load(tree, name) for name in dict.fromkeys(wanted or targets.find(tree))):
            folder = Path(scratch) / target.name
            folder.mkdir()
            try:
                station = measure.station(target, folder)
            except Skipped as error:
                tally.skip(error, target)
                continue
            for result in campaign.verify(station, chosen, kernels, found):
                passed += result.vectors
                if result.failed:
                    tally.failures.append(result.said)
                click.echo(result.said, err=result.failed)
    if failures := tally.failures:
        raise LabError(f"{len(failures)} failed, {passed} vectors passed" if len(failures) > 1 else failures[0])
    if passed == 0:
        raise LabError("no vector was tried")


@lab.command(
    short_help="Print a paper's tables with ours beside them.",
    epilog=examples("runnel lab show seed", "runnel lab show sensor-streams --table state_bytes"),
)
@click.argument("paper", type=Names(_in_the_tree(lambda tree: [*published.names(tree), PACKETS])))
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


@lab.command(
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


@lab.command(
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
