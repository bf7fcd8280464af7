# SPDX-License-Identifier: Apache-2.0 OR MIT
"""keygen, encrypt, decrypt: files in Tink's AES-CTR-HMAC streaming format."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import click

from runnel.cli.options import (
    STANDARD,
    associated_data,
    binary_output,
    check_one_reader,
    examples,
    force_option,
    new_file,
    opened_input,
    pass_inputs,
    quiet_option,
    write_standard_output,
)
from runnel.cli.progress import Progress
from runnel.cli.values import Extent, FileName, KnownName
from runnel.inputs import Inputs
from runnel.sealed import operations
from runnel.sealed.ends import PositionalSink, PositionalSource, SequentialSink, Sink, Source, source_of
from runnel.sealed.keyset import Keyset, read_keyset, write_keyset
from runnel.sealed.parameters import DEFAULT_TEMPLATE, TEMPLATES


def _shared(function: Any) -> Any:
    for decorator in (
        click.argument("target", type=FileName(), metavar="OUT"),
        click.argument("source", type=FileName(), metavar="IN"),
        quiet_option,
        force_option,
        click.option(
            "--aad",
            metavar="TEXT|@FILE",
            default="",
            help="Associated data: TEXT in UTF-8, or the bytes of FILE. It is not stored; decryption needs the same.",
        ),
        click.option(
            "-k",
            "--key",
            "keyfile",
            type=FileName(),
            metavar="FILE",
            required=True,
            help="The file with the keyset that keygen or Tink made; - is the standard input.",
        ),
    ):
        function = decorator(function)
    return function


@click.command(short_help="Make a new key.", epilog=examples("runnel keygen key.json"))
@click.option(
    "--template",
    type=KnownName("template", lambda: TEMPLATES),
    metavar="NAME",
    default=DEFAULT_TEMPLATE,
    show_default=True,
    help="Tink's name of the size of the AES key and of the segments on disk: AES128_CTR_HMAC_SHA256_4KB, "
    "AES128_CTR_HMAC_SHA256_1MB, AES256_CTR_HMAC_SHA256_4KB or AES256_CTR_HMAC_SHA256_1MB.",
)
@click.argument("keyfile", type=FileName(), metavar="KEYFILE")
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


@click.command(
    short_help="Encrypt a file or a stream, authenticated.",
    epilog=examples(
        "runnel encrypt --key key.json photos.tar photos.sealed",
        "tar c photos | runnel encrypt --key key.json --aad 'for Ann' - for-ann.sealed",
    ),
)
@_shared
@pass_inputs
def encrypt(inputs: Inputs, keyfile: str, aad: str, force: bool, quiet: bool, source: str, target: str) -> None:
    """Encrypt IN to OUT with the primary key of the keyset; - is the standard input or output.

    OUT appears when it is complete. It can be decrypted as a whole or in part, by Tink too.
    """
    check_one_reader(key=keyfile, aad=aad, IN=source)
    keyset = read_keyset(inputs, keyfile)
    data = associated_data(inputs, aad)
    with _ends(inputs, source, target, force, text=False) as (origin, sink, size), Progress(size, quiet) as progress:
        operations.encrypt(keyset, origin, sink, aad=data, progress=progress)


@click.command(
    short_help="Decrypt a file, a part of it, or a stream.",
    epilog=examples(
        "runnel decrypt --key key.json photos.sealed photos-again.tar",
        "runnel decrypt --key key.json --range 1M:2M photos.sealed - | wc -c",
    ),
)
@_shared
@click.option(
    "--range",
    "extent",
    type=Extent(),
    metavar="START:END",
    default=":",
    help="Only these bytes of the plaintext, counted from 0, without the one at END; either may be empty, and 64M works "
    "too. An END beyond the plaintext means its end, a START beyond it is an error. IN must be able to seek; its last "
    "segment is verified too.",
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
    """Decrypt IN to OUT with the key of the keyset that fits; - is the standard input or output.

    OUT appears when it is complete and verified. The standard output gets verified segments as they come: until the
    exit status is 0, the end may be missing.
    """
    check_one_reader(key=keyfile, aad=aad, IN=source)
    keyset = read_keyset(inputs, keyfile)
    data = associated_data(inputs, aad)
    start, end = extent
    with _ends(inputs, source, target, force, text=True) as (origin, sink, size):
        if size is not None:
            size = max(0, (size if end is None else min(size, end)) - start)
        with Progress(size, quiet) as progress:
            operations.decrypt(keyset, origin, sink, aad=data, start=start, end=end, progress=progress)


@contextlib.contextmanager
def _ends(
    inputs: Inputs, source: str, target: str, force: bool, *, text: bool
) -> Iterator[tuple[Source, Sink, int | None]]:
    """Source, sink and the size of the source if it is known; the output is complete when the body ends well."""
    with opened_input(inputs, source) as (reader, name):
        origin = source_of(reader, name)
        size = origin.bytes if isinstance(origin, PositionalSource) else None
        if target == STANDARD:
            yield origin, SequentialSink(binary_output(inputs, force, text=text), "stdout"), size
            return
        with new_file(inputs, target, force) as out:
            yield origin, PositionalSink(out.fileno(), target), size
            out.commit()
