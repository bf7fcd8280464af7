# SPDX-License-Identifier: Apache-2.0 OR MIT
"""ciphers: what there is."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import click

import runnel
from runnel.cli.options import examples, json_option, pass_inputs, write_standard_output
from runnel.cli.values import CIPHER
from runnel.columns import columns
from runnel.inputs import Inputs


@click.command(
    short_help="List the ciphers and their kernels.", epilog=examples("runnel ciphers", "runnel ciphers aes-128-ctr")
)
@json_option
@click.argument("name", metavar="[NAME]", type=CIPHER, required=False)
@pass_inputs
def ciphers(inputs: Inputs, as_json: bool, name: str | None) -> None:
    """List every cipher with its key and IV lengths, status and kernels, or say all there is to say of one.

    * marks the kernel that runs when none is named, - one that this CPU cannot run, ! one that looks up tables by
    secrets and therefore runs only when it is named.
    """
    known = runnel.ciphers()
    found = list(known.values()) if name is None else [known[name]]
    if as_json:
        text = json.dumps([_record(cipher) for cipher in found], indent=2) + "\n"
    else:
        text = _table(found) if name is None else _facts(found[0])
    write_standard_output(inputs, text.encode())


_HEAD = ("name", "status", "key bytes", "IV bytes", "seek", "context", "kernels")


def _table(found: Iterable[runnel.Cipher]) -> str:
    rows: list[Sequence[str]] = [_HEAD]
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
    return columns(rows)


def _facts(cipher: runnel.Cipher) -> str:
    facts = [
        ("name", cipher.name),
        ("title", cipher.title),
        ("status", cipher.status + (f"; {cipher.remark}" if cipher.remark else "")),
        ("specification", cipher.source),
        ("mode", cipher.mode),
        ("key", f"{lengths_text(cipher.key_bytes)} bytes"),
        ("IV", f"{lengths_text(cipher.iv_bytes)} bytes" + (", as long as the key" if cipher.iv_as_key else "")),
        ("seeks", "yes" if cipher.seekable else "no"),
        *([("layouts", f"{', '.join(cipher.layouts)}; {cipher.layout} if none is named")] if cipher.layouts else []),
        ("context", f"{cipher.context_bytes:,} bytes of memory"),
        ("in C", f"runnel_{cipher.family}_key and so on"),
    ]
    kernels = [("  kernel", "runs", "timing class", "needs", "citation")]
    for kernel in cipher.kernels:
        runs = "by default" if kernel.chosen else "when named" if kernel.available else "not here"
        kernels.append((f"  {kernel.name}", runs, kernel.timing_class, " ".join(kernel.cpu) or "-", kernel.citation))
    return columns(facts) + "\n" + columns(kernels)


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
