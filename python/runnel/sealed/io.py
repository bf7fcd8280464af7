# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sources and sinks of bytes: files with positions, and whatever else is read or written in order."""

from __future__ import annotations

import errno
import io
import os
import stat
from _thread import allocate_lock  # threading loads much that nobody else here needs
from collections.abc import Callable, Iterator, Sequence

from runnel._typing import TYPE_CHECKING
from runnel.buffers import flat
from runnel.errors import Error
from runnel.inputs import Inputs
from runnel.sizes import size_of_file
from runnel.transfer import Wait, naming, read_all, until_readable, until_writable, write_all

if TYPE_CHECKING:
    from typing import BinaryIO

_BUFFERED = (io.BufferedReader, io.BufferedWriter, io.BufferedRandom)
_PIECE_BYTES = 4096
_ZEROS = bytes(_PIECE_BYTES)
_OVER_DESCRIPTORS = (io.RawIOBase, *_BUFFERED)


class PositionalSource:
    """A file that is read at positions, by several threads. Positions count from where the descriptor stood."""

    def __init__(self, fd: int, name: str, size: int) -> None:
        self.fd = fd
        self.name = name
        self._base = os.lseek(fd, 0, os.SEEK_CUR)
        self._end = size
        self.bytes = max(0, size - self._base)

    def read_at(self, views: Sequence[memoryview], position: int) -> None:
        wanted = sum(map(len, views))
        with naming(self.name):
            done = os.preadv(self.fd, views, self._base + position)
            while done < wanted:
                more = os.preadv(self.fd, parts(views, done), self._base + position + done)
                if not more:
                    raise Error(f"{self.name}: the file was truncated while it was read")
                done += more

    def peek(self, position: int, count: int) -> bytes:
        """Return the bytes there, fewer where the file ends."""
        data = bytearray(max(0, min(count, self.bytes - position)))
        self.read_at([memoryview(data)], position)
        return bytes(data)

    def skip(self, count: int) -> None:
        """Count positions from there."""
        self._base += count
        self.bytes -= count

    def check_unchanged(self, advice: str) -> None:
        """Raise Error, which ends with the advice, when the file has grown since it was opened."""
        if os.preadv(self.fd, [bytearray(1)], self._end):
            raise Error(f"{self.name}: the file grew while it was read; {advice}")


class SequentialSource:
    """Anything with readinto (or read) that is read once, in order."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.name = name
        self.fd = descriptor_of(file)
        self.polled = self.fd if isinstance(file, io.FileIO) else None
        """The descriptor, where whatever can be read is to be had from that: others read ahead of it."""
        self._file = file
        self._readinto = readinto_of(file)
        self._ahead = memoryview(b"")  # read and not yet taken

    def peek(self, position: int, count: int) -> bytes:
        """Return the bytes at a position that counts from the next read's, fewer where the input ends."""
        more = memoryview(bytearray(max(0, position + count - len(self._ahead))))
        self._ahead = memoryview(bytes(self._ahead) + more[: self._read(more)])
        return bytes(self._ahead[position : position + count])

    def skip(self, count: int) -> None:
        """Take bytes that have been peeked at."""
        self._ahead = self._ahead[count:]

    def read_into(self, views: Sequence[memoryview], wait: Wait | None = None) -> int:
        """Fill the views, or what of them is left before the end; return the number of bytes. wait is called
        before each read, which may block."""
        total = 0
        for view in views:
            done = min(len(view), len(self._ahead))
            view[:done] = self._ahead[:done]
            self.skip(done)
            done += self._read(view[done:], wait)
            total += done
            if done < len(view):
                break
        return total

    def _read(self, view: memoryview, wait: Wait | None = None) -> int:
        return read_all(self._readinto, self.name, view, before=wait, blocked=self._until_readable)

    def _until_readable(self) -> None:
        until_readable(self.fd if _would_block(self._file, self.fd) else None)()


class PositionalSink:
    """A file that is written at positions, by several threads."""

    def __init__(self, fd: int, name: str) -> None:
        self.fd = fd
        self.name = name
        self._base = 0
        self._has_holes = False
        self._hole_end = 0
        self._lock = allocate_lock()

    def leave_holes(self) -> None:
        """From now on leave zeros out of the file, which must be new, where they fill pieces of 4096 bytes: a system with
        sparse files stores nothing for them."""
        self._has_holes = True

    def write_at(self, views: Sequence[memoryview], position: int) -> None:
        position += self._base
        if not self._has_holes:
            self._write(views, position)
            return
        written = position
        for start, run in _without_zeros(views, position):
            self._write(run, start)
            written = start + sum(map(len, run))
        end = position + sum(map(len, views))
        if written < end:
            with self._lock:
                self._hole_end = max(self._hole_end, end)

    def _write(self, views: Sequence[memoryview], position: int) -> None:
        wanted = sum(map(len, views))
        with naming(self.name):
            done = os.pwritev(self.fd, views, position) if wanted else 0
            while done < wanted:
                done += os.pwritev(self.fd, parts(views, done), position + done)

    def write_preface(self, data: bytes) -> None:
        """Write data before what is at positions, which count from its end."""
        self.write_at([memoryview(data)], 0)
        self._base += len(data)

    def finish(self) -> None:
        """Write what is left to write, when all has been."""
        with naming(self.name):
            if os.fstat(self.fd).st_size < self._hole_end:
                os.ftruncate(self.fd, self._hole_end)


