# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Files that are complete or absent: written under a temporary name, flushed to disk, then given their name."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from types import TracebackType

from runnel.inputs import Inputs, PathLike

_NAME_MAX = 255
_temporaries: set[str] = set()


def remove_temporaries() -> None:
    """Removes the temporaries of all outputs that are not finished: for a program that is about to exit."""
    while _temporaries:
        with contextlib.suppress(OSError):
            os.unlink(_temporaries.pop())


class OutputFile:
    """A new file under a temporary name (.NAME.*.tmp) beside its final one, which it takes in commit().

    Without commit the temporary is removed. An existing file is replaced only with force (through a symbolic link:
    the file that the link names); anything that is not a regular file is refused, and so is any of the inputs,
    when the output is begun and once more before it gets its name. mode is limited by the umask. Raises
    FileExistsError, OSError, ValueError (the output is an input).
    """

    def __init__(
        self,
        path: PathLike,
        *,
        inputs: Inputs,
        force: bool = False,
        mode: int = 0o666,
    ) -> None:
        self.name = os.fspath(path)
        self._inputs = inputs
        self._force = force
        self._mode = mode
        self._check(self.name)
        self._path = os.path.realpath(self.name) if force else self.name
        self._check(self._path)
        folder, name = os.path.split(self._path)
        self._folder = folder or os.curdir
        suffix = f".{os.urandom(6).hex()}.tmp"
        kept = os.fsencode(name)[: _NAME_MAX - len(suffix) - 1].decode(errors="ignore") or "runnel"
        self._temporary = os.path.join(folder, f".{kept}{suffix}")
        self._fd = -1

    def _check(self, path: str) -> None:
        if not path or path.endswith(os.sep):
            raise IsADirectoryError(errno.EISDIR, "is no name of a file", self.name)
        try:
            existing = os.stat(path)
        except FileNotFoundError:
            if os.path.islink(path) and not self._force:
                raise FileExistsError(errno.EEXIST, "exists already, as a dangling symbolic link", self.name) from None
            return
        self._inputs.check(existing, self.name)
        if stat.S_ISDIR(existing.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), self.name)
        if not stat.S_ISREG(existing.st_mode):
            raise FileExistsError(
                errno.EEXIST, "exists and is not a regular file (- writes to the standard output)", self.name
            )
        if not self._force:
            raise FileExistsError(errno.EEXIST, "exists already", self.name)
        if not existing.st_nlink:  # known by a descriptor's name in /proc alone
            raise FileNotFoundError(errno.ENOENT, "is a deleted file, which cannot be replaced", self.name)

    def __enter__(self) -> OutputFile:
        _temporaries.add(self._temporary)  # before there is one: a signal may come at any moment
        try:
            flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
            self._fd = os.open(self._temporary, flags, self._mode)
        except OSError as error:
            _temporaries.discard(self._temporary)
            raise OSError(error.errno, error.strerror, self.name) from None
        except BaseException:
            self._remove()
            raise
        return self

    def fileno(self) -> int:
        return self._fd

    def commit(self) -> None:
        """Puts the file on disk and gives it its name."""
        try:
            os.fsync(self._fd)
            self._check(self._path)
            if self._force:
                self._rename()
            else:
                self._link()
            self._sync_folder()
        except FileExistsError:
            raise FileExistsError(errno.EEXIST, "exists already", self.name) from None
        except OSError as error:
            raise OSError(error.errno, error.strerror, self.name) from None

    def _link(self) -> None:
        """Renames without replacing: a link fails where the name has been taken meanwhile."""
        try:
            os.link(self._temporary, self._path, follow_symlinks=False)
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            if os.path.lexists(self._path):
                raise FileExistsError(errno.EEXIST, "exists already", self.name) from None
            self._rename()
        else:
            self._remove()

    def _rename(self) -> None:
        os.replace(self._temporary, self._path)
        _temporaries.discard(self._temporary)

    def _sync_folder(self) -> None:
        with contextlib.suppress(OSError):  # not every file system syncs directories; the file itself is on disk
            folder = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    def _remove(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._temporary)
        _temporaries.discard(self._temporary)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._remove()
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)
