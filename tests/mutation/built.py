# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One file of a program, of the OpenSSL provider or of the package's extension module, compiled anew as its build directory
does it, and linked with all the rest as it is."""

from __future__ import annotations

import functools
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path

import runnel
from c_programs import BUILD, ROOT

# Warnings that are errors in our builds, and that say of a fault that it is no program. Others, as of what is not used any
# more, are not asked for.
ERRORS = (
    "int-conversion", "incompatible-pointer-types", "implicit-function-declaration", "uninitialized", "maybe-uninitialized"
)  # fmt: skip
PROVIDER, NATIVE = "provider/runnel.so", "python/_native.abi3.so"


class DoesNotCompile(Exception):
    """Raised when the changed text is no program."""


class Made:
    """How a target of a build directory is made: how each source is compiled, and how all is linked."""

    def __init__(self, home: Path, target: str) -> None:
        done = subprocess.run(
            ["ninja", "-C", home, "-t", "commands", target], check=True, text=True, stdout=subprocess.PIPE
        )
        self.home = home
        self.sources: dict[str, list[str]] = {}
        self.objects: dict[str, str] = {}
        for words in map(shlex.split, done.stdout.splitlines()):
            if "-c" in words:
                source, object_file = words[words.index("-c") + 1], words[words.index("-o") + 1]
                self.sources.setdefault(source, words)
                self.objects[object_file] = source
        line = done.stdout.splitlines()[-1].removeprefix(": && ").removesuffix(" && :")
        self.link = shlex.split(line)

    def command(self, source: str) -> tuple[str, ...]:
        """Return how a source is compiled."""
        return tuple(self.sources[str(ROOT / source)])


@functools.cache
def build_of(home: Path, target: str) -> Made:
    """Return how a target is built, asked once."""
    return Made(home, target)


@functools.cache
def _included(home: Path) -> dict[str, frozenset[str]]:
    """Return what each source of a build directory includes, as the compiler reported."""
    output = subprocess.run(["ninja", "-C", home, "-t", "deps"], check=True, text=True, stdout=subprocess.PIPE).stdout
    result: dict[str, frozenset[str]] = {}
    for entry in output.split("\n\n"):
        files = [os.path.normpath(home / line.strip()) for line in entry.splitlines()[1:]]
        if files:
            result[files[0]] = frozenset(files[1:])
    return result


def sources_of(home: Path, target: str, path: str, among: Iterable[str] = ()) -> list[str]:
    """Return what has to be compiled anew when a file has changed: itself, or what includes the header, in the same folder or
    where a pattern of `among` fits; everywhere, if nothing does. Raises DoesNotCompile where it is no part of the target."""
    if not path.endswith(".h"):
        return [path]
    patterns = list(among) or [f"{Path(path).parent}/*"]
    known = build_of(home, target).sources
    users = (source for source, files in _included(home).items() if str(ROOT / path) in files and source in known)
    names = [source.removeprefix(f"{ROOT}/") for source in users]
    chosen = sorted(name for name in names if any(fnmatch(name, pattern) for pattern in patterns)) or sorted(names)
    if not chosen:
        raise DoesNotCompile(f"{target} has nothing of {path}")
    return chosen


def compiled(folder: Path, home: Path, target: str, source: str) -> Path:
    """Compile a source's object from its copy in the folder if there is one, with headers from there first. Raises
    DoesNotCompile."""
    copy = folder / source if (folder / source).exists() else ROOT / source
    result = folder / f"{source.replace('/', '_')}.o"
    words = list(build_of(home, target).command(source))
    words[words.index("-o") + 1], words[words.index("-c") + 1] = str(result), str(copy)
    for word in ("-MT", "-MF"):
        if word in words:
            del words[words.index(word) : words.index(word) + 2]
    words = [word for word in words if word != "-MD" and not word.startswith("-W")]
    words = words[words[0].endswith("ccache") :]
    first = next(i for i, word in enumerate(words) if word.startswith("-"))
    words[first:first] = [f"-I{folder / top}" for top in ("src", "include") if (folder / top).exists()]
    _run([*words, *(f"-Werror={error}" for error in ERRORS)], home)
    return result


def linked(folder: Path, home: Path, target: str, sources: Iterable[str], out: Path) -> None:
    """Link a target of the build directory home with sources compiled anew. Raises DoesNotCompile."""
    link(home, target, {source: compiled(folder, home, target, source) for source in sources}, out)


def link(home: Path, target: str, objects: dict[str, Path], out: Path) -> None:
    """Link a target of the build directory home with other objects for some of its sources. Raises DoesNotCompile."""
    how = build_of(home, target)
    replaced = {str(ROOT / source) for source in objects}
    kept = [word for word in how.link if how.objects.get(word) not in replaced]
    at = kept.index("-o")
    kept[at + 1] = str(out)
    _run([*kept[: at + 2], *map(str, objects.values()), *kept[at + 2 :]], home)


def _run(command: Iterable[str | Path], folder: Path) -> None:
    done = subprocess.run([*command], cwd=folder, text=True, capture_output=True)
    if done.returncode:
        raise DoesNotCompile(done.stderr[-3000:])


_COPIES_FIRST = """\
import sys
sys.meta_path[:] = [each for each in sys.meta_path if not type(each).__name__.startswith("ScikitBuild")]
"""
"""Finders that find a product in the tree, wherever PYTHONPATH leads, are not asked; the folder that it looks in is on the
path."""


def is_python(path: str) -> bool:
    """Tell whether the file is one of a Python package, of python/runnel or of a product on top of it."""
    return bool(re.match(r"python/runnel/|(\w+)/runnel_\1/", path))


def packages(folder: Path, path: str) -> Path:
    """Return where copies of the installed package, with its compiled files, and of the product that has the file are
    imported from: what is broken in one is compiled again, in it."""
    copies = folder / "packages"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(runnel.__file__).parent, copies / "runnel", ignore=ignored)
    home, name = Path(path).parts[:2]
    if name not in ("runnel", "native"):
        shutil.copytree(ROOT / home / name, copies / name, ignore=ignored)
        (copies / "sitecustomize.py").write_text(_COPIES_FIRST)
    return copies


def shadow(folder: Path, targets: Iterable[str]) -> Path:
    """Create a build directory that has all of the real one but the targets, which are made in it; the same folder has the
    same."""
    copy = folder / "build"
    if copy.exists():
        return copy
    for target in targets:
        (copy / target).parent.mkdir(parents=True, exist_ok=True)
    own = {BUILD / target for target in targets}
    for real in (BUILD, *sorted({place.parent for place in own})):
        for each in real.iterdir():
            there = copy / each.relative_to(BUILD)
            if not there.exists() and each not in own:
                there.symlink_to(each)
    return copy


def environment(**more: str) -> dict[str, str]:
    """Return the environment of the tests of what was built."""
    dropped = ("RUNNEL_CPU", "PYTEST_", "RUNNEL_TESTS_BUILT_")
    return {name: value for name, value in os.environ.items() if not name.startswith(dropped)} | more
