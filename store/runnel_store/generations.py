# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The highest generation of each prefix's catalog that was seen on this machine: in a file beside the user's other state.

It is what a store cannot put back: an older state of a whole prefix, catalog included, is authentic."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re

from runnel.errors import Error
from runnel.output import make_folders, sync_folder
from runnel.transfer import naming, read_whole

_NAME = re.compile(r"[0-9a-f]{32}\.generation")


def is_generation(path: str, folder: str) -> bool:
    """Return whether a file remembers a generation in this state folder, if there is one: it may lie among the objects of a
    prefix, and is none of them."""
    where, name = os.path.split(path)
    return bool(folder) and _NAME.fullmatch(name) is not None and os.path.realpath(where) == os.path.realpath(folder)


class Generations:
    """Of one prefix. folder: of the state; empty: there is none, and nothing is remembered."""

    def __init__(self, folder: str, prefix: str) -> None:
        name = hashlib.sha256(prefix.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        self._folder = folder
        self._prefix = prefix
        self.path = os.path.join(folder, f"{name}.generation")

    def seen(self) -> int:
        """Return the highest generation that was seen; 0: none. Raises Error: the file is damaged."""
        if not self._folder:
            return 0
        try:
            with open(self.path, "rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH)
                return self._read(file.read())
        except FileNotFoundError:
            return 0

    def remember(self, generation: int) -> None:
        """Write the generation down, unless a higher one is there."""
        if not self._folder:
            return
        make_folders(self._folder, 0o700)
        with (
            naming(self.path),
            open(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), "r+b", 0) as file,
        ):
            fcntl.flock(file, fcntl.LOCK_EX)
            text = read_whole(file, self.path)
            if self._read(text) >= generation:
                return
            line = json.dumps({"prefix": self._prefix, "generation": generation}).encode() + b"\n"
            os.pwrite(file.fileno(), line, 0)
            os.ftruncate(file.fileno(), len(line))
            os.fsync(file.fileno())
            if not text:  # it may be new
                sync_folder(self._folder)

    def _read(self, text: bytes) -> int:
        if not text:  # made by a command that was killed before it could write
            return 0
        try:
            generation = json.loads(text)["generation"]
            if type(generation) is int and generation > 0:
                return generation
        except (ValueError, LookupError, TypeError, RecursionError):
            pass
        raise Error(f"{self.path}: damaged; remove it if you know the catalog's generation, and give --generation")
