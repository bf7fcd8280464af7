# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which key of a keyset a file was sealed with: the one that verifies a segment of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from runnel.errors import AuthenticationError
from runnel.sealed.ends import PositionalSource, SequentialSource
from runnel.sealed.keyset import Key, Keyset
from runnel.sealed.segments import IV_BYTES, FileKeys, segment_in

ReadAt = Callable[[int, int], bytes]
"""(position, count): the bytes there, fewer where the file ends."""


class Found(NamedTuple):
    """The file's keys."""

    keys: FileKeys
    last: memoryview | None
    """The plaintext of the file's last segment, if that was verified."""


def find_at(keyset: Keyset, source: PositionalSource, aad: bytes, last: bool) -> FileKeys:
    """Returns the keys of a file with positions, verified by its last segment where that is wanted. See find."""

    def read(position: int, count: int) -> bytes:
        data = bytearray(max(0, min(count, source.bytes - position)))
        source.read_at([memoryview(data)], position)
        return bytes(data)

    return find(keyset, aad, source.name, read, source.bytes if last else None).keys


def find_in_stream(keyset: Keyset, source: SequentialSource, aad: bytes) -> FileKeys:
    """Returns the keys of a stream, which then stands behind its header. See find."""
    begin = bytearray()

    def read(position: int, count: int) -> bytes:
        ahead = bytearray(max(0, position + count - len(begin)))
        begin.extend(ahead[: source.read_into([memoryview(ahead)])])
        return bytes(begin[position : position + count])

    keys = find(keyset, aad, source.name, read, None).keys
    source.push_back(begin[len(keys.header) :])
    return keys


def find(keyset: Keyset, aad: bytes, name: str, read: ReadAt, size: int | None) -> Found:
    """Finds the key that verifies the last segment of a file of size bytes, or where size is None the first one, which
    is not tried where only one key comes into question. Raises AuthenticationError: none does."""
    candidates = _candidates(keyset, read(0, 1), name)
    if size is None and len(candidates) == 1:
        return Found(_keys(candidates[0], aad, name, read), None)
    for key in candidates:
        keys = _keys(key, aad, name, read)
        if size is None:
            if _verifies_first(keys, read):
                return Found(keys, None)
        elif (body := _open_last(keys, read, size)) is not None:
            return Found(keys, body)
    where = "first segment" if size is None else "last segment"
    raise AuthenticationError(f"{name}: wrong key or associated data, or damaged or cut (no key verifies the {where})")


def _candidates(keyset: Keyset, length: bytes, name: str) -> list[Key]:
    if not length:
        raise AuthenticationError(f"{name}: empty, not an encrypted file")
    keys = [key for key in keyset.keys if key.parameters.header_bytes == length[0]]
    if not keys:
        raise AuthenticationError(
            f"{name}: not a file for this key: its first byte is {length[0]}, not the header's length"
        )
    return keys


def _keys(key: Key, aad: bytes, name: str, read: ReadAt) -> FileKeys:
    try:
        return FileKeys.from_header(key, read(0, key.parameters.header_bytes), aad)
    except AuthenticationError:
        raise AuthenticationError(f"{name}: cut: it ends inside the header") from None


def _verifies_first(keys: FileKeys, read: ReadAt) -> bool:
    p = keys.parameters
    room = p.segment_bytes - p.header_bytes
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
    """Returns the plaintext of a segment, or None where it does not verify."""
    body_bytes = len(sealed) - keys.parameters.tag_bytes
    if body_bytes < 0:
        return None
    segment = segment_in(memoryview(bytearray(IV_BYTES) + sealed), body_bytes)
    return segment[1] if keys.cipher().open([segment], index, last) else None
