# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The length of a file, where the system knows it."""

from __future__ import annotations

import errno
import os
import stat

from runnel.errors import Error
from runnel.transfer import naming

_TRIES = 8


def size_of_file(fd: int, name: str) -> int | None:
    """Return the bytes of the regular file open as fd; None: it is another kind of file, or ends elsewhere than the system
    says, as files of /proc (reported as empty) and /sys (a page long) do, and those of some FUSE file systems. name: for
    errors. The file's position stays. Raises OSError."""
    with naming(name):
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return None
        for _ in range(_TRIES):  # a file that is being written may be longer by now, and that is its size
            size = os.fstat(fd).st_size
            if _ends_at(fd, size):
                return size
            if os.fstat(fd).st_size == size:
                break
    return None


def known_size_of_file(fd: int, name: str) -> int:
    """Return the same. Raises Error where it is not known, or fd is no regular file."""
    size = size_of_file(fd, name)
    if size is None:
        raise Error(f"{name}: unknown size: the system reports a wrong one, as for files in /proc and /sys")
    return size


def _ends_at(fd: int, size: int) -> bool:
    """Return whether there is a last byte and none behind it."""
    try:
        return len(os.pread(fd, 2, max(0, size - 1))) == min(size, 1)
    except BlockingIOError:  # more is still to come
        return False
    except OSError as error:
        if error.errno == errno.ESPIPE:
            return False
        raise
