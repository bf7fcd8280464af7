# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Rust crates: packed by cargo, unpacked, and the tests and the README's example of what was unpacked run."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tarfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from artefacts import CACHE, HERE, Artefact, Missing, call, version
from packed import CRATES, fill

OLDEST = (1, 90)
"""The cargo that packs crates which need each other; who uses them needs Rust 1.85."""
TARGET = {"CARGO_TARGET_DIR": str(CACHE / "rust" / "target"), "CARGO_TERM_COLOR": "never"}


def check_version() -> None:
    found = tuple(map(int, re.findall(r"\d+", version("cargo"))[:2]))
    if found < OLDEST:
        wanted = ".".join(map(str, OLDEST))
        raise Missing(f"cargo {wanted} or newer (Debian 12 has 0.66): https://rustup.rs")


def cargo(folder: Path, *arguments: str) -> str:
    return call("cargo", *arguments, cwd=folder, env=TARGET, seconds=3600)


def build(folder: Path) -> str:
    check_version()
    fill(folder)
    cargo(folder, "package", "--workspace", "--locked", "--no-verify", "--allow-dirty")
    for crate in CRATES:
        shutil.move(next((CACHE / "rust" / "target" / "package").glob(f"{crate}-[0-9]*.crate")), folder)
        shutil.rmtree(folder / crate)
    return version("cargo")


def run(folder: Path) -> str:
    """As their users get them, but with the second crate's need for the first met from here."""
    for packed in folder.glob("*.crate"):
        with tarfile.open(packed) as archive:
            archive.extractall(folder, filter="data")
        (folder / packed.stem).rename(folder / re.sub(r"-[0-9].*", "", packed.name))
    workspace = (HERE / "rust" / "Cargo.toml").read_text()
    (folder / "Cargo.toml").write_text(workspace + '\n[patch.crates-io]\nrunnel-sys = { path = "runnel-sys" }\n')
    text = cargo(folder, "test", "--locked", f"-j{min(2, os.cpu_count() or 1)}")
    passed = sum(map(int, re.findall(r"test result: ok\. (\d+) passed", text)))
    assert passed > 0, "cargo ran no test"
    return f"this machine: {passed} tests, against RustCrypto's crates"


ARTEFACTS = [Artefact("rust", "crates `runnel` and `runnel-sys`, RustCrypto's traits", build, run, needs=("cargo", "cc"))]
