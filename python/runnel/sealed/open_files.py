# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Encrypted files as Python's own are: the reader, which seeks, and the writer, which commits when it is closed."""

from __future__ import annotations

import io
import operator
import os
import stat
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn, Self

from runnel.buffers import flat
from runnel.errors import AuthenticationError, Error, StateError
from runnel.output import OutputFile
from runnel.process import this_process
from runnel.sealed.engine import Block, segments_in_a_block
from runnel.sealed.formats import FileKeys, Segments, describe_damage, segment_in
from runnel.sealed.io import SequentialSink, descriptor_of, readinto_of
from runnel.sealed.opening import keys_of_file, open_sealed
from runnel.sizes import known_size_of_file
from runnel.transfer import naming, read_all

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from runnel.sealed.opening import Lock


class EncryptedReader(io.RawIOBase):
    """The plaintext of an encrypted file, to be read and sought like any binary file. Made by open_encrypted.

    The true end of the file is verified on opening, each segment before any of its bytes are released. One segment is
    kept: wrap the reader in io.BufferedReader for many small reads, or to read lines. Not for several threads at a time; not
    copied and not pickled.
    """

    size: int
    """Of the plaintext, in bytes."""

    def __init__(self, file: BinaryIO, lock: Lock, aad: Buffer, name: str, *, close: bool = False) -> None:
        """Open the encrypted file. lock: a keyset or a passphrase. name: for errors. close: close file with this object, or
        where it does not open. Raises AuthenticationError, TypeError, OSError."""
        super().__init__()
        self._file = file
        self._begin = 0
        self._close = close
        self.name = name
        try:
            self._readinto = readinto_of(file)
            if not hasattr(file, "seek"):
                raise TypeError(f"a seekable file is required, not {type(file).__name__}")
            keyset, self._begin = keys_of_file(lock, name, self._read_at)
            sealed_bytes = max(0, _end(file, name) - self._begin)
            self._opened = opened = open_sealed(keyset, aad, name, self._read_at, sealed_bytes)
        except BaseException:
            self.close()
            raise
        self.size = opened.size
        self._parameters = p = opened.parameters
        self._cipher = opened.keys.cipher()
        self._memory = memoryview(bytearray(p.lead_bytes + min(p.segment_bytes, sealed_bytes)))
        self._loaded = opened.segments - 1
        self._body = opened.last_body if opened.last_body is not None else self._memory[:0]
        opened.last_body = None  # this object's from here on
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
        last = index == self._opened.segments - 1
        low, high = self._opened.plaintext_of(index, index + 1)
        segment = segment_in(self._memory, p, high - low)
        self._loaded = -1
        if self._read_into(p.sealed_at(index), segment.sealed) < len(segment.sealed):
            raise AuthenticationError(f"{self.name}: the file was truncated while it was read")
        if not self._cipher.decrypt(Segments.one(segment), index, last):
            raise AuthenticationError(f"{self.name}: {describe_damage(self._opened.keys, index)}")
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


