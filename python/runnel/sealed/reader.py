# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The plaintext of an encrypted file, to be read at any position."""

from __future__ import annotations

import io
import operator
import os
import stat
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO, NoReturn

from runnel.buffers import flat
from runnel.errors import AuthenticationError
from runnel.sealed.finder import ReadAt, find
from runnel.sealed.io import descriptor_of, readinto_of
from runnel.sealed.keyset import Keyset
from runnel.sealed.segments import Segments, describe_damage, segment_in
from runnel.sizes import known_size_of_file
from runnel.transfer import naming, read_all

if TYPE_CHECKING:
    from typing_extensions import Buffer


class EncryptedReader(io.RawIOBase):
    """The plaintext of an encrypted file, to be read and sought like any binary file. Made by open_encrypted.

    The true end of the file is verified on opening, each segment before any of its bytes are released. One segment is
    kept: wrap the reader in io.BufferedReader for many small reads, or to read lines. Not for several threads at a time; not
    copied and not pickled.
    """

    size: int
    """Of the plaintext, in bytes."""

    def __init__(
        self, file: BinaryIO, aad: Buffer, name: str, close: bool, unlock: Callable[[str, ReadAt], tuple[Keyset, int]]
    ) -> None:
        """Open the encrypted file. unlock returns the keyset, and where the encrypted file begins, for (name, what
        reads file)."""
        super().__init__()
        self._file = file
        self._begin = 0
        self._close = close
        self.name = name
        try:
            self._readinto = readinto_of(file)
            if not hasattr(file, "seek"):
                raise TypeError(f"a seekable file is required, not {type(file).__name__}")
            keyset, self._begin = unlock(name, self._read_at)
            sealed_bytes = max(0, _end(file, name) - self._begin)
            found = find(keyset, aad, name, self._read_at, sealed_bytes)
        except BaseException:
            self.close()
            raise
        self._keys = found.keys
        self._parameters = p = found.keys.parameters
        self._cipher = found.keys.cipher()
        self._segments, self.size = p.opened(sealed_bytes)
        self._memory = memoryview(bytearray(p.lead_bytes + min(p.segment_bytes, sealed_bytes)))
        self._loaded = self._segments - 1
        self._body = found.last if found.last is not None else self._memory[:0]
        self._position = 0

    def _read_at(self, position: int, count: int) -> bytes:
        out = bytearray(count)
        return bytes(out[: self._read_into(position, memoryview(out))])

    def _read_into(self, position: int, view: memoryview) -> int:
        with naming(self.name):
            self._file.seek(self._begin + position)
        return read_all(self._readinto, self.name, view)

    def _load(self, index: int) -> None:
        """Read a segment and verify it, unless it is the one that is kept."""
        if index == self._loaded:
            return
        p = self._parameters
        last = index == self._segments - 1
        body_bytes = (self.size - p.plaintext_at(index)) if last else p.capacity(index)
        segment = segment_in(self._memory, p, body_bytes)
        self._loaded = -1
        if self._read_into(p.sealed_at(index), segment.sealed) < len(segment.sealed):
            raise AuthenticationError(f"{self.name}: the file was truncated while it was read")
        if not self._cipher.open(Segments.one(segment), index, last):
            raise AuthenticationError(f"{self.name}: {describe_damage(self._keys, index)}")
        self._body = segment.body
        # Last: a signal's exception may come between any two lines.
        self._loaded = index

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        self._check_open()
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._check_open()
        offset = operator.index(offset)
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self.size}.get(whence)
        if base is None or base + offset < 0:
            raise ValueError(f"{self.name}: invalid position {offset} from {whence}")
        self._position = base + offset
        return self._position

    def readinto(self, buffer: Buffer) -> int:
        """Fill buffer, or as much of it as there is before the end; return the number of bytes."""
        self._check_open()
        with flat(buffer) as target:
            count = max(0, min(len(target), self.size - self._position))
            done = 0
            while done < count:
                index = self._parameters.segment_of(self._position + done)
                self._load(index)
                inside = self._position + done - self._parameters.plaintext_at(index)
                part = self._body[inside : inside + count - done]
                target[done : done + len(part)] = part
                done += len(part)
        self._position += count
        return count

    def __reduce__(self) -> NoReturn:
        raise TypeError("a runnel.EncryptedReader cannot be copied or pickled: two would share one segment in memory")

    def _check_open(self) -> None:
        if self.closed:
            raise ValueError("the file is closed")

    def close(self) -> None:
        if not self.closed and self._close:
            self._file.close()
        super().close()


def _end(file: BinaryIO, name: str) -> int:
    """Seek to the end; return where that is. Some files tell it only when they are asked. Raises Error where the system's
    word for it is wrong."""
    fd = descriptor_of(file)
    if fd is not None and stat.S_ISREG(os.fstat(fd).st_mode):
        known_size_of_file(fd, name)
    with naming(name):
        end: int | None = file.seek(0, os.SEEK_END)
        return file.tell() if end is None else end
