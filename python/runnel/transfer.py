# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reading and writing all of something, whatever part of it one call of the system does."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Iterator

Wait = Callable[[], None]


@contextlib.contextmanager
def naming(name: str) -> Iterator[None]:
    """Lets errors of the operating system say which file they are about."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = name
        raise


def read_all(
    readinto: Callable[[memoryview], int | None],
    name: str,
    view: memoryview,
    *,
    before: Wait | None = None,
    blocked: Wait | None = None,
) -> int:
    """Fills view, or what of it there is before the end; returns how many bytes that is.

    before is called before each read; blocked waits for a file that does not block to have something.
    """
    done = 0
    with naming(name):
        while done < len(view):
            if before is not None:
                before()
            count = readinto(view[done:])
            if count is None:
                _wait(blocked)
            elif not count:
                break
            else:
                done += _possible(count, len(view) - done)
    return done


def write_all(
    write: Callable[[memoryview], int | None], name: str, view: memoryview, *, blocked: Wait | None = None
) -> None:
    """Writes all of view. blocked waits for a file that does not block to take something."""
    view = view.toreadonly()
    with naming(name):
        while len(view):
            count = write(view)
            if count is None:
                _wait(blocked)
            else:
                view = view[_possible(count, len(view)) :]


def _possible(count: int, most: int) -> int:
    """Returns what a call says that it did. Raises OSError where it cannot have: with 0 bytes, or -1, nothing would end."""
    if not 1 <= count <= most:
        raise OSError(errno.EIO, f"says that it did {count} bytes of {most}")
    return count


def _wait(blocked: Wait | None) -> None:
    if blocked is None:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
    blocked()
