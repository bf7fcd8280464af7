# SPDX-License-Identifier: Apache-2.0 OR MIT
"""ciphers, aeads: the lists."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import click

import runnel
from runnel.cli.options import examples, json_option, pass_inputs
from runnel.cli.streams import write_standard_output
from runnel.cli.values import AEAD, CIPHER
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
    return columns(facts) + "\n" + _kernels(cipher.kernels)


def _kernels(kernels: Iterable[runnel.Kernel]) -> str:
    rows = [("  kernel", "runs", "timing class", "needs", "citation")]
    for kernel in kernels:
        runs = "by default" if kernel.chosen else "when named" if kernel.available else "not here"
        rows.append((f"  {kernel.name}", runs, kernel.timing_class, " ".join(kernel.cpu) or "-", kernel.citation))
    return columns(rows)


def lengths_text(lengths: Sequence[int]) -> str:
    """Return "16, 32", and from five lengths on "1 to 64" or "16 to 256 by 16"."""
    if len(lengths) < 5:
        return ", ".join(map(str, lengths))
    step = lengths[1] - lengths[0]
    return f"{lengths[0]} to {lengths[-1]}" + (f" by {step}" if step > 1 else "")


def _record(cipher: runnel.Cipher) -> dict[str, Any]:
    record = cipher._asdict()
    record["key_bytes"] = sorted(cipher.key_bytes)
    record["iv_bytes"] = sorted(cipher.iv_bytes)
    record["kernels"] = _kernel_records(cipher.kernels)
    return record


def _kernel_records(kernels: Iterable[runnel.Kernel]) -> list[dict[str, Any]]:
    return [kernel._asdict() | {"source": kernel.citation} for kernel in kernels]


def _shown(kernel: runnel.Kernel) -> str:
    mark = "*" if kernel.chosen else "" if kernel.available else "-"
    return kernel.name + mark + ("!" if kernel.timing_class == "secret-indexed" else "")


@click.command(
    short_help="List the AEADs and their limits.", epilog=examples("runnel aeads", "runnel aeads aes-128-gcm")
)
@json_option
@click.argument("name", metavar="[NAME]", type=AEAD, required=False)
@pass_inputs
def aeads(inputs: Inputs, as_json: bool, name: str | None) -> None:
    """List every AEAD, authenticated encryption with associated data, or say all there is to say of one.

    A key seals so many messages at most under random nonces, where these are allowed: more, and two may have the same.
    After 2^32 nonces of 12 bytes the chance of that is 2^-33; those of 24 (xaes-256-gcm) and 32 bytes have no limit that
    anybody reaches. Where the table says counted, nonces must not be random. An AEAD commits if no sealed message opens
    under two keys.
    """
    known = runnel.aeads()
    found = list(known.values()) if name is None else [known[name]]
    if as_json:
        records = [aead._asdict() | {"kernels": _kernel_records(aead.kernels)} for aead in found]
        text = json.dumps(records, indent=2) + "\n"
    else:
        text = _aead_table(found) if name is None else _aead_facts(found[0])
    write_standard_output(inputs, text.encode())


_AEAD_HEAD = (
    "name",
    "key bytes",
    "nonce bytes",
    "tag bytes",
    "bytes a message",
    "messages a key",
    "commits",
    "a reused nonce",
)


def _aead_table(found: Iterable[runnel.AEAD]) -> str:
    rows: list[Sequence[str]] = [_AEAD_HEAD]
    for aead in found:
        rows.append(
            (
                aead.name,
                str(aead.key_bytes),
                str(aead.nonce_bytes) + ("" if aead.nonce_random else ", counted"),
                str(aead.tag_bytes),
                limit_text(aead.message_bytes),
                limit_text(aead.messages),
                "yes" if aead.commits else "no",
                aead.nonce_reuse,
            )
        )
    return columns(rows)


def _aead_facts(aead: runnel.AEAD) -> str:
    nonces = f"{aead.nonce_bytes} bytes"
    if aead.nonce_max != aead.nonce_min:
        most = "or more" if aead.nonce_max is None else f"to {aead.nonce_max}"
        nonces += f" ({aead.nonce_min} {most})"
    facts = [
        ("name", aead.name),
        ("title", aead.title),
        ("status", aead.status + (f"; {aead.remark}" if aead.remark else "")),
        ("specification", aead.source),
        ("key", f"{aead.key_bytes} bytes"),
        ("nonce", f"{nonces}, {'may be random' if aead.nonce_random else 'must be counted'}"),
        ("a reused nonce", aead.nonce_reuse),
        (
            "tag",
            f"{', '.join(map(str, aead.tag_lengths))} bytes" + (", before the ciphertext" if aead.tag_first else ""),
        ),
        ("a message", _so_many(aead.message_bytes, "bytes")),
        ("associated data", _so_many(aead.aad_bytes, "bytes")),
        ("a key", _so_many(aead.messages, "messages") + (_of_random_nonces(aead) if aead.nonce_random else "")),
        ("commits", "yes" if aead.commits else "no: a sealed message may open under two keys"),
        ("context", f"{aead.context_bytes:,} bytes of memory"),
        ("in C", f"runnel_{aead.family}_key and so on"),
    ]
    return columns(facts) + "\n" + _kernels(aead.kernels)


def _of_random_nonces(aead: runnel.AEAD) -> str:
    """Say how likely two of them are the same, by the bound for birthdays."""
    if aead.messages is None:
        return " under random nonces"
    bits = 8 * aead.nonce_bytes + 1 - 2 * (aead.messages.bit_length() - 1)
    return f" under random nonces, two of which are the same with a chance of 2^-{bits}"


def _so_many(most: int | None, what: str) -> str:
    return f"any number of {what}" if most is None else f"{limit_text(most)} {what}"


def limit_text(most: int | None) -> str:
    """Return "any" for None, "2^36 - 32" for a number just below a power of two, others in digits."""
    if most is None:
        return "any"
    bits = most.bit_length()
    for power, less in ((bits - 1, most - (1 << bits - 1)), (bits, most - (1 << bits))):
        if -64 <= less <= 0 and bits > 16:
            return f"2^{power}" + (f" - {-less}" if less else "")
    return f"{most:,}"
