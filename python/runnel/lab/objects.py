# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the objects of a cipher's folder say: which kernels there are for a target, and which files a kernel needs. Most
of the time would go into compiling the others."""

from __future__ import annotations

import re
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from . import LabError
from .subjects import Cipher, folder_of
from .targets import Target


@dataclass(frozen=True)
class Symbols:
    """The names that a file defines for others, and those that it takes from others."""

    defined: frozenset[str]
    taken: frozenset[str]


_once = threading.Lock()


def includes(tree: Path, folder: Path) -> list[str]:
    return ["-I", str(tree / "include"), "-I", str(tree / "core"), "-I", str(folder)]


def kernels(target: Target, cipher: Cipher) -> list[str]:
    """Gives the names of the kernels that exist for the target, from the descriptor's own list."""
    folder = folder_of(target.tree, cipher)
    return list(_listed(_compiler(target, folder).command, folder))


@lru_cache
def _listed(command: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """The list names kernels by their address; the preprocessor leaves those of the target."""
    text = run_tool([*command, "-E", "-P", str(folder / f"{folder.name}.c")])
    prefix = f"runnel_{folder.name}_"
    found = set(re.findall(rf"&\s*\(*\s*({prefix}\w+)", text)) & _declared(folder)
    return tuple(sorted(name.removeprefix(prefix).replace("_", "-") for name in found))


def _declared(folder: Path) -> set[str]:
    """Gives the symbols that are kernels: those that the folder's headers declare so, or its first file defines."""
    texts = [file.read_text() for file in (*sorted(folder.glob("*.h")), folder / f"{folder.name}.c")]
    return {name.strip() for text in texts for names in re.findall(r"\bconst runnel_kernel ([\w\s,]+?)\s*[;=]", text)
            for name in names.split(",")}


def needed(target: Target, cipher: Cipher, kernel: str) -> list[Path]:
    """Gives the files of the cipher's folder that the kernel needs, by the symbols in their objects."""
    folder = folder_of(target.tree, cipher)
    with _once:
        files = _all_symbols(_compiler(target, folder), folder)
    found = {folder / f"{folder.name}.c"}
    wanted = {f"runnel_{folder.name}_{kernel.replace('-', '_')}"}
    if (first := files[folder / f"{folder.name}.c"]) is not None:  # what the descriptor's file needs with any kernel
        wanted |= {name for name in first.taken - _declared(folder) if name.startswith(f"runnel_{folder.name}_")}
    while more := {file for file, s in files.items() if s is not None and s.defined & wanted} - found:
        found |= more
        wanted |= {name for file in more if (s := files[file]) for name in s.taken if name.startswith("runnel_")}
    if any(name.startswith(f"runnel_{folder.name}_") for name in wanted - _defined(files)):
        found |= {file for file, s in files.items() if s is None}
    return sorted(found)


def _defined(files: dict[Path, Symbols | None]) -> set[str]:
    return {name for s in files.values() if s is not None for name in s.defined}


@dataclass(frozen=True)
class _Compiler:
    command: tuple[str, ...]
    nm: str


def _compiler(target: Target, folder: Path) -> _Compiler:
    """Gives the target's compiler, without what only lab/bench.c is told, so that the clock's build and the counter's share
    what is found."""
    flags = [flag for flag in target.expand(target.flags) if not flag.startswith("-DLAB_")]
    return _Compiler((target.compiler, "-std=c11", *flags, "-O1", "-DRUNNEL_DECRYPT=1", *includes(target.tree, folder)),
                     target.binutils + "nm")


@lru_cache
def _all_symbols(compiler: _Compiler, folder: Path) -> dict[Path, Symbols | None]:
    """Gives the symbols of every file, None of one that cannot be compiled."""
    found: dict[Path, Symbols | None] = {}
    for file in sorted([*folder.glob("*.c"), *folder.glob("*.S")]):
        try:
            found[file] = _symbols(compiler, file)
        except LabError:
            found[file] = None
    return found


@lru_cache
def _symbols(compiler: _Compiler, file: Path) -> Symbols:
    with tempfile.TemporaryDirectory() as scratch:
        compiled = str(Path(scratch) / "file.o")
        run_tool([*compiler.command, "-c", str(file), "-o", compiled])
        lines = [line.split() for line in run_tool([compiler.nm, "-g", compiled]).splitlines()]
    return Symbols(frozenset(x[-1] for x in lines if len(x) == 3), frozenset(x[-1] for x in lines if len(x) == 2))


def run_tool(command: list[str]) -> str:
    """Runs a compiler or one of its helpers; raises LabError with the line that says what is wrong."""
    try:
        done = subprocess.run(command, text=True, errors="replace", capture_output=True)
    except OSError as error:
        raise LabError(f"{command[0]}: {error.strerror}") from None
    if done.returncode != 0:
        lines = done.stderr.splitlines() or [f"status {done.returncode}"]
        telling = [line for what in (TOO_LARGE, re.compile(r"\berror\b|undefined")) for line in lines if what.search(line)]
        raise LabError(f"{command[0]}: {(telling or lines[-1:])[0].strip()[:400]}")
    return done.stdout


# What compilers and linkers say of a program that is too large.
TOO_LARGE = re.compile(r"overflowed by|will not fit in region|is not within region|relocation truncated to fit|"
                       r"error: size of .* (exceeds|is too large)|overlaps section")
