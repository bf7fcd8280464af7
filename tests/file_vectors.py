# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Vectors of encrypted files in Tink's AES-GCM-HKDF and in Cobblestone, from the selections in vectors/ or the complete
collection. tools/vectors.py writes the selections; those of AES-CTR-HMAC are in tink_vectors.py."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tink_vectors import COLLECTION, ROOT

NAMES = (
    "tink_streaming_aes_gcm_hkdf",
    "wycheproof_cobblestone_128",
    "wycheproof_cobblestone_256",
    "cobblestone_lengths",
)
SELECTIONS = ROOT / "tests" / "vectors"
LONGEST_IN_SELECTION = 512
_DROPPED = ("segments", "tag", "ciphertext_first_96", "ciphertext_last_96", "chunk_tags", "plaintext_sha256")


@dataclass(frozen=True)
class FileVector:
    """One vector, in one shape for all sources."""

    name: str
    keyset: str
    """In JSON."""
    aad: bytes
    valid: bool
    flags: tuple[str, ...]
    sealed: bytes | None
    """None: only its SHA-256 is known; it is written first."""
    sealed_sha256: str
    header: bytes | None
    """To write the file once more; None: it is only to be read."""
    plaintext: bytes | None
    plaintext_sha512: str | None
    derived: dict[str, str]
    """Keys and nonces of the file in hexadecimal, by the attributes of FileKeys."""
    prefix: tuple[int, str] | None
    """(bytes, SHA-512): what a reader of a stream may release of an invalid file."""
    ranges: tuple[tuple[int, int], ...]
    """(position, bytes) to be read alone."""


def rule(count: int) -> bytes:
    """Return the plaintext of the longer vectors: byte i is i mod 251."""
    return (bytes(range(251)) * (count // 251 + 1))[:count]


def load(name: str, folder: Path | None = None) -> dict[str, Any] | None:
    """Load a file as it is, from the complete collection or a folder; None: it is not there."""
    path = (folder or COLLECTION / "aead") / f"{name}.json"
    return json.loads(path.read_text()) if path.is_file() else None


def vectors_of(data: dict[str, Any]) -> list[FileVector]:
    """Those that a keyset can express: Tink's has no offset of the first segment."""
    return [_vector(data["cipher"], v) for v in data["vectors"] if not v.get("first_segment_offset")]


def _vector(cipher: str, v: dict[str, Any]) -> FileVector:
    tink = "keyset_json" in v
    variant = v.get("variant", cipher)
    sealed = bytearray.fromhex(v.get("ciphertext", ""))
    if "ciphertext_pieces" in v:
        sealed = bytearray(v["ciphertext_len"])
        for at, text in v["ciphertext_pieces"]:
            sealed[at : at + len(text) // 2] = bytes.fromhex(text)
    known = bool(sealed) or not v.get("ciphertext_len")
    digest = v.get("ciphertext_sha256") or hashlib.sha256(sealed).hexdigest()
    if known:
        assert hashlib.sha256(sealed).hexdigest() == digest, v["name"]
    header = None
    if "salt" in v and tink and "TrailingEmptyLast" not in v.get("flags", ()):
        salt = bytes.fromhex(v["salt"] + v["nonce_prefix"])
        header = bytes([1 + len(salt)]) + salt
    elif "commitment" in v:
        header = bytes.fromhex(v["salt"] + v["commitment"])
    elif variant.startswith("Cobblestone") and v["result"] == "valid":
        header = bytes(sealed[:56])
    plaintext = bytes.fromhex(v["plaintext"]) if "plaintext" in v else None
    if v.get("plaintext_rule") and not plaintext:
        plaintext = rule(v["plaintext_len"])
    names = {"derived_aes_key": "aes_key", "derived_key": "aes_key", "base_nonce": "base_nonce"}
    return FileVector(
        name=v["name"],
        keyset=json.dumps(v["keyset_json"] if tink else _cobblestone_keyset(variant, v["key"])),
        aad=bytes.fromhex(v["aad"] if tink else v["context"]),
        valid=v["result"] == "valid",
        flags=tuple(v.get("flags", ())),
        sealed=bytes(sealed) if known else None,
        sealed_sha256=digest,
        header=header,
        plaintext=plaintext if v["result"] == "valid" else None,
        plaintext_sha512=v.get("plaintext_sha512"),
        derived={names[field]: v[field] for field in names if field in v},
        prefix=(v["valid_prefix_len"], v["valid_prefix_sha512"]) if "valid_prefix_len" in v else None,
        ranges=tuple((at, count) for at, count in v.get("ranges", ())),
    )


def _cobblestone_keyset(variant: str, key: str) -> dict[str, Any]:
    data = {
        "typeUrl": f"c2sp.org/chunked-encryption@v1+AEAD_AES_{variant.rpartition('-')[2]}_GCM",
        "value": base64.b64encode(bytes.fromhex(key)).decode(),
        "keyMaterialType": "SYMMETRIC",
    }
    return {"primaryKeyId": 1, "key": [{"keyData": data, "status": "ENABLED", "keyId": 1, "outputPrefixType": "RAW"}]}


def compact(v: dict[str, Any]) -> dict[str, Any]:
    """Return one vector of the collection as the selection keeps it: what is long and can be made again only by its
    SHA-256."""
    v = {field: value for field, value in v.items() if field not in _DROPPED}
    text = bytes.fromhex(v.get("plaintext", ""))
    reproducible = v["result"] == "valid" and "salt" in v and text == rule(len(text))
    if reproducible and len(v.get("ciphertext", "")) > 2 * LONGEST_IN_SELECTION and "flags" not in v:
        sealed = bytes.fromhex(v["ciphertext"])
        v |= {"ciphertext": "", "ciphertext_len": len(sealed), "ciphertext_sha256": hashlib.sha256(sealed).hexdigest()}
        v |= {"plaintext": "", "plaintext_len": len(text), "plaintext_rule": "i mod 251"}
    return v


def text_of(data: dict[str, Any]) -> str:
    """Return the selection's file."""
    head = "".join(f"{json.dumps(field)}: {json.dumps(data[field])},\n" for field in ("cipher", "mode", "source"))
    lines = ",\n".join(json.dumps(compact(v)) for v in data["vectors"])
    return f'{{{head}"vectors": [\n{lines}\n]}}\n'


def write_selections(folder: Path) -> None:
    """Write the selections from the collection's folder of AEADs."""
    for name in NAMES:
        data = load(name, folder)
        assert data is not None, name
        (SELECTIONS / f"{name}.json").write_text(text_of(data))
        print(f"{SELECTIONS / name}.json: {len(data['vectors'])} vectors")
