# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Object files, as far as a hash of their code needs it: sections, symbols, relocations; and archives of them."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from runnel_lab import LabError

NOBITS, SYMTAB, RELA, REL, ALLOC, SECTION = 8, 2, 4, 9, 2, 3


@dataclass(frozen=True)
class Symbol:
    """A name in an object file."""

    name: str
    info: int
    section: int
    """Where it is; 0: elsewhere."""
    value: int
    size: int

    @property
    def is_global(self) -> bool:
        """Tell whether other files can see it."""
        return self.info >> 4 != 0


@dataclass(frozen=True)
class Link:
    """A relocation: a place of a section that the linker fills in."""

    at: int
    kind: int
    name: str
    """Of the symbol that it is relative to; "" of a section."""
    is_global: bool
    section: int
    """Where that symbol is; 0: in another file."""
    value: int
    addend: list[int]


class Elf:
    """An object file, 32 or 64 bits, little-endian."""

    def __init__(self, data: bytes, name: str) -> None:
        self.data = data
        if self.data[:4] != b"\x7fELF" or self.data[5] != 1:
            raise LabError(f"{name}: is no object file that can be read")
        self.wide = self.data[4] == 2
        header = "<16sHHIQQQIHHHHHH" if self.wide else "<16sHHIIIIIHHHHHH"
        words = struct.unpack_from(header, self.data)
        at, size, count, names = words[6], words[11], words[12], words[13]
        one = "<IIQQQQIIQQ" if self.wide else "<IIIIIIIIII"  # name, type, flags, address, offset, size, link, info, …
        self.sections = [struct.unpack_from(one, self.data, at + size * n) for n in range(count)]
        self.names = self.content(names)

    @classmethod
    def of(cls, file: Path) -> Elf:
        """Read a file. Raise LabError if it is none that can be read."""
        return cls(file.read_bytes(), str(file))

    def content(self, number: int) -> bytes:
        """Return the bytes of a section; of one without any, what tells its size."""
        _, kind, _, _, at, size, *_ = self.sections[number]
        return b"\0" * 8 + size.to_bytes(8, "little") if kind == NOBITS else self.data[at : at + size]

    def name(self, number: int) -> str:
        """Return a section's name."""
        return _text(self.names, self.sections[number][0])

    def loaded(self, name: str) -> list[int]:
        """Return the sections of that name with something in them to be loaded."""
        return [n for n, s in enumerate(self.sections) if s[2] & ALLOC and s[5] and self.name(n) == name]

    @cached_property
    def symbols(self) -> list[Symbol]:
        """The table of symbols."""
        for number, section in enumerate(self.sections):
            if section[1] == SYMTAB:
                text, table = self.content(number), self.content(section[6])
                if self.wide:
                    rows = [(n, i, s, v, z) for n, i, _, s, v, z in struct.iter_unpack("<IBBHQQ", text)]
                else:
                    rows = [(n, i, s, v, z) for n, v, z, i, _, s in struct.iter_unpack("<IIIBBH", text)]
                return [Symbol(_text(table, name), *rest) for name, *rest in rows]
        return []

    def symbol_sizes(self) -> list[tuple[str, int]]:
        """Return each symbol with its size."""
        return [(symbol.name, symbol.size) for symbol in self.symbols]

    def links(self, number: int) -> Iterator[Link]:
        """Yield the relocations of a section."""
        for other, section in enumerate(self.sections):
            if section[1] not in (REL, RELA) or section[7] != number:
                continue
            shape = ("<QQq" if self.wide else "<IIi") if section[1] == RELA else ("<QQ" if self.wide else "<II")
            for at, info, *addend in struct.iter_unpack(shape, self.content(other)):
                symbol = self.symbols[info >> 32 if self.wide else info >> 8]
                name = symbol.name if symbol.info & 15 != SECTION else ""
                kind = info & (0xFFFFFFFF if self.wide else 0xFF)
                yield Link(at, kind, name, symbol.is_global, symbol.section, symbol.value, addend)


def members(archive: Path) -> Iterator[Elf]:
    """Yield the object files of an archive."""
    data = archive.read_bytes()
    if data[:8] != b"!<arch>\n":
        raise LabError(f"{archive}: is no archive")
    at = 8
    while at + 60 <= len(data):
        name, size = data[at : at + 16].decode().strip(), int(data[at + 48 : at + 58])
        if name not in ("/", "//", "/SYM64/"):
            yield Elf(data[at + 60 : at + 60 + size], f"{archive}({name})")
        at += 60 + size + size % 2


def _text(table: bytes, at: int) -> str:
    return table[at : table.index(b"\0", at)].decode(errors="replace")
