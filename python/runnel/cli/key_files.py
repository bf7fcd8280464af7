# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Key files, read and written for all commands."""

from __future__ import annotations

from runnel._typing import TYPE_CHECKING
from runnel.cli.streams import STANDARD, binary_output, write_standard_output
from runnel.inputs import Inputs
from runnel.sealed.keyset import Keyset, read_keyset, write_keyset
from runnel.transfer import write_all

if TYPE_CHECKING:
    from runnel.sealed.passphrase import Passphrase


def read_key_file(inputs: Inputs, keyfile: str, locked: bool, passphrase_file: str | None) -> Keyset:
    """Return the keyset in a file, whose passphrase is asked for where it has one; locked: it must have one."""

    def ask() -> Passphrase:
        from runnel.cli.passphrase import passphrase_from

        return passphrase_from(inputs, passphrase_file, of=keyfile)

    return read_keyset(inputs, keyfile, ask, locked)


def write_key_file(inputs: Inputs, keyset: Keyset, keyfile: str, passphrase: Passphrase | None) -> None:
    """Write a new key file, or a keyset to the standard output."""
    if keyfile != STANDARD:
        write_keyset(keyset, keyfile, inputs, passphrase)
    elif passphrase is None:
        write_standard_output(inputs, keyset.to_bytes())
    else:
        write_all(binary_output(inputs, None).write, "stdout", memoryview(keyset.to_bytes(passphrase)))
