# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The files that are read, each remembered as it is opened, so that none of them becomes the output."""

from __future__ import annotations

import contextlib
import io
import os
import stat
from collections.abc import Iterable, Iterator
from typing import Union

from runnel.transfer import naming

PathLike = Union[str, "os.PathLike[str]"]


class Inputs:
    """Opens files to read them, and knows them again by any name: a link, another spelling, /dev/stdin."""

    def __init__(self) -> None:
        self._files: list[tuple[str, os.stat_result]] = []

    def remember(self, fd: int, name: str) -> None:
        """Counts the open file fd among the inputs."""
        self._files.append((name, os.fstat(fd)))

    def remember_all(self, paths: Iterable[PathLike]) -> None:
        """Counts files among the inputs that others will open."""
        self._files += [(os.fspath(path), os.stat(path)) for path in paths]

    @contextlib.contextmanager
    def open(self, path: PathLike) -> Iterator[io.FileIO]:
        """The file, to be read without a buffer."""
        with open(path, "rb", buffering=0) as file:
            self.remember(file.fileno(), os.fspath(path))
            yield file

    def read(self, path: PathLike, limit: int = -1) -> bytes:
        """The bytes of the file, at most limit of them; -1: all."""
        with self.open(path) as file, io.BufferedReader(file) as buffered, naming(os.fspath(path)):
            return buffered.read(limit)

    def check(self, output: os.stat_result, name: str) -> None:
        """Raises ValueError where the output, called name, is one of the inputs. Devices and pipes may be both."""
        for other, status in self._files:
            if stat.S_ISREG(output.st_mode) and os.path.samestat(output, status):
                raise ValueError(f"{name}: the output is the input {other}")
