# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Combinations that can protect a packet: the library's AEADs, and ciphers with MACs combined in the lab
(lab/compose.h)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import runnel

from runnel_lab import UnknownNameError, understanding

COMPOSED = "encrypt, then MAC; no standard"


@dataclass(frozen=True)
class Block:
    """The cipher below CMAC."""

    cipher: str
    folder: str
    family: str
    bytes: int


@dataclass(frozen=True)
class Combination:
    """An AEAD, or a cipher with a MAC. Lengths in bytes."""

    name: str
    folders: tuple[str, ...]
    """Of src/."""
    key: int
    nonces: tuple[int, int]
    """The shortest and the longest that are used here."""
    tags: tuple[int, ...]
    status: str
    standard: str
    limits: str
    header: str
    """That declares the context."""
    type: str
    """Of the context, and what the names of its functions begin with."""
    cipher: str | None = None
    """Of a composition."""
    mac: str | None = None
    iv: int = 0
    layout: str | None = None
    block: Block | None = None

    @property
    def composed(self) -> bool:
        return self.mac is not None

    def nonce(self, given: int) -> int:
        """Returns how long a nonce it gets from a frame that has so many bytes for one: what is too long is cut, what is too
        short gets zeros."""
        least, most = self.nonces
        return min(max(given, least), most)

    def tag(self, wanted: int) -> int:
        """Returns the shortest tag that is not shorter than the wanted one, or the longest there is."""
        return min((tag for tag in self.tags if tag >= wanted), default=max(self.tags))


@lru_cache
def combinations(tree: Path) -> dict[str, Combination]:
    """Returns all of them by name."""
    file = tree / "lab" / "packets" / "combinations.toml"
    with understanding(file):
        text = tomllib.loads(file.read_text(encoding="utf-8"))
        found = [_aead(name, tuple(folders)) for name, folders in text["aeads"].items()]
        for cipher, about in text["ciphers"].items():
            found += [_composed(cipher, mac, **about, **of_mac) for mac, of_mac in text["macs"].items()]
    return {one.name: one for one in found}


def combination(tree: Path, name: str) -> Combination:
    known = combinations(tree)
    if name not in known:
        raise UnknownNameError(f"no combination {name!r}; there are {', '.join(known)}")
    return known[name]


def _aead(name: str, folders: tuple[str, ...]) -> Combination:
    about = runnel.aeads()[name]
    most = about.nonce_max if about.nonce_max is not None else about.nonce_bytes
    least = about.nonce_min if most == about.nonce_max else about.nonce_bytes
    own = folders[0] if folders[0].startswith("aead/") else folders[1]
    over_block_cipher = own in ("modes/ccm", "modes/gcm")
    header = Path(folders[0] if over_block_cipher else own).name
    return Combination(
        name,
        folders,
        about.key_bytes,
        (least, most),
        about.tag_lengths,
        about.status,
        about.source,
        f"{about.remark + '; ' if about.remark else ''}a nonce that comes twice {about.nonce_reuse}",
        f"{header}.h",
        f"runnel_{about.family}",
    )


def _composed(
    cipher: str,
    mac: str,
    *,
    key: int,
    nonce: int,
    iv: int,
    tags: list[int],
    folders: list[str],
    layout: str | None = None,
) -> Combination:
    described = runnel.ciphers()[cipher]
    folder = f"ciphers/{described.family.partition('_')[0]}"  # salsa20_12 lies in salsa20
    block, below = None, mac
    if mac == "cmac":
        below, block = _block(cipher, described.family, folder)
        tags = [tag for tag in tags if tag <= block.bytes]
        folders = [block.folder] if block.folder != folder else []
    second = "a key of its own for the MAC" if mac != "poly1305" else "the MAC's key is the start of the keystream"
    short_nonce = f"; nonces of {nonce} bytes: a counter, and one key for each sender" if nonce < 12 else ""
    return Combination(
        f"{cipher} + {below}",
        (folder, *folders),
        key + (0 if mac == "poly1305" else 16),
        (nonce, nonce),
        tuple(tags),
        described.status,
        COMPOSED,
        f"{second}; a nonce that comes twice shows the XOR of both messages{short_nonce}",
        "compose.h",
        "lab_composed",
        cipher,
        mac,
        iv,
        layout,
        block,
    )


def _block(cipher: str, family: str, folder: str) -> tuple[str, Block]:
    if not cipher.endswith("-ctr"):
        return "aes-cmac", Block("aes-128-ctr", "ciphers/aes", "aes", 16)
    return "cmac", Block(cipher, folder, family.removesuffix("_ctr"), runnel.ciphers()[cipher].iv_bytes[0])
