# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Facts from a program's files: how large the context is, and a hash of the machine code that was taken from the library.

The hash is of the input sections that the linker kept of the library's objects: their bytes and relocations as the
assembler wrote them. So it does not depend on addresses, paths, the measuring program or the C library. What is local to a
file goes by its name without the prefix that the source gives it (lea_set_key, .text.lea_set_key: set_key)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from runnel_lab.building.elf import Elf
from runnel_lab.building.ninja import Built
from runnel_lab.source import source_tree

CONTEXT = "lab_context"
"""An array as large as the context, which the linker drops (lab/bench.c)."""


def context_bytes(built: Built) -> int | None:
    """Return the size of the subject's context; None if that cannot be compiled."""
    try:
        return next(size for name, size in Elf.of(built.main).symbol_sizes() if name == CONTEXT)
    except (OSError, StopIteration):
        return None


def code_hash(built: Built) -> str:
    """Return the hash of what was linked of the library, 16 hexadecimal digits; of a program that does not fit, of what the
    linker reported."""
    if built.error is not None:
        return hashed([str(built.error)])
    objects = {file.name: file for file in built.archived}
    kept = set(_kept(Path(f"{built.elf}.map").read_text(errors="replace")))
    return hashed(_section_hash(objects[name], section) for name, section in kept if name in objects)


def hashed(parts: Iterable[str]) -> str:
    return hashlib.sha256("".join(sorted(parts)).encode()).hexdigest()[:16]


def _kept(text: str) -> Iterator[tuple[str, str]]:
    """Yield objects and sections of the linker's map, without those that it dropped."""
    memory = text.partition("\nLinker script and memory map\n")[2].partition("\nCross Reference Table\n")[0]
    for section, file in re.findall(r"^ (\.\S+)\s+0x[0-9a-f]+\s+0x[0-9a-f]+ (\S+)$", memory, re.MULTILINE):
        yield re.split(r"[/(]", file.rstrip(")"))[-1], section


@lru_cache(None)
def _section_hash(file: Path, section: str) -> str:
    """Return the hash of all sections of that name, "" if there is nothing in them to be loaded."""
    found = hashlib.sha256()
    loaded = False
    elf = Elf.of(file)
    for number in elf.loaded(section):
        loaded = True
        for part in section_parts(elf, number):
            found.update(part)
    return found.hexdigest() if loaded else ""


def section_parts(elf: Elf, number: int) -> Iterator[bytes]:
    """Yield what counts of a section: its bytes, then its relocations by place, kind and name."""
    yield elf.content(number)
    for link in elf.links(number):
        name = link.name if link.is_global else _unprefixed(link.name)
        inside = _unprefixed(elf.name(link.section)) if not name and link.section < len(elf.sections) else ""
        yield f"{link.at} {link.kind} {name} {inside} {link.value} {link.addend};".encode()


@lru_cache(None)
def _prefix() -> re.Pattern[str]:
    """Return the prefixes of local names in the tree's library: folders of ciphers, MACs and AEADs, and files."""
    src = source_tree() / "src"
    names = {path.parent.name for path in src.glob("*/*/*.[ch]") if path.parts[-3] != "arch"}
    names |= {path.stem for path in src.glob("*/*.c")} | {"aes_xtime", "transpose"}
    return re.compile(rf"^((?:\.[a-z.]+\.)?)(?:{'|'.join(sorted(names, key=len, reverse=True))})_(?!(?:{_WITH})$)")


_WITH = "ctr|cfb|bits"
"""The rest of names that count with their prefix: seed_ctr, seed_cfb, transpose_bits."""


def _unprefixed(name: str) -> str:
    return _prefix().sub(r"\1", name)
