# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A hash of the code that a proof is about, by which a later build can tell whether it still makes that code.

It is of the sections that the proved functions of a kernel reach, as the compiler and the assembler wrote them, with their
relocations: addresses, paths and the order of linking make no difference, nor do functions that no proof calls. What a
target's C library or the compiler's own brings counts by its names alone."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from runnel_lab.building.code import section_parts
from runnel_lab.building.elf import Elf, Link, members

from .building import Program
from .refusal import Refusal

MEMBER = "proof_at_"
"""The harness's name for the offset of a member in a kernel's descriptor (harness.c)."""
SIZES = (".text.proof_state_bytes", ".text.proof_prefix_bytes")
"""The harness's functions that say how large the kernel's parts of a context are."""

Place = tuple[Elf, int]
"""A section of an object file."""


def hash_of(program: Program) -> str:
    """Return the hash of what is proved of a program's kernel, 16 hexadecimal digits."""
    main = Elf.of(program.main)
    defined = _defined(program.library) | _definitions([main])
    found = hashlib.sha256()
    parts = list(_members(program, main, defined, found))
    parts += [(main, number) for name in SIZES for number in main.loaded(name)]
    for section in sorted(_digest(place) for place in _reached(parts, defined)):
        found.update(section)
    return found.hexdigest()[:16]


def compiler_of(program: Program) -> str:
    """Return the name of the compiler that made a kernel's description, as it wrote it there."""
    elf, _, _ = _description(program, _defined(program.library))
    for number in range(len(elf.sections)):
        if elf.name(number) == ".comment":
            return elf.content(number).strip(b"\0").split(b"\0")[0].decode(errors="replace")
    return "unknown"


def _members(program: Program, main: Elf, defined: dict[str, Place], found: hashlib._Hash) -> Iterator[Place]:
    """Yield where the functions are that a description names, and take its values into the hash."""
    elf, number, start = _description(program, defined)
    content = elf.content(number)
    links = {link.at - start: link for link in elf.links(number)}
    for name, offset in sorted(_offsets(main).items()):
        link = links.get(offset)
        if link is None:
            found.update(f"{name} {content[start + offset]};".encode())
        else:
            within = [*link.addend, *content[start + offset : start + offset + 8 * (not link.addend)]]
            found.update(f"{name} {link.name if link.is_global else ''} {link.value} {within};".encode())
            yield from _target(elf, link, defined)


def _description(program: Program, defined: dict[str, Place]) -> tuple[Elf, int, int]:
    """Return the object, section and offset of a kernel's description."""
    if program.kernel not in defined:
        raise Refusal(f"{program.kernel} is in no object")
    elf, number = defined[program.kernel]
    return elf, number, next(symbol.value for symbol in elf.symbols if symbol.name == program.kernel)


def _offsets(main: Elf) -> dict[str, int]:
    """Return the places of a description's members, as the harness says."""
    return {
        symbol.name.removeprefix(MEMBER): int.from_bytes(
            main.content(symbol.section)[symbol.value : symbol.value + 2], "little"
        )
        for symbol in main.symbols
        if symbol.name.startswith(MEMBER)
    }


@lru_cache(2)
def _defined(library: tuple[Path, ...]) -> dict[str, Place]:
    """Return what objects, or those of an archive, define for others."""
    return _definitions(
        elf for file in library for elf in (members(file) if file.suffix == ".a" else iter([Elf.of(file)]))
    )


def _definitions(objects: Iterator[Elf] | list[Elf]) -> dict[str, Place]:
    return {
        symbol.name: (elf, symbol.section)
        for elf in objects
        for symbol in elf.symbols
        if symbol.is_global and 0 < symbol.section < len(elf.sections)
    }


def _target(elf: Elf, link: Link, defined: dict[str, Place]) -> list[Place]:
    if 0 < link.section < len(elf.sections):
        return [(elf, link.section)]
    return [defined[link.name]] if link.name in defined else []


def _reached(places: list[Place], defined: dict[str, Place]) -> list[Place]:
    """Return these sections and all to which their relocations lead."""
    waiting, seen = list(places), dict.fromkeys((id(elf), number) for elf, number in places)
    found = []
    while waiting:
        elf, number = waiting.pop()
        found.append((elf, number))
        for link in elf.links(number):
            for place in _target(elf, link, defined):
                key = id(place[0]), place[1]
                if key not in seen:
                    seen[key] = None
                    waiting.append(place)
    return found


def _digest(place: Place) -> bytes:
    elf, number = place
    content, *links = section_parts(elf, number)
    digest = hashlib.sha256(content)
    for link in links:
        digest.update(_NUMBERED.sub(lambda found: _content_of(elf, found[0].decode()), link))
    return digest.digest()


_NUMBERED = re.compile(rb"\.\S+\.\d{4,}(?= )")
"""Sections of variables inside of functions, which old GCCs number throughout a file, declarations of headers included."""


def _content_of(elf: Elf, name: str) -> bytes:
    """Return what stands for the number in a section's name: what is in it."""
    found = hashlib.sha256()
    for number in elf.loaded(name):
        found.update(elf.content(number))
    return f"{name.rpartition('.')[0]}.{found.hexdigest()}".encode()
