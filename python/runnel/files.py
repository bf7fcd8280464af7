# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Encrypted files and streams in Tink's AES-CTR-HMAC streaming format (:mod:`runnel.tink`).

    keyset = Keyset.from_json(Path("key.json").read_text())
    encrypt_file(keyset, "photos.tar", "photos.sealed", aad=b"for Ann")
    decrypt_file(keyset, "photos.sealed", "photos.tar", aad=b"for Ann")
    with open_encrypted(keyset, "photos.sealed", aad=b"for Ann") as photos:
        photos.seek(1000)
        photos.read(24)

All cores work on the segments. Memory depends on the segment size and the number of cores, not on the file:
below 100 MiB for Tink's templates. A file appears under its name only when all of it is verified and on disk; a
stream is given verified segments only, so that one that is cut short ends in an exception, never silently.

A last segment without plaintext after a full one, which no writer of this format makes, is accepted as Tink does.
"""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Union

from runnel.inputs import Inputs
from runnel.output import OutputFile
from runnel.pipeline import (
    PositionalSink,
    SequentialSink,
    SequentialSource,
    Source,
    damage,
    decrypt,
    encrypt,
    segment_in,
    source_of,
)
from runnel.tink import IV_BYTES, DamagedError, FileKeys, Keyset

Path = Union[str, "os.PathLike[str]"]
Progress = Callable[[int], None]


@contextlib.contextmanager
def _between(source: Path, target: Path, force: bool) -> Iterator[tuple[Source, PositionalSink]]:
    """The file source, and the new file target, which is complete when the body ends well."""
    inputs = Inputs()
    with inputs.open(source) as reader, OutputFile(target, inputs=inputs, force=force) as out:
        yield source_of(reader, os.fspath(source)), PositionalSink(out.fileno(), out.name)
        out.commit()


def encrypt_file(
    keyset: Keyset,
    source: Path,
    target: Path,
    *,
    aad: bytes = b"",
    force: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Encrypts the file source into the file target with the primary key of the keyset.

    aad is associated data: not stored, but needed to decrypt. An existing target is replaced only with force.
    threads: how many work at a time (None: one for each CPU that this process may use). progress is called with
    the number of plaintext bytes done since it was called last. Raises FileExistsError, OSError, ValueError
    (source and target are one file), TinkError. The target is complete or absent; complete also after the OSError that
    says that it is in place but its folder could not be flushed to disk.
    """
    with _between(source, target, force) as (origin, sink):
        encrypt(keyset, origin, sink, aad=aad, threads=threads, progress=progress)


