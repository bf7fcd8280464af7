# SPDX-License-Identifier: Apache-2.0 OR MIT
"""runnel lab run and verify."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click
from runnel.cli.options import examples, quiet_option

from runnel_lab import LabError, Skipped, UnknownNameError, measuring, results, subjects, targets
from runnel_lab.commands.options import chosen as chosen_subjects
from runnel_lab.running import campaign, known_answers, measure
from runnel_lab.source import source_tree
from runnel_lab.tally import Tally


@click.command(short_help="Measure what it costs.", epilog=examples("runnel lab run --target avr --cipher rabbit"))
@chosen_subjects
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
    tally = Tally(wanted, quiet)
    place = results.recorded(tree) if record else results.scratch(tree)
    measuring.measure(tree, wanted, ciphers, kernels, place, tally)
    tally.end(place)


@click.command(
    short_help="Put the published vectors through every kernel.",
    epilog=examples("runnel lab verify --target rv32 --cipher salsa20"),
)
@chosen_subjects
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
