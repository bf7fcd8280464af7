# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every vector of every cipher through the command line: xor and keystream, with --offset, --layout and --decrypt,
the key as an argument and in a file. A vector of raw blocks is the keystream's first block under the IV that is its input."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from pathlib import Path

import pytest
import runnel as package
import selection
from cli_program import output_of, runnel
from runnel_lab.running.known_answers import paragraphs
from test_vectors import FILES, by_name, collection, complete_collection, of_the_collection

CIPHERS = package.ciphers()


class Vector:
    """A vector's fields, and the command lines that must give its bytes."""

    def __init__(self, fields: dict, folder: Path):
        self.fields = fields
        self.key = bytes.fromhex(fields["key"])
        self.raw_blocks = fields.get("layout") == "ecb"
        name = fields["cipher"]
        self.cipher = CIPHERS[f"{name}-ctr" if self.raw_blocks and name not in CIPHERS else name]
        self.key_file = folder / "key"

    def __str__(self) -> str:
        return f"{self.cipher.name}: {self.fields['name']}"

    def options(self, iv: str, key: str | None = None) -> list[str]:
        given = ["--cipher", self.cipher.name, "--key", self.key.hex() if key is None else key, "--iv", iv]
        if "layout" in self.fields and not self.raw_blocks:
            given += ["--layout", self.fields["layout"]]
        broken = self.cipher.status == "broken" or len(self.key) < 16
        return [*given, "--allow-broken"] if broken else given

    def options_with_file(self) -> list[str]:
        self.key_file.write_text(self.key.hex() + "\n")
        return self.options(self.fields["iv"], f"@{self.key_file}")

    def keystream(self, start: int, count: int) -> bytes:
        """Return the keystream; where encryption and decryption differ, encrypted zeros."""
        at = ["--offset", str(start)] if start else []
        if self.cipher.directional:
            return output_of("xor", *self.options(self.fields["iv"]), *at, stdin=bytes(count))
        return output_of("keystream", *self.options(self.fields["iv"]), *at, "--bytes", count)

    def check(self) -> None:
        checks = (
            [self.check_blocks]
            if self.raw_blocks
            else [
                check
                for field, check in (
                    ("output", self.check_text),
                    ("keystream", self.check_keystream),
                    ("digest", self.check_digest),
                )
                if field in self.fields
            ]
        )
        assert checks, f"{self}: nothing to check"
        for check in checks:
            check()

    def check_blocks(self) -> None:
        """Check that the first counter block is the IV, whatever the layout."""
        text, expected = (bytes.fromhex(self.fields[field]) for field in ("input", "output"))
        size = self.cipher.iv_bytes[0]
        assert len(text) == len(expected) and len(text) % size == 0 and text
        for at in range(0, len(text), size):
            block = output_of("keystream", *self.options(text[at : at + size].hex()), "--bytes", size)
            assert block == expected[at : at + size], f"{self}, byte {at}"

    def check_text(self) -> None:
        given, output = self.fields["input"], bytes.fromhex(self.fields["output"])
        text = bytes(int(given.split()[1])) if given.startswith("zeros ") else bytes.fromhex(given)
        assert len(text) == len(output)
        start = int(self.fields.get("offset", 0))
        at = ["--offset", str(start)] if start else []
        assert output_of("xor", *self.options(self.fields["iv"]), *at, stdin=text) == output, str(self)
        assert output_of("xor", "--decrypt", *self.options_with_file(), *at, stdin=output) == text, str(self)
        if not self.cipher.directional:
            assert self.keystream(start, len(text)) == bytes(a ^ b for a, b in zip(text, output)), str(self)

    def check_keystream(self) -> None:
        parts = [(int(at), bytes.fromhex(part)) for at, part in self.fields["keystream"]]
        stream = self.keystream(0, max(at + len(part) for at, part in parts))
        for at, part in parts:
            assert stream[at : at + len(part)] == part, f"{self}, byte {at}"
            if self.cipher.seekable:
                assert self.keystream(at, len(part)) == part, f"{self}, --offset {at}"
        assert output_of("xor", "--decrypt", *self.options_with_file(), stdin=stream) == bytes(len(stream)), str(self)

    def check_digest(self) -> None:
        count, expected = self.fields["digest"].split()
        stream = self.keystream(0, int(count))
        blocks = (int.from_bytes(stream[at : at + 64], "little") for at in range(0, len(stream), 64))
        assert reduce(int.__xor__, blocks).to_bytes(64, "little").hex() == expected.lower(), str(self)


def vectors_of(file: Path, folder: Path) -> list[Vector]:
    return [Vector(fields, folder) for fields in paragraphs(file.read_text())]


@pytest.mark.parametrize("file", FILES, ids=by_name)
def test_every_vector(file, tmp_path):
    vectors = vectors_of(file, tmp_path)
    assert len(vectors) == file.read_text().count("\nname:")
    for vector in vectors:
        vector.check()


def test_every_cipher_and_length_of_key_has_a_vector(tmp_path):
    """Test every length; of a cipher that takes more than eight, some are enough."""
    seen = Counter(
        (v.cipher.name, len(v.key)) for file in FILES for v in vectors_of(file, tmp_path) if not v.raw_blocks
    )
    for name, cipher in CIPHERS.items():
        missing = [n for n in cipher.key_bytes if not seen[name, n]]
        assert not missing or len(missing) < len(cipher.key_bytes) > 8, (name, missing)


@of_the_collection
@pytest.mark.slow
@pytest.mark.campaign  # test_vectors.py has it in every run
def test_complete_collection(tmp_path):
    base = complete_collection()
    assert collection.main(["convert", str(tmp_path / "all"), str(base)]) == 0
    vectors = [v for file in sorted((tmp_path / "all").glob("*.txt")) for v in vectors_of(file, tmp_path)]
    assert len(vectors) > 3000
    for vector in vectors:
        vector.check()


@pytest.mark.parametrize("name", selection.one_in(3, CIPHERS))
def test_in_a_process_of_its_own(name, tmp_path):
    """The first vector of the shortest key."""
    found = [v for file in FILES for v in vectors_of(file, tmp_path) if v.cipher.name == name and not v.raw_blocks]
    vector = min(found, key=lambda v: len(v.key))
    count = 100
    command = ("xor", *vector.options(vector.fields["iv"]))
    out = runnel(*command, input=bytes(count)).stdout
    assert out == package.new(
        name, vector.key, bytes.fromhex(vector.fields["iv"]), allow_broken=True, layout=vector.fields.get("layout")
    ).encrypt(bytes(count))
    assert runnel("xor", "--decrypt", *vector.options_with_file(), input=out).stdout == bytes(count)
