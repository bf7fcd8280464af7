# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The npm package that is tried: with four families, or the one with all of them that `make packages` names in
RUNNEL_JAVASCRIPT."""

import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import runnel
from c_programs import ROOT

sys.path.insert(0, str(ROOT / "packaging"))
from javascript import toolchains, wasm

TRY = ROOT / "packaging" / "javascript" / "try"
ALL = "RUNNEL_JAVASCRIPT" in os.environ
FAMILIES = ("aes_ctr", "chacha20_poly1305", "salsa20", "py")  # Py is broken, which has to be stated and asked for


def needs(*programs: str) -> None:
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed (tools/install-packages test)")


@functools.cache
def _work() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="runnel-javascript-")


@functools.cache
def package() -> Path:
    """Return the package's folder."""
    if given := os.environ.get("RUNNEL_JAVASCRIPT"):
        return Path(given)
    needs(wasm.LINKER)
    folder = Path(_work().name)
    wasm.make_package(folder / "package", folder / "work", FAMILIES)
    return folder / "package"


def node(program: str, *arguments: str, text: str = "") -> str:
    """Run a program of try/ on the package, and return what it printed."""
    done = subprocess.run(
        [toolchains.node(), "--expose-gc", TRY / program, package(), *arguments],
        input=text,
        text=True,
        capture_output=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@functools.cache
def node_outputs() -> dict[str, str]:
    return json.loads(node("sample-node.mjs"))


def pattern(count: int, a: int, b: int) -> bytes:
    return bytes((a * i + b) % 256 for i in range(count))


@functools.cache
def native_outputs() -> dict[str, str]:
    """Return the bytes that try/sample.mjs makes, by the library as it is built for this machine."""
    found = {}
    for name in node_outputs():
        if name in runnel.ciphers():
            facts = runnel.cipher(name)
            key_bytes = facts.key_bytes[-1]
            iv = pattern(key_bytes if facts.iv_as_key else facts.iv_bytes[-1], 5, 3)
            stream = runnel.new(name, pattern(key_bytes, 7, 1), iv, allow_broken=True)
            verb = stream.encrypt if facts.directional else stream.xor
            found[name] = (verb(pattern(1000, 11, 0)) + verb(pattern(77, 13, 0))).hex()
        else:
            facts = runnel.aeads()[name]
            aead = runnel.aead(name, pattern(facts.key_bytes, 7, 1))
            found[name] = aead.seal(pattern(facts.nonce_bytes, 5, 3), pattern(300, 11, 0), pattern(20, 3, 9)).hex()
    return found
