# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Files that are complete or absent: written under a temporary name, flushed to disk, then given their name.

Nobody but its owner reads a temporary. It is locked as long as its process lives, so that one whose lock can be taken is
what a killed process left: the next output of that name removes it. On a file system without locks it stays.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import fcntl
import os
import stat
import sys
from _thread import RLock, allocate_lock  # as in imports.py
from collections.abc import Iterator

from runnel import acl
from runnel._typing import TYPE_CHECKING
from runnel.errors import StateError
from runnel.inputs import Inputs, PathLike
from runnel.process import this_process
from runnel.transfer import write_all

if TYPE_CHECKING:
    from types import TracebackType

_NAME_MAX = 255
_RANDOM_BYTES = 6
_RANDOM_DIGITS = 2 * _RANDOM_BYTES
_SUFFIX = ".tmp"
_unfinished: set[OutputFile] = set()
_creating = RLock()  # a signal's handler may come while its own thread has it
_PATIENCE = 1.0  # seconds, for a thread that waits for its disk


def remove_temporaries() -> None:
    """Remove the temporaries of all unfinished outputs, for a program that is about to exit."""
    locked = _creating.acquire(timeout=_PATIENCE)
    while _unfinished:
        with contextlib.suppress(OSError):
            _unfinished.pop().remove()
    if locked:
        _creating.release()


@atexit.register
def end() -> None:
    """Remove them for good, at the end of the process: threads that still run make no new ones."""
    _creating.acquire(timeout=_PATIENCE)
    remove_temporaries()


def _after_fork() -> None:
    global _creating
    _creating = RLock()  # another thread of the parent may have had it


os.register_at_fork(after_in_child=_after_fork)


def is_temporary(name: str) -> bool:
    """Return whether a file of this name is one that a process makes now, or made when it was killed."""
    end = len(name) - len(_SUFFIX)
    before, digits = name[: max(0, end - _RANDOM_DIGITS)], name[max(0, end - _RANDOM_DIGITS) : end]
    framed = len(before) >= 2 and before[0] == before[-1] == "." and name.endswith(_SUFFIX)
    return framed and all(digit in "0123456789abcdef" for digit in digits)


def sync_folder(path: str) -> None:
    """Put the names in a folder on disk."""
    try:
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except PermissionError:  # it may be written, not read: there is no way to flush it
        return
    try:
        with _tolerated(errno.EINVAL, errno.ENOTSUP):  # file systems that flush no folders say so
            os.fsync(folder)
    finally:
        os.close(folder)


def make_folders(path: str, mode: int = 0o777) -> None:
    """Make a folder, and those above it that are missing, and put their names on disk."""
    missing = []
    while path and not os.path.isdir(path):
        missing.append(path)
        path = os.path.dirname(path)
    for each in reversed(missing):
        with contextlib.suppress(FileExistsError):  # another thread's, or a file, of which the next call will complain
            os.mkdir(each, mode)
        sync_folder(os.path.dirname(each) or os.curdir)


class Leftovers:
    """Temporaries of processes that were killed, for outputs of one command, in any of its threads: it looks into each
    folder once."""

    def __init__(self) -> None:
        self._folders: dict[str, list[str]] = {}
        self._looking = allocate_lock()

    def remove(self, folder: str, prefix: str) -> None:
        """Remove from the folder the stale temporaries whose names begin so."""
        with self._looking:
            if folder not in self._folders:
                with contextlib.suppress(OSError):  # a folder may be written and yet not be read
                    self._folders[folder] = list(filter(is_temporary, os.listdir(folder)))
        for name in self._folders.get(folder, ()):
            if name.startswith(prefix) and len(name) == len(prefix) + _RANDOM_DIGITS + len(_SUFFIX):
                _remove_if_stale(os.path.join(folder, name))