def decrypt_file(
    keyset: Keyset,
    source: Path,
    target: Path,
    *,
    aad: bytes = b"",
    start: int = 0,
    end: int | None = None,
    force: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Decrypts the file source into the file target with whichever key of the keyset fits.

    start and end choose a range of the plaintext, in bytes, end exclusive; a range needs a source that can seek,
    its segments and the last one of the file are verified, and an end beyond the plaintext means its end. The other
    arguments are those of encrypt_file. Raises also DamagedError: wrong key or associated data, changed, cut or
    extended. The target is complete and verified, or absent; see encrypt_file.
    """
    with _between(source, target, force) as (origin, sink):
        decrypt(keyset, origin, sink, aad=aad, start=start, end=end, threads=threads, progress=progress)


def encrypt_stream(
    keyset: Keyset, reader: BinaryIO, writer: BinaryIO, *, aad: bytes = b"", threads: int | None = None
) -> None:
    """Encrypts what reader gives until its end, and writes it to writer, which must not be the same file. Neither is
    closed. See encrypt_file."""
    encrypt(keyset, SequentialSource(reader, "input"), SequentialSink(writer, "output"), aad=aad, threads=threads)


def decrypt_stream(
    keyset: Keyset, reader: BinaryIO, writer: BinaryIO, *, aad: bytes = b"", threads: int | None = None
) -> None:
    """Decrypts what reader gives until its end. Only verified segments reach writer; whether there are all of them
    is known when this returns. Neither is closed, and they must not be the same file. See decrypt_file."""
    decrypt(keyset, SequentialSource(reader, "input"), SequentialSink(writer, "output"), aad=aad, threads=threads)


def open_encrypted(keyset: Keyset, source: Path | BinaryIO, *, aad: bytes = b"") -> EncryptedReader:
    """Opens an encrypted file to read any part of its plaintext. source is a path, or a seekable binary file, which
    is not closed. Raises DamagedError, OSError; wrap the result in io.BufferedReader for many small reads."""
    if isinstance(source, (str, os.PathLike)):
        return EncryptedReader(keyset, open(source, "rb", buffering=0), aad, os.fspath(source), close=True)
    return EncryptedReader(keyset, source, aad, str(getattr(source, "name", "input")), close=False)


class EncryptedReader(io.RawIOBase):
    """The plaintext of an encrypted file, to be read and sought like any binary file. Made by open_encrypted.

    The true end of the file is verified on opening, each segment before any of its bytes are given. One segment is
    kept. Not for several threads at a time.
    """

    def __init__(self, keyset: Keyset, file: BinaryIO, aad: bytes, name: str, close: bool) -> None:
        super().__init__()
        self._file = file
        self._close = close
        self.name = name
        try:
            self._sealed_bytes = file.seek(0, os.SEEK_END)
            keys = self._find_keys(keyset, aad)
        except BaseException:
            self.close()
            raise
        self._parameters = keys.parameters
        self._position = 0

    def _find_keys(self, keyset: Keyset, aad: bytes) -> FileKeys:
        length = self._read_at(0, 1)
        candidates = [key for key in keyset.keys if length == bytes([key.parameters.header_bytes])]
        for key in candidates:
            try:
                self._use(FileKeys.from_header(key, self._read_at(0, key.parameters.header_bytes), aad))
                self._load(self._segments - 1)
            except DamagedError:
                continue
            return self._keys
        raise DamagedError(f"{self.name}: wrong key or associated data, or the file is damaged or cut")

    def _use(self, keys: FileKeys) -> None:
        self._keys = keys
        self._cipher = keys.cipher()
        self._segments, self.size = keys.parameters.opened(self._sealed_bytes)
        self._memory = memoryview(bytearray(IV_BYTES + min(keys.parameters.segment_bytes, self._sealed_bytes)))
        self._loaded = -1
        self._body = self._memory[:0]

    def _read_at(self, position: int, count: int) -> bytes:
        out = bytearray(count)
        self._read_into(position, memoryview(out))
        return bytes(out)

    def _read_into(self, position: int, view: memoryview) -> None:
        self._file.seek(position)
        done = 0
        while done < len(view):
            count = self._file.readinto(view[done:])  # type: ignore[attr-defined]
            if not count:
                raise DamagedError(f"{self.name}: the file ends inside a segment or the header")
            done += count

    def _load(self, index: int) -> None:
        """Reads, verifies and decrypts one segment."""
        if index == self._loaded:
            return
        p = self._keys.parameters
        last = index == self._segments - 1
        body_bytes = (self.size - p.plaintext_at(index)) if last else p.capacity(index)
        segment = segment_in(self._memory, body_bytes, p.tag_bytes)
        self._loaded = -1
        self._read_into(p.sealed_at(index), segment[4])
        if not self._cipher.open([segment], index, last):
            raise DamagedError(f"{self.name}: {damage(p, index)}")
        self._loaded = index
        self._body = segment[1]

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._check_open()
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self.size}.get(whence)
        if base is None or base + offset < 0:
            raise ValueError(f"{self.name}: no position {offset} from {whence}")
        self._position = base + offset
        return self._position

    def readinto(self, buffer: Any) -> int:
        self._check_open()
        with memoryview(buffer) as out, out.cast("B") as target:
            if self._position >= self.size or not len(target):
                return 0
            index = self._parameters.segment_of(self._position)
            self._load(index)
            inside = self._position - self._parameters.plaintext_at(index)
            count = min(len(target), len(self._body) - inside)
            target[:count] = self._body[inside : inside + count]
        self._position += count
        return count

    def _check_open(self) -> None:
        if self.closed:
            raise ValueError("the file is closed")

    def close(self) -> None:
        if not self.closed and self._close:
            self._file.close()
        super().close()
