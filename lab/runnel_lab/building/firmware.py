# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Building the measured program: one cipher, one kernel, one target."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from runnel_lab import DoesNotFit, LabError
from runnel_lab.building.objects import TOO_LARGE, compiled, includes, needed, run_tool
from runnel_lab.running import macs
from runnel_lab.subjects import Mode, Subject, folder_of
from runnel_lab.targets import Target


@dataclass(frozen=True)
class Sizes:
    """Bytes of read-only and initialised data and code; bytes of static RAM."""

    rom: int
    ram: int


def build(
    target: Target,
    subject: Subject | None,
    elf: Path,
    *,
    key_bits: int | None = None,
    prefix: bool = True,
    program: str = "bench.c",
) -> None:
    """Compiles and links the measured program, or with None the empty one, for keys of the subject's length or up to
    key_bits, with memory for prefix tables or without. Raises DoesNotFit, or LabError with the compiler's first error."""
    tree = target.tree
    mac = subject is not None and subject.cipher.mode == Mode.MAC
    program = macs.PROGRAM if mac else program
    room = [
        f"-DBENCH_BUFFER={target.buffer}",
        f"-DBENCH_ARGUMENT={target.argument}",
        *([f"-DBENCH_PAINT={target.painted}"] if target.painted else []),
    ]
    told = [*room]
    if subject is not None:
        told += macs.told(tree, subject) if mac else _configuration(target, subject, key_bits or 8 * subject.key_bytes)
        told.append(f"-DRUNNEL_PREFIX={int(prefix)}")
    # Each part is told what it looks at and no more, so that it is compiled once for all programs that are alike in this.
    command = compiler(target)
    for_cipher = (*command, *(word for word in told if not word.startswith("-DBENCH_")))
    for_core = (
        *command,
        *includes(tree),
        *(word for word in told if word.startswith(("-DRUNNEL_PREFIX=", "-DRUNNEL_DECRYPT="))),
    )
    parts = [
        ((*command, *told), [tree / "lab" / program]),
        ((*command, *room), [target.folder / source for source in target.sources]),
    ]
    if subject is not None:
        parts.append((for_core, core(tree)))
        parts.append(
            (
                for_cipher,
                macs.needed(target, subject, for_cipher)
                if mac
                else needed(target, subject.cipher, subject.kernel, for_cipher),
            )
        )
    link(target, parts, elf)


def core(tree: Path) -> list[Path]:
    """Returns what every program needs of the library, as far as the linker keeps it."""
    return [source for source in sorted((tree / "src" / "core").glob("*.c")) if source.name != "registry.c"]


def link(target: Target, parts: Sequence[tuple[tuple[str, ...], Sequence[Path]]], elf: Path) -> None:
    """Compiles files, each with its command, and links them. Raises DoesNotFit, or LabError with the first error."""
    try:
        files = [compiled(command, file) for command, sources in parts for file in sources]
        run_tool(
            [*compiler(target), *map(str, files), "-Wl,--gc-sections", *target.expand(target.link), "-o", str(elf)]
        )
    except LabError as error:
        if TOO_LARGE.search(str(error)):
            raise DoesNotFit(
                _too_large(target, re.sub(r"\S*/", "", str(error)))
            ) from None  # the same wherever it was built
        raise
    if target.ram is not None and (taken := sizes(target, elf).ram) > target.ram:
        raise DoesNotFit(f"{taken} bytes of static RAM, the target has {target.ram}")


def compiler(target: Target) -> tuple[str, ...]:
    """Returns the compiler with the flags of every program."""
    return (
        target.compiler,
        "-std=c11",
        *target.expand(target.flags),
        "-ffunction-sections",
        "-fdata-sections",
        "-Wall",
        "-Wextra",
        "-I",
        str(target.tree / "lab"),
    )


def _too_large(target: Target, said: str) -> str:
    """The linker's words and, where it only names the address that is too high, by how much it is."""
    found = re.search(r"address (0x[0-9a-f]+) .*is not within region .data.", said)
    if found is None or target.ram is None or target.ram_at is None:
        return said
    return f"{said}, {int(found[1], 16) - target.ram_at - target.ram} bytes too many"


def _configuration(target: Target, subject: Subject, key_bits: int) -> list[str]:
    """Returns what the compiler is told of the subject, and the library's knobs."""
    folder = folder_of(target.tree, subject.cipher)
    knob = folder.name.upper()
    named = [f'-DBENCH_KERNEL="{subject.kernel}"'] if target.hosted else []
    return [
        f'-DBENCH_HEADER="{folder.name}.h"',
        f"-DBENCH_FAMILY={subject.cipher.family}",
        f"-DBENCH_MODE={int(subject.cipher.mode)}",
        f"-DBENCH_BLOCK={subject.cipher.block_bytes}",
        *named,
        f"-DRUNNEL_{knob}_KERNEL={subject.kernel.replace('-', '_')}",
        f"-DRUNNEL_{knob}_KEY_BITS={key_bits}",
        f"-DRUNNEL_DECRYPT={int(subject.cipher.mode == Mode.BLOCKS)}",
        *includes(target.tree, folder),
    ]


def context_bytes(target: Target, subject: Subject) -> int:
    """Returns the size of a context with this kernel and length of key."""
    mac = subject.cipher.mode == Mode.MAC
    told = macs.told(target.tree, subject) if mac else _configuration(target, subject, 8 * subject.key_bytes)
    return context_in(target, (*compiler(target), *told, "-DRUNNEL_PREFIX=1"))


def context_in(target: Target, command: tuple[str, ...]) -> int:
    """The same for what a compiler's command says."""
    lines = run_tool([target.binutils + "nm", "-S", str(compiled(command, target.tree / "lab" / "context.c"))])
    return next(int(words[1], 16) for words in map(str.split, lines.splitlines()) if words[-1] == "runnel_lab_context")


@lru_cache
def empty_sizes(target: Target, program: str = "bench.c") -> Sizes:
    """Returns the size of the program without a cipher."""
    with tempfile.TemporaryDirectory() as scratch:
        elf = Path(scratch) / "empty.elf"
        build(target, None, elf, program=program)
        return sizes(target, elf)


def sizes(target: Target, elf: Path) -> Sizes:
    """Sums the sections that are loaded."""
    rom = ram = 0
    for line in run_tool([target.binutils + "size", "-A", "-d", str(elf)]).splitlines():
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