class OutputFile:
    """A new file under a temporary name (.NAME.*.tmp) beside its final one, which it takes in commit().

    Without commit the temporary is removed. An existing file is replaced only with force (through a symbolic link:
    the file that the link names), and its permissions with their access control list and, where the system lets us, its
    owner, group and extended attributes of the user are kept; anything that is not a regular file is refused, and so is
    any of the inputs, when the output is begun and once more before it gets its name. mode is a new file's, limited by the
    umask or, where the folder has one, by its default access control list. A change of the working folder meanwhile changes
    nothing. Raises FileExistsError, OSError, ValueError (the output is an input). leftovers: those of a command that makes
    many files.
    """

    def __init__(
        self,
        path: PathLike,
        *,
        inputs: Inputs,
        force: bool = False,
        mode: int = 0o666,
        leftovers: Leftovers | None = None,
    ) -> None:
        self.name = os.fsdecode(path)
        self._leftovers = leftovers or Leftovers()
        self._inputs = inputs
        self._force = force
        self._mode = mode
        existing = self._check(self.name)
        self._path = os.path.realpath(self.name) if force else _from_root(self.name)
        if self._check(self._path) is None and existing is not None and not existing.st_nlink:
            # known only by the name of a descriptor in /proc
            raise FileNotFoundError(errno.ENOENT, "a deleted file cannot be replaced", self.name)
        folder, name = os.path.split(self._path)
        self._folder = folder or os.curdir
        room = _NAME_MAX - len(f"..{os.urandom(_RANDOM_BYTES).hex()}.tmp")
        self._prefix = (
            "." + (os.fsencode(name)[:room].decode(sys.getfilesystemencoding(), errors="ignore") or "runnel") + "."
        )
        self._temporary = ""
        self._fd = -1
        self._process = this_process()

    def _check(self, path: str) -> os.stat_result | None:
        """Return the existing file that the output may replace, if there is one."""
        if not path or path.endswith(os.sep):
            raise IsADirectoryError(errno.EISDIR, "is not a file name", self.name)
        try:
            existing = os.stat(path)
        except FileNotFoundError:
            if os.path.islink(path) and not self._force:
                raise FileExistsError(errno.EEXIST, "already exists, as a dangling symbolic link", self.name) from None
            return None
        self._inputs.check(existing, self.name)
        if stat.S_ISDIR(existing.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), self.name)
        if not stat.S_ISREG(existing.st_mode):
            raise FileExistsError(errno.EEXIST, "not a regular file", self.name)
        if not self._force:
            raise FileExistsError(errno.EEXIST, "already exists", self.name)
        return existing

    def __enter__(self) -> OutputFile:
        try:
            self._leftovers.remove(self._folder, self._prefix)
            self._create()
        except OSError as error:
            if self._fd >= 0:
                self.close()
            else:  # there is none, or somebody else's of that name
                _unfinished.discard(self)
            raise OSError(error.errno, error.strerror, self.name) from None
        except BaseException:
            self.close()
            raise
        return self

    def _create(self) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
        while True:
            with _creating:
                _unfinished.add(self)  # before there is one: a signal may come at any moment
                self._temporary = os.path.join(self._folder, f"{self._prefix}{os.urandom(_RANDOM_BYTES).hex()}.tmp")
                self._fd = os.open(self._temporary, flags, 0o600)
            if _lock(self._fd) and _names(self._temporary, self._fd):
                return
            self.close()  # before it was locked, somebody who makes the same file took it for stale

    def fileno(self) -> int:
        return self._fd

    def write_all(self, data: bytes | bytearray) -> None:
        """Write all of data."""
        write_all(lambda rest: os.write(self._fd, rest), self.name, memoryview(data))

    def commit(self) -> None:
        """Put the file on disk and give it its name. After an error it has that only where the error says so: when
        the folder could not be flushed, so that a crash might still undo it, or its temporary name not be removed.
        Raises StateError in a process that was forked: the file is its parent's."""
        if this_process() != self._process:
            raise StateError(f"{self.name}: this file belongs to the process that forked this one")
        linked = False
        try:
            os.fsync(self._fd)
            # Only now, so that a command killed meanwhile leaves nothing that others can read. A power cut may undo it.
            self._give_mode(self._check(self._path))
            if self._force:
                self._keep_attributes()
                self._rename()
            else:
                linked = self._link()
        except OSError as error:
            raise OSError(error.errno, error.strerror, self.name) from None
        try:
            if linked:
                self.remove()
        except OSError as error:
            other = os.path.basename(self._temporary)
            raise self._in_place(error, f"its other name {other} could not be removed") from None
        finally:
            self._sync_folder()

    def _in_place(self, error: OSError, but: str) -> OSError:
        return OSError(error.errno, f"in place and complete, but {but}: {error.strerror}", self.name)

    def _give_mode(self, replaced: os.stat_result | None) -> None:
        """Set the mode of a new file, or the permissions of the one that is replaced; never wider than those were."""
        access = None
        if replaced is None:
            mode = self._mode & self._granted()
        else:
            mode = replaced.st_mode & 0o777
            access = acl.of(self._path, acl.ACCESS)
            mine = os.fstat(self._fd)
            if (mine.st_uid, mine.st_gid) != (replaced.st_uid, replaced.st_gid) and not _give_away(self._fd, replaced):
                mode &= 0o707 | (mode & 0o007) << 3  # the group is another one: it gets what everybody had
            if access is None:
                acl.remove(self._fd)
            elif acl.give(self._fd, access.masked(mode >> 3 & 0o7)):
                return
            else:
                mode &= 0o707 | access.group << 3
        with _tolerated(errno.EPERM, errno.ENOTSUP, errno.EINVAL):  # file systems without modes
            os.fchmod(self._fd, mode)

    def _keep_attributes(self) -> None:
        """Give the file the user's extended attributes of the one that is replaced, as far as the system lets us."""
        with contextlib.suppress(OSError, AttributeError):  # there is none, or the system has no attributes
            for name in os.listxattr(self._path):
                if name.startswith("user."):
                    with contextlib.suppress(OSError):  # one that nobody may read, or that has no room
                        os.setxattr(self._fd, name, os.getxattr(self._path, name))

    def _granted(self) -> int:
        """Return the bits that a new file may have of the mode that was asked for."""
        default = acl.of(self._folder, acl.DEFAULT)
        if default is None:
            return ~_umask()
        inherited = acl.of(self._fd, acl.ACCESS) is not None  # then the group's bits are the mask of all that it names
        return default.owner << 6 | (default.mask if inherited else default.group) << 3 | default.others

    def _link(self) -> bool:
        """Rename without replacing: a link fails where the name has been taken meanwhile. Return True if the
        temporary name is still there too."""
        try:
            # A link to the open file itself, whatever its temporary name may stand for by now. The descriptor in
            # src_dir_fd has no meaning but to let Python follow the symbolic link in /proc.
            os.link(f"/proc/self/fd/{self._fd}", self._path, src_dir_fd=self._fd, follow_symlinks=True)
        except FileExistsError:
            raise FileExistsError(errno.EEXIST, "already exists") from None
        except OSError:  # without /proc, or on a file system without links
            self._check_temporary()
            try:
                os.link(self._temporary, self._path, follow_symlinks=False)
            except OSError:
                if os.path.lexists(self._path):
                    raise FileExistsError(errno.EEXIST, "already exists") from None
                self._rename()
                return False
        return True

    def _rename(self) -> None:
        # No call renames a descriptor: who may write to the folder has the moment between these two to put another
        # file in the temporary's place.
        self._check_temporary()
        os.replace(self._temporary, self._path)
        _unfinished.discard(self)

    def _check_temporary(self) -> None:
        if not _names(self._temporary, self._fd):
            raise OSError(errno.ESTALE, "the temporary file was exchanged or removed meanwhile; nothing is changed")

    def _sync_folder(self) -> None:
        try:
            sync_folder(self._folder)
        except OSError as error:
            raise self._in_place(error, "its folder could not be flushed to disk") from None

    def remove(self) -> None:
        """Remove the temporary, if its name still stands for it. A process that was forked leaves it to its parent."""
        with contextlib.suppress(FileNotFoundError):
            if this_process() == self._process and (self._fd < 0 or _names(self._temporary, self._fd)):
                os.unlink(self._temporary)
        _unfinished.discard(self)

    def close(self) -> None:
        """Remove the temporary, unless it has its final name, and close the file."""
        with contextlib.suppress(OSError):  # what went wrong before is more important
            self.remove()
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _from_root(path: str) -> str:
    """Return the path from the root, whatever becomes of the working folder; as it is where that way is closed, or
    too long."""
    folder, name = os.path.split(path)
    try:
        absolute = os.path.join(os.getcwd(), folder)
        if os.path.samefile(absolute, folder or os.curdir):
            return os.path.join(absolute, name)
    except OSError:
        pass
    return path


