# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Find the key of a keyset that a file was encrypted with: the one that verifies a segment of it."""

from __future__ import annotations

from collections.abc import Callable

from runnel._typing import TYPE_CHECKING
from runnel.errors import AuthenticationError
from runnel.sealed.io import PositionalSource, SequentialSource
from runnel.sealed.keyset import WRAPPED_MAGIC, Key, Keyset
from runnel.sealed.segments import FileKeys, Segments, segment_in

if TYPE_CHECKING:
    from typing_extensions import Buffer

ReadAt = Callable[[int, int], bytes]
"""(position, count): the bytes there, fewer where the file ends."""


class Found:
    """The result of find."""

    def __init__(self, keys: FileKeys, last: memoryview | None) -> None:
        self.keys = keys
        """The file's keys."""
        self.last = last
        """The plaintext of the file's last segment, if that was verified."""


def find_at(keyset: Keyset, source: PositionalSource, aad: Buffer, last: bool) -> FileKeys:
    """Return the keys of a file with positions, verified by its last segment where that is wanted. See find."""
    return find(keyset, aad, source.name, source.peek, source.bytes if last else None).keys


def find_in_stream(keyset: Keyset, source: SequentialSource, aad: Buffer) -> FileKeys:
    """Return the keys of a stream, which then stands behind its header. See find."""
    keys = find(keyset, aad, source.name, source.peek, None).keys
    source.skip(len(keys.header))
    return keys


def find(keyset: Keyset, aad: Buffer, name: str, read: ReadAt, size: int | None) -> Found:
    """Find the key that verifies the last segment of a file of size bytes, or where size is None the first one, which
    is not tried where only one key comes into question. Raises AuthenticationError: none does."""
    begin = read(0, len(WRAPPED_MAGIC))
    if begin == WRAPPED_MAGIC:  # as a salt it has 2^-128 of a chance
        raise AuthenticationError(f"{name}: encrypted with a passphrase, not with a key")
    candidates = _candidates(keyset, begin, name)
    only_one = len(candidates) == 1
    for key in candidates:
        p = key.parameters
        try:
            keys = p.file_keys(key.secret, read(0, p.header_bytes), aad)
        except AuthenticationError as error:
            if only_one:
                raise AuthenticationError(f"{name}: {error}") from None
            continue
        if size is None:
            if only_one or _verifies_first(keys, read):
                return Found(keys, None)
        elif (body := _open_last(keys, read, size)) is not None:
            return Found(keys, body)
    where = "first segment" if size is None else "last segment"
    raise AuthenticationError(
        f"{name}: authentication failed: wrong key or associated data, or damaged or truncated (no key fits the {where})"
    )


def _candidates(keyset: Keyset, begin: bytes, name: str) -> list[Key]:
    if not begin:
        raise AuthenticationError(f"{name}: empty, not an encrypted file")
    keys = [key for key in keyset.keys if key.parameters.may_begin_with(begin[0])]
    if not keys:
        raise AuthenticationError(
            f"{name}: not a file for this key: its first byte is {begin[0]}, not the header's length"
        )
    return keys


def _verifies_first(keys: FileKeys, read: ReadAt) -> bool:
    p = keys.parameters
    room = p.first_bytes + p.tag_bytes
    sealed = read(p.header_bytes, room + 1)  # one more shows whether the segment is the last
    return _open(keys, sealed[:room], 0, len(sealed) <= room) is not None


def _open_last(keys: FileKeys, read: ReadAt, size: int) -> memoryview | None:
    p = keys.parameters
    try:
        count, _ = p.opened(size)
    except AuthenticationError:  # no length of this key's files
        return None
    position = p.sealed_at(count - 1)
    return _open(keys, read(position, size - position), count - 1, True)


def _open(keys: FileKeys, sealed: bytes, index: int, last: bool) -> memoryview | None:
    """Return the plaintext of a segment, or None where it does not verify."""
    p = keys.parameters
    body_bytes = len(sealed) - p.tag_bytes
    if body_bytes < 0:
        return None
    segment = segment_in(memoryview(bytearray(p.lead_bytes) + sealed), p, body_bytes)
    return segment.body if keys.cipher().open(Segments.one(segment), index, last) else None
