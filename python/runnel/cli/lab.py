# SPDX-License-Identifier: Apache-2.0 OR MIT
"""runnel lab: measure kernels on their targets, and show the papers' tables with ours beside them."""

from __future__ import annotations

import contextlib
import json
import sys
import tempfile
from pathlib import Path

import click

from runnel.cli.options import pass_inputs, standard_output
from runnel.inputs import Inputs
from runnel.lab import (
    LabError,
    Skipped,
    UnknownNameError,
    campaign,
    comparison,
    known_answers,
    measure,
    results,
    source_tree,
    subjects,
    targets,
)


@click.group()
@pass_inputs
def lab(inputs: Inputs) -> None:
    """Measures every kernel on every target, simulated where need be, and compares it with the papers."""
    with contextlib.suppress(LabError):  # not in a source tree: the command says so
        tree = source_tree()
        for pattern in ("lab/**/*.json", "src/*/*/vectors.txt"):
            inputs.remember_all(tree.glob(pattern))
    if sys.stdout is not None:
        standard_output(inputs)


@lab.command()
@click.option("--target", "wanted", multiple=True, metavar="T", help="Only this target; may be repeated.")
@click.option("--cipher", "ciphers", multiple=True, metavar="C", help="Only this cipher; may be repeated.")
@click.option("--kernel", "kernels", multiple=True, metavar="K", help="Only this kernel; may be repeated.")
@click.option("--record", is_flag=True, help="Keep the rows in lab/results, which the tables are made of.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def run(
    wanted: tuple[str, ...], ciphers: tuple[str, ...], kernels: tuple[str, ...], record: bool, quiet: bool
) -> None:
    """Builds, runs, compares the bytes with the host's, and writes what it cost to build/lab/results.

    A target whose tools are not installed is skipped with a line that says so; it is not an error. A kernel that fails
    does not stop the others. Raw blocks go by the name aes-128-ecb and so on. Without --kernel other projects' code is
    measured too, where a target has a program for it.
    """
    tree = source_tree()
    for name in ciphers:
        subjects.cipher(name)
    chosen = [targets.load(tree, name) for name in dict.fromkeys(wanted or targets.find(tree))]
    failures: list[str] = []
    plans = _plans(chosen, ciphers, kernels, failures)
    place = results.recorded(tree) if record else results.scratch(tree)
    recorded = 0
    with tempfile.TemporaryDirectory() as scratch:
        for target, plan in plans:
            folder = Path(scratch) / target.name
            folder.mkdir()
            try:
                station = measure.station(target, folder, place)
            except Skipped as error:
                click.echo(str(error), err=True)
                continue
            except LabError as error:
                failures.append(str(error))
                continue
            if not kernels:
                campaign.forget_the_gone(station, plan)
            said: list[str] = []
            with click.progressbar(
                campaign.run(station, plan),
                length=len(plan),
                label=target.name,
                show_pos=True,
                file=sys.stderr,
                hidden=quiet,
                item_show_func=_what,
            ) as outcomes:
                for outcome in outcomes:
                    recorded += outcome.recorded
                    if outcome.said is not None:
                        (failures if outcome.failed else said).append(outcome.said)
            for line in said:
                click.echo(line, err=True)
            if not kernels:
                try:
                    recorded += campaign.peers(station, {subject.cipher.name for subject in plan})
                except LabError as error:
                    failures.append(f"{target.name}: {error}")
    if len(failures) == 1:
        raise LabError(failures[0])
    for line in failures:
        click.echo(line, err=True)
    if failures:
        raise LabError(f"{len(failures)} failed, {recorded} recorded")
    if not quiet:
        click.echo(f"{recorded} recorded in {place}", err=True)


def _plans(
    chosen: list[targets.Target], ciphers: tuple[str, ...], kernels: tuple[str, ...], failures: list[str]
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
            click.echo(str(error), err=True)
            skipped = True
        except LabError as error:
            failures.append(f"{target.name}: {error}")
        else:
            seen |= {subject.kernel for subject in plan}
            plans.append((target, [subject for subject in plan if not kernels or subject.kernel in kernels]))
    unknown = [kernel for kernel in kernels if kernel not in seen]
    if unknown and not skipped and not failures:
        raise UnknownNameError(f"no kernel {unknown[0]}; there are {', '.join(sorted(seen))}")
    return [(target, plan) for target, plan in plans if plan]


def _what(outcome: campaign.Outcome | None) -> str | None:
    return str(outcome.subject) if outcome else None


@lab.command()
@click.option("--target", "wanted", multiple=True, metavar="T", help="Only this target; may be repeated.")
@click.option("--cipher", "ciphers", multiple=True, metavar="C", help="Only this cipher; may be repeated.")
@click.option("--kernel", "kernels", multiple=True, metavar="K", help="Only this kernel; may be repeated.")
def verify(wanted: tuple[str, ...], ciphers: tuple[str, ...], kernels: tuple[str, ...]) -> None:
    """Puts the published vectors of the stream ciphers through every kernel on every target, 512 bytes of each.

    The complete collection is taken where it lies beside the source tree, else those in the ciphers' folders. AES is
    verified by the tests. A kernel that differs does not stop the others; what does not fit a target is said to be so.
    """
    tree = source_tree()
    chosen = [subjects.cipher(name) for name in dict.fromkeys(ciphers or known_answers.with_vectors())]
    failures: list[str] = []
    passed = 0
    with tempfile.TemporaryDirectory() as scratch:
        found = known_answers.files(tree, Path(scratch))
        for target in (targets.load(tree, name) for name in dict.fromkeys(wanted or targets.find(tree))):
            folder = Path(scratch) / target.name
            folder.mkdir()
            try:
                station = measure.station(target, folder)
            except Skipped as error:
                click.echo(str(error), err=True)
                continue
            for result in campaign.verify(station, chosen, kernels, found):
                passed += result.vectors
                if result.failed:
                    failures.append(result.said)
                click.echo(result.said, err=result.failed)
    if failures:
        raise LabError(f"{len(failures)} failed, {passed} vectors passed" if len(failures) > 1 else failures[0])
    if passed == 0:
        raise LabError("no vector was tried")


@lab.command()
@click.argument("paper")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def show(paper: str, as_json: bool) -> None:
    """Prints a paper's tables with ours beside them: aes-ctr-c, aes-x86-64, fixslicing-rv32,
    seed-armv8 or sensor-streams.

    kind says how ours came about: exact (a simulator without error), model (timing rules), mca (a ranking), measured (by a
    clock). What was not measured stays empty.
    """
    tree = source_tree()
    rows = comparison.rows(tree, paper)
    if as_json:
        click.echo(json.dumps({"paper": paper, "rows": rows}, indent=1))
    else:
        click.echo(comparison.text(tree, paper, rows), nl=False)
