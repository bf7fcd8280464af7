#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""OpenSSL's own table code, built to be measured beside ours: aes_core.c in C, and what aes-x86_64.pl prints. Both are in
the source that a crate carries, which bench/newest_releases/Cargo.lock pins with its hash; nothing of it is kept.

    openssl_tables.py FOLDER

builds the objects there, or says in one line why not."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

HOST = Path(__file__).resolve().parent
CRATES = HOST.parents[2] / "bench" / "newest_releases" / "Cargo.toml"
NAMES = ("set_encrypt_key", "set_decrypt_key", "encrypt", "decrypt")
# The parts of OpenSSL's headers that aes_core.c needs, of which some exist only in a configured tree.
HEADERS = {
    "internal/deprecated.h": "",
    "openssl/crypto.h": "",
    "openssl/e_os2.h": "#include <stdint.h>\n",
    "openssl/aes.h": "typedef struct aes_key_st { unsigned rd_key[60]; int rounds; } AES_KEY;\n"
    + "".join(f"int AES_set_{way}crypt_key(const unsigned char *, const int, AES_KEY *);\n" for way in ("en", "de"))
    + "".join(
        f"void AES_{way}crypt(const unsigned char *, unsigned char *, const AES_KEY *);\n" for way in ("en", "de")
    ),
}


class NotBuiltError(Exception):
    """Says why in one line."""


def call(*command: str | Path) -> str:
    try:
        # The script asks its assembler's name of CC.
        done = subprocess.run(command, text=True, capture_output=True, env=os.environ | {"CC": "cc"})
    except OSError as error:
        raise NotBuiltError(f"{command[0]}: {error.strerror}") from error
    if done.returncode != 0:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        raise NotBuiltError(f"{Path(command[0]).name}: {lines[-1] if lines else f'status {done.returncode}'}")
    return done.stdout


def source() -> Path:
    """Returns the folder of OpenSSL's source in the crate, which cargo fetches and checks if it is not there."""
    call("cargo", "fetch", "--quiet", "--locked", "--manifest-path", CRATES)
    metadata = call("cargo", "metadata", "--format-version=1", "--locked", "--offline", "--manifest-path", CRATES)
    crates = [
        Path(each["manifest_path"]).parent for each in json.loads(metadata)["packages"] if each["name"] == "openssl-src"
    ]
    if len(crates) != 1:
        raise NotBuiltError(f"{CRATES}: {len(crates)} crates openssl-src")
    return crates[0] / "openssl"


def build(folder: Path, *compiler: str) -> list[Path]:
    """Returns the objects. Raises NotBuiltError."""
    if platform.machine() != "x86_64":
        raise NotBuiltError("it is there for x86-64")
    aes = source() / "crypto" / "aes"
    for name, text in HEADERS.items():
        header = folder / "openssl_headers" / name
        header.parent.mkdir(parents=True, exist_ok=True)
        header.write_text(text)
    renamed = [f"-DAES_{name}=lab_openssl_c_{name}" for name in NAMES]
    in_c, assembled = folder / "openssl_c.o", folder / "openssl_tables.o"
    call(*compiler, "-w", *renamed, f"-I{folder / 'openssl_headers'}", "-c", aes / "aes_core.c", "-o", in_c)
    call("perl", aes / "asm" / "aes-x86_64.pl", "elf", folder / "aes-x86_64.s")
    call("cc", f"-I{folder}", "-c", HOST / "openssl_tables.S", "-o", assembled)
    return [in_c, assembled]


def main() -> None:
    try:
        for built in build(Path(sys.argv[1]), "cc", "-O2"):
            print(built)
    except NotBuiltError as why:
        sys.exit(f"OpenSSL's table code is left out: {why}")


if __name__ == "__main__":
    main()
