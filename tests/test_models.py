# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The models with which test_c_peers.py compares the library give published bytes by themselves."""

import json

import models
import pytest
import selection
from runnel_lab.running.known_answers import paragraphs
from test_vectors import FILES

SHORT, LONG = 600, 270_000  # bytes from the start that are made: 2^18 and more where something happens there
MOST = 4


def published(cipher: str) -> list[tuple[dict, list[tuple[int, bytes]], bytes]]:
    """Vectors, each with pieces of what comes out and what goes in."""
    found = []
    reach = LONG if cipher == "nls" else SHORT
    for file in FILES:
        for fields in paragraphs(file.read_text()):
            if fields["cipher"] != cipher or "offset" in fields or fields.get("layout", "be64") != "be64":
                continue
            if "output" in fields:
                words = fields["input"].split()
                data = bytes(int(words[1])) if words[0] == "zeros" else bytes.fromhex(fields["input"])
                pieces = [(0, bytes.fromhex(fields["output"]))]
            else:
                given = [(int(at), bytes.fromhex(text)) for at, text in fields["keystream"]]
                pieces = [(at, piece) for at, piece in given if at + len(piece) <= reach]
                data = bytes(max((at + len(piece) for at, piece in pieces), default=0))
            if pieces and len(data) <= reach:
                found.append((fields, pieces, data))
    return sorted(found, key=lambda each: -len(each[2]))  # the longest is always taken


@pytest.mark.parametrize("cipher", models.ENCRYPT)
def test_published_bytes(cipher):
    vectors = published(cipher)
    assert vectors
    if cipher == "nls":
        assert len(vectors[0][2]) > 2**18
    for fields, pieces, data in vectors[:: -(-len(vectors) // MOST)]:
        ciphertext = models.ENCRYPT[cipher](bytes.fromhex(fields["key"]), bytes.fromhex(fields["iv"]), data)
        for at, piece in pieces:
            assert ciphertext[at : at + len(piece)] == piece, f"{cipher}: {fields['name']}, from byte {at}"


@pytest.mark.parametrize("name", ["grain128aeadv2_kat", "grain128aeadv2_lengths"])
def test_published_tags(name):
    seen = 0
    for v in json.loads((selection.AEAD_VECTORS / f"{name}.json").read_text())["vectors"]:
        if v["result"] != "invalid" and "aad_rule" not in v:
            key, nonce, aad, text, *sealed = (
                bytes.fromhex(v[field]) for field in ("key", "iv", "aad", "plaintext", "ciphertext", "tag")
            )
            assert models.SEAL["grain-128aead-v2"](key, nonce, aad, text) == tuple(sealed), v["name"]
            seen += 1
    assert seen >= 10


def test_nothing_of_the_library():
    """Not even its Python package."""
    files = sorted((selection.SRC.parent / "tests" / "models").glob("*.py"))
    assert len(files) > 5
    for file in files:
        assert "runnel" not in file.read_text(), file.name
