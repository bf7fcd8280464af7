# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The npm package: vectors, random messages against node's own crypto, errors, what is left in memory, in node and in
Chromium. With four families here; `make packages` names the package with all of them in RUNNEL_JAVASCRIPT."""

import json
import re
import sys

import pytest
from c_programs import ROOT
from javascript_package import native_outputs, node, node_outputs, package
from test_c_aeads import lines_of
from test_vectors import FILES

sys.path.insert(0, str(ROOT / "packaging"))
from javascript import browser, wasm


def test_what_the_packed_readme_says():
    """Its links lead to what is packed beside it, and it names the node that the manifest asks for."""
    text = (ROOT / "packaging" / "javascript" / "README.md").read_text()
    assert set(re.findall(r"\]\((?!https?:)([^)#]+)", text)) <= set(wasm.FILES)
    manifest = json.loads((ROOT / "packaging" / "javascript" / "package.json").read_text())
    assert re.findall(r"node ([\d.]+) and newer", text) == [manifest["engines"]["node"].removeprefix(">=")]


def test_vectors():
    outputs = node_outputs()
    files = [str(file) for file in FILES if set(re.findall(r"^cipher: (.*)$", file.read_text(), re.M)) & set(outputs)]
    lines = [
        line
        for file in sorted((ROOT / "tests" / "vectors" / "aead").glob("*.json"))
        for line in lines_of(json.loads(file.read_text()))
        if line.split()[0] in outputs
    ]
    counts = json.loads(node("vectors.mjs", text=json.dumps({"files": files, "aeads": lines})))
    assert len(lines) > 300 and set(counts) == set(outputs)


def test_the_same_bytes_as_on_this_machine():
    assert node_outputs() == native_outputs()


@pytest.mark.left_to("make packages", browser.PROGRAM)
def test_the_same_bytes_in_a_page():
    assert browser.ask(package())["outputs"] == node_outputs()


def test_random_messages_against_node():
    """AES in counter mode and GCM, ChaCha20-Poly1305; in pieces, after seeking, in place, through carries."""
    assert json.loads(node("against-node.mjs"))["messages"] == 450


def test_errors_and_what_is_left_in_memory():
    assert node("behaviour.mjs").splitlines()[-1] == "all as it should be"


def test_arguments_in_every_kind_of_object_that_holds_bytes():
    """Buffers, subclasses that override everything, shared, resizable and transferred memory, other views, other realms."""
    assert node("arguments.mjs") in ("21 kinds\n", "25 kinds\n")  # node 18 has no resizable memory


def test_kernels_for_vectors_are_chosen():
    chosen = dict(line.split() for line in node("kernels.mjs").splitlines())
    for name in ("aes-128-ctr", "aes-256-gcm", "chacha20", "salsa20"):
        assert chosen[name] == "wasm-simd128"


def test_the_module_asks_for_nothing():
    """No imports: it can reach nothing but its own memory."""
    assert node("kernels.mjs", "imports") == "0\n"


def test_types_say_what_the_objects_have():
    """Every public member of the objects, and every error, by the name that a program writes."""
    types = (package() / "index.d.ts").read_text()
    members, errors = json.loads(node("members.mjs"))
    assert {"seal", "open", "xor", "seek", "ciphers", "load"} <= set(members)
    assert [name for name in members if not re.search(rf"\b{name}\b", types)] == []
    assert set(errors) == set(re.findall(r'\| "(\w+Error)"', types))
