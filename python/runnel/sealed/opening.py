# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Opening an encrypted file: from a keyset or a passphrase to the file's keys and lengths.

Whatever reads encrypted data comes through open_sealed: decrypt_file, open_encrypted, `runnel store` and fsspec.
"""

from __future__ import annotations

from collections.abc import Callable

from runnel._typing import TYPE_CHECKING
from runnel.errors import AuthenticationError
from runnel.sealed.formats import FileKeys, Segments, segment_in
from runnel.sealed.keyset import AGE_MAGIC, WRAPPED_MAGIC, FileLock, Key, Keys, Keyset

if TYPE_CHECKING:
    from typing import TypeAlias

    from typing_extensions import Buffer

    from runnel.sealed.io import Sink, Source

    Lock: TypeAlias = Keyset | FileLock

ReadAt = Callable[[int, int], bytes]
"""(position, count): the bytes there, fewer where the file ends."""


def keyset_for_new_file(lock: Lock) -> tuple[Keyset, bytes]:
    """Return the keyset that a new file is encrypted with, and what stands before the file. Raises TypeError."""
    if isinstance(lock, Keyset):
        return lock, b""
    return _checked(lock).keyset_for_new_file()


def keys_of_file(lock: Lock, name: str, read: ReadAt) -> tuple[Keys, int]:
    """Return the keys of an existing file, and how many bytes stand before the file. Raises TypeError,
    AuthenticationError."""
    if isinstance(lock, Keyset):
        return lock, 0
    return _checked(lock).keys_of_file(name, read)


def source_in(lock: Lock, source: Source) -> Source:
    """Return what is decrypted of a source: itself, or what is in its armor. Raises TypeError, AuthenticationError."""
    return source if isinstance(lock, Keyset) else _checked(lock).source(source)


def sink_through(lock: Lock, sink: Sink) -> Sink:
    """Return what is written to: the sink itself, or one that armors. Raises TypeError."""
    return sink if isinstance(lock, Keyset) else _checked(lock).sink(sink)


def _checked(lock: FileLock) -> FileLock:
    """Return the lock, which must be one: None would leave the key of a new file in clear text before it."""
    if not isinstance(lock, FileLock):
        raise TypeError(f"the keyset must be a runnel.Keyset or a runnel.Passphrase, not {type(lock).__name__}")
    return lock


class Opened:
    """The keys of an encrypted file, and where its plaintext is."""

    def __init__(self, name: str, key: Key, keys: FileKeys, sealed_bytes: int) -> None:
        """name: for errors. key: of the keyset, from which keys, the file's, are derived. sealed_bytes: the length of the
        file. Raises AuthenticationError: no file of this key has that length."""
        self.name = name
        self.key = key
        self.keys = keys
        self.parameters = keys.parameters
        self.last_body: memoryview | None = None
        """The plaintext of the last segment, if that was verified."""
        try:
            self.segments, self.size = keys.parameters.opened(sealed_bytes)
        except AuthenticationError as error:
            raise AuthenticationError(f"{name}: {error}") from None

    def segments_in(self, start: int, end: int) -> tuple[int, int]:
        """Return (first, after): segments first to after - 1 hold the plaintext from start to end."""
        p = self.parameters
        return (p.segment_of(start), p.segment_of(end - 1) + 1) if start < end else (0, 0)

    def plaintext_of(self, first: int, after: int) -> tuple[int, int]:
        """Return where the plaintext of segments first to after - 1 begins and ends."""
        return self.parameters.plaintext_range(first, after, self.size)


def open_sealed(
    keyset: Keys, aad: Buffer, name: str, read: ReadAt, sealed_bytes: int, *, verify_end: bool = True
) -> Opened:
    """Open a file of sealed_bytes bytes that has positions. verify_end: find the key by the last segment, which shows whether
    the file has been cut; else by its header, or its first segment. Raises AuthenticationError."""
    key, keys, last_body = _find(keyset, aad, name, read, sealed_bytes if verify_end else None)
    opened = Opened(name, key, keys, sealed_bytes)
    opened.last_body = last_body
    return opened


def keys_of_stream(keyset: Keys, aad: Buffer, name: str, read: ReadAt) -> FileKeys:
    """Return the keys of a file whose end is not known, by its header, or its first segment. Raises AuthenticationError."""
    return _find(keyset, aad, name, read, None)[1]


def _find(
    keyset: Keys, aad: Buffer, name: str, read: ReadAt, size: int | None
) -> tuple[Key, FileKeys, memoryview | None]:
    """Find the key that verifies the last segment of a file of size bytes, or where size is None the first one, which
    is not tried where only one key comes into question; return it with the file's keys and the last segment's plaintext.
    Raises AuthenticationError: none does."""
    begin = read(0, 32)  # as much as any mark has
    if begin.startswith(WRAPPED_MAGIC):  # as a salt it has 2^-128 of a chance
        raise AuthenticationError(f"{name}: encrypted with a passphrase, not with a key")
    if begin.startswith(AGE_MAGIC):
        raise AuthenticationError(f"{name}: encrypted to recipients in age's format, not with a key (use --identity)")
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
                return key, keys, None
        elif (body := _last_body(keys, read, size)) is not None:
            return key, keys, body
    where = "first segment" if size is None else "last segment"
    raise AuthenticationError(
        f"{name}: authentication failed: wrong key or associated data, or damaged or truncated (no key fits the {where})"
    )


def _candidates(keyset: Keys, begin: bytes, name: str) -> list[Key]:
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
    return _body(keys, sealed[:room], 0, len(sealed) <= room) is not None


def _last_body(keys: FileKeys, read: ReadAt, size: int) -> memoryview | None:
    p = keys.parameters
    try:
        count, _ = p.opened(size)
    except AuthenticationError:  # no length of this key's files
        return None
    position = p.sealed_at(count - 1)
    return _body(keys, read(position, size - position), count - 1, True)


def _body(keys: FileKeys, sealed: bytes, index: int, last: bool) -> memoryview | None:
    """Return the plaintext of a segment, or None where it does not verify."""
    p = keys.parameters
    body_bytes = len(sealed) - p.tag_bytes
    if body_bytes < 0:
        return None
    segment = segment_in(memoryview(bytearray(p.lead_bytes) + sealed), p, body_bytes)
    return segment.body if keys.cipher().decrypt(Segments.one(segment), index, last) else None
