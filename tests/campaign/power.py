# SPDX-License-Identifier: Apache-2.0 OR MIT
"""States of a disk after a power cut, by the calls that a program made until then.

What a call did to a file may be there or not until fsync() of that file: as a whole, by sectors, in any order, or as zeros
in a file that is long enough already. What was done to the names in a folder is there in order, up to some moment between
the last fsync() of that folder and the cut; another folder's may be there up to another moment. So a file that got its
name without fsync() may be empty, and a name that was given without fsync() of the folder may be gone.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from campaign.disk import Call

State = dict[str, bytes]
"""Contents of the files, by their paths below the folder."""
SECTORS = (512, 4096)


@dataclass
class _File:
    durable: bytes = b""
    pending: list[Call] = field(default_factory=list)


@dataclass
class _Folder:
    changes: list[dict[str, int | None]] = field(default_factory=list)
    """Each sets names all at once: to a file, or to None where it takes the name away."""
    durable: int = 0


class Disk:
    """A folder as it was, and the calls since then, one by one."""

    def __init__(self, folder: Path) -> None:
        self._root = os.path.realpath(folder)
        self._files: dict[int, _File] = {}
        self._inodes: dict[int, int] = {}
        """The file that an inode's number stands for now: numbers are used again."""
        self._begun: dict[str, int] = {}
        self._folders: dict[str, _Folder] = {}
        for place, _, names in os.walk(self._root):
            self._folders[place] = _Folder()
            for name in names:
                path = os.path.join(place, name)
                self._begun[path] = self._new(os.stat(path).st_ino, Path(path).read_bytes())

    def _new(self, inode: int, content: bytes = b"") -> int:
        number = len(self._files)
        self._files[number] = _File(content)
        self._inodes[inode] = number
        return number

    def _change(self, **names: int | None) -> None:
        for folder in {os.path.dirname(path) for path in names}:
            if folder in self._folders:
                change = {path: number for path, number in names.items() if os.path.dirname(path) == folder}
                self._folders[folder].changes.append(change)

    def _number(self, path: str) -> int | None:
        """Return the file that the name stands for now, if all that was done is there."""
        found = self._begun.get(path)
        folder = self._folders.get(os.path.dirname(path), _Folder())
        for change in folder.changes:
            found = change.get(path, found)
        return found

    def follow(self, call: Call) -> None:
        if call.what == "create":
            self._change(**{call.path: self._new(call.inode)})
        elif call.what in ("write", "truncate"):
            self._files[self._inodes[call.inode]].pending.append(call)
        elif call.what == "sync" and call.path in self._folders:
            self._folders[call.path].durable = len(self._folders[call.path].changes)
        elif call.what == "sync":
            file = self._files[self._inodes[call.inode]]
            file.durable, file.pending = _with(file.durable, file.pending), []
        elif call.what == "link":
            self._change(**{call.other: self._inodes[call.inode]})
        elif call.what == "rename":
            self._change(**{call.other: self._number(call.path), call.path: None})
        elif call.what == "unlink":
            self._change(**{call.path: None})
        elif call.what == "make folder":
            self._folders[call.path] = _Folder()
            self._change(**{call.path: -1})

    def states(self, chance: random.Random, torn: int) -> Iterator[State]:
        """Return the possible states if the power is cut now; torn: how many of those where data is torn at random."""
        for moments in self._moments():
            names = self._names(moments)
            for content in (_nothing, _all, _zeros, *[_torn(chance) for _ in range(torn)]):
                known: dict[int, bytes] = {}
                for number in names.values():
                    if number not in known:
                        known[number] = content(self._files[number])
                yield {os.path.relpath(path, self._root): known[number] for path, number in names.items()}

    def _moments(self) -> Iterator[dict[str, int]]:
        """Up to which of its changes each folder is there: none or all that may be, and one folder between."""
        least = {path: folder.durable for path, folder in self._folders.items()}
        most = {path: len(folder.changes) for path, folder in self._folders.items()}
        yield least
        if most != least:
            yield most
        for path, folder in self._folders.items():
            for moment in range(folder.durable, len(folder.changes) + 1):
                for others in (least, most):
                    if {**others, path: moment} not in (least, most):
                        yield {**others, path: moment}

    def _names(self, moments: dict[str, int]) -> dict[str, int]:
        names: dict[str, int | None] = dict(self._begun)
        there = {path for path, folder in self._folders.items() if self._is_begun(path)}
        for path, moment in moments.items():
            for change in self._folders[path].changes[:moment]:
                names.update(change)
        there |= {path for path, number in names.items() if number == -1}
        return {
            path: number
            for path, number in names.items()
            if number is not None and number >= 0 and self._reached(path, there)
        }

    def _is_begun(self, path: str) -> bool:
        parent = self._folders.get(os.path.dirname(path))
        return parent is None or not any(path in change for change in parent.changes)

    def _reached(self, path: str, there: set[str]) -> bool:
        folder = os.path.dirname(path)
        while len(folder) >= len(self._root):
            if folder not in there:
                return False
            folder = os.path.dirname(folder)
        return True


def _with(content: bytes, calls: Sequence[Call]) -> bytes:
    changed = bytearray(content)
    for call in calls:
        if call.what == "truncate":
            del changed[call.offset :]
            changed.extend(bytes(call.offset - len(changed)))
        else:
            changed.extend(bytes(max(0, call.offset - len(changed))))
            changed[call.offset : call.offset + len(call.data)] = call.data
    return bytes(changed)


def _nothing(file: _File) -> bytes:
    return file.durable


def _all(file: _File) -> bytes:
    return _with(file.durable, file.pending)


def _zeros(file: _File) -> bytes:
    """Return zeros: as long as it should be, and no data."""
    whole = _all(file)
    return file.durable + bytes(max(0, len(whole) - len(file.durable))) if file.pending else whole


def _torn(chance: random.Random) -> Callable[[_File], bytes]:
    """Return a function that applies some of the writes, in another order, each by some of its sectors; the length is
    anybody's."""

    def content(file: _File) -> bytes:
        if not file.pending:
            return file.durable
        sector = chance.choice(SECTORS)
        pieces = []
        for call in file.pending[: chance.randint(0, len(file.pending))]:
            if call.what == "truncate":
                pieces.append(call)
                continue
            for at in range(0, len(call.data), sector * max(1, len(call.data) // (sector * 64))):
                step = sector * max(1, len(call.data) // (sector * 64))
                if chance.random() < 0.7:
                    pieces.append(Call("write", call.path, "", call.inode, call.offset + at, call.data[at : at + step]))
        if chance.random() < 0.5:
            chance.shuffle(pieces)
        return _with(file.durable, pieces)

    return content
