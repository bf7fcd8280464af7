# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The interface of an artefact's module: packaging/README.md says how to add one."""

from __future__ import annotations

import email.utils
import fcntl
import functools
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
CACHE = ROOT / "build" / "packages"
"""Files fetched or built once for several artefacts, and kept; each module has a folder of its own in it."""


SECONDS = 3600
"""The longest that a command may take, on a machine that others use too."""


class Missing(Exception):
    """A tool or a package is not here; the text says which, and how to get it."""


class Failed(Exception):
    """A command failed; the text is the command, its status and the end of its output."""


@dataclass(frozen=True)
class Artefact:
    name: str
    """Unique, short, no blanks: `wheel-aarch64-glibc`."""
    what: str
    """The user's view of it, in a few words: `wheel for glibc on AArch64`."""
    build: Callable[[Path], str]
    """Fills this empty folder with the artefact. Returns by what it was built, with versions. Raises Missing."""
    run: Callable[[Path], str]
    """Uses the artefact in this folder as its users would, and looks at the bytes. Returns where it ran and by what.
    Raises Missing."""
    needs: tuple[str, ...] = ()
    """Programs that must be on the PATH for either."""
    shipped: tuple[str, ...] = ()
    """Patterns of what users get of the folder: the rest of it is what was built on the way. packaging/reproduce compares
    these files."""
    released: bool = False
    """True if the packed file is part of a release."""
    same_as: str = ""
    """In place of `shipped`: the artefact that ships the same files, which are tried in another way here."""
    tried_by: str = ""
    """The test of tests/ that builds and links it in every `make test`, or as much of it as takes seconds."""
    clock: bool = True
    """It can be built when another year is (`faketime`)."""

    def first_missing(self) -> str | None:
        return next((program for program in self.needs if not shutil.which(program)), None)


@functools.cache
def source_date() -> str:
    """Return, for SOURCE_DATE_EPOCH, the date of the newest entry of Debian's changelog, which every version has. What is
    packed has this date and not that of the day."""
    text = (HERE / "debian" / "debian" / "changelog").read_text()
    newest = re.search(r"^ -- .*>  (.*)$", text, re.MULTILINE)
    assert newest is not None, "packaging/debian/debian/changelog has no date"
    return str(int(email.utils.parsedate_to_datetime(newest[1]).timestamp()))


def call(*command: str | Path, cwd: Path | None = None, env: Mapping[str, str] = {}) -> str:
    """Runs a command and returns what it printed, both streams. env and the date of the sources are added to the
    environment, and files get the modes that everybody's have: some tools pack them. Raises Failed."""
    words = [str(part) for part in command]
    try:
        done = subprocess.run(
            words,
            cwd=cwd,
            env=os.environ | {"SOURCE_DATE_EPOCH": source_date()} | dict(env),
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            timeout=SECONDS,
            umask=0o022,
        )
    except subprocess.TimeoutExpired as slow:
        raise Failed(f"{' '.join(words)}: no end after {slow.timeout:.0f} s") from None
    if done.returncode:
        raise Failed(f"{' '.join(words)}: status {done.returncode}\n{done.stdout[-4000:].rstrip()}")
    return done.stdout


def version(*command: str | Path) -> str:
    """Returns the program's name and version, `gcc 12.2.0`, from the first line of `command --version`."""
    line = call(*command, "--version").splitlines()[0]
    number = re.search(r"\bv?(\d+(?:\.\d+)+)", line)
    return f"{Path(command[0]).name} {number[1] if number else ''}".strip()


def environment(name: str) -> Path:
    """Returns the folder of programs (python, and what it brings) of an environment that has just what
    packaging/NAME/requirements.txt pins, made where it is not there yet. Raises Missing where pip gets it from nowhere."""
    pins = HERE / name / "requirements.txt"
    wanted = hashlib.sha256(pins.read_bytes()).hexdigest()
    folder = CACHE / name / "environment"
    done = folder / ".made-of"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.parent / "environment.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists() or done.read_text() != wanted:
            shutil.rmtree(folder, ignore_errors=True)
            call("/usr/bin/python3", "-m", "venv", folder)
            try:
                call(
                    folder / "bin" / "pip",
                    "install",
                    "-q",
                    "--disable-pip-version-check",
                    "--only-binary=:all:",
                    "--require-hashes",
                    "-r",
                    pins,
                )
            except Failed as why:
                raise Missing(
                    f"pip installs no packaging/{name}/requirements.txt: {str(why).splitlines()[-1]}"
                ) from None
            done.write_text(wanted)
    return folder / "bin"


def installed(bin_folder: Path, *packages: str) -> str:
    """Returns names and versions of Python packages in an environment, `click 8.5.1, cffi 2.1.1`."""
    asked = (
        "import sys, importlib.metadata as m; print(', '.join(f'{name} {m.version(name)}' for name in sys.argv[1:]))"
    )
    return call(bin_folder / "python", "-c", asked, *packages).strip()


def tests_environment() -> Path:
    """Return the program python of the tests' environment. `make` alone has made one without the tests' tools: these are
    installed first. Raises Missing where that fails."""
    python = ROOT / ".venv" / "bin" / "python"
    if not python.exists():
        raise Missing("the Python package and the tests' environment: make all .venv/.test")
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / "tests-environment.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            call("make", "-s", "--no-print-directory", ".venv/.test", cwd=ROOT)
        except (Failed, OSError) as why:
            raise Missing(f"the tests' environment: make .venv/.test ({str(why).splitlines()[-1]})") from None
    return python


def pytest(*arguments: str | Path, env: Mapping[str, str] = {}) -> str:
    """Runs tests of the library's own on an artefact, and returns what pytest printed. Raises Missing without their
    environment, Failed."""
    words = [tests_environment(), "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    return call(*words, cwd=ROOT, env=env)


def all_artefacts() -> list[Artefact]:
    """List the artefacts of all folders of packaging/ that have an artefact.py with a list ARTEFACTS, in the order of their
    names."""
    if str(HERE) not in sys.path:
        sys.path.insert(0, str(HERE))
    found: list[Artefact] = []
    for path in sorted(HERE.glob("*/artefact.py")):
        name = f"artefact_{path.parent.name.replace('-', '_')}"
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        found += module.ARTEFACTS
    names = [artefact.name for artefact in found]
    assert len(names) == len(set(names)), "two artefacts have one name"
    return found
