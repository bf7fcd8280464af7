# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`runnel key`, which takes raw keys from and to other programs."""

from __future__ import annotations

import click

from runnel.cli.key_files import identities_in, keyset_in, write_key_file
from runnel.cli.options import examples, kms_option, pass_inputs
from runnel.cli.passphrase import PassphraseSource, passphrase_options
from runnel.cli.raw_key import raw_key_in_environment
from runnel.cli.streams import STANDARD, binary_output, check_one_reader, write_standard_output
from runnel.cli.values import FileName
from runnel.errors import KeysetError
from runnel.inputs import Inputs
from runnel.output import OutputFile
from runnel.sealed.formats.cobblestone import Cobblestone
from runnel.sealed.keyset import Key, Keyset
from runnel.transfer import write_all


@click.group(epilog=examples("runnel key export key.json key.raw"))
def key() -> None:
    """Write or make key files for other programs that have Cobblestone, such as pyca/cryptography; print recipients."""


@key.command(
    "export",
    short_help="Write the raw key of a Cobblestone keyset.",
    epilog=examples("runnel key export key.json key.raw"),
)
@passphrase_options("KEYFILE is locked with a passphrase. (Without the option it is asked too.)")
@click.option(
    "--key-env", "variable", metavar="NAME", help="The environment variable that holds the keyset, instead of KEYFILE."
)
@kms_option
@click.argument("files", type=FileName(), metavar="[KEYFILE] OUT", nargs=-1)
@pass_inputs
def export_key(
    inputs: Inputs, passphrase: PassphraseSource, variable: str | None, kms_command: str | None, files: tuple[str, ...]
) -> None:
    """Write the primary key in KEYFILE, 16 or 32 bytes, to OUT, which must not exist yet; - is the standard input or output.

    It is the key that Cobblestone128Encryptor or Cobblestone256Encryptor of Python's cryptography takes.
    """
    keyfile, target = _two("KEYFILE", "OUT", files, variable)
    check_one_reader(KEYFILE=keyfile, passphrase_file=passphrase.file)
    primary = keyset_in(inputs, keyfile, variable, passphrase, kms_command=kms_command, locked=passphrase.given).primary
    if not isinstance(primary.parameters, Cobblestone):
        raise KeysetError(
            f"{keyfile or 'the keyset'}: its primary key belongs to one of Tink's formats, which have no raw keys"
        )
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
@passphrase_options("Lock KEYFILE with a passphrase, which the terminal prompts for twice.")
@click.option(
    "--key-env",
    "variable",
    metavar="NAME",
    help="The environment variable that holds the raw key in hexadecimal, instead of IN.",
)
@click.argument("files", type=FileName(), metavar="[IN] KEYFILE", nargs=-1)
@pass_inputs
def import_key(inputs: Inputs, passphrase: PassphraseSource, variable: str | None, files: tuple[str, ...]) -> None:
    """Make KEYFILE, which must not exist yet, of the raw key in IN; - is the standard input or output.

    16 bytes are a key of Cobblestone-128, 32 of Cobblestone-256.
    """
    source, keyfile = _two("IN", "KEYFILE", files, variable)
    check_one_reader(IN=source, passphrase_file=passphrase.file)
    secret = inputs.read(source, 64) if variable is None else raw_key_in_environment(variable)
    if len(secret) not in (16, 32):
        raise KeysetError(f"{source or '--key-env'}: a raw key of Cobblestone has 16 or 32 bytes, not {len(secret)}")
    imported = Key.new(Cobblestone(len(secret)), secret)
    locked_with = passphrase.read(inputs, of=keyfile, new=True) if passphrase.given else None
    write_key_file(inputs, Keyset(imported, (imported,)), keyfile, locked_with)


@key.command(
    "recipient",
    short_help="Print the recipients that belong to age identities.",
    epilog=examples("runnel key recipient identity.txt"),
)
@passphrase_options("IDENTITY is locked with a passphrase. (Without the option it is asked too.)")
@click.argument("identity", type=FileName(), metavar="IDENTITY")
@pass_inputs
def recipient(inputs: Inputs, passphrase: PassphraseSource, identity: str) -> None:
    """Print what runnel encrypt --recipient takes for each identity in the file IDENTITY, which keygen --template age or
    age-keygen made; - is the standard input. A recipient is not secret."""
    check_one_reader(IDENTITY=identity, passphrase_file=passphrase.file)
    found = identities_in(inputs, [identity], passphrase).recipients
    write_standard_output(inputs, "".join(f"{each}\n" for each in found).encode())


def _two(first: str, second: str, files: tuple[str, ...], variable: str | None) -> tuple[str, str]:
    """Return the two arguments, called first and second in the usage. With a variable the first is not given, and empty."""
    names = [first, second] if variable is None else [second]
    context = click.get_current_context()
    if len(files) < len(names):
        raise click.MissingParameter(ctx=context, param_hint=repr(names[len(files)]), param_type="argument")
    if len(files) > len(names):
        raise click.UsageError("too many arguments", context)
    return ("", files[0]) if variable is not None else (files[0], files[1])
