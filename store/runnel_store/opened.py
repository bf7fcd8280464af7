# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A sealed object that is read: its keys, and any range of its plaintext, verified."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, NamedTuple

from runnel.errors import AuthenticationError, Error
from runnel.sealed.finder import find
from runnel.sealed.keyset import Key, Keyset
from runnel.sealed.segments import FileKeys

from runnel_store.fingerprints import fingerprint, key_of
from runnel_store.parts import plaintext_range, unseal
from runnel_store.readers import Identity, Reader

if TYPE_CHECKING:
    from typing_extensions import Buffer


class Opening(NamedTuple):
    """Everything that another process needs to read the same object: the header, which key, by its fingerprint, and
    the associated data; nothing secret."""

    header: bytes
    check: bytes
    aad: bytes


class Opened:
    """The plaintext of a sealed object, itself to be read in ranges. Nothing unverified is returned."""

    in_blocks = False

    def __init__(self, reader: Reader, keys: FileKeys, key: Key, aad: bytes) -> None:
        self.name = reader.name
        self.reader = reader
        self.keys = keys
        self.key = key
        self._aad = aad
        try:
            self.segments, self.size = keys.parameters.opened(reader.size)
        except AuthenticationError as error:
            raise AuthenticationError(f"{self.name}: {error}") from None

    @property
    def opening(self) -> Opening:
        return Opening(self.keys.header, fingerprint(self.key, self.keys.header, self._aad), self._aad)

    def identity(self) -> Identity | None:
        return self.reader.identity()

    def check(self, *, authenticated: bool = True) -> None:
        self.reader.check(authenticated=authenticated)

    def segments_in(self, start: int, end: int) -> tuple[int, int]:
        """Return the segments first to after - 1 that hold these bytes."""
        p = self.keys.parameters
        return (p.segment_of(start), p.segment_of(end - 1) + 1) if start < end else (0, 0)

    def read(self, start: int, end: int) -> Buffer:
        if start >= end:
            return b""
        p = self.keys.parameters
        first, after = self.segments_in(start, end)
        low, high = plaintext_range(p, first, after, self.size)
        out = memoryview(bytearray(high - low))
        self.work(first, after, out)
        return out[start - low : end - low]

    def work(self, first: int, after: int, out: memoryview | None) -> None:
        """Verify these segments, and decrypt them into out, if there is one."""
        p = self.keys.parameters
        sealed = self.reader.read(p.sealed_at(first), min(self.reader.size, p.sealed_at(after)))
        unseal(self.keys, first, after, self.segments, self.size, sealed, self.name, out)


def open_sealed(reader: Reader, keyset: Keyset, aad: bytes, *, end: bool = True) -> Opened:
    """Find the key, by the object's last segment; without end by its header, or its first segment, alone.
    Raises AuthenticationError."""

    def read(position: int, count: int) -> bytes:
        stop = min(reader.size, position + count)
        return bytes(reader.read(position, stop)) if position < stop else b""

    keys = find(keyset, aad, reader.name, read, reader.size if end else None).keys
    return Opened(reader, keys, _key_of(keyset, keys, aad), aad)


def reopen(reader: Reader, keyset: Keyset, opening: Opening) -> Opened:
    """Open the same object as another process has."""
    aad = opening.aad
    key = key_of(keyset, opening.check, opening.header, aad)
    if key is None:
        raise Error(f"{reader.name}: the key that opens it is not in this process's keyset")
    return Opened(reader, key.parameters.file_keys(key.secret, opening.header, aad), key, aad)


def _key_of(keyset: Keyset, keys: FileKeys, aad: bytes) -> Key:
    """Return the key of the keyset that these file keys were derived from."""
    p = keys.parameters
    if len(keyset.keys) == 1:
        return keyset.primary
    for key in keyset.keys:
        if key.parameters == p:
            with contextlib.suppress(AuthenticationError):  # a header may verify, and be another key's
                if vars(p.file_keys(key.secret, keys.header, aad)) == vars(keys):
                    return key
    raise AssertionError("the keys of a file come from one of the keyset's")
