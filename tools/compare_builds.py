#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tell whether two trees of sources make the same machine code: for a change that only moves or renames.

    tools/compare_builds.py OLD NEW [TARGET ...]

Every source file of both trees is compiled for every target, a section for each function. What is compared are the
sections of code and constants, their bytes with their relocations, their alignment and flags, and where in them the
symbols lie that other files see, wherever they come from: a function may move to another file. A relocation against a
local symbol counts by the place of that symbol, not by its name, which nobody sees. Prints a line for each target and
what differs; status 1 if anything does.
"""

from __future__ import annotations

import collections
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

TARGETS = {
    "x86-64": ["gcc", "-fPIC"],
    "aarch64": ["aarch64-linux-gnu-gcc", "-fPIC"],
    "armv7": ["arm-linux-gnueabihf-gcc", "-fPIC"],
    "cortex-m4": ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb"],
    "rv32": ["riscv64-unknown-elf-gcc", "--specs=picolibc.specs", "-march=rv32im", "-mabi=ilp32"],
    "avr": ["avr-gcc", "-mmcu=atmega128"],
}
PLACES = ("core", "ciphers", "historic", "macs", "aead", "modes", "srtp")
SKIPPED = re.compile(r"\.(comment|note|debug|symtab|strtab|shstrtab|eh_frame|ARM|riscv|group)")
Section = tuple[str, str, tuple[str, ...], str, tuple[str, ...]]
SYMBOL = re.compile(r"([0-9a-f]+) (.{7}) (\S+)\t[0-9a-f]+ (?:\.hidden |\.internal |\.protected )?(.+)")
HEADING = re.compile(r"\s+\d+ (\S+)\s+[0-9a-f]+\s+[0-9a-f]+\s+[0-9a-f]+\s+[0-9a-f]+\s+(2\*\*\d+)\s+(.*)")


def sources(tree: Path) -> list[Path]:
    """List every C and assembly file of the library but the registry, which is made of a generated list."""
    root = tree / "src" if (tree / "src").is_dir() else tree
    found = [f for place in PLACES for f in (root / place).rglob("*.[cS]")]
    return sorted(f for f in found if f.name not in ("registry.c", "mac.c"))


def options(tree: Path, file: Path) -> list[str]:
    root = tree / "src" if (tree / "src").is_dir() else tree
    place = file.relative_to(root).parts
    folders = [tree / "include", root, root / "core", root / "ciphers" / "aes", root / "macs" / "aes_cmac"]
    if place[0] != "core":
        folders.insert(0, root / place[0] / place[1])
    return [word for folder in folders for word in ("-I", str(folder))]


def sections(text: str) -> list[Section]:
    """Return the sections in objdump's listing of headings, symbols, contents and relocations."""
    contents: dict[str, list[str]] = collections.defaultdict(list)
    relocations: dict[str, list[str]] = collections.defaultdict(list)
    headings: dict[str, str] = {}
    seen: dict[str, list[str]] = collections.defaultdict(list)
    places: dict[str, set[str]] = collections.defaultdict(set)
    current = None
    for line in text.splitlines():
        if found := re.match(r"Contents of section (\S+):", line):
            current = contents[found[1]]
        elif found := re.match(r"RELOCATION RECORDS FOR \[(\S+)\]:", line):
            current = relocations[found[1]]
        elif found := HEADING.match(line):
            headings[found[1]] = " ".join(found.groups()[1:]).replace(", RELOC", "")
        elif found := SYMBOL.match(line):
            value, flags, section, name = found.groups()
            if flags[0] in "gu!" or "w" in flags:
                seen[section].append(f"{value} {name}")
            elif section not in ("*ABS*", "*UND*"):
                places[name].add(f"{section}:{value}")
        elif current is not None and line and not line.startswith("OFFSET"):
            current.append(line)
    known = {name: place.pop() for name, place in places.items() if len(place) == 1}

    def nameless(line: str) -> str:
        """Remove names that nobody sees from a relocation; those that several places have are numbered by the compiler."""
        offset, kind, value = line.split(maxsplit=2)
        name, plus, addend = value.rpartition("+") if "+" in value else (value, "", "")
        name, minus, subtrahend = name.partition("-0x") if not plus else (name, "", "")
        name = known.get(name, re.sub(r"\.\d+$", "", name))
        return f"{offset} {kind} {name}{plus}{addend}{minus}{subtrahend}"

    return [
        (
            name,
            "\n".join(lines),
            tuple(map(nameless, relocations.get(name, ()))),
            headings.get(name, ""),
            tuple(sorted(seen[name])),
        )
        for name, lines in contents.items()
        if not SKIPPED.match(name)
    ]


def compiled(tree: Path, file: Path, compiler: list[str]) -> list[Section]:
    with tempfile.TemporaryDirectory() as scratch:
        object_file = f"{scratch}/made.o"
        command = [
            *compiler,
            "-std=c11",
            "-O2",
            "-ffunction-sections",
            "-fdata-sections",
            "-w",
            *options(tree, file),
            "-DRUNNEL_PAPERS=1",
            "-c",
            str(file),
            "-o",
            object_file,
        ]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            lines = [line for line in done.stderr.splitlines() if "error" in line] or ["failed"]
            return [("not compiled", re.sub(r"^\S*:", "", lines[0]), (), "", ())]
        objdump = "objdump" if compiler[0] == "gcc" else compiler[0].removesuffix("gcc") + "objdump"
        listing = [objdump, "-h", "-t", "--special-syms", "-s", "-r", "-w", object_file]
        return sections(subprocess.run(listing, capture_output=True, text=True, check=True).stdout)


def main(arguments: list[str]) -> int:
    if len(arguments) < 2 or set(arguments[2:]) - set(TARGETS):
        print(__doc__, file=sys.stderr)
        return 2
    trees = [Path(argument).resolve() for argument in arguments[:2]]
    different = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for target in arguments[2:] or TARGETS:
            counts = []
            for tree in trees:
                parts = pool.map(partial(compiled, tree, compiler=TARGETS[target]), sources(tree))
                counts.append(collections.Counter(section for part in parts for section in part if section[1]))
            gone, come = counts[0] - counts[1], counts[1] - counts[0]
            print(
                f"{target}: {sum(counts[0].values())} and {sum(counts[1].values())} sections, "
                f"{sum((counts[0] & counts[1]).values())} the same"
            )
            for what, some in (("only in the first", gone), ("only in the second", come)):
                for (name, content, *_), count in sorted(some.items()):
                    print(
                        f"  {what}: {name}{f' ({count} times)' if count > 1 else ''}"
                        f"{f': {content}' if name == 'not compiled' else ''}"
                    )
                    different += 1
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
