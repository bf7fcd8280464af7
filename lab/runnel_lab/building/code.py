# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Facts from a program's files: how large the context is, and a hash of the machine code that was taken from the library.

The hash is of the input sections that the linker kept of the library's objects: their bytes and relocations as the
assembler wrote them. So it does not depend on addresses, paths, the measuring program or the C library. What is local to a
file goes by its name without the prefix that the source gives it (lea_set_key, .text.lea_set_key: set_key)."""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from runnel_lab import LabError
from runnel_lab.building.ninja import Built
from runnel_lab.source import source_tree

CONTEXT = "lab_context"
"""An array as large as the context, which the linker drops (lab/bench.c)."""


def context_bytes(built: Built) -> int | None:
    """Return the size of the subject's context; None if that cannot be compiled."""
    try:
        return next(size for name, size in _Elf(built.main).symbol_sizes() if name == CONTEXT)
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
    elf = _Elf(file)
    for number in elf.loaded(section):
        loaded = True
        found.update(elf.content(number))
        for relocation in elf.relocations(number):
            found.update(relocation.encode())
    return found.hexdigest() if loaded else ""


class _Elf:
    """An object file, 32 or 64 bits, little-endian."""

    def __init__(self, file: Path) -> None:
        self.data = file.read_bytes()
        if self.data[:4] != b"\x7fELF" or self.data[5] != 1:
            raise LabError(f"{file}: is no object file that can be read")
        self.wide = self.data[4] == 2
        header = "<16sHHIQQQIHHHHHH" if self.wide else "<16sHHIIIIIHHHHHH"
        words = struct.unpack_from(header, self.data)
        at, size, count, names = words[6], words[11], words[12], words[13]
        one = "<IIQQQQIIQQ" if self.wide else "<IIIIIIIIII"  # name, type, flags, address, offset, size, link, info, …
        self.sections = [struct.unpack_from(one, self.data, at + size * n) for n in range(count)]
        self.names = self.content(names)

    def content(self, number: int) -> bytes:
        _, kind, _, _, at, size, *_ = self.sections[number]
        return b"\0" * 8 + size.to_bytes(8, "little") if kind == NOBITS else self.data[at : at + size]

    def name(self, number: int) -> str:
        return _text(self.names, self.sections[number][0])

    def loaded(self, name: str) -> list[int]:
        return [n for n, s in enumerate(self.sections) if s[2] & ALLOC and s[5] and self.name(n) == name]

    def _symbols(self) -> tuple[list[tuple[int, int, int, int, int]], bytes]:
        """Return name, info, section, value and size of each symbol, and the table of names."""
        for number, section in enumerate(self.sections):
            if section[1] == SYMTAB:
                text, table = self.content(number), self.content(section[6])
                if self.wide:
                    return [(n, i, s, v, z) for n, i, _, s, v, z in struct.iter_unpack("<IBBHQQ", text)], table
                return [(n, i, s, v, z) for n, v, z, i, _, s in struct.iter_unpack("<IIIBBH", text)], table
        return [], b""

    def symbol_sizes(self) -> list[tuple[str, int]]:
        symbols, table = self._symbols()
        return [(_text(table, name), size) for name, _, _, _, size in symbols]

    def relocations(self, number: int) -> Iterator[str]:
        """Yield the relocations of a section: place, kind, and what it is relative to, by name."""
        symbols, table = self._symbols()
        for other, section in enumerate(self.sections):
            if section[1] not in (REL, RELA) or section[7] != number:
                continue
            shape = ("<QQq" if self.wide else "<IIi") if section[1] == RELA else ("<QQ" if self.wide else "<II")
            for at, info, *addend in struct.iter_unpack(shape, self.content(other)):
                name, kind, place, value, _ = symbols[info >> 32 if self.wide else info >> 8]
                what = _text(table, name) if name and kind & 15 != SECTION else ""
                what = what if kind >> 4 else _unprefixed(what)
                inside = _unprefixed(self.name(place)) if not what and place < len(self.sections) else ""
                yield f"{at} {info & (0xFFFFFFFF if self.wide else 0xFF)} {what} {inside} {value} {addend};"


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


NOBITS, SYMTAB, RELA, REL, ALLOC, SECTION = 8, 2, 4, 9, 2, 3


def _text(table: bytes, at: int) -> str:
    return table[at : table.index(b"\0", at)].decode(errors="replace")
