# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The npm package as its users' compilers and bundlers see it, without a configuration of theirs: TypeScript from 5.0
on, with and without the types of the DOM and of node; esbuild. `make packages` adds vite, webpack and rollup."""

import json
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import selection
from c_programs import ROOT
from javascript_package import ALL, TRY, native_outputs, package

sys.path.insert(0, str(ROOT / "packaging"))
from artefacts import Failed, Missing
from javascript import browser, toolchains

PINNED = json.loads((toolchains.PINS / "package-lock.json").read_text())["packages"]
COMPILERS = ("5.0", "5.6", "5.9", "7.0")
# Settings of a program besides the package: of modules, the types that it has, and where these are of npm's.
PROGRAMS = {
    "bare": [("node16", "node16", ["ES2020"], []), ("nodenext", "nodenext", ["ES2020", "DOM"], [])],
    "page": [("es2022", "bundler", ["ES2022", "DOM"], []), ("nodenext", "nodenext", ["ES2022", "DOM"], [])],
    "node": [("nodenext", "nodenext", ["ES2022"], ["node"]), ("es2022", "bundler", ["ES2022"], ["node"])],
}


@pytest.fixture(scope="module")
def modules() -> Path:
    try:
        return toolchains.installed(bundlers=ALL)
    except Missing as why:
        pytest.skip(str(why))


@pytest.fixture
def project(tmp_path, modules) -> Path:
    """Install the package into a folder with the programs, and node's types."""
    shutil.copytree(package(), tmp_path / "node_modules" / "runnel")
    for name in ("@types", "undici-types"):
        (tmp_path / "node_modules" / name).symlink_to(modules / name)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for program in (*toolchains.PINS.glob("*/*.[mt]*s"), TRY / "bytes.mjs", TRY / "sample.mjs"):
        shutil.copy(program, tmp_path)
    return tmp_path


def compile_with(
    modules: Path, version: str, project: Path, program: str, settings: tuple[str, str, list[str], list[str]]
):
    """Raises Failed with what the compiler says, of the package's own files too."""
    module, resolution, lib, types = settings
    strict = dict.fromkeys(("strict", "exactOptionalPropertyTypes", "noUncheckedIndexedAccess"), True)
    options = {
        "noEmit": True,
        "skipLibCheck": False,
        "target": "ES2022",
        "module": module,
        "moduleResolution": resolution,
    }
    config = {"compilerOptions": options | strict | {"lib": lib, "types": types}, "files": [f"{program}.ts"]}
    (project / "tsconfig.json").write_text(json.dumps(config))
    toolchains.run(modules / f"typescript-{version}" / "bin" / "tsc", "-p", project, cwd=project)


# Node's own types do not compile with TypeScript 5.0.
@pytest.mark.parametrize(
    ("version", "program"),
    selection.one_in(2, [pytest.param(v, p) for p in PROGRAMS for v in COMPILERS if (v, p) != ("5.0", "node")]),
)
def test_types(project, modules, version, program):
    for settings in PROGRAMS[program] if ALL else PROGRAMS[program][:1]:
        compile_with(modules, version, project, program, settings)


def test_a_wrong_program_does_not_compile(project, modules):
    (project / "page.ts").write_text('import { load } from "runnel";\nconst n: number = (await load()).memory;\n')
    with pytest.raises(Failed, match=r"page\.ts\(2,7\).*Memory"):
        compile_with(modules, "5.9", project, "page", PROGRAMS["page"][0])


def esbuild(modules: Path, project: Path, *options: str) -> None:
    output = toolchains.run(modules / "esbuild" / "bin" / "esbuild", "--bundle", "--outdir=dist", *options, cwd=project)
    assert "WARNING" not in output, output


def with_module(project: Path) -> None:
    """esbuild and rollup copy no other files: README.md says so."""
    shutil.copy(project / "node_modules" / "runnel" / "runnel.wasm", project / "dist")


def esbuild_plain(modules: Path, project: Path) -> str:
    esbuild(modules, project, "plain.mjs", "--format=esm")
    with_module(project)
    return "plain.js"


def esbuild_inline(modules: Path, project: Path) -> str:
    esbuild(modules, project, "inline.mjs", "--format=iife", "--minify")
    return "inline.js"


def esbuild_url(modules: Path, project: Path) -> str:
    esbuild(modules, project, "given.mjs", "--format=esm", "--loader:.wasm=file")
    return "given.js"


def esbuild_bytes(modules: Path, project: Path) -> str:
    esbuild(modules, project, "given.mjs", "--format=esm", "--loader:.wasm=binary")
    return "given.js"