def _names(path: str, fd: int) -> bool:
    """Return whether path, and no symbolic link, is a name of the open file."""
    try:
        return os.path.samestat(os.lstat(path), os.fstat(fd))
    except FileNotFoundError:
        return False


def _lock(fd: int) -> bool:
    """Lock the file until it is closed; return False if somebody else has. True also where the file system has no locks."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


def _remove_if_stale(path: str) -> None:
    """Remove a temporary that nobody has locked. Only a regular file of ours, and only while path is its name."""
    with contextlib.suppress(OSError):
        if not _is_ours(os.lstat(path)):
            return
        fd = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_ours(os.fstat(fd)) and _names(path, fd):
                os.unlink(path)
        finally:
            os.close(fd)


def _is_ours(status: os.stat_result) -> bool:
    return stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid()


def _give_away(fd: int, other: os.stat_result) -> bool:
    """Set the file's owner and group to the other's, or its group alone; return False if not even that is permitted."""
    for owner in (other.st_uid, -1):
        with contextlib.suppress(OSError):
            os.fchown(fd, owner, other.st_gid)
            return True
    return False


def _umask() -> int:
    with contextlib.suppress(OSError), open("/proc/self/status", encoding="ascii", errors="replace") as file:
        for line in file:
            if line.startswith("Umask:"):
                return int(line.split()[1], 8)
    umask = os.umask(0o077)  # for the time between these two also other threads'
    os.umask(umask)
    return umask


@contextlib.contextmanager
def _tolerated(*numbers: int) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in numbers:
            raise
