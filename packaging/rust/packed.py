# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The two crates with all that comes when they are packed: the single file, vectors for the tests, licences."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from artefacts import HERE, ROOT
from trial import amalgamate

CRATES = ("runnel-sys", "runnel")
TAKEN = ("Cargo.toml", "Cargo.lock", "README.md", "build.rs")
HEAD = """\
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Written when the crate is packed, of vectors in Runnel's repository; tests/vectors/README.md there has sources and terms.
"""
STREAM_MOST = 4096
"""Bytes of the longest keystream that goes into the crate."""


def fill(folder: Path, amalgamated: bool = True) -> None:
    """Makes a folder the workspace of the crates. Without the single file they want an installed library."""
    for name in TAKEN[:2]:
        shutil.copy(HERE / "rust" / name, folder)
    for crate in CRATES:
        target = folder / crate
        target.mkdir(parents=True, exist_ok=True)
        for name in TAKEN:
            if (source := HERE / "rust" / crate / name).exists():
                shutil.copy(source, target)
        for name in ("src", "tests", "examples"):
            if (source := HERE / "rust" / crate / name).exists():
                shutil.copytree(source, target / name, dirs_exist_ok=True)
        shutil.copy(ROOT / "LICENSE", target)
        shutil.copytree(ROOT / "LICENSES", target / "LICENSES", dirs_exist_ok=True)
    if amalgamated:
        amalgamate(folder / "runnel-sys" / "c", ("all",))
    vectors = folder / "runnel" / "tests" / "vectors"
    vectors.mkdir(exist_ok=True)
    (vectors / "streams.txt").write_text(HEAD + "".join(stream_lines()))
    (vectors / "aeads.txt").write_text(HEAD + "".join(aead_lines()))


def stream_lines() -> Iterator[str]:
    """cipher, counter layout, key, IV, input, output: of vectors that begin at position 0."""
    for path in sorted((ROOT / "src" / "ciphers").glob("*/vectors.txt")):
        cipher = ""
        for paragraph in re.split(r"\n\s*\n", path.read_text()):
            fields = [line.split(":", 1) for line in paragraph.splitlines() if ":" in line and not line.startswith("#")]
            values = {name: value.strip() for name, value in fields}
            cipher = values.get("cipher", cipher)
            layout = values.get("layout", "-")
            if cipher.endswith("-cfb") or layout == "ecb" or values.get("offset", "0") != "0" or "key" not in values:
                continue
            if layout == "-" and cipher.endswith("-ctr"):
                layout = "be64" if cipher == "hight-ctr" else "be128"
            begin = [value.split()[1] for name, value in fields if name == "keystream" and value.split()[0] == "0"]
            if begin:
                text, out = "00" * (len(begin[0]) // 2), begin[0]
            elif "input" in values:
                text, out = values["input"], values["output"]
                if text.startswith("zeros "):
                    text = "00" * int(text.split()[1])
            else:
                continue
            if len(out) <= 2 * STREAM_MOST:
                yield f"{cipher} {layout} {values['key']} {values.get('iv') or '-'} {text or '-'} {out or '-'}\n"


def aead_lines() -> Iterator[str]:
    """AEAD, bytes of nonce and tag, valid or invalid, key, nonce, associated data, message, and ciphertext with its tag where
    the AEAD puts it."""
    for path in sorted((ROOT / "tests" / "vectors" / "aead").glob("*.json")):
        if path.stem == "ascon_aead128_options":  # of nonce masking, which has a key of another length
            continue
        data = json.loads(path.read_text())
        for vector in data["vectors"]:
            if "aad_rule" in vector:
                continue
            name = aead_name(data["cipher"], data["mode"], len(vector["key"]) // 2)
            sealed = vector["ciphertext"] + vector["tag"]
            if data["mode"] == "SIV":
                sealed = vector["tag"] + vector["ciphertext"]
            texts = (vector["key"], vector["iv"], vector["aad"], vector["plaintext"], sealed)
            sizes = f"{len(vector['iv']) // 2} {len(vector['tag']) // 2}"
            result = "invalid" if vector["result"] == "invalid" else "valid"
            yield f"{name} {sizes} {result} {' '.join(text or '-' for text in texts)}\n"


def aead_name(cipher: str, mode: str, key_bytes: int) -> str:
    """aes-128-gcm of AES, GCM, 16."""
    if mode == "AEAD":
        return cipher.lower()
    bits = key_bytes * (4 if mode == "SIV" else 8)
    family = cipher.lower().removesuffix("-128")
    return f"{family}-{mode.lower()}" if family == "seed" else f"{family}-{bits}-{mode.lower()}"
