# SPDX-License-Identifier: Apache-2.0 OR MIT
"""keygen, encrypt, decrypt: files in the format that their key says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from runnel.cli.file_work import FileWork
from runnel.cli.key_files import read_key_file, write_key_file
from runnel.cli.options import (
    aad_option,
    examples,
    force_option,
    keyfile_option,
    name_option,
    pass_inputs,
    quiet_option,
)
from runnel.cli.passphrase import check_one_way, passphrase_from, passphrase_options
from runnel.cli.streams import associated_data, check_one_reader
from runnel.cli.values import Extent, FileName, KnownName
from runnel.inputs import Inputs
from runnel.sealed.formats import DEFAULT_TEMPLATE, TEMPLATES, bound
from runnel.sealed.keyset import Keyset

if TYPE_CHECKING:
    from runnel.sealed.opening import Lock


def _shared(function: Any) -> Any:
    for decorator in (
        click.argument("target", type=FileName(), metavar="OUT"),
        click.argument("source", type=FileName(), metavar="IN"),
        quiet_option,
        force_option,
        name_option,
        aad_option,
        keyfile_option,
        passphrase_options("Without --key: a passphrase, asked on the terminal, in the place of a key file."),
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
    help="The format of the files: cobblestone-128 or cobblestone-256; or one of Tink's, by Tink's name, which says the "
    "AES key and the segments on disk: AES128_CTR_HMAC_SHA256_4KB, AES128_GCM_HKDF_4KB, and the same with AES256 and 1MB.",
)
@passphrase_options("Lock KEYFILE with a passphrase, asked twice on the terminal.")
@click.argument("keyfile", type=FileName(), metavar="KEYFILE")
@pass_inputs
def keygen(inputs: Inputs, template: str, wanted: bool, passphrase_file: str | None, keyfile: str) -> None:
    """Make a new key in KEYFILE, which must not exist yet (- for the standard output).

    KEYFILE is a keyset in JSON, Tink's if the format is. Without a passphrase whoever can read it can decrypt; only its
    owner may (mode 0600). The key says the format of the files that it encrypts.
    """
    passphrase = None
    if check_one_way(wanted, passphrase_file):
        passphrase = passphrase_from(inputs, passphrase_file, of=keyfile, new=True)
    write_key_file(inputs, Keyset.generate(template), keyfile, passphrase)


@click.command(
    short_help="Encrypt a file or a stream, authenticated.",
    epilog=examples(
        "runnel encrypt --key key.json photos.tar photos.sealed",
        "tar c photos | runnel encrypt --key key.json --aad 'for Ann' - for-ann.sealed",
        "runnel encrypt --passphrase photos.tar photos.locked",
    ),
)
@_shared
@pass_inputs
def encrypt(inputs: Inputs, /, source: str, target: str, **values: Any) -> None:
    """Encrypt IN to OUT with the primary key of the keyset, or with a passphrase; - is the standard input or output.

    OUT appears when it is complete. It has the format that the key says, and can be decrypted as a whole or in part.
    """
    lock = _lock(inputs, values, source, target, new=True)
    _work(inputs, values, source, target).encrypt(lock)


@click.command(
    short_help="Decrypt a file, a part of it, or a stream.",
    epilog=examples(
        "runnel decrypt --key key.json photos.sealed photos-again.tar",
        "runnel decrypt --key key.json --range 1M:2M photos.sealed - | wc -c",
        "runnel decrypt --passphrase photos.locked photos-again.tar",
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
def decrypt(inputs: Inputs, /, source: str, target: str, extent: tuple[int, int | None], **values: Any) -> None:
    """Decrypt IN to OUT with the key of the keyset that fits, or with a passphrase; - is the standard input or output.

    OUT appears when it is complete and verified. The standard output gets verified segments as they come: until the
    exit status is 0, the end may be missing.
    """
    lock = _lock(inputs, values, source, source, new=False)
    _work(inputs, values, source, target).decrypt(lock, *extent)


def _lock(inputs: Inputs, values: dict[str, Any], source: str, named: str, *, new: bool) -> Lock:
    """Return the keyset, or the passphrase of the file called named; new: ask for a new one."""
    keyfile, passphrase_file = values["keyfile"], values["passphrase_file"]
    check_one_reader(key=keyfile, passphrase_file=passphrase_file, aad=values["aad"], IN=source)
    given = check_one_way(values["wanted"], passphrase_file)
    if keyfile is not None:
        return read_key_file(inputs, keyfile, given, passphrase_file)
    if not given:
        raise click.UsageError("no key: use --key FILE, or --passphrase", click.get_current_context())
    return passphrase_from(inputs, passphrase_file, of=named, new=new)


def _work(inputs: Inputs, values: dict[str, Any], source: str, target: str) -> FileWork:
    aad, name = associated_data(inputs, values["aad"]), values["name"]
    aad = aad if name is None else bound(aad, name)
    return FileWork(inputs, source, target, aad=aad, force=values["force"], quiet=values["quiet"])
