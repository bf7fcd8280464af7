# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The progress of a command that was killed: a file beside the user's other state, which the same command continues.

Its first line is the plan: what is read, what it was, where it goes, the upload, the header with the salt; then there are
lines for each part: what it was sealed to, before it is sent, and that the store has it. Nothing in it is secret. It is
locked while its process lives, and removed when all is done.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import re
import threading
from types import TracebackType
from typing import Any

from runnel.errors import Error
from runnel.output import make_folders, sync_folder
from runnel.transfer import naming, write_all

_PLAN = re.compile(r"[0-9a-f]{32}\.plan")


def state_folder() -> str:
    """Return the default folder for plans. Empty: there is no home to keep them in, as in some containers."""
    home = os.path.expanduser("~")
    base = os.environ.get("XDG_STATE_HOME") or (os.path.isabs(home) and os.path.join(home, ".local", "state"))
    return os.path.join(base, "runnel", "store") if base else ""


def is_plan(path: str, folder: str) -> bool:
    """Return whether a file is a plan in this state folder, if there is one: it may lie among the objects of a prefix, and is
    none of them."""
    where, name = os.path.split(path)
    return bool(folder) and _PLAN.fullmatch(name) is not None and os.path.realpath(where) == os.path.realpath(folder)


class Journal:
    """The lines of one work, found by what the work is: verb, source and target."""

    def __init__(self, folder: str, *what: str) -> None:
        name = hashlib.sha256("\0".join(what).encode("utf-8", "surrogateescape")).hexdigest()[:32]
        self.path = os.path.join(folder, f"{name}.plan")
        self._folder = folder
        self._fd = -1
        self._writing = threading.Lock()
        self._syncing = threading.Lock()
        self._written = self._synced = 0
        """Lines that this process has added, and how many of them are on disk."""
        self._lost: OSError | None = None

    def exists(self) -> bool:
        return bool(self._folder) and os.path.exists(self.path)

    def __enter__(self) -> Journal:
        if not self._folder:
            raise Error("no folder for the plan: neither XDG_STATE_HOME nor HOME is set; name one with --state")
        make_folders(self._folder, 0o700)
        while True:
            self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            try:
                fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self._close()
                raise Error(f"{self.path}: another process is doing the same work") from None
            except OSError as error:  # as some file systems of networks have no locks
                self._close()
                message = f"cannot be locked ({error.strerror}); name a folder on another file system with --state"
                raise OSError(error.errno, message, self.path) from None
            try:
                if os.path.samestat(os.stat(self.path), os.fstat(self._fd)):
                    return self
            except FileNotFoundError:
                pass
            self._close()  # the one that had it has just removed it

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._fd >= 0 and not os.fstat(self._fd).st_size:
            os.unlink(self.path)  # nothing was begun
        self._close()

    def _close(self) -> None:
        """Close the file. A thread that is late adds no line after this: neither to the plan, which another run may be using,
        nor to a file that has got the same number of descriptor."""
        with self._syncing, self._writing:
            fd, self._fd = self._fd, -1
            if fd >= 0:
                os.close(fd)

    def read(self, version: int, **fields: type) -> list[dict[str, Any]]:
        """Return its lines, as far as they are whole: the last may have been cut. version: of the first line, as begin got
        it. fields: what each of the others has."""
        with open(self.path, "rb") as file:
            data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        os.ftruncate(self._fd, len(whole))
        try:
            lines: list[dict[str, Any]] = [json.loads(line) for line in whole.splitlines()]
            if lines and lines[0]["version"] != version:
                raise Error(f"{self.path}: a plan of another version of Runnel; --restart starts over")
            if not all(isinstance(line[name], kind) for line in lines[1:] for name, kind in fields.items()):
                raise ValueError
        except (ValueError, LookupError, TypeError, RecursionError):
            raise self.damaged() from None
        return lines

    def damaged(self) -> Error:
        return Error(f"{self.path}: not a plan, or damaged; --restart starts over")

    def upload(self) -> str | None:
        """Return the upload that its first line names, whichever version wrote it and whatever became of the other lines."""
        with open(self.path, "rb") as file:
            line = file.readline()
        try:
            plan = json.loads(line)
        except (ValueError, RecursionError):
            return None
        upload = plan.get("upload") if isinstance(plan, dict) else None
        return upload if isinstance(upload, str) and upload else None

    def begin(self, version: int, plan: dict[str, Any]) -> None:
        """Write the first line, on disk before anything is sent."""
        with naming(self.path):
            os.ftruncate(self._fd, 0)
            self.append({"version": version, **plan}, durable=True)
            sync_folder(self._folder)

    def append(self, line: dict[str, Any], *, durable: bool = False) -> None:
        """Add a line, from any thread. durable: it is on disk when this returns, with whatever lines other threads have added
        meanwhile. Raises OSError; after an error of the disk for every further line that is to be durable, too, because the
        system tells of such an error only once."""
        data = json.dumps(line, separators=(",", ":")).encode() + b"\n"
        with self._writing, naming(self.path):
            end = os.fstat(self._fd).st_size
            try:
                write_all(lambda rest: os.write(self._fd, rest), self.path, memoryview(data))
            except BaseException:
                with contextlib.suppress(OSError):
                    os.ftruncate(self._fd, end)
                raise
            self._written += 1
            number = self._written
        if durable:
            with self._syncing, naming(self.path):
                self._sync(number)

    def _sync(self, number: int) -> None:
        """Have so many lines on disk."""
        if self._lost is not None:
            raise OSError(self._lost.errno, self._lost.strerror)
        if self._synced < number:
            written = self._written
            try:
                os.fsync(self._fd)
            except OSError as error:
                self._lost = error
                raise
            self._synced = written

    def remove(self) -> None:
        """Remove the plan: all is done, or given up."""
        os.unlink(self.path)
        self._close()
