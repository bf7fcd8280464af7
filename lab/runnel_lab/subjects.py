# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Subjects of measurement: the library's ciphers, and the raw blocks that the library offers only to C programs."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import runnel

from runnel_lab import LabError, UnknownNameError
from runnel_lab.source import inventory


class Mode(enum.IntEnum):
    """The numbers are those of BENCH_MODE in lab/bench.c."""

    COUNTER = 0
    STREAM = 1
    DIRECTIONAL = 2
    BLOCKS = 3
    MAC = 4
    PACKETS = 5


@dataclass(frozen=True)
class Cipher:
    """A cipher as the lab sees it. Raw blocks go by the name of the textbooks' mode, ECB: aes-128-ecb."""

    name: str
    family: str
    mode: Mode
    key_bytes: tuple[int, ...]
    iv_bytes: tuple[int, ...]
    layouts: tuple[str, ...]
    iv_as_key: bool = False
    """The IV must be as long as the key."""
    block_bytes: int = 0
    """Of a block cipher."""


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
        mode = Mode.DIRECTIONAL if c.directional else Mode.COUNTER if c.mode == "ctr" else Mode.STREAM
        block_bytes = 0 if c.mode == "stream" else c.iv_bytes[0]
        found[c.name] = Cipher(c.name, c.family, mode, c.key_bytes, c.iv_bytes, c.layouts, c.iv_as_key, block_bytes)
        if mode == Mode.COUNTER:
            name, family = c.name.replace("-ctr", "-ecb"), c.family.replace("_ctr", "_blocks")
            found[name] = Cipher(name, family, Mode.BLOCKS, c.key_bytes, (), (), False, block_bytes)
    return dict(sorted(found.items()))


def usual() -> list[str]:
    """Return the names of what is measured without being asked for. Feedback and raw blocks go through the same kernels as
    counter mode; they have rows where papers have them, for AES."""
    return [
        c.name
        for c in ciphers().values()
        if c.family.startswith("aes_") or (c.mode != Mode.BLOCKS and not (c.mode == Mode.DIRECTIONAL and c.block_bytes))
    ]


@lru_cache
def macs() -> dict[str, Cipher]:
    """Return the package's MACs, and GHASH, which only C programs get by itself; each with the shortest of its keys, or where
    any length will do (HMAC) with one as long as its tag."""
    key_bytes = {mac.name: (mac.key_bytes or mac.tag_bytes[-1:])[0] for mac in runnel.macs().values()} | {"ghash": 16}
    return {
        name: Cipher(name, name.replace("-", "_"), Mode.MAC, (size,), (), ())
        for name, size in sorted(key_bytes.items())
    }


def cipher(name: str) -> Cipher:
    known = ciphers() | macs()
    try:
        return known[name]
    except KeyError:
        raise UnknownNameError(f"no cipher {name}; there are {', '.join(known)}") from None


def variants(c: Cipher, kernel: str, usual: Mapping[str, Sequence[tuple[int, int]]] = {}) -> list[Subject]:
    """Returns the kernel with the lengths of key and IV that are to be measured: the usual ones of this cipher, in bits, or
    all where they are few, or the longest up to 256 and 128 bits. An IV of no bytes, where there are others too, is none."""
    if c.name in usual:
        return [
            Subject(c, kernel, key // 8, iv // 8)
            for key, iv in usual[c.name]
            if key // 8 in c.key_bytes and iv // 8 in c.iv_bytes
        ]
    ivs = [n for n in c.iv_bytes if n > 0] or [0]
    pairs = [(key, iv) for key in c.key_bytes for iv in ivs if not c.iv_as_key or iv == key]
    if len(pairs) > 4:
        pairs = [(max(n for n in c.key_bytes if n <= 32), max(n for n in ivs if n <= 16))]
    return [Subject(c, kernel, key, iv) for key, iv in pairs]


def constant_time(tree: Path, subject: Subject) -> bool:
    """Tells what the kernel's own description says."""
    return bool(described(tree, folder_of(tree, subject.cipher))[subject.kernel].timing == CONSTANT_TIME)


CONSTANT_TIME = "constant-time"


def described(tree: Path, folder: Path) -> dict[str, Any]:
    """Return what the inventory says of a folder's kernels, by their names."""
    return {kernel.name: kernel for kernel in inventory(tree).of(str(folder.relative_to(tree / "src")))}


def folder_of(tree: Path, c: Cipher) -> Path:
    """Returns the folder whose header declares the cipher's family."""
    try:
        return tree / "src" / str(inventory(tree).families[c.family])
    except KeyError:
        raise LabError(f"{c.name}: no folder declares runnel_{c.family}") from None
