# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Operands of x86-64 vector instructions: what capstone writes becomes functions that read and write."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ...machine import Machine
from ...refusal import UnknownInstructionError
from ...words import ONE, ZERO, Word, cut, join, lanes, value_of, zero_extended

Places = Mapping[str, tuple[int, int]]

_MEMORY_BYTES = {"byte": 1, "word": 2, "dword": 4, "qword": 8, "xmmword": 16, "ymmword": 32, "zmmword": 64}
_VECTOR = re.compile(r"([xyz])mm(\d+)$")
_VECTOR_BYTES = {"x": 16, "y": 32, "z": 64}


@dataclass(frozen=True)
class Operand:
    """One operand: a register, memory, or a number."""

    text: str
    kind: str
    """vector, mask, general, memory or number."""
    size: int
    """In bytes; of a number 0."""
    place: int = 0
    """A register's."""
    value: int = 0
    """A number's."""
    address: Callable[[Machine], int] | None = None
    broadcast: int = 0
    """How often memory is repeated, 0: not at all."""
    mask: int | None = None
    """The place of the mask register that guards a destination."""
    zeroing: bool = False


def split(text: str) -> list[str]:
    """Return the operands in a line of disassembly."""
    return [part.strip() for part in re.split(r",\s*(?![^\[]*\])", text)] if text else []


def parse(text: str, places: Places, next_address: int) -> Operand:
    """Return the operand that a text stands for."""
    mask = re.search(r"\{k(\d)\}", text)
    mask_place = places[f"K{mask[1]}"][0] if mask else None
    zeroing = "{z}" in text
    broadcast = re.search(r"\{1to(\d+)\}", text)
    plain = re.sub(r"\s*\{[^}]*\}", "", text).strip()
    if "[" in plain:
        size = _MEMORY_BYTES.get(plain.split()[0], 0)
        return Operand(
            plain,
            "memory",
            size,
            address=_address(plain, places, next_address),
            broadcast=int(broadcast[1]) if broadcast else 0,
            mask=mask_place,
            zeroing=zeroing,
        )
    if vector := _VECTOR.match(plain):
        return Operand(
            plain, "vector", _VECTOR_BYTES[vector[1]], places[f"ZMM{vector[2]}"][0], mask=mask_place, zeroing=zeroing
        )
    if re.match(r"k\d$", plain):
        return Operand(plain, "mask", 8, places[plain.upper()][0], mask=mask_place)
    if re.match(r"-?(0x)?[0-9a-f]+$", plain) and plain.upper() not in places:
        return Operand(plain, "number", 0, value=int(plain, 0))
    name = re.sub(r"^r(\d+)([dwb]?)$", lambda found: f"R{found[1]}{found[2].upper()}", plain).upper()
    if name not in places:
        raise UnknownInstructionError(f"operand {text}")
    at, size = places[name]
    return Operand(plain, "general", size, at)


def _address(text: str, places: Places, next_address: int) -> Callable[[Machine], int]:
    """Return what finds a memory operand's address."""
    inside = text[text.index("[") + 1 : text.index("]")]
    terms: list[tuple[int, int]] = []
    fixed = 0
    segment = re.search(r"(fs|gs):", text)
    for sign, term in re.findall(r"([+-]?)\s*([^+-]+)", inside):
        name, _, scale = (part.strip() for part in term.partition("*"))
        factor = int(scale, 0) if scale else 1
        if name == "rip":
            fixed += next_address
        elif re.match(r"[0-9]", name):
            fixed += int(name, 0) * (-1 if sign == "-" else 1)
        else:
            terms.append((places[name.upper()][0], factor))
    if segment:
        terms.append((places[f"{segment[1].upper()}_OFFSET"][0], 1))

    def address(m: Machine) -> int:
        total = fixed
        for place, factor in terms:
            total += factor * m.concrete(m.get(place, 8), "an address")
        return total & ((1 << 64) - 1)

    return address


def reader(operand: Operand, size: int = 0) -> Callable[[Machine], Word]:
    """Return what reads an operand: so many bytes of it, or all."""
    if operand.kind in ("vector", "mask", "general"):
        place, count = operand.place, size or operand.size
        return lambda m: m.get(place, count)
    address = operand.address
    if address is None:
        raise UnknownInstructionError(f"operand {operand.text} is not read")
    if operand.broadcast:
        times = operand.broadcast
        each = size // times
        return lambda m: m.memory.load(address(m), each) * times
    count = operand.size or size
    return lambda m: m.memory.load(address(m), count)


def masked_reader(operand: Operand, size: int, mask_place: int, element: int) -> Callable[[Machine], Word]:
    """Return what reads memory where a mask lets it: the rest is not touched."""
    address = operand.address
    if operand.kind != "memory" or address is None or operand.broadcast:
        return reader(operand, size)
    each = element // 8

    def read(m: Machine) -> Word:
        mask = lanes(m.get(mask_place, 8), 1)
        at = address(m)
        parts = []
        for i in range(size // each):
            m.concrete(mask[i], "a mask of a load")
            parts.append(m.memory.load(at + each * i, each) if mask[i] == ONE else ZERO * element)
        return join(parts)

    return read


def writer(operand: Operand, element: int, legacy: bool) -> Callable[[Machine, Word], None]:
    """Return what writes a destination, through its mask; instructions that are not legacy clear a vector above it."""
    place, mask_place, zeroing = operand.place, operand.mask, operand.zeroing
    if operand.kind == "vector":

        def write_vector(m: Machine, word: Word) -> None:
            if mask_place is not None:
                word = _merged(
                    m, word, m.get(mask_place, 8), element, None if zeroing else m.get(place, len(word) // 32)
                )
            m.put(place, word if legacy else zero_extended(word, 512))

        return write_vector
    if operand.kind == "mask":

        def write_mask(m: Machine, word: Word) -> None:
            if mask_place is not None:
                word = m.words.and_(word, cut(m.get(mask_place, 8), 0, len(word) // 4))
            m.put(place, zero_extended(word, 64))

        return write_mask
    if operand.kind == "general":
        bits = 64 if operand.size == 4 else 8 * operand.size
        return lambda m, word: m.put(place, zero_extended(cut(word, 0, min(bits, 8 * operand.size)), bits))
    address = operand.address
    if address is None:
        raise UnknownInstructionError(f"operand {operand.text} is not written")

    def write_memory(m: Machine, word: Word) -> None:
        if mask_place is None:
            m.memory.store(address(m), cut(word, 0, 8 * operand.size) if operand.size else word)
            return
        at = address(m)
        mask = lanes(m.get(mask_place, 8), 1)
        for i, part in enumerate(lanes(word, element)):
            m.concrete(mask[i], "a mask of a store")
            if mask[i] == ONE:
                m.memory.store(at + i * element // 8, part)

    return write_memory


def _merged(m: Machine, word: Word, mask: Word, element: int, old: Word | None) -> Word:
    """Return a result where a mask has ones, else what was there, or zeros."""
    parts = lanes(word, element)
    before = lanes(old, element) if old is not None else [ZERO * element] * len(parts)
    if value_of(mask) is not None:
        return join(new if bit == ONE else was for new, was, bit in zip(parts, before, lanes(mask, 1)))
    return join(m.words.mux(bit, new, was) for new, was, bit in zip(parts, before, lanes(mask, 1)))
