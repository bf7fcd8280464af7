# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The npm package: a WebAssembly module with all ciphers that are not historic, packed as npm packs it, installed as npm
installs it, and tried by node and Chromium (tests/test_javascript.py)."""

from __future__ import annotations

import re
from pathlib import Path

from artefacts import CACHE, ROOT, Artefact, call, pytest, version
from javascript import browser, wasm


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
    program = 'import { load } from "runnel"; console.log((await load()).ciphers().length > 30);'
    (folder / "program.mjs").write_text(program)
    assert call("node", folder / "program.mjs") == "true\n"
    pytest("tests/test_javascript.py", env={"RUNNEL_JAVASCRIPT": str(installed)})
    chromium = re.search(r"Chromium ([\d.]+)", call(browser.PROGRAM, "--version"))
    assert chromium, "another program than Chromium"
    return f"node {call('node', '--version').strip()[1:]}, chromium {chromium[1]}"


ARTEFACTS = [
    Artefact(
        "javascript",
        "npm package with a WebAssembly module",
        build,
        run,
        needs=(wasm.COMPILER, wasm.LINKER, "node", browser.PROGRAM),
        shipped=("*.tgz",),
        released=True,
    )
]
