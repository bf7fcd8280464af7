# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Building the measured program: one cipher, one kernel, one target."""

from __future__ import annotations

import re
import shlex
import subprocess
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import runnel

from . import LabError
from .targets import Target


@dataclass(frozen=True)
class Subject:
    """What is measured: a cipher of one key length and one of its kernels."""

    cipher: str
    kernel: str

    @property
    def description(self) -> runnel.Cipher:
        return runnel.ciphers()[self.cipher]


@dataclass(frozen=True)
class Sizes:
    """Bytes of read-only and initialised data and code; bytes of static RAM."""

    rom: int
    ram: int


def folder_of(tree: Path, cipher: str) -> Path:
    """Gives the folder whose header declares the cipher's family."""
    family = runnel.ciphers()[cipher].family
    for parent in ("ciphers", "historic"):
        for header in sorted((tree / parent).glob("*/*.h")):
            if header.stem == header.parent.name and re.search(rf"\brunnel_{family};", header.read_text()):
                return header.parent
    raise LabError(f"{cipher}: no folder declares runnel_{family}")


def kernels(target: Target, cipher: str) -> list[str]:
    """Gives the names of the kernels that exist for the target, from the descriptor's own list."""
    return list(_kernels(target.name, target.tree, folder_of(target.tree, cipher), target.compiler, target.binutils,
                         tuple(target.expand(target.flags))))


@lru_cache
def _kernels(name: str, tree: Path, folder: Path, compiler: str, binutils: str, flags: tuple[str, ...]) -> tuple[str, ...]:
    with tempfile.TemporaryDirectory() as scratch:
        compiled = Path(scratch) / "descriptor.o"
        _run([compiler, "-std=c11", *flags, "-c", *_includes(tree, folder), str(folder / f"{folder.name}.c"), "-o",
              str(compiled)])
        symbols = _run([binutils + "nm", str(compiled)])
    found = re.findall(rf" [URrDdB] _?runnel_{folder.name}_(\w+)$", symbols, re.MULTILINE)
    return tuple(sorted({k.replace("_", "-") for k in found} - {"ciphers"}))


def build(target: Target, subject: Subject | None, elf: Path) -> list[str]:
    """Compiles and links the measured program, or with None the empty one. Gives the compiler's command line."""
    tree = target.tree
    sources = [tree / "lab" / "bench.c", *(target.folder / s for s in target.sources)]
    options = [f"-DBENCH_BUFFER={target.buffer}"]
    if subject is not None:
        folder = folder_of(tree, subject.cipher)
        family = subject.description.family
        knob = folder.name.upper()
        options += [f'-DBENCH_HEADER="{folder.name}.h"', f"-DBENCH_FAMILY={family}",
                    f"-DBENCH_LAYOUT={int(subject.description.layout is not None)}",
                    f"-DRUNNEL_{knob}_KERNEL={subject.kernel.replace('-', '_')}",
                    f"-DRUNNEL_{knob}_KEY_BITS={8 * subject.description.key_bytes[-1]}", "-DRUNNEL_PREFIX=1",
                    *_includes(tree, folder)]
        sources += [s for s in sorted((tree / "core").glob("*.c")) if s.name != "registry.c"]
        sources += sorted([*folder.glob("*.c"), *folder.glob("*.S")])
    command = [target.compiler, "-std=c11", *target.expand(target.flags), "-ffunction-sections", "-fdata-sections", "-Wall",
               "-Wextra", "-I", str(tree / "lab"), *options, *map(str, sources), "-Wl,--gc-sections",
               *target.expand(target.link), "-o", str(elf)]
    _run(command)
    return command


def sizes(target: Target, elf: Path) -> Sizes:
    """Sums the sections that are loaded."""
    rom = ram = 0
    for line in _run([target.binutils + "size", "-A", "-d", str(elf)]).splitlines():
        words = line.split()
        if len(words) != 3 or not words[1].isdigit():
            continue
        name, size = words[0].lstrip("."), int(words[1])
        if name.startswith(("data", "sdata", "relro")):
            rom += size
            ram += size
        elif name.startswith(("bss", "sbss", "noinit")):
            ram += size
        elif name.startswith(("text", "rodata", "init", "fini", "progmem")):
            rom += size
    return Sizes(rom, ram)


def compiler_version(target: Target) -> str:
    return _run([target.compiler, "--version"]).splitlines()[0]


def _includes(tree: Path, folder: Path) -> list[str]:
    return ["-I", str(tree / "include"), "-I", str(tree / "core"), "-I", str(folder)]


def _run(command: list[str]) -> str:
    done = subprocess.run(command, text=True, capture_output=True)
    if done.returncode != 0:
        first = next((line for line in done.stderr.splitlines() if "error" in line or "undefined" in line), done.stderr)
        raise LabError(f"{shlex.join(command[:1])}: {first.strip()[:400]}")
    return done.stdout
