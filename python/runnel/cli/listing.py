# SPDX-License-Identifier: Apache-2.0 OR MIT
"""ciphers: what there is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

import runnel
from runnel.cli.options import pass_inputs, write_standard_output
from runnel.inputs import Inputs


@click.command(short_help="List the ciphers and their kernels.")
@click.option("--json", "as_json", is_flag=True, help="For programs: a list of objects.")
@pass_inputs
def ciphers(inputs: Inputs, as_json: bool) -> None:
    """List every cipher with its key and IV lengths, status and kernels.

    * marks the kernel that runs when none is named, - one that this CPU cannot run, ! one that looks up tables by
    secrets and therefore runs only when it is named.
    """
    found = runnel.ciphers().values()
    if as_json:
        write_standard_output(inputs, json.dumps([_record(cipher) for cipher in found], indent=2).encode() + b"\n")
        return
    rows = [("name", "status", "key bytes", "IV bytes", "seek", "context", "kernels")]
    for cipher in found:
        rows.append(
            (
                cipher.name,
                cipher.status,
                lengths_text(cipher.key_bytes),
                lengths_text(cipher.iv_bytes),
                "yes" if cipher.seekable else "no",
                str(cipher.context_bytes),
                " ".join(_shown(kernel) for kernel in cipher.kernels),
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() + "\n" for row in rows)
    write_standard_output(inputs, "".join(lines).encode())


def lengths_text(lengths: Sequence[int]) -> str:
    """Returns "16, 32", and from five lengths on "1 to 64" or "16 to 256 by 16"."""
    if len(lengths) < 5:
        return ", ".join(map(str, lengths))
    step = lengths[1] - lengths[0]
    return f"{lengths[0]} to {lengths[-1]}" + (f" by {step}" if step > 1 else "")


def _record(cipher: runnel.Cipher) -> dict[str, Any]:
    record = cipher._asdict()
    record["key_bytes"] = sorted(cipher.key_bytes)
    record["iv_bytes"] = sorted(cipher.iv_bytes)
    record["kernels"] = [kernel._asdict() | {"source": kernel.citation} for kernel in cipher.kernels]
    return record


def _shown(kernel: runnel.Kernel) -> str:
    mark = "*" if kernel.chosen else "" if kernel.available else "-"
    return kernel.name + mark + ("!" if kernel.timing_class == "secret-indexed" else "")
