# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Semantics of NEON's instructions on 32-bit ARM, from capstone's disassembly. Those that AArch64 has too are its."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ...machine import Machine, Step
from ...refusal import MemoryAccessError, UnknownInstructionError
from ...words import ZERO, Word, constant, cut, join, lanes, sign_extended, zero_extended
from ..aarch64.vectors import FUNCTIONS, SHIFTS, WITH_DESTINATION, Places, inserted, looked_up, number, split

BITS = {"r": 32, "s": 32, "d": 64, "q": 128}
OTHER_NAMES = {"tst": "cmtst", "ceq": "cmeq", "mvn": "not", "mov": "mov"}
"""AArch64's names of what has another one here."""


@dataclass(frozen=True)
class Register:
    """A register, or an element of one."""

    place: int
    bits: int
    index: int | None = None
    every: bool = False
    """All elements, of a load that repeats what it reads."""


def parse(text: str, places: Places) -> Register:
    """Return the register that a text stands for."""
    found = re.match(r"([rsdq])(\d+)(?:\[(\d*)\])?$", text)
    if found is None and text in ("sp", "lr", "ip", "fp", "sl", "sb"):
        text = {"ip": "r12", "fp": "r11", "sl": "r10", "sb": "r9"}.get(text, text)
        return Register(places[text][0], 32)
    if found is None:
        raise UnknownInstructionError(f"operand {text}")
    index = int(found[3]) if found[3] else None
    return Register(places[found[1] + found[2]][0], BITS[found[1]], index, found[3] == "")


