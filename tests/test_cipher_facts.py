# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compare the descriptors of the ciphers with facts.txt in their folders, which is written by hand from the
specifications (its columns: vectors/README.md). All other tests take lengths and limits from the descriptors and agree
with whatever these say."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
import runnel as package
from c_programs import ROOT, check

LAYOUTS = {
    "16": ("be128", "be64", "be32", "be16", "le128", "le64", "le32"),
    "8": ("be64", "be32", "be16", "le64", "le32"),
}
COUNTER_BITS = {"be128": 128, "be64": 64, "be32": 32, "be16": 16, "le128": 128, "le64": 64, "le32": 32, "be32-left": 32}
NO_END = (1 << 64) - 1


@dataclass(frozen=True)
class Facts:
    key_bytes: tuple[int, ...]
    iv_bytes: tuple[int, ...]
    iv_as_key: bool
    block_bytes: int
    limit: int | None
    """Bytes; None: 2^64 blocks or more, or what the layout gives."""
    seekable: bool
    layout: str | None
    layouts: frozenset[str]
    directional: bool
    status: str


def one_of(word: str, no: str, yes: str) -> bool:
    assert word in (no, yes), word
    return word == yes


def lengths_of(text: str) -> tuple[int, ...]:
    first, _, rest = text.partition("..")
    if not rest:
        return tuple(map(int, text.split(",")))
    last, _, step = rest.partition("/")
    return tuple(range(int(first), int(last) + 1, int(step or 1)))


def limit_of(text: str, counts: bool) -> int | None:
    if text in ("none", "layout"):
        assert counts == (text == "layout")
        return None
    power, _, less = text.removeprefix("2^").partition("-")
    return (1 << int(power)) - int(less or 0)


def from_the_list() -> dict[str, Facts]:
    found = {}
    files = sorted(ROOT.glob("src/*/*/facts.txt"))
    for line in (line for file in files for line in file.read_text().splitlines() if not line.startswith("#")):
        name, key, iv, pair, block, limit, seeks, layouts, verbs, status, source = line.split(None, 10)
        assert len(source) > 10, f"{name} without a source"
        assert name not in found
        names = () if layouts == "-" else sum((LAYOUTS.get(word, (word,)) for word in layouts.split(",")), ())
        found[name] = Facts(
            lengths_of(key),
            lengths_of(iv),
            one_of(pair, "-", "iv=key"),
            int(block),
            limit_of(limit, bool(names)),
            one_of(seeks, "no", "yes"),
            names[0] if names else None,
            frozenset(names),
            one_of(verbs, "xor", "both"),
            status,
        )
    return found


def from_the_registry() -> dict[str, Facts]:
    found = {}
    for line in check("runnel-properties", "facts").splitlines():
        name, key, iv, pair, block, blocks, seeks, layouts, directional, status = line.split()
        names = () if layouts == "-" else tuple(layouts.split(","))
        lengths = [
            tuple(range(first, last + 1, step))
            for first, last, step in (map(int, text.split(":")) for text in (key, iv))
        ]
        found[name] = Facts(
            *lengths,
            pair != "0",
            int(block),
            int(blocks) * int(block) or None,
            seeks != "0",
            names[0] if names else None,
            frozenset(names),
            directional != "0",
            status,
        )
    return found


LIST = from_the_list()


def test_the_list_has_every_cipher_and_no_other():
    assert list(LIST) and sorted(LIST) == sorted(from_the_registry()) == sorted(package.ciphers())


@pytest.mark.parametrize("name", list(LIST))
def test_the_descriptor(name):
    assert from_the_registry()[name] == LIST[name]


@pytest.mark.parametrize("name", list(LIST))
def test_what_python_says_and_does(name):
    """Also by trying: each listed length is taken and its neighbours are not; the limit is how much is left at first."""
    wanted, cipher = LIST[name], package.ciphers()[name]
    assert (cipher.key_bytes, cipher.iv_bytes) == (wanted.key_bytes, wanted.iv_bytes)
    assert (cipher.iv_as_key, cipher.seekable) == (wanted.iv_as_key, wanted.seekable)
    assert (cipher.layout, frozenset(cipher.layouts)) == (wanted.layout, wanted.layouts)
    assert (cipher.directional, cipher.status) == (wanted.directional, wanted.status)
    key, iv = bytes(wanted.key_bytes[-1]), bytes(wanted.iv_bytes[-1])
    for n in range(300):
        taken = True
        try:
            package.new(name, bytes(n), bytes(n) if wanted.iv_as_key else iv, allow_broken=True)
        except package.KeyLengthError:
            taken = False
        assert taken == (n in wanted.key_bytes), f"key of {n} bytes"
        try:
            package.new(name, key, bytes(n), allow_broken=True)
            taken = True
        except package.IVLengthError:
            taken = False
        ivs = wanted.key_bytes[-1:] if wanted.iv_as_key else wanted.iv_bytes
        assert taken == (n in ivs), f"IV of {n} bytes"
    for layout in wanted.layouts or (None,):
        limit = wanted.limit if layout is None else wanted.block_bytes << COUNTER_BITS[layout]
        stream = package.new(name, key, iv, layout=layout, allow_broken=True)
        assert stream.left() == min(NO_END, NO_END if limit is None else limit), layout
