# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reading and writing all of something, whatever part of it one call of the system does."""

from __future__ import annotations

import contextlib
import errno
import os
import select
from collections.abc import Callable, Iterator

from runnel._typing import TYPE_CHECKING

if TYPE_CHECKING:
    import io

Wait = Callable[[], None]

_PIECE_BYTES = 1 << 16


@contextlib.contextmanager
def naming(name: str) -> Iterator[None]:
    """Add the name of the file to errors of the operating system."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            if error.strerror is None:  # as of a socket's timeout: with a file's name only this is shown
                error.strerror = str(error)
            error.filename = name
        raise


def until_readable(fd: int | None) -> Wait:
    """Return a function that waits for a non-blocking descriptor to have input, or to be at its end."""
    return lambda: _until(fd, select.POLLIN)


def until_writable(fd: int | None) -> Wait:
    """Return a function that waits for a non-blocking descriptor to take output."""
    return lambda: _until(fd, select.POLLOUT)


def _until(fd: int | None, events: int) -> None:
    if fd is None:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
    poll = select.poll()
    poll.register(fd, events)
    poll.poll()


def read_some(
    readinto: Callable[[memoryview], int | None],
    name: str,
    view: memoryview,
    *,
    before: Wait | None = None,
    blocked: Wait | None = None,
) -> int:
    """Read once into view, as much as there is; return the number of bytes, 0 at the end.

    before is called before each read; blocked waits for a file that does not block to have something.
    """
    with naming(name):
        while True:
            if before is not None:
                before()
            count = readinto(view)
            if count is not None:
                return count and _possible(count, len(view))
            _wait(blocked)


def read_all(
    readinto: Callable[[memoryview], int | None],
    name: str,
    view: memoryview,
    *,
    before: Wait | None = None,
    blocked: Wait | None = None,
) -> int:
    """Fill view, or as much of it as there is before the end; return the number of bytes. See read_some."""
    done = 0
    while done < len(view) and (count := read_some(readinto, name, view[done:], before=before, blocked=blocked)):
        done += count
    return done


def read_whole(file: io.FileIO, name: str, limit: int = -1) -> bytes:
    """Return the rest of file, at most limit bytes of it; -1: all."""
    data = bytearray()
    room = memoryview(bytearray(_PIECE_BYTES))
    wait = until_readable(file.fileno())
    while limit < 0 or len(data) < limit:
        wanted = room if limit < 0 else room[: limit - len(data)]
        count = read_all(file.readinto, name, wanted, blocked=wait)
        data += wanted[:count]
        if count < len(wanted):  # the end: a terminal that is read once more waits for another one
            break
    return bytes(data)


def write_all(
    write: Callable[[memoryview], int | None], name: str, view: memoryview, *, blocked: Wait | None = None
) -> None:
    """Write all of view. blocked waits for a file that does not block to take something."""
    view = view.toreadonly()
    with naming(name):
        while len(view):
            count = write(view)
            if count is None:
                _wait(blocked)
            else:
                view = view[_possible(count, len(view)) :]


def _possible(count: int, most: int) -> int:
    """Return what a call says that it did. Raises OSError where it cannot have: with 0 bytes, or -1, nothing would end."""
    if not 1 <= count <= most:
        raise OSError(errno.EIO, f"says that it did {count} bytes of {most}")
    return count


def _wait(blocked: Wait | None) -> None:
    if blocked is None:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
    blocked()