def rollup(modules: Path, project: Path, script: str) -> str:
    if not (link := project / "node_modules" / "@rollup").exists():
        link.symlink_to(modules / "@rollup")
    command = (modules / "rollup" / "dist" / "bin" / "rollup", f"{script}.mjs", "-d", "dist", "-p", "node-resolve")
    assert "(!)" not in toolchains.run(*command, cwd=project)
    return f"{script}.js"


def rollup_plain(modules: Path, project: Path) -> str:
    found = rollup(modules, project, "plain")
    with_module(project)
    return found


def rollup_inline(modules: Path, project: Path) -> str:
    return rollup(modules, project, "inline")


def webpack_plain(modules: Path, project: Path) -> str:
    toolchains.run(toolchains.PINS / "webpack.cjs", modules, "plain.mjs", cwd=project)
    return "main.js"


def webpack_inline(modules: Path, project: Path) -> str:
    toolchains.run(toolchains.PINS / "webpack.cjs", modules, "inline.mjs", cwd=project)
    return "main.js"


def vite_plain(modules: Path, project: Path) -> str:
    (project / "index.html").write_text('<!doctype html><script type="module" src="./plain.mjs"></script>')
    toolchains.run(modules / "vite" / "bin" / "vite.js", "build", cwd=project)
    (script,) = (project / "dist" / "assets").glob("*.js")
    return f"assets/{script.name}"


Bundler = Callable[[Path, Path], str]
ESBUILD: tuple[Bundler, ...] = (esbuild_plain, esbuild_inline, esbuild_url, esbuild_bytes)
OTHERS: tuple[Bundler, ...] = (vite_plain, webpack_plain, webpack_inline, rollup_plain, rollup_inline)


@pytest.mark.left_to("make packages", browser.PROGRAM)
@pytest.mark.parametrize("bundlers", [ESBUILD, OTHERS] if ALL else [ESBUILD], ids=lambda each: each[0].__name__)
def test_bundled_for_a_page(project, modules, bundlers):
    """In Chromium: the bytes of the library as it is built for this machine, and a forgery is refused."""
    for bundle in bundlers:
        script = bundle(modules, project)
        kind = "" if bundle is esbuild_inline else ' type="module"'  # a classic script has no import.meta
        (project / "dist" / "page.html").write_text(f'<!doctype html><body><script{kind} src="{script}"></script>')
        assert browser.visit(project / "dist", "page.html")["outputs"] == native_outputs(), bundle.__name__
        shutil.rmtree(project / "dist")


def output_of_script(project: Path, script: str) -> dict[str, Any]:
    return json.loads(toolchains.run(project / "dist" / f"{script}.js", cwd=project))


@pytest.mark.parametrize("script", ["plain", "inline"])
def test_bundled_for_node(project, modules, script):
    esbuild(modules, project, f"{script}.mjs", "--format=esm", "--platform=node")
    if script == "plain":
        with_module(project)
    printed = output_of_script(project, script)
    assert printed.get("outputs") == native_outputs(), printed.get("error")


@pytest.mark.parametrize("platform", ["node", "browser"])
def test_a_module_that_was_left_behind(project, modules, platform):
    """Of a bundle without runnel.wasm beside it, the error says what to do."""
    esbuild(modules, project, "plain.mjs", "--format=esm", f"--platform={platform}")
    error = output_of_script(project, "plain")["error"]
    assert re.search(r'runnel\.wasm: .*pass it to load\(\), or import "runnel/inline"', error)


if ALL:

    @pytest.fixture
    def served_by_vite(project, modules) -> Iterator[str]:
        (project / "index.html").write_text('<!doctype html><script type="module" src="./plain.mjs"></script>')
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        command = [toolchains.node(), modules / "vite" / "bin" / "vite.js", "--host", "127.0.0.1", "--port", str(port)]
        server = subprocess.Popen([*command, "--strictPort"], cwd=project, stdout=subprocess.DEVNULL)
        try:
            for _ in range(300):
                with socket.socket() as asked:
                    if asked.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}/"
        finally:
            server.terminate()
            server.wait()

    @pytest.mark.left_to("make packages", browser.PROGRAM)
    def test_served_by_vite_while_it_is_written(served_by_vite, project):
        assert browser.visit(project, served_by_vite)["outputs"] == native_outputs()


def test_every_package_is_pinned_by_its_hash():
    """And the pins name no registry: npm asks the one that the user has set."""
    pinned = {name: each for name, each in PINNED.items() if name}
    assert len(pinned) > 50
    assert [
        name for name, each in pinned.items() if not each["integrity"].startswith("sha512-") or "resolved" in each
    ] == []