def read(m: Machine, register: Register, element: int) -> Word:
    """Return a register's content, or its element's."""
    if register.index is not None:
        return m.get(register.place + register.index * element // 8, element // 8)
    return m.get(register.place, register.bits // 8)


def write(m: Machine, register: Register, word: Word, element: int) -> None:
    """Set a register, or its element."""
    m.put(register.place + (register.index or 0) * element // 8, word)


def kind_of(text: str) -> str:
    """Return an operand without the numbers in it."""
    text = re.sub(r"#-?(0x)?[0-9a-f]+", "#", text)
    text = re.sub(r"\b([rsdq])\d+", r"\1", text)
    return re.sub(r"\[\d+\]", "[i]", text)


def listed(text: str, places: Places) -> list[Register]:
    """Return the registers of a list in braces."""
    return [parse(part, places) for part in split(text.strip("{}"))]


def _element_and_kind(types: list[str]) -> tuple[int, str]:
    found = re.match(r"([a-z]?)(\d+)$", types[-1]) if types else None
    return (int(found[2]), found[1]) if found else (8, "")


PAIRS: dict[str, Callable[[list[Word], list[Word]], tuple[list[Word], list[Word]]]] = {
    "zip": lambda a, b: _halves([part for pair in zip(a, b) for part in pair]),
    "uzp": lambda a, b: ((a + b)[::2], (a + b)[1::2]),
    "trn": lambda a, b: (
        [part for pair in zip(a[::2], b[::2]) for part in pair],
        [part for pair in zip(a[1::2], b[1::2]) for part in pair],
    ),
    "swp": lambda a, b: (b, a),
}
"""Instructions that change both of their registers."""


def _halves(parts: list[Word]) -> tuple[list[Word], list[Word]]:
    return parts[: len(parts) // 2], parts[len(parts) // 2 :]


def instruction(mnemonic: str, text: str, places: Places, address: int) -> Step:
    """Return what an instruction does."""
    name, *types = mnemonic[1:].split(".")
    element, kind = _element_and_kind(types)
    operands = split(text)
    if re.match(r"(ld|st)[1-4]$", name):
        return _structures(name, element, operands, places)
    if re.match(r"(ld|st)m|push|pop", name):
        return _multiple(name, operands, places)
    if name in ("ldr", "str"):
        return _single(name, operands, places, address)
    if name in ("mov", "mvn") and operands[-1].startswith("#"):
        to, value = parse(operands[0], places), number(operands[1])
        word = constant(~value if name == "mvn" else value, element) * (to.bits // element)
        return lambda m: write(m, to, word, element)
    if name == "mov" or name == "dup":
        return _move(name, element, kind, [parse(each, places) for each in operands])
    if name in ("tbl", "tbx"):
        to, table, index = parse(operands[0], places), listed(operands[1], places), parse(operands[2], places)

        def look_up(m: Machine) -> None:
            entries = [byte for register in table for byte in lanes(read(m, register, 8), 8)]
            old = read(m, to, 8) if name == "tbx" else ZERO * to.bits
            write(m, to, looked_up(m, entries, read(m, index, 8), old), 8)

        return look_up
    if name in PAIRS:
        pair, x, y = PAIRS[name], parse(operands[0], places), parse(operands[1], places)

        def exchange(m: Machine) -> None:
            a, b = pair(lanes(read(m, x, element), element), lanes(read(m, y, element), element))
            write(m, x, join(a), element)
            write(m, y, join(b), element)

        return exchange
    if len(operands) == 2 and name in ("eor", "and", "orr", "bic", "orn", "add", "sub", "shl", "shr", "sri", "sli"):
        operands = [operands[0], *operands]  # the destination is the first source too
    return _of_vectors(name, kind, element, operands, places)


def _of_vectors(name: str, kind: str, element: int, operands: list[str], places: Places) -> Step:
    """Return what an instruction does that works on elements."""
    to = parse(operands[0], places)
    sources = [parse(each, places) for each in operands[1:] if not each.startswith("#")]
    if name in ("bic", "orr") and operands[-1].startswith("#"):
        word = constant(number(operands[-1]), element) * (to.bits // element)
        logic = FUNCTIONS[name]
        return lambda m: write(m, to, logic(m, [read(m, to, element), word], element), element)
    if name in ("shl", "shr") and operands[-1].startswith("#"):
        shift, count = SHIFTS["shl" if name == "shl" else f"{kind}shr"], number(operands[-1])
        return lambda m: write(
            m, to, join(shift(x, count) for x in lanes(read(m, sources[0], element), element)), element
        )
    if name in ("sri", "sli"):
        count = number(operands[-1])

        def insert(m: Machine) -> None:
            pairs = zip(lanes(read(m, to, element), element), lanes(read(m, sources[0], element), element))
            write(m, to, join(inserted(name, old, x, count) for old, x in pairs), element)

        return insert
    if name in ("clt", "cge") and operands[-1].startswith("#"):
        flipped = name == "cge"

        def signs(m: Machine) -> None:
            tops = [x[-4:] for x in lanes(read(m, sources[0], element), element)]
            write(m, to, join((m.words.not_(top) if flipped else top) * element for top in tops), element)

        return signs
    if name == "ext":
        at = number(operands[3]) * element
        return lambda m: write(
            m, to, cut(read(m, sources[0], element) + read(m, sources[1], element), at, to.bits), element
        )
    if name == "shl":
        name = f"{kind}shl"
    name = OTHER_NAMES.get(name, name)
    if name in FUNCTIONS:
        function = FUNCTIONS[name]
        return lambda m: write(m, to, function(m, [read(m, s, element) for s in sources], element), element)
    if name in WITH_DESTINATION:
        own = WITH_DESTINATION[name]
        return lambda m: write(m, to, own(m, [read(m, s, element) for s in (to, *sources)], element), element)
    raise UnknownInstructionError(f"v{name} {', '.join(operands)}")


def _move(name: str, element: int, kind: str, operands: list[Register]) -> Step:
    """VMOV between registers of all kinds, and VDUP."""
    to, source = operands[0], operands[1]
    if name == "dup":
        return lambda m: write(m, to, cut(read(m, source, element), 0, element) * (to.bits // element), element)
    if len(operands) == 3 and to.bits == 64:  # of two words
        return lambda m: write(m, to, read(m, source, 32) + read(m, operands[2], 32), 32)
    if len(operands) == 3:
        pair = operands[2]

        def separate(m: Machine) -> None:
            word = read(m, pair, 32)
            write(m, to, cut(word, 0, 32), 32)
            write(m, source, cut(word, 32, 32), 32)

        return separate
    if to.index is not None:
        return lambda m: write(m, to, cut(read(m, source, 32), 0, element), element)
    if source.index is not None:
        extended = sign_extended if kind == "s" else zero_extended
        return lambda m: write(m, to, extended(read(m, source, element), 32), 32)
    return lambda m: write(m, to, read(m, source, 8), 8)


def _base(text: str, places: Places) -> tuple[Register, int, int]:
    """Return the register of an address, what is added to it, and how it must be aligned."""
    inner = text.strip("[]!")
    inner, _, align = inner.partition(":")
    parts = split(inner.strip())
    return parse(parts[0], places), number(parts[1]) if len(parts) > 1 else 0, (int(align, 0) if align else 8) // 8


def _structures(name: str, element: int, operands: list[str], places: Places) -> Step:
    """VLD1 to VLD4 and VST1 to VST4: of whole registers, of one element of each, or of one that is repeated."""
    load, spread, size = name.startswith("ld"), int(name[2]), element // 8
    registers = listed(operands[0], places)
    base, _, align = _base(operands[1], places)
    by = parse(operands[2], places) if len(operands) > 2 else None
    single = registers[0].index is not None
    every = registers[0].every
    groups = max(1, len(registers) // spread) if spread > 1 else 1
    order: list[tuple[Register, int]] = []  # elements in the order of memory
    if single or every:
        order = [(register, register.index or 0) for register in (registers[:1] if spread == 1 else registers)]
    elif spread == 1:
        order = [(register, lane) for register in registers for lane in range(64 // element)]
    else:
        for group in range(groups):
            chosen = registers[group::groups]
            order += [(register, lane) for lane in range(64 // element) for register in chosen]

    def step(m: Machine) -> None:
        start = m.concrete(m.get(base.place, 4), "an address")
        if start % align:
            raise MemoryAccessError(f"{start:#x} is not a multiple of {align}")
        for i, (register, lane) in enumerate(order):
            at = register.place + lane * size
            if not load:
                m.memory.store(start + i * size, m.get(at, size))
            elif every:
                for other in registers if spread == 1 else [register]:
                    m.put(other.place, m.memory.load(start + i * size, size) * (64 // element))
            else:
                m.put(at, m.memory.load(start + i * size, size))
        if by is not None:
            m.put(base.place, m.words.add(m.get(base.place, 4), m.get(by.place, 4)))
        elif "!" in operands[1]:
            m.put(base.place, constant(start + len(order) * size, 32))

    return step


def _multiple(name: str, operands: list[str], places: Places) -> Step:
    """VLDM, VSTM, VPUSH and VPOP."""
    registers = listed(operands[-1], places)
    size = registers[0].bits // 8
    total = size * len(registers)
    stack = name in ("push", "pop")
    base = parse("sp" if stack else operands[0].rstrip("!"), places)
    down = name == "push" or name.endswith("db")
    back = stack or operands[0].endswith("!")
    load = name.startswith("ld") or name == "pop"

    def step(m: Machine) -> None:
        pointer = m.concrete(m.get(base.place, 4), "an address")
        start = pointer - total if down else pointer
        if stack:
            m.lowest_stack = min(m.lowest_stack, start)
        for i, register in enumerate(registers):
            if load:
                m.put(register.place, m.memory.load(start + i * size, size))
            else:
                m.memory.store(start + i * size, m.get(register.place, size))
        if back:
            m.put(base.place, constant(start if down else pointer + total, 32))

    return step


def _single(name: str, operands: list[str], places: Places, address: int) -> Step:
    """VLDR and VSTR."""
    register = parse(operands[0], places)
    size = register.bits // 8
    if re.match(r"\[pc", operands[1]):
        distance = number(split(operands[1].strip("[]"))[1]) if "," in operands[1] else 0
        return lambda m: m.put(register.place, m.memory.load((address & ~3) + distance, size))
    base, distance, _ = _base(operands[1], places)

    def step(m: Machine) -> None:
        at = m.concrete(m.get(base.place, 4), "an address") + distance
        if name == "ldr":
            m.put(register.place, m.memory.load(at, size))
        else:
            m.memory.store(at, m.get(register.place, size))

    return step
