# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The npm package: vectors, random messages against node's own crypto, errors, what is left in memory, in node and in
Chromium. With four families here; `make packages` names the package with all of them in RUNNEL_JAVASCRIPT."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import runnel
from c_programs import ROOT
from test_c_aeads import lines_of
from test_vectors import FILES

sys.path.insert(0, str(ROOT / "packaging"))
from javascript import browser, wasm

TRY = ROOT / "packaging" / "javascript" / "try"
FAMILIES = ("aes_ctr", "chacha20_poly1305", "salsa20", "py")  # Py is broken, which has to be said and asked for


def needs(*programs: str) -> None:
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed (tools/install-packages packages)")


@pytest.fixture(scope="module")
def package(tmp_path_factory) -> Path:
    needs("node")
    if given := os.environ.get("RUNNEL_JAVASCRIPT"):
        return Path(given)
    needs(wasm.LINKER)
    folder = tmp_path_factory.mktemp("javascript")
    wasm.make_package(folder / "package", folder / "work", FAMILIES)
    return folder / "package"


def node(program: str, package: Path, *arguments: str, text: str = "") -> str:
    done = subprocess.run(
        ["node", "--expose-gc", TRY / program, package, *arguments],
        input=text,
        text=True,
        capture_output=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def made(package) -> dict[str, str]:
    return json.loads(node("sample-node.mjs", package))


def test_what_the_packed_readme_says():
    """Its links lead to what is packed beside it, and it names the node that the manifest asks for."""
    text = (ROOT / "packaging" / "javascript" / "README.md").read_text()
    assert set(re.findall(r"\]\((?!https?:)([^)#]+)", text)) <= set(wasm.FILES)
    manifest = json.loads((ROOT / "packaging" / "javascript" / "package.json").read_text())
    assert re.findall(r"node ([\d.]+) and newer", text) == [manifest["engines"]["node"].removeprefix(">=")]


def pattern(count: int, a: int, b: int) -> bytes:
    return bytes((a * i + b) % 256 for i in range(count))


def sample_here(names: list[str]) -> dict[str, str]:
    """What try/sample.mjs makes, by the library as it is built for this machine."""
    found = {}
    for name in names:
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


def test_vectors(package, made):
    files = [str(file) for file in FILES if set(re.findall(r"^cipher: (.*)$", file.read_text(), re.M)) & set(made)]
    lines = [
        line
        for file in sorted((ROOT / "tests" / "vectors" / "aead").glob("*.json"))
        for line in lines_of(json.loads(file.read_text()))
        if line.split()[0] in made
    ]
    counts = json.loads(node("vectors.mjs", package, text=json.dumps({"files": files, "aeads": lines})))
    assert len(lines) > 300 and set(counts) == set(made)


def test_the_same_bytes_as_on_this_machine(made):
    assert made == sample_here(list(made))


def test_the_same_bytes_in_a_page(package, made):
    needs(browser.PROGRAM)
    assert browser.ask(package)["made"] == made


def test_random_messages_against_node(package):
    """AES in counter mode and GCM, ChaCha20-Poly1305; in pieces, after seeking, in place, through carries."""
    assert json.loads(node("against-node.mjs", package))["messages"] == 450


def test_errors_and_what_is_left_in_memory(package):
    assert node("behaviour.mjs", package).splitlines()[-1] == "all as it should be"


def test_arguments_in_every_kind_of_object_that_holds_bytes(package):
    """Buffers, subclasses that override everything, shared, resizable and transferred memory, other views, other realms."""
    assert node("arguments.mjs", package) in ("21 kinds\n", "25 kinds\n")  # node 18 has no resizable memory


def test_kernels_for_vectors_are_chosen(package):
    chosen = dict(line.split() for line in node("kernels.mjs", package).splitlines())
    for name in ("aes-128-ctr", "aes-256-gcm", "chacha20", "salsa20"):
        assert chosen[name] == "wasm-simd128"


def test_the_module_asks_for_nothing(package):
    """No imports: it can reach nothing but its own memory."""
    assert node("kernels.mjs", package, "imports") == "0\n"


def test_types_say_what_the_objects_have():
    script = (ROOT / "packaging" / "javascript" / "index.js").read_text()
    types = (ROOT / "packaging" / "javascript" / "index.d.ts").read_text()
    members = set(re.findall(r"^  (?:get )?(\w+)\(", script, re.MULTILINE)) - {"constructor", "free"}
    assert {"seal", "open", "xor", "seek", "ciphers"} <= members
    assert all(re.search(rf"\b{name}\b", types) for name in members if not name.startswith("_"))
    errors = set(re.findall(r'"(\w+Error)"', (ROOT / "packaging" / "javascript" / "errors.js").read_text()))
    assert errors == set(re.findall(r'\| "(\w+Error)"', types))
