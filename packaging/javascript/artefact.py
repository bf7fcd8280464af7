# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The npm package: a WebAssembly module with all ciphers that are not historic, packed as npm packs it, installed as npm
installs it, and tried by node and Chromium (tests/test_javascript.py), bundled and compiled as its users do
(tests/test_javascript_toolchains.py)."""

from __future__ import annotations

import re
from pathlib import Path

from artefacts import CACHE, ROOT, Artefact, call, pytest, version
from javascript import browser, toolchains, wasm


def build(folder: Path) -> str:
    wasm.make_package(folder / "package", CACHE / "javascript", ("all",))
    number = (ROOT / "VERSION").read_text().strip()
    wasm.pack(folder / "package", folder / f"runnel-{number}.tgz")
    return f"{version(wasm.COMPILER)}, {version(wasm.LINKER)}"


def run(folder: Path) -> str:
    modules = folder / "node_modules"
    modules.mkdir()
    call("tar", "-xf", next(folder.glob("*.tgz")), "-C", modules)
    installed = (modules / "package").rename(modules / "runnel")
    for name in ("runnel", "runnel/inline"):
        program = f'import {{ load }} from "{name}"; console.log((await load()).ciphers().length > 30);'
        (folder / "program.mjs").write_text(program)
        assert call("node", folder / "program.mjs") == "true\n"
    tests = ("tests/test_javascript.py", "tests/test_javascript_toolchains.py")
    pytest(*tests, env={"RUNNEL_JAVASCRIPT": str(installed)})
    chromium = re.search(r"Chromium ([\d.]+)", call(browser.PROGRAM, "--version"))
    assert chromium, "another program than Chromium"
    found = [f"node {call('node', '--version').strip()[1:]}", f"chromium {chromium[1]}"]
    return ", ".join(found + toolchains.versions())


ARTEFACTS = [
    Artefact(
        "javascript",
        "npm package with a WebAssembly module",
        build,
        run,
        needs=(wasm.COMPILER, wasm.LINKER, "node", browser.PROGRAM),
        shipped=("*.tgz",),
        released=True,
        tried_by="test_javascript.py::test_vectors",
    )
]
