# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What can be measured: the library's ciphers, and the raw blocks that the library offers only to C programs."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import runnel

from . import LabError, UnknownNameError


class Mode(enum.IntEnum):
    """The numbers are those of BENCH_MODE in lab/bench.c."""

    COUNTER = 0
    STREAM = 1
    DIRECTIONAL = 2
    BLOCKS = 3


@dataclass(frozen=True)
class Cipher:
    """A cipher as the lab sees it. Raw blocks go by the name of the textbooks' mode, ECB: aes-128-ecb."""

    name: str
    family: str
    mode: Mode
    key_bytes: tuple[int, ...]
    iv_bytes: tuple[int, ...]
    layouts: tuple[str, ...]


@dataclass(frozen=True)
class Subject:
    """A cipher with lengths of key and IV, and one of its kernels."""

    cipher: Cipher
    kernel: str
    key_bytes: int
    iv_bytes: int

    def __str__(self) -> str:
        lengths = f" {8 * self.key_bytes}/{8 * self.iv_bytes}" if len(self.cipher.key_bytes) > 1 else ""
        return f"{self.cipher.name}{lengths} {self.kernel}"


@lru_cache
def ciphers() -> dict[str, Cipher]:
    found = {}
    for c in runnel.ciphers().values():
        mode = Mode.DIRECTIONAL if c.directional else Mode.STREAM if c.layout is None else Mode.COUNTER
        found[c.name] = Cipher(c.name, c.family, mode, c.key_bytes, c.iv_bytes, c.layouts)
        if c.family == "aes_ctr":
            name = c.name.replace("-ctr", "-ecb")
            found[name] = Cipher(name, "aes_blocks", Mode.BLOCKS, c.key_bytes, (), ())
    return dict(sorted(found.items()))


def cipher(name: str) -> Cipher:
    try:
        return ciphers()[name]
    except KeyError:
        raise UnknownNameError(f"no cipher {name}; there are {', '.join(ciphers())}") from None


def variants(c: Cipher, kernel: str) -> list[Subject]:
    """Gives the kernel with each length of key and IV; an IV of no bytes, where the cipher has others too, is none."""
    ivs = [n for n in c.iv_bytes if n > 0] or [0]
    return [Subject(c, kernel, key, iv) for key in c.key_bytes for iv in ivs]


def folder_of(tree: Path, c: Cipher) -> Path:
    """Gives the folder whose header declares the cipher's family."""
    for parent in ("ciphers", "historic"):
        for header in sorted((tree / parent).glob("*/*.h")):
            if header.stem == header.parent.name and re.search(rf"\brunnel_{c.family};", header.read_text()):
                return header.parent
    raise LabError(f"{c.name}: no folder declares runnel_{c.family}")
