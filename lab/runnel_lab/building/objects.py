# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the objects of a cipher's folder say: which kernels there are for a target, and which files a kernel needs. Most
of the time would go into compiling the others."""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from runnel_lab import LabError
from runnel_lab.subjects import Cipher, folder_of
from runnel_lab.targets import Target


@dataclass(frozen=True)
class Symbols:
    """The names that a file defines for others, and those that it takes from others."""

    defined: frozenset[str]
    taken: frozenset[str]


def includes(tree: Path, *folders: Path) -> list[str]:
    return [word for folder in (tree / "include", tree / "src", *folders) for word in ("-I", str(folder))]


def kernels(target: Target, cipher: Cipher) -> list[str]:
    """Returns the names of the kernels that exist for the target, from the descriptor's own list, and are measured there."""
    folder = folder_of(target.tree, cipher)
    return [
        name for name in kernels_in(target, folder) if not target.kernels or f"{folder.name}/{name}" in target.kernels
    ]


def kernels_in(target: Target, folder: Path, *others: Path) -> list[str]:
    """The same of any folder that has a list; others: folders whose headers it names."""
    return list(_listed(_preprocessor(target, folder, *others), folder))


@lru_cache
def _listed(command: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """The list names kernels by their address; the preprocessor leaves those of the target."""
    text = _made((*command, "-E", "-P"), folder / f"{folder.name}.c", ".i").read_text(errors="replace")
    prefix = f"runnel_{folder.name}_"
    found = set(re.findall(rf"&\s*\(*\s*({prefix}\w+)", text)) & _declared(folder)
    return tuple(sorted(name.removeprefix(prefix).replace("_", "-") for name in found))


def _declared(folder: Path) -> set[str]:
    """Returns the symbols that are kernels: the rows of the folder's list."""
    rows = re.findall(
        r"^(?:KERNEL|PAPER)\(\w+, (\w+)\)", (folder / "kernels.inc").read_text(encoding="utf-8"), re.MULTILINE
    )
    return {f"runnel_{folder.name}_{row}" for row in rows}


def _preprocessor(target: Target, *folders: Path) -> tuple[str, ...]:
    """Returns the target's compiler, without what only lab/bench.c is told, so that the clock's build and the counter's share
    what is found."""
    flags = [flag for flag in target.expand(target.flags) if not flag.startswith("-DLAB_")]
    return (
        target.compiler,
        "-std=c11",
        *flags,
        "-DRUNNEL_DECRYPT=1",
        "-DRUNNEL_PAPERS=1",
        *includes(target.tree, *folders),
    )


def needed(
    target: Target, cipher: Cipher, kernel: str, command: tuple[str, ...], beside: Sequence[str] = ()
) -> list[Path]:
    """Returns the files of the cipher's folder that the kernel needs, by the symbols in the objects that the compiler's
    command makes: those of the program itself, so that what is compiled to be looked at is compiled for good. beside: files
    that are needed besides, with what they need."""
    folder = folder_of(target.tree, cipher)
    nm, prefix = target.binutils + "nm", f"runnel_{folder.name}_"
    found = {folder / name for name in (f"{folder.name}.c", *beside)}
    wanted = {prefix + kernel.replace("-", "_")}
    for first in found:
        if (
            symbols := _try_symbols(command, nm, first)
        ) is not None:  # what the descriptor's file needs with any kernel
            wanted |= symbols.taken - _declared(folder)
    searched: set[str] = set()
    while names := {name for name in wanted - searched if name.startswith(prefix)}:
        for name in sorted(names):
            if (file := _definer(command, nm, folder, name)) is None:  # perhaps in one that says why when it is built
                found |= {file for file in _files(folder) if _try_symbols(command, nm, file) is None}
            elif (symbols := _try_symbols(command, nm, file)) is not None:
                found.add(file)
                wanted |= symbols.taken
        searched |= names
    return sorted(found)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.[cS]"))


@lru_cache(None)
def _definer(command: tuple[str, ...], nm: str, folder: Path, name: str) -> Path | None:
    """Returns the file that defines a symbol. Those that look like it come first, then those that are called like it, as
    where a macro makes the name, then those that spell it out: so that hardly any other is compiled."""
    files = _by_likeliness(folder, name)
    return next(
        (file for file in files if (s := _try_symbols(command, nm, file)) is not None and name in s.defined), None
    )


@lru_cache(None)
def _by_likeliness(folder: Path, name: str) -> list[Path]:
    defined = re.compile(
        rf"^const runnel_kernel {name} =|^\w[^;\n]*\b{name}\([^;{{}}]*\n\{{|globl\s+{name}\b", re.MULTILINE
    )
    spelled = re.compile(rf"\b{name}\b")
    words = set(name.split("_"))

    def rank(file: Path) -> tuple[int, int]:
        text, called = _text(file), file.stem.split("_")
        if defined.search(text):
            return 0, 0
        if words.issuperset(called):
            return 1, -len(called) - (file.parent.name in words)
        return (2, 0) if spelled.search(text) else (3, 0)

    return sorted(_files(folder), key=rank)


@lru_cache(None)
def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def _try_symbols(command: tuple[str, ...], nm: str, file: Path) -> Symbols | None:
    """Returns the symbols of a file, None if it cannot be compiled."""
    try:
        return _symbols(command, nm, file)
    except LabError:
        return None


@lru_cache(None)
def _symbols(command: tuple[str, ...], nm: str, file: Path) -> Symbols:
    lines = [line.split() for line in run_tool([nm, "-g", str(compiled(command, file))]).splitlines()]
    return Symbols(frozenset(x[-1] for x in lines if len(x) == 3), frozenset(x[-1] for x in lines if len(x) == 2))


@lru_cache
def _store() -> Path:
    """A folder for objects: the one that RUNNEL_LAB_OBJECTS names, which is kept and which several processes may share, or
    one for as long as this process runs."""
    if shared := os.environ.get("RUNNEL_LAB_OBJECTS"):
        Path(shared).mkdir(parents=True, exist_ok=True)
        _forget_old(Path(shared))
        return Path(shared)
    folder = tempfile.mkdtemp(prefix="runnel-objects-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


KEPT_DAYS = 14


def _forget_old(store: Path) -> None:
    """Removes what nobody has asked for in a while."""
    oldest = time.time() - KEPT_DAYS * 86400
    for entry in os.scandir(store):
        with contextlib.suppress(OSError):  # another process was first
            if entry.stat().st_mtime < oldest:
                os.unlink(entry.path)


@lru_cache(None)
def _content(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


@lru_cache(None)
def _version(compiler: str) -> str:
    return run_tool([compiler, "--version"]).partition("\n")[0]


def compiled(command: tuple[str, ...], file: Path) -> Path:
    """Compiles a file, unless that has been done; many programs are made of the same files. Raises LabError."""
    return _made((*command, "-c"), file, ".o")


@lru_cache(None)
def _made(command: tuple[str, ...], file: Path, suffix: str) -> Path:
    """Runs a compiler, unless its output is in the store. A list there, of the same version, command and text, says what it
    was and which headers were read; these must be the same too. If they are not, or if there is no list, preprocessing
    tells whether other headers or definitions make a difference to this file: often they make none."""
    store = _store()
    about = _key(_version(command[0]), *command, str(file), _content(str(file)))
    listing = store / f"{file.stem}-{about}.headers"
    with contextlib.suppress(OSError, ValueError):  # one of them is not there
        name, state, *headers = listing.read_text(encoding="utf-8").splitlines()
        if state == _state(headers):
            os.utime(store / name)
            os.utime(listing)
            return store / name
    with tempfile.TemporaryDirectory(dir=store) as scratch:
        text, rule, output = (Path(scratch) / name for name in ("text", "rule", "output"))
        preprocess = [word for word in command if word not in ("-c", "-E", "-P")]
        run_tool([*preprocess, "-E", "-P", str(file), "-MMD", "-MF", str(rule), "-o", str(text)])
        headers = [
            h for h in rule.read_text(encoding="utf-8").replace("\\\n", " ").partition(":")[2].split() if h != str(file)
        ]
        read = text.read_text(errors="surrogateescape")
        made = store / f"{file.stem}-{_key(_version(command[0]), *_without_definitions(command), read)}{suffix}"
        if "-E" in command:
            os.replace(text, made)
        elif not made.exists():
            run_tool([*command, str(file), "-o", str(output)])
            os.replace(output, made)  # whole or not there, for those beside
        else:
            os.utime(made)
        rule.write_text("\n".join((made.name, _state(headers), *headers)))
        os.replace(rule, listing)
    return made


def _without_definitions(command: tuple[str, ...]) -> list[str]:
    """The words of a command that make a difference to a text that has been preprocessed."""
    places = {number + 1 for number, word in enumerate(command) if word == "-I"}
    return [word for number, word in enumerate(command) if number not in places and not word.startswith(("-D", "-I"))]


def _state(headers: list[str]) -> str:
    return _key(*(f"{name} {_content(name)}" for name in headers))


def _key(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def run_tool(command: list[str]) -> str:
    """Runs a compiler or one of its helpers; raises LabError with the line that says what is wrong."""
    try:
        done = subprocess.run(command, text=True, errors="replace", capture_output=True)
    except OSError as error:
        raise LabError(f"{command[0]}: {error.strerror}") from None
    if done.returncode != 0:
        lines = done.stderr.splitlines() or [f"status {done.returncode}"]
        telling = [
            line for what in (TOO_LARGE, re.compile(r"\berror\b|undefined")) for line in lines if what.search(line)
        ]
        raise LabError(f"{command[0]}: {(telling or lines[-1:])[0].strip()[:400]}")
    return done.stdout


# What compilers and linkers say of a program that is too large.
TOO_LARGE = re.compile(
    r"overflowed by|will not fit in region|is not within region|relocation truncated to fit|"
    r"error: size of .* (exceeds|is too large)|overlaps section"
)
