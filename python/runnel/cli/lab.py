# SPDX-License-Identifier: Apache-2.0 OR MIT
"""runnel lab: measure kernels on their targets, and show the papers' tables with ours beside them."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

import runnel
from runnel.lab import LabError, Skipped, firmware, measure, results, source_tree, targets


@click.group()
def lab() -> None:
    """Measures every kernel on every target, simulated where need be, and compares it with the papers."""


@lab.command()
@click.option("--target", "wanted", multiple=True, metavar="T", help="Only this target; may be repeated.")
@click.option("--cipher", "ciphers", multiple=True, metavar="C", help="Only this cipher; may be repeated.")
@click.option("--kernel", "kernels", multiple=True, metavar="K", help="Only this kernel; may be repeated.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def run(wanted: tuple[str, ...], ciphers: tuple[str, ...], kernels: tuple[str, ...], quiet: bool) -> None:
    """Builds, runs, compares the bytes with the host's, and records in lab/results what it cost."""
    tree = source_tree()
    names = list(runnel.ciphers())
    for name in ciphers:
        if name not in names:
            raise runnel.UnknownCipherError(f"no cipher {name}")
    failed = False
    measured = 0
    for name in wanted or targets.find(tree):
        with tempfile.TemporaryDirectory() as scratch:
            try:
                target = targets.load(tree, name)
                target.require()
                runner = targets.build_runner(target, Path(scratch))
                subjects = [firmware.Subject(c, k) for c in ciphers or names for k in firmware.kernels(target, c)
                            if not kernels or k in kernels]
            except Skipped as error:
                click.echo(str(error), err=True)
                continue
            with click.progressbar(subjects, label=name, file=click.get_text_stream("stderr"), show_pos=True,
                                   hidden=quiet, item_show_func=lambda s: s and f"{s.cipher} {s.kernel}") as bar:
                for subject in bar:
                    try:
                        results.record(target, measure.measure(target, subject, runner))
                        measured += 1
                    except LabError as error:
                        click.echo(str(error), err=True)
                        failed = True
    click.echo(f"{measured} measured", err=True)
    if failed:
        raise click.exceptions.Exit(1)
