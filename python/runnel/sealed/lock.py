# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A keyset or a passphrase, as a file is encrypted and decrypted with."""

from __future__ import annotations

from runnel._typing import TYPE_CHECKING
from runnel.sealed.keyset import Keyset, Wrapping, is_passphrase, unwrapped

if TYPE_CHECKING:
    from typing import TypeAlias

    from runnel.sealed.finder import ReadAt
    from runnel.sealed.passphrase import Passphrase

    Lock: TypeAlias = Keyset | Passphrase


def locked(lock: Lock) -> tuple[Keyset, bytes]:
    """Return the keyset for a new file, and what stands before that."""
    if isinstance(lock, Keyset):
        return lock, b""
    keyset = Keyset.generate()
    return keyset, keyset.to_bytes(_passphrase(lock))


def unlocked(lock: Lock, name: str, read: ReadAt) -> tuple[Keyset, int]:
    """Return the keyset for an existing file, and how many bytes stand before that."""
    if isinstance(lock, Keyset):
        return lock, 0
    return unwrapped(_passphrase(lock), name, read)


def _passphrase(lock: Passphrase) -> Wrapping:
    """Return the lock, which must be a passphrase: None would leave the key of a new file in clear text before it."""
    if not is_passphrase(lock):
        raise TypeError(f"the keyset must be a runnel.Keyset or a runnel.Passphrase, not {type(lock).__name__}")
    return lock
