# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the specifications on published vectors: what kernels are proved equal to is tested itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from runnel_lab.running.known_answers import paragraphs

from ..words import Words, constant, join, lanes, of_octets, value_of
from . import aes, aria, chacha20, hight, lea, salsa20, seed

BLOCK_CIPHERS: dict[str, ModuleType] = {"aes": aes, "aria": aria, "seed": seed, "lea": lea, "hight": hight}
BLOCK_BYTES = {"aes": 16, "aria": 16, "seed": 16, "lea": 16, "hight": 8}

MOST_BYTES = 4096
"""Of one vector that are made."""


def _octets(word: bytes) -> bytes:
    value = value_of(word)
    assert value is not None
    return value.to_bytes(len(word) // 32, "little")


def keystream(cipher: str, fields: dict[str, Any], size: int) -> bytes:
    """Return so many bytes of a vector's keystream."""
    w = Words()
    key, iv = bytes.fromhex(fields["key"]), bytes.fromhex(fields.get("iv", ""))
    name = cipher.split("-")[0]
    blocks = range((size + 7) // 8)
    output = b""
    if name == "chacha20":
        for i in blocks[: (size + 63) // 64]:
            output += _octets(join(chacha20.block(w, of_octets(key), constant(i, 32), of_octets(iv))))
        return output
    if name == "salsa20":
        rounds = int([*cipher.split("-"), "20"][1])
        for i in blocks[: (size + 63) // 64]:
            output += _octets(join(salsa20.block(w, of_octets(key), constant(i, 64), of_octets(iv), rounds)))
        return output
    specification = BLOCK_CIPHERS[name]
    schedule = specification.expand_key(w, lanes(of_octets(key), 8))
    if fields.get("layout") == "ecb":
        for plain in lanes(of_octets(bytes.fromhex(fields["input"])), 8 * BLOCK_BYTES[name]):
            output += _octets(join(specification.encrypt(w, schedule, lanes(plain, 8))))
        return output
    layout = fields.get("layout", "be128" if len(iv) == 16 else "be64")
    for i in range((size + len(iv) - 1) // len(iv)):
        block = counted(iv, layout, i)
        encrypted = specification.encrypt(w, schedule, lanes(of_octets(block), 8))
        assert _octets(join(specification.decrypt(w, schedule, encrypted))) == block
        output += _octets(join(encrypted))
    return output


def counted(iv: bytes, layout: str, n: int) -> bytes:
    """Return counter block n of a message."""
    found = re.match(r"(be|le)(\d+)(-left)?$", layout)
    if found is None:
        raise ValueError(f"layout {layout}")
    size = int(found[2]) // 8
    at = 4 if found[3] else 0 if found[1] == "le" else len(iv) - size
    order: Literal["little", "big"] = "little" if found[1] == "le" else "big"
    number = (int.from_bytes(iv[at : at + size], order) + n) % 256**size
    counter: bytes = number.to_bytes(size, order)
    return iv[:at] + counter + iv[at + size :]


def published(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """Return the vectors of a cipher's folder."""
    for fields in paragraphs((folder / name / "vectors.txt").read_text(encoding="utf-8")):
        if not fields["cipher"].endswith("-cfb"):
            yield fields


def check(folder: Path, name: str) -> int:
    """Compare a specification with all vectors of its cipher, as far as they are short; return how many bytes."""
    compared = 0
    for fields in published(folder, name):
        if "output" in fields:
            words = fields["input"].split()
            data = bytes(int(words[1])) if words[0] == "zeros" else bytes.fromhex(fields["input"])
            pieces = [(0, bytes.fromhex(fields["output"]))]
        else:
            pieces = [(int(at), bytes.fromhex(text)) for at, text in fields["keystream"]]
            data = bytes(max(at + len(piece) for at, piece in pieces))
        offset = int(fields.get("offset", 0))
        pieces = [(at, piece) for at, piece in pieces if at + len(piece) <= MOST_BYTES]
        if not pieces or offset:
            continue
        reach = max(at + len(piece) for at, piece in pieces)
        computed = keystream(fields["cipher"], fields, reach)
        if fields.get("layout") != "ecb":
            computed = bytes(a ^ b for a, b in zip(computed, data))
        for at, piece in pieces:
            if computed[at : at + len(piece)] != piece:
                raise AssertionError(f"{fields['cipher']}: {fields['name']}, from byte {at}")
            compared += len(piece)
    return compared
