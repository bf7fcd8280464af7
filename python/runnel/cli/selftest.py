# SPDX-License-Identifier: Apache-2.0 OR MIT
"""selftest: whether the installed package gives the right bytes on this processor."""

from __future__ import annotations

from collections import Counter

import click

import runnel
from runnel.cli.options import examples, pass_inputs
from runnel.cli.streams import write_standard_output
from runnel.inputs import Inputs
from runnel.selftest import Result, known_answers, results


class WrongBytesError(runnel.Error):
    """Some kernel does not give the bytes that it must."""


@click.command(short_help="Compare what runs here with known answers.", epilog=examples("runnel selftest"))
@pass_inputs
def selftest(inputs: Inputs) -> None:
    """Compare every cipher and MAC with known answers, through each kernel that this processor can run, and the kernels
    with each other on a longer message, AEADs too.

    A line says how much was compared. Each wrong case gets a line, and the exit status is 1.
    """
    found = list(results(known_answers()))
    wrong = [str(result) for result in found if result.wrong]
    write_standard_output(inputs, "".join(f"{line}\n" for line in wrong or [_summary(found)]).encode())
    if wrong:
        raise WrongBytesError(f"{len(wrong)} of {len(found)} are wrong")


def _summary(found: list[Result]) -> str:
    kernels = Counter(result.kind for result in found)
    names = Counter(kind for kind, _ in {(result.kind, result.name) for result in found})
    parts = [
        f"{names[kind]} {kind}s" + (f" through {kernels[kind]} kernels" if kernels[kind] > names[kind] else "")
        for kind in names
    ]
    return ", ".join(sorted(parts)) + ": all right"
