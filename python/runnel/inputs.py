# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The files that are read, each remembered as it is opened, so that none of them becomes the output."""

from __future__ import annotations

import contextlib
import io
import os
import stat
from collections.abc import Iterable, Iterator

from runnel.transfer import read_whole

PathLike = str | bytes | os.PathLike[str] | os.PathLike[bytes]


def _file(status: os.stat_result) -> tuple[int, int]:
    """Return the identity of a file, whatever its names are."""
    return status.st_dev, status.st_ino


class Inputs:
    """Opens files to read them, and knows them again by any name: a link, another spelling, /dev/stdin."""

    def __init__(self) -> None:
        self._files: dict[tuple[int, int], str] = {}

    def remember(self, fd: int, name: str) -> None:
        """Count the open file fd among the inputs."""
        # The last name is right: a file that was rotated may have left its number to this one.
        self._files[_file(os.fstat(fd))] = name

    def remember_all(self, paths: Iterable[PathLike]) -> None:
        """Count files among the inputs that others will open."""
        for path in paths:
            self._files.setdefault(_file(os.stat(path)), os.fsdecode(path))

    @contextlib.contextmanager
    def open(self, path: PathLike) -> Iterator[io.FileIO]:
        """Yield the file, unbuffered. Raises TypeError: no path. A descriptor stays its owner's."""
        name = os.fsdecode(path)
        with open(name, "rb", buffering=0) as file:
            self.remember(file.fileno(), name)
            yield file

    def read(self, path: PathLike, limit: int = -1) -> bytes:
        """Return the bytes of the file, at most limit of them; -1: all."""
        with self.open(path) as file:
            return read_whole(file, os.fsdecode(path), limit)

    def check(self, output: os.stat_result, name: str) -> None:
        """Raise ValueError where the output, called name, is one of the inputs. Devices and pipes may be both."""
        if stat.S_ISREG(output.st_mode) and (other := self._files.get(_file(output))) is not None:
            raise ValueError(f"{name}: output and input are the same file: {other}")
