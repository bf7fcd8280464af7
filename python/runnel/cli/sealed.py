# SPDX-License-Identifier: Apache-2.0 OR MIT
"""keygen, encrypt, decrypt: files in Tink's AES-CTR-HMAC streaming format."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any

import click

from runnel.cli.options import (
    STANDARD,
    Progress,
    associated_data,
    opened_input,
    pass_inputs,
    standard_output,
    write_standard_output,
)
from runnel.inputs import Inputs
from runnel.output import OutputFile
from runnel.sealed import operations
from runnel.sealed.ends import PositionalSink, PositionalSource, SequentialSink, Sink, Source, source_of
from runnel.sealed.keyset import Keyset, read_keyset, write_keyset
from runnel.sealed.parameters import DEFAULT_TEMPLATE, TEMPLATES


def _range(context: click.Context, option: click.Parameter, value: str) -> tuple[int, int | None]:
    match = re.fullmatch(r"([0-9]{0,30}):([0-9]{0,30})", value)
    if not match:
        raise click.BadParameter("not START:END, two byte offsets of which either may be empty", context, option)
    start, end = int(match[1] or 0), int(match[2]) if match[2] else None
    if end is not None and end < start:
        raise click.BadParameter("it ends before it begins", context, option)
    return start, end


def _shared(function: Any) -> Any:
    for decorator in (
        click.argument("target", metavar="OUT"),
        click.argument("source", metavar="IN"),
        click.option("--quiet", is_flag=True, help="No progress bar."),
        click.option("--force", is_flag=True, help="Replace OUT if it exists."),
        click.option(
            "--aad",
            metavar="TEXT|@FILE",
            default="",
            help="Associated data: TEXT in UTF-8, or the bytes of FILE. It is not stored; decryption needs the same.",
        ),
        click.option("--key", "keyfile", metavar="KEYFILE", required=True, help="The keyset that keygen or Tink made."),
    ):
        function = decorator(function)
    return function


@click.command(short_help="Make a new key.")
@click.option(
    "--template",
    type=click.Choice(list(TEMPLATES)),
    default=DEFAULT_TEMPLATE,
    show_default=True,
    help="The size of the AES key and of the segments on disk.",
)
@click.argument("keyfile", metavar="KEYFILE")
@pass_inputs
def keygen(inputs: Inputs, template: str, keyfile: str) -> None:
    """Make a new key in KEYFILE, which must not exist yet (- for the standard output).

    KEYFILE is a cleartext keyset of Tink in JSON: whoever can read it can decrypt. Only its owner may (mode 0600).
    """
    keyset = Keyset.generate(template)
    if keyfile == STANDARD:
        write_standard_output(inputs, keyset.to_json().encode())
    else:
        write_keyset(keyset, keyfile, inputs)


@click.command(short_help="Encrypt a file or a stream, authenticated.")
@_shared
@pass_inputs
def encrypt(inputs: Inputs, keyfile: str, aad: str, force: bool, quiet: bool, source: str, target: str) -> None:
    """Encrypt IN to OUT with the primary key of KEYFILE; - is the standard input or output.

    OUT appears when it is complete. It can be decrypted as a whole or in part, by Tink too.
    """
    keyset = read_keyset(inputs, keyfile)
    data = associated_data(inputs, aad)
    with _ends(inputs, source, target, force) as (origin, sink, size), Progress(size, quiet) as progress:
        operations.encrypt(keyset, origin, sink, aad=data, progress=progress)


@click.command(short_help="Decrypt a file, a part of it, or a stream.")
@_shared
@click.option(
    "--range",
    "extent",
    callback=_range,
    metavar="START:END",
    default=":",
    help="Only these bytes of the plaintext, counted from 0, without the one at END; either may be empty. An END "
    "beyond the plaintext means its end, a START beyond it is an error. IN must be able to seek; its last segment is "
    "verified too.",
)
@pass_inputs
def decrypt(
    inputs: Inputs,
    keyfile: str,
    aad: str,
    force: bool,
    quiet: bool,
    source: str,
    target: str,
    extent: tuple[int, int | None],
) -> None:
    """Decrypt IN to OUT with the key of KEYFILE that fits; - is the standard input or output.

    OUT appears when it is complete and verified. The standard output gets verified segments as they come: until the
    exit status is 0, the end may be missing.
    """
    keyset = read_keyset(inputs, keyfile)
    data = associated_data(inputs, aad)
    start, end = extent
    with _ends(inputs, source, target, force) as (origin, sink, size):
        if end is not None and size is not None:
            size = min(size, end) - start
        with Progress(size, quiet) as progress:
            operations.decrypt(keyset, origin, sink, aad=data, start=start, end=end, progress=progress)


@contextlib.contextmanager
def _ends(inputs: Inputs, source: str, target: str, force: bool) -> Iterator[tuple[Source, Sink, int | None]]:
    """Source, sink and the size of the source if it is known; the output is complete when the body ends well."""
    with opened_input(inputs, source) as (reader, name):
        origin = source_of(reader, name)
        size = origin.bytes if isinstance(origin, PositionalSource) else None
        if target == STANDARD:
            yield origin, SequentialSink(standard_output(inputs), "stdout"), size
            return
        with OutputFile(target, inputs=inputs, force=force) as out:
            yield origin, PositionalSink(out.fileno(), target), size
            out.commit()