class SequentialSink:
    """Anything with write that takes the bytes in order."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.name = name
        self.fd = descriptor_of(file)
        if not hasattr(file, "write"):
            raise TypeError(f"a writable binary file is required, not {type(file).__name__}")
        self._file = file
        self._write = file.write

    def write(self, views: Sequence[memoryview]) -> None:
        rest = views[0] if len(views) == 1 else memoryview(b"".join(views))
        write_all(self._write, self.name, rest, blocked=self._until_writable)

    def _until_writable(self) -> None:
        if not _would_block(self._file, self.fd):
            raise OSError(errno.EIO, "write returned None, and must return the number of bytes that it took")
        until_writable(self.fd)()

    def write_preface(self, data: bytes) -> None:
        """Write data before what else is written."""
        self.write([memoryview(data)])

    def finish(self) -> None:
        """Write what is left to write, when all has been."""


Source = PositionalSource | SequentialSource
Sink = PositionalSink | SequentialSink


def source_of(file: BinaryIO, name: str) -> Source:
    """Return the best source for an open file: positional where it has a size, else sequential."""
    fd = descriptor_of(file)
    if fd is not None:
        size = size_of_file(fd, name)
        if size is not None:
            return PositionalSource(fd, name, size)
        if stat.S_ISBLK(os.fstat(fd).st_mode):
            here = os.lseek(fd, 0, os.SEEK_CUR)
            size = os.lseek(fd, 0, os.SEEK_END)
            os.lseek(fd, here, os.SEEK_SET)
            return PositionalSource(fd, name, size)
    return SequentialSource(file, name)


def refuse_same_file(source: Source, sink: Sink) -> None:
    """Raise ValueError where source and sink are the same file."""
    if source.fd is not None and sink.fd is not None:
        inputs = Inputs()
        inputs.remember(source.fd, source.name)
        inputs.check(os.fstat(sink.fd), sink.name)


def _without_zeros(views: Sequence[memoryview], position: int) -> Iterator[tuple[int, list[memoryview]]]:
    """Yield (position, views) of all that is not a piece of zeros."""
    run: list[memoryview] = []
    run_bytes = 0
    for view in views:
        kept = 0
        # Of most data no piece begins with a zero: then there is nothing else to look at.
        begins = bytes(view[::_PIECE_BYTES])
        piece = begins.find(0)
        while piece >= 0:
            at = piece * _PIECE_BYTES
            length = min(_PIECE_BYTES, len(view) - at)
            if bytes(view[at : at + length]) == _ZEROS[:length]:  # a view would be compared item by item
                if kept < at:
                    run.append(view[kept:at])
                    run_bytes += at - kept
                if run:
                    yield position, run
                position += run_bytes + length
                run, run_bytes, kept = [], 0, at + length
            piece = begins.find(0, piece + 1)
        if kept < len(view):
            run.append(view[kept:])
            run_bytes += len(view) - kept
    if run:
        yield position, run


def parts(views: Sequence[memoryview], skip: int, drop: int = 0) -> list[memoryview]:
    """Return the views without their first skip and last drop bytes."""
    left = sum(map(len, views)) - skip - drop
    out = []
    for view in views:
        if skip >= len(view):
            skip -= len(view)
            continue
        part = view[skip : skip + left]
        skip = 0
        left -= len(part)
        if not len(part):
            break
        out.append(part)
    return out


def descriptor_of(file: BinaryIO) -> int | None:
    """Return the descriptor of a file of the system. No other object is asked: tempfile.SpooledTemporaryFile, which
    somebody may have wrapped, goes to the disk for the answer."""
    own = getattr(file, "file", file)  # tempfile.NamedTemporaryFile's
    if not isinstance(own, _OVER_DESCRIPTORS):
        return None
    try:
        return own.fileno()
    except (AttributeError, OSError):  # a buffer asks what it is over, which need not have one: tarfile's has none
        return None


def _would_block(file: BinaryIO, fd: int | None) -> bool:
    """Return whether the None that a read or write of file returned means that the descriptor is not ready. Of other
    objects it may mean anything, and to call them again could continue forever, or write twice."""
    if fd is None or not isinstance(file, _OVER_DESCRIPTORS):
        return False
    return type(file) in (io.FileIO, *_BUFFERED) or not os.get_blocking(fd)


def readinto_of(file: BinaryIO) -> Callable[[memoryview], int | None]:
    """Return its readinto, or a function that does the same by read. Raises TypeError: it has neither."""
    own: Callable[[memoryview], int | None] | None = getattr(file, "readinto", None)
    if own is not None:
        return own
    if not hasattr(file, "read"):
        raise TypeError(f"a readable binary file is required, not {type(file).__name__}")

    def readinto(view: memoryview) -> int | None:
        data: bytes | None = file.read(len(view))
        if data is None:
            return None
        found = flat(data)
        view[: len(found)] = found[: len(view)]  # of more than was asked for the caller complains
        return len(found)

    return readinto