class CompleteOrAbsent:
    """A with block whose file is complete or absent."""

    _discarded_by_error = False
    """True after a failed write, which discards the file."""

    def __exit__(
        self: Any, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self.discard()
        elif self._discarded_by_error:
            raise Error(f"{self.name}: discarded, because a write failed")
        else:
            self.close()


class EncryptedWriter(CompleteOrAbsent, io.RawIOBase):
    """Encrypts the data written to it. Made by open_encrypted.

    close(), or the end of a with block, writes the last segment and gives a file its name: until then, and where the
    block ends in an exception, there is no file of that name. discard() gives it up, and so does a write that fails: the
    end of a with block, if the program continued in it, then raises Error. A stream that was given up lacks its last
    segment and does not decrypt. Not for several threads at a time.

    io.BufferedWriter and io.TextIOWrapper close what they wrap also after an exception, and half a file gets its name:
    call their close() as the last thing in the writer's with block.

    It is not copied and not pickled, and belongs to the process that made it: two of them would encrypt different
    plaintext under one key and nonce. In a process that was forked write() and close() raise StateError.
    """

    def __init__(self, keys: FileKeys, sink: SequentialSink, output: OutputFile | None) -> None:
        super().__init__()
        self._sink = sink
        self._output = output
        self._cipher = keys.cipher()
        self._parameters = p = keys.parameters
        self._per_block = segments_in_a_block(p)
        self._block = Block(p, self._per_block)
        self._first = 0  # number of the block's first segment
        self._at = 0  # of the segment that is filled next, in the block
        self._filled = 0  # bytes in it
        self._position = 0
        self._process = this_process()
        self._views = self._block.whole(0).bodies
        self.name = sink.name
        sink.write([memoryview(keys.header)])

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        """Return how many bytes of plaintext were written."""
        self._check_open()
        return self._position

    def write(self, data: Buffer) -> int:
        """Write all of data, any C-contiguous buffer, and return its size in bytes. Raises OSError, Error (more
        than 2^32 segments); the file is given up then. Raises StateError in a process that was forked."""
        self._check_open()
        self._check_process()
        with flat(data) as rest:
            done = 0
            try:
                while done < len(rest):
                    done += self._fill(rest[done:])
                self._position += done
            except BaseException:
                self._discarded_by_error = True
                self.discard()
                raise
        return done

    def _fill(self, rest: memoryview) -> int:
        """Take as much as fits into one segment. A full block is encrypted when more comes: the last one is encrypted as
        such."""
        if self._filled == len(self._views[self._at]):
            self._at, self._filled = self._at + 1, 0
            if self._at == self._per_block:
                self._encrypt(self._block.whole(self._first), last=False)
        body = self._views[self._at]
        count = min(len(rest), len(body) - self._filled)
        body[self._filled : self._filled + count] = rest[:count]
        self._filled += count
        return count

    def _encrypt(self, segments: Segments, last: bool) -> None:
        count = len(segments.each)
        if self._first + count > self._parameters.segments_max:
            raise Error(f"{self.name}: {self._parameters.too_long()}")
        self._cipher.encrypt(segments, self._first, last)
        self._sink.write(segments.sealed)
        self._first += count
        self._at = 0
        self._views = self._block.whole(self._first).bodies

    def close(self) -> None:
        """Complete the file. Raises OSError; then there is no file of that name, or the error says that there is. Raises
        StateError in a process that was forked, which leaves the file to the other."""
        if self.closed:
            return
        try:
            self._check_process()
            p = self._parameters
            if p.segments(self._position) > self._first + self._per_block:  # the block is full, and no last one may be
                self._encrypt(self._block.whole(self._first), last=False)
            count = p.segments(self._position) - self._first
            body_bytes = self._position - p.plaintext_at(self._first)
            self._encrypt(self._block.holding(self._first, count, body_bytes), last=True)
            self._sink.finish()
            if self._output is not None:
                self._output.commit()
        finally:
            self.discard()

    def discard(self) -> None:
        """Abandon the file and leave nothing of it behind. Do nothing after close()."""
        if not self.closed:
            super().close()
            if self._output is not None:
                self._output.close()

    def _check_open(self) -> None:
        if self.closed:
            raise ValueError("the file is closed")

    def _check_process(self) -> None:
        if this_process() != self._process:
            raise StateError(
                f"{self.name}: this file belongs to the process that forked this one, which would encrypt other "
                "plaintext under the same nonces"
            )

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a runnel.EncryptedWriter cannot be copied or pickled: two would encrypt different plaintext under one nonce"
        )

    def __enter__(self) -> Self:
        self._check_open()
        return self

    def __del__(self) -> None:
        """Discard an unfinished file; io's own would close it."""
        if getattr(self, "_output", None) is not None:
            self.discard()
