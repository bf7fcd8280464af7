# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Vectors of Tink's streaming format, from the selection in vectors/tink_streaming.json or the complete collection.

Run as a program it writes the selection from the collection: python tests/tink_vectors.py COLLECTION.

The selection is a list of objects: name; result (valid or invalid); source; value (the key, as a keyset's base64);
aad (hexadecimal); salt and prefix (hexadecimal; without them the file is only to be read); plaintext (hexadecimal,
or the number of bytes made by rule()); sealed (the file in hexadecimal) or sealed_sha256 where it is longer.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SELECTION = ROOT / "tests" / "vectors" / "tink_streaming.json"
COLLECTION = Path(os.environ.get("RUNNEL_VECTORS", ROOT.parent / "shared" / "vectors"))
NAME = "aead/tink_streaming_aes_ctr_hmac.json"
LONGEST_IN_SELECTION = 512


def rule(count: int) -> bytes:
    """Return the plaintext of the longer vectors: byte i is (i * 131 mod 256) XOR (i >> 8 mod 256)."""
    return bytes((i * 131 ^ i >> 8) & 255 for i in range(count))


def keyset_json(
    value: str, type_url: str = "type.googleapis.com/google.crypto.tink.AesCtrHmacStreamingKey"
) -> dict[str, Any]:
    data = {"typeUrl": type_url, "value": value, "keyMaterialType": "SYMMETRIC"}
    return {"primaryKeyId": 7, "key": [{"keyData": data, "status": "ENABLED", "keyId": 7, "outputPrefixType": "RAW"}]}


def keysets_with_a_member_twice(text: str) -> Iterator[tuple[str, bool, str]]:
    """(name, whether by the same name, text): the keyset, with each member of each of its objects repeated, by the same
    name or by the other one that protocol buffers give it, with the same value and with another one."""
    tree = json.loads(text)
    for holder in (tree, tree["key"][0], tree["key"][0]["keyData"]):
        for name in list(holder):
            snake = re.sub("[A-Z]", lambda capital: "_" + capital[0].lower(), name)
            for again in sorted({name, snake}):
                for value in (holder[name], 0):
                    twice = json.dumps(tree).replace(json.dumps(holder), json.dumps({**holder, "again": value}))
                    yield name, again == name, twice.replace('"again"', json.dumps(again))


def base64_spellings(value: str) -> Iterator[tuple[str, str]]:
    """Base64 as other programs write it: (name, text)."""
    bare = value.rstrip("=")
    yield "no padding", bare
    yield "URL-safe", value.translate({ord("+"): "-", ord("/"): "_"})
    yield "URL-safe, no padding", bare.translate({ord("+"): "-", ord("/"): "_"})
    for end in ("\n", "\r\n"):
        yield f"lines that end with {end!r}", "".join(value[at : at + 19] + end for at in range(0, len(value), 19))
    yield "white space", f" {value[:5]}\t{value[5:]}"


def compact(vector: dict[str, Any]) -> dict[str, Any]:
    """Return one vector of the collection as one of the selection."""
    [key] = vector["keyset_json"]["key"]
    out = {
        "name": vector["name"],
        "result": vector["result"],
        "source": vector["comment"],
        "value": key["keyData"]["value"],
        "aad": vector["aad"],
    }
    if "salt" in vector:
        out |= {"salt": vector["salt"], "prefix": vector["nonce_prefix"]}
    sealed = bytes.fromhex(vector["ciphertext"])
    if vector["result"] == "valid":
        count = vector.get("plaintext_len", len(vector["plaintext"]) // 2)
        by_rule = "plaintext_len" in vector or bytes.fromhex(vector["plaintext"]) == rule(count)
        out["plaintext"] = count if by_rule else vector["plaintext"]
    if "ciphertext_sha256" in vector:
        out["sealed_sha256"] = vector["ciphertext_sha256"]
    elif len(sealed) > LONGEST_IN_SELECTION and vector["name"] != "trailing-empty-last-segment":
        out["sealed_sha256"] = hashlib.sha256(sealed).hexdigest()
    else:
        out["sealed"] = vector["ciphertext"]
    return out


def selection() -> list[dict[str, Any]]:
    return json.loads(SELECTION.read_text())["vectors"]


def collection() -> list[dict[str, Any]] | None:
    """Return the complete collection, not compacted; None: not at hand."""
    path = COLLECTION / NAME
    return json.loads(path.read_text())["vectors"] if path.is_file() else None


def text_of(vectors: list[dict[str, Any]], source: str) -> str:
    lines = ",\n".join(json.dumps(compact(vector)) for vector in vectors)
    return f'{{"source": {json.dumps(source)},\n"vectors": [\n{lines}\n]}}\n'


if __name__ == "__main__":
    whole = json.loads((Path(sys.argv[1]) / NAME).read_text())
    SELECTION.write_text(text_of(whole["vectors"], whole["source"]))
