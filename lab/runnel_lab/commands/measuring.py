# SPDX-License-Identifier: Apache-2.0 OR MIT
"""runnel lab run, packets, check and verify."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click
from runnel.cli.options import examples, quiet_option
from runnel.cli.values import FileName, Names

from runnel_lab import LabError, UnknownNameError, checking, history, measuring, results, subjects, targets
from runnel_lab.commands.options import chosen as chosen_subjects
from runnel_lab.commands.options import in_the_tree, target_option
from runnel_lab.packets.combinations import combination, combinations
from runnel_lab.running import known_answers
from runnel_lab.running.target_run import run_jobs
from runnel_lab.source import source_tree
from runnel_lab.tally import Tally

aead_option = click.option(
    "--aead",
    "aeads",
    multiple=True,
    type=Names(in_the_tree(lambda tree: list(combinations(tree)))),
    metavar="NAME",
    help="Only packets by this AEAD, or cipher with a MAC; may be repeated.",
)
record_option = click.option(
    "--record", is_flag=True, help="Keep the rows in lab/results, which the tables are made of."
)
all_option = click.option("--all", "again", is_flag=True, help="Measure again even rows of the current code.")


@click.command(short_help="Measure what it costs.", epilog=examples("runnel lab run --target avr --cipher rabbit"))
@chosen_subjects
@aead_option
@record_option
@click.option("--results", "folder", metavar="FOLDER", type=FileName(), help="Write to this folder.")
@all_option
@quiet_option
def run(
    wanted: tuple[str, ...],
    ciphers: tuple[str, ...],
    kernels: tuple[str, ...],
    aeads: tuple[str, ...],
    record: bool,
    folder: str | None,
    again: bool,
    quiet: bool,
) -> None:
    """Build, run, compare the bytes with the host's, and write what it costs to build/lab/results.

    Measured is what has no row there, or one of other machine code than the build makes now. Without a name that is every
    cipher and MAC, and on the processors of nodes every authenticated packet.

    A target whose tools are not installed is skipped with a line that says so; where --target names it, that is an error.
    A kernel that fails does not stop the others. Raw blocks go by the name aes-128-ecb and so on. Without --kernel other
    projects' code is measured too, where a target has a program for it.
    """
    if record and folder is not None:
        raise click.UsageError("--record is --results lab/results; give one of them")
    tree = source_tree()
    for name in ciphers:
        subjects.cipher(name)
    for name in aeads:
        combination(tree, name)
    if record:
        history.require_clean(tree)
    tally = Tally(tuple(wanted), quiet)
    place = results.recorded(tree) if record else Path(folder) if folder else results.scratch(tree)
    measuring.measure(tree, wanted, ciphers, kernels, place, tally, aeads=aeads, again=again)
    tally.end(place)


@click.command(
    short_help="Measure authenticated packets on small processors.",
    epilog=examples("runnel lab packets --target avr --aead aes-128-ccm"),
)
@aead_option
@target_option
@record_option
@all_option
@quiet_option
@click.pass_context
def packets(
    context: click.Context, aeads: tuple[str, ...], wanted: tuple[str, ...], record: bool, again: bool, quiet: bool
) -> None:
    """Measure only packets: runnel lab run --aead NAME, by default of every name.

    Of each part the kernel is taken with which a packet of 32 bytes takes the fewest cycles.
    """
    tree = source_tree()
    names = [combination(tree, name).name for name in dict.fromkeys(aeads or combinations(tree))]
    nodes = [name for name in targets.find(tree) if targets.load(tree, name).packets]
    for name in wanted:
        if not targets.load(tree, name).packets:
            raise UnknownNameError(f"packets are not measured on {name}, but on {', '.join(nodes)}")
    context.invoke(run, wanted=wanted or tuple(nodes), aeads=names, record=record, again=again, quiet=quiet)


@click.command(
    short_help="Tell which rows are not of the code as it is.", epilog=examples("runnel lab check --target avr")
)
@chosen_subjects
@click.option("--results", "folder", metavar="FOLDER", type=FileName(), help="Other results than lab/results.")
def check(wanted: tuple[str, ...], ciphers: tuple[str, ...], kernels: tuple[str, ...], folder: str | None) -> None:
    """Build the measured programs, and compare the machine code with that of the rows; nothing is run.

    A row is stale if the code is not what the build makes now, and nameless if its commit is not in the history. Either is an
    error, except for what a clock measured: another compiler makes other code of it.
    """
    tree = source_tree()
    found = checking.check(tree, Path(folder) if folder else results.recorded(tree), wanted, ciphers, kernels)
    for line in found.lines:
        click.echo(line)
    for line in found.skipped:
        click.echo(line, err=True)
    if found.wrong:
        raise LabError(f"{found.wrong} of {found.rows} rows are stale or name no commit")
    click.echo(f"{found.rows} rows are of the code as it is", err=True)


@click.command(
    short_help="Put the published vectors through every kernel.",
    epilog=examples("runnel lab verify --target rv32 --cipher salsa20"),
)
@chosen_subjects
def verify(wanted: tuple[str, ...], ciphers: tuple[str, ...], kernels: tuple[str, ...]) -> None:
    """Put the published vectors of the stream ciphers through every kernel on every target, 512 bytes of each.

    The complete collection is taken where it lies beside the source tree, else those in the ciphers' folders. AES is
    verified by the tests. A kernel that differs does not stop the others; what does not fit a target is reported.
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
        for at in tally.target_runs(targets.load(tree, name) for name in dict.fromkeys(wanted or targets.find(tree))):
            for outcome in run_jobs(at, known_answers.jobs(at, chosen, kernels, found)):
                passed += outcome.recorded
                if outcome.failed:
                    tally.failures.append(str(outcome.message))
                click.echo(outcome.message, err=outcome.failed)
    if failures := tally.failures:
        raise LabError(f"{len(failures)} failed, {passed} vectors passed" if len(failures) > 1 else failures[0])
    if passed == 0:
        raise LabError("no vector was tried")
