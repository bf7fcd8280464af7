# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`runnel key`, which takes raw keys from and to other programs."""

from __future__ import annotations

import click

from runnel.cli.key_files import read_key_file, write_key_file
from runnel.cli.options import examples, pass_inputs
from runnel.cli.passphrase import check_one_way, passphrase_from, passphrase_options
from runnel.cli.streams import STANDARD, binary_output, check_one_reader
from runnel.cli.values import FileName
from runnel.errors import KeysetError
from runnel.inputs import Inputs
from runnel.output import OutputFile
from runnel.sealed.cobblestone import Cobblestone
from runnel.sealed.keyset import Key, Keyset
from runnel.transfer import write_all


@click.group(epilog=examples("runnel key export key.json key.raw"))
def key() -> None:
    """Write or make key files for other programs that have Cobblestone, such as pyca/cryptography."""


@key.command(
    "export",
    short_help="Write the raw key of a Cobblestone keyset.",
    epilog=examples("runnel key export key.json key.raw"),
)
@passphrase_options("KEYFILE is locked with a passphrase. (Without the option it is asked too.)")
@click.argument("keyfile", type=FileName(), metavar="KEYFILE")
@click.argument("target", type=FileName(), metavar="OUT")
@pass_inputs
def export_key(inputs: Inputs, wanted: bool, passphrase_file: str | None, keyfile: str, target: str) -> None:
    """Write the primary key in KEYFILE, 16 or 32 bytes, to OUT, which must not exist yet; - is the standard input or output.

    It is the key that Cobblestone128Encryptor or Cobblestone256Encryptor of Python's cryptography takes.
    """
    check_one_reader(KEYFILE=keyfile, passphrase_file=passphrase_file)
    primary = read_key_file(inputs, keyfile, check_one_way(wanted, passphrase_file), passphrase_file).primary
    if not isinstance(primary.parameters, Cobblestone):
        raise KeysetError(f"{keyfile}: its primary key belongs to one of Tink's formats, which have no raw keys")
    if target == STANDARD:
        write_all(binary_output(inputs, None).write, "stdout", memoryview(primary.secret))
        return
    with OutputFile(target, inputs=inputs, mode=0o600) as out:
        out.write_all(primary.secret)
        out.commit()


@key.command(
    "import",
    short_help="Make a key file of a raw Cobblestone key.",
    epilog=examples("runnel key import key.raw key.json"),
)
@passphrase_options("Lock KEYFILE with a passphrase, asked twice on the terminal.")
@click.argument("source", type=FileName(), metavar="IN")
@click.argument("keyfile", type=FileName(), metavar="KEYFILE")
@pass_inputs
def import_key(inputs: Inputs, wanted: bool, passphrase_file: str | None, source: str, keyfile: str) -> None:
    """Make KEYFILE, which must not exist yet, of the raw key in IN; - is the standard input or output.

    16 bytes are a key of Cobblestone-128, 32 of Cobblestone-256.
    """
    check_one_reader(IN=source, passphrase_file=passphrase_file)
    secret = inputs.read(source, 64)
    if len(secret) not in (16, 32):
        raise KeysetError(f"{source}: a raw key of Cobblestone has 16 or 32 bytes, not {len(secret)}")
    imported = Key.new(Cobblestone(len(secret)), secret)
    passphrase = None
    if check_one_way(wanted, passphrase_file):
        passphrase = passphrase_from(inputs, passphrase_file, of=keyfile, new=True)
    write_key_file(inputs, Keyset(imported, (imported,)), keyfile, passphrase)
