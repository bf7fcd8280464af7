# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compilers and their helpers: running them, and what they say."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from runnel_lab import LabError
from runnel_lab.targets import Target

# Messages of compilers and linkers about a program that is too large.
TOO_LARGE = re.compile(
    r"overflowed by|will not fit in region|is not within region|relocation truncated to fit|"
    r"error: size of .* (exceeds|is too large)|overlaps section"
)


def run_tool(command: list[str]) -> str:
    """Run a compiler or one of its helpers; raise LabError with the line that says what is wrong."""
    try:
        done = subprocess.run(command, text=True, errors="replace", capture_output=True)
    except OSError as error:
        raise LabError(f"{command[0]}: {error.strerror}") from None
    if done.returncode != 0:
        raise LabError(f"{command[0]}: {telling(done.stderr or f'status {done.returncode}')}")
    return done.stdout


def telling(output: str) -> str:
    """Return the line that says what is wrong."""
    lines = output.splitlines() or ["it failed"]
    kinds = (TOO_LARGE, re.compile(r"\berror\b|undefined"))
    found = [line for kind in kinds for line in lines if kind.search(line)]
    return (found or lines[-1:])[0].strip()[:400]


@dataclass(frozen=True)
class Sizes:
    """Bytes of read-only and initialised data and code; bytes of static RAM."""

    rom: int
    ram: int


def sizes(target: Target, elf: Path) -> Sizes:
    """Sum the sections that are loaded."""
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
