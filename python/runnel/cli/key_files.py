# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Key files, read and written for all commands."""

from __future__ import annotations

import os

from runnel._typing import TYPE_CHECKING
from runnel.cli.streams import STANDARD, binary_output, write_standard_output
from runnel.imports import imported
from runnel.inputs import Inputs
from runnel.sealed.keyset import Keyset, parse_keyset, read_keyset, write_keyset
from runnel.transfer import write_all

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from runnel.cli.passphrase import PassphraseSource
    from runnel.sealed.age.people import Identities, Recipients
    from runnel.sealed.passphrase import Passphrase


def read_key_file(inputs: Inputs, keyfile: str, passphrase: PassphraseSource | None = None) -> Keyset:
    """Return the keyset in a file, whose passphrase is asked for where it has one. passphrase: where that is to be had; None:
    from the terminal."""
    return keyset_in(inputs, keyfile, None, passphrase)


def keyset_in(
    inputs: Inputs,
    keyfile: str | None,
    variable: str | None,
    passphrase: PassphraseSource | None = None,
    *,
    kms_command: str | None = None,
    locked: bool = False,
    keep: bool = False,
) -> Keyset:
    """Return the keyset in a file or, where there is a variable, in that of the environment, which is removed from it unless
    it is to be kept. kms_command: what decrypts it. locked: it must have a passphrase. See read_key_file."""
    kms = None if kms_command is None else imported("runnel.cli.kms").decrypting(kms_command)
    if variable is None:
        return read_keyset(inputs, keyfile or "", _asking(inputs, keyfile or "", passphrase), locked, kms)
    from runnel import environment

    text = os.fsencode(environment.secret_in(variable, keep=keep))
    name = environment.shown(variable)
    return parse_keyset(text, name, _asking(inputs, name, passphrase), locked, kms)


def _asking(inputs: Inputs, name: str, passphrase: PassphraseSource | None) -> Callable[[], Passphrase]:
    """Return a function that asks for the passphrase of the keyset called name."""

    def ask() -> Passphrase:
        from runnel.cli.passphrase import PassphraseSource

        return (passphrase or PassphraseSource()).read(inputs, of=name)

    return ask


AGE = "age"
"""The template of keygen that makes an identity of age, not a keyset."""


def people() -> Any:
    """Return the module with recipients and identities."""
    return imported("runnel.sealed.age.people")


def recipients_in(inputs: Inputs, texts: Sequence[str], files: Sequence[str], *, armor: bool = False) -> Recipients:
    """Return the recipients that texts and the lines of files are, each once."""
    found = [*texts, *(each for path in files for each in people().recipients_in_file(inputs, path))]
    recipients: Recipients = people().Recipients(list(dict.fromkeys(found)), armor=armor)
    return recipients


def identities_in(inputs: Inputs, paths: Sequence[str], passphrase: PassphraseSource | None = None) -> Identities:
    """Return the identities in files, whose passphrases are asked for where they have some. See read_key_file."""
    each = [people().identities_in_file(inputs, path, _asking(inputs, path, passphrase)) for path in paths]
    found: Identities = people().Identities.joined(each)
    return found


def write_key_file(inputs: Inputs, keyset: Keyset | Identities, keyfile: str, passphrase: Passphrase | None) -> None:
    """Write a new key file, or a keyset or identities to the standard output."""
    if keyfile != STANDARD:
        write_keyset(keyset, keyfile, inputs, passphrase)
    elif passphrase is None:
        write_standard_output(inputs, keyset.to_bytes())
    else:
        write_all(binary_output(inputs, None).write, "stdout", memoryview(keyset.to_bytes(passphrase)))
