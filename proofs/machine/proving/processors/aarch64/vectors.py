# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The effects of AArch64's vector instructions, from capstone's disassembly. Loads and stores of single registers are
SLEIGH's."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ...machine import Machine, Step, entry_at
from ...refusal import UnknownInstructionError
from ...specifications import aes
from ...words import (
    ZERO,
    Word,
    constant,
    cut,
    join,
    lanes,
    shifted_left,
    shifted_right,
    sign_extended,
    value_of,
    width,
    zero_extended,
)

Places = Mapping[str, tuple[int, int]]

BITS = {"b": 8, "h": 16, "s": 32, "d": 64, "q": 128}
HANDLED = re.compile(r"\bv\d+\.|\b[bhsdq]\d+\b")
BY_SLEIGH = re.compile(r"(ldr|str|ldp|stp|ldur|stur|ldnp|stnp)\b")


@dataclass(frozen=True)
class Register:
    """A vector register, all of it or an element, or a general one."""

    place: int
    bits: int
    element: int
    """Width of the elements it is seen as."""
    index: int | None = None
    general: bool = False


def parse(text: str, places: Places) -> Register:
    """Return the register that a text stands for."""
    if found := re.match(r"v(\d+)\.(\d*)([bhsd])(?:\[(\w+)\])?$", text):
        element = BITS[found[3]]
        count = int(found[2]) if found[2] else 128 // element
        return Register(places[f"q{found[1]}"][0], element * count, element, int(found[4], 0) if found[4] else None)
    if found := re.match(r"([bhsdq])(\d+)$", text):
        return Register(places[f"q{found[2]}"][0], BITS[found[1]], BITS[found[1]])
    if found := re.match(r"([wx])(\d+|zr)$", text):
        bits = 32 if found[1] == "w" else 64
        return Register(places[text][0], bits, bits, general=True)
    raise UnknownInstructionError(f"operand {text}")


def split(text: str) -> list[str]:
    """Return the operands in a line of disassembly; commas in brackets and braces are parts of one."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "[{") - (letter in "]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts] if text else []


def number(text: str) -> int:
    """Return an immediate number."""
    return int(text.lstrip("#"), 0)


def read(m: Machine, register: Register) -> Word:
    """Return a register's content, or its element's."""
    if register.index is not None:
        return m.get(register.place + register.index * register.element // 8, register.element // 8)
    return m.get(register.place, register.bits // 8)


def write(m: Machine, register: Register, word: Word) -> None:
    """Set a register: what lies above is cleared; or an element: the others stay."""
    if register.index is not None:
        m.put(register.place + register.index * register.element // 8, word)
    else:
        m.put(register.place, zero_extended(word, 64 if register.general else 128))


Function = Callable[[Machine, list[Word], int], Word]
"""Of operands and the width of elements."""


def each(function: Callable[[Machine, Word, Word], Word]) -> Function:
    """Return the function of all pairs of elements."""
    return lambda m, x, bits: join(function(m, a, b) for a, b in zip(lanes(x[0], bits), lanes(x[1], bits)))


def reversed_in(bits: int) -> Function:
    """REV16, REV32 and REV64: elements in the other order in every part of so many bits."""
    return lambda m, x, element: join(join(lanes(part, element)[::-1]) for part in lanes(x[0], bits))


def _products(m: Machine, x: Word, y: Word, bits: int) -> Word:
    return join(m.words.multiply(a, b) for a, b in zip(lanes(x, bits), lanes(y, bits)))


def _zip(high: bool) -> Function:
    def zipped(m: Machine, x: list[Word], bits: int) -> Word:
        a, b = lanes(x[0], bits), lanes(x[1], bits)
        half = len(a) // 2
        return join(part for i in range(half) for part in (a[i + high * half], b[i + high * half]))

    return zipped


def _unzip(odd: bool) -> Function:
    return lambda m, x, bits: join(lanes(x[0] + x[1], bits)[int(odd) :: 2])


def _transpose(odd: bool) -> Function:
    def transposed(m: Machine, x: list[Word], bits: int) -> Word:
        a, b = lanes(x[0], bits), lanes(x[1], bits)
        return join(part for i in range(int(odd), len(a), 2) for part in (a[i], b[i]))

    return transposed


def _variable_shift(signed: bool) -> Callable[[Machine, Word, Word], Word]:
    def shifted(m: Machine, x: Word, count: Word) -> Word:
        by = m.concrete(cut(count, 0, 8), "a shift count")
        by -= 256 * (by >> 7)
        return shifted_left(x, by) if by >= 0 else shifted_right(x, -by, x[-4:] if signed else ZERO)

    return shifted


def _aes_state(x: list[Word], m: Machine) -> list[Word]:
    return lanes(m.words.xor(x[0], x[1]), 8)


def _sub(m: Machine, state: list[Word], table: bytes) -> Word:
    return join(m.words.table(byte, table, 8) for byte in state)


FUNCTIONS: dict[str, Function] = {
    "eor": lambda m, x, bits: m.words.xor(x[0], x[1]),
    "and": lambda m, x, bits: m.words.and_(x[0], x[1]),
    "orr": lambda m, x, bits: m.words.or_(x[0], x[1]),
    "bic": lambda m, x, bits: m.words.and_(x[0], m.words.not_(x[1])),
    "orn": lambda m, x, bits: m.words.or_(x[0], m.words.not_(x[1])),
    "not": lambda m, x, bits: m.words.not_(x[0]),
    "mvn": lambda m, x, bits: m.words.not_(x[0]),
    "add": each(lambda m, a, b: m.words.add(a, b)),
    "sub": each(lambda m, a, b: m.words.subtract(a, b)),
    "mul": lambda m, x, bits: _products(
        m, x[0], x[1] * (len(x[0]) // len(x[1])), bits
    ),  # the second may be one element
    "neg": lambda m, x, bits: join(m.words.subtract(constant(0, bits), a) for a in lanes(x[0], bits)),
    "zip1": _zip(False),
    "zip2": _zip(True),
    "uzp1": _unzip(False),
    "uzp2": _unzip(True),
    "trn1": _transpose(False),
    "trn2": _transpose(True),
    "rev16": reversed_in(16),
    "rev32": reversed_in(32),
    "rev64": reversed_in(64),
    "ushl": each(_variable_shift(False)),
    "sshl": each(_variable_shift(True)),
    "cmtst": each(lambda m, a, b: m.words.not_(m.words.equal(m.words.and_(a, b), ZERO * width(a))) * width(a)),
    "cmeq": each(lambda m, a, b: m.words.equal(a, b) * width(a)),
    "cmhi": each(lambda m, a, b: m.words.less(b, a) * width(a)),
    "cmhs": each(lambda m, a, b: m.words.not_(m.words.less(a, b)) * width(a)),
    "aesmc": lambda m, x, bits: join(aes.mix_columns(m.words, lanes(x[0], 8))),
    "aesimc": lambda m, x, bits: join(aes.inverse_mix_columns(m.words, lanes(x[0], 8))),
}

WITH_DESTINATION: dict[str, Function] = {
    "bif": lambda m, x, bits: m.words.xor(x[0], m.words.and_(m.words.xor(x[0], x[1]), m.words.not_(x[2]))),
    "bit": lambda m, x, bits: m.words.xor(x[0], m.words.and_(m.words.xor(x[0], x[1]), x[2])),
    "bsl": lambda m, x, bits: m.words.xor(x[2], m.words.and_(m.words.xor(x[1], x[2]), x[0])),
    "aese": lambda m, x, bits: _sub(m, aes.shift_rows(_aes_state(x, m)), aes.S_BOX),
    "aesd": lambda m, x, bits: _sub(m, aes.inverse_shift_rows(_aes_state(x, m)), aes.INVERSE_S_BOX),
}

SHIFTS: dict[str, Callable[[Word, int], Word]] = {
    "shl": shifted_left,
    "ushr": shifted_right,
    "sshr": lambda x, count: shifted_right(x, count, x[-4:]),
}


def instruction(mnemonic: str, text: str, places: Places) -> Step:
    """Return what an instruction does."""
    operands = split(text)
    if re.match(r"(ld|st)[1-4]r?$", mnemonic):
        return _structures(mnemonic, operands, places)
    if mnemonic in ("tbl", "tbx"):
        return _table(mnemonic, operands, places)
    if mnemonic in ("movi", "mvni", "fmov") and operands[1].startswith("#"):
        to, word = _immediate(mnemonic, operands, places)
        return lambda m: write(m, to, word)
    if mnemonic in ("bic", "orr") and operands[1].startswith("#"):
        to, word = _immediate(mnemonic, operands, places)
        logical = FUNCTIONS[mnemonic]
        return lambda m: write(m, to, logical(m, [read(m, to), word], to.element))
    to = parse(operands[0], places)
    if mnemonic in ("mov", "umov", "ins", "fmov"):
        source = parse(operands[1], places)
        bits = to.bits if to.index is None else to.element  # of a general register, an element takes the low part
        return lambda m: write(m, to, cut(read(m, source), 0, bits))
    if mnemonic == "smov":
        source = parse(operands[1], places)
        return lambda m: write(m, to, sign_extended(read(m, source), to.bits))
    if mnemonic == "dup":
        source = parse(operands[1], places)
        return lambda m: write(m, to, cut(read(m, source), 0, to.element) * (to.bits // to.element))
    if mnemonic in SHIFTS:
        shift, source, count = SHIFTS[mnemonic], parse(operands[1], places), number(operands[2])
        return lambda m: write(m, to, join(shift(x, count) for x in lanes(read(m, source), to.element)))
    if mnemonic in ("sri", "sli"):
        return _inserting(mnemonic, to, parse(operands[1], places), number(operands[2]))
    if found := re.match(r"([us])(?:xtl|shll)(2?)$", mnemonic):
        return _lengthening(
            found[1] == "s",
            bool(found[2]),
            to,
            parse(operands[1], places),
            number(operands[2]) if len(operands) > 2 else 0,
        )
    if mnemonic in ("shrn", "shrn2"):
        return _narrowing(mnemonic == "shrn2", to, parse(operands[1], places), number(operands[2]))
    if mnemonic == "ext":
        x, y, at = parse(operands[1], places), parse(operands[2], places), number(operands[3])
        return lambda m: write(m, to, cut(read(m, x) + read(m, y), 8 * at, to.bits))
    if mnemonic in ("cmlt", "cmge") and operands[2].startswith("#"):
        source = parse(operands[1], places)
        return lambda m: write(
            m, to,
            join((a[-4:] if mnemonic == "cmlt" else m.words.not_(a[-4:])) * to.element
                 for a in lanes(read(m, source), to.element)),
        )  # fmt: skip
    sources = [parse(each_, places) for each_ in operands[1:] if not each_.startswith("#")]
    if mnemonic in FUNCTIONS:
        function = FUNCTIONS[mnemonic]
        return lambda m: write(m, to, function(m, [read(m, s) for s in sources], to.element))
    if mnemonic in WITH_DESTINATION:
        own = WITH_DESTINATION[mnemonic]
        return lambda m: write(m, to, own(m, [read(m, s) for s in (to, *sources)], to.element))
    raise UnknownInstructionError(f"{mnemonic} {text}")


def _immediate(mnemonic: str, operands: list[str], places: Places) -> tuple[Register, Word]:
    to, value = parse(operands[0], places), number(operands[1])
    if len(operands) > 2:
        kind, by = operands[2].split()
        count = number(by)
        value = value << count | ((1 << count) - 1 if kind == "msl" else 0)
    return to, constant(~value if mnemonic == "mvni" else value, to.element) * (to.bits // to.element)


def _inserting(mnemonic: str, to: Register, source: Register, count: int) -> Step:
    """SRI and SLI."""

    def step(m: Machine) -> None:
        pairs = zip(lanes(read(m, to), to.element), lanes(read(m, source), to.element))
        write(m, to, join(inserted(mnemonic, old, x, count) for old, x in pairs))

    return step


def inserted(mnemonic: str, old: Word, x: Word, count: int) -> Word:
    """Return an element shifted into another: where nothing is shifted in, the other's bits stay."""
    if mnemonic == "sri":
        return x[4 * count :] + old[len(old) - 4 * count :]
    return old[: 4 * count] + x[: len(x) - 4 * count]


def _lengthening(signed: bool, high: bool, to: Register, source: Register, count: int) -> Step:
    def step(m: Machine) -> None:
        half = to.bits // to.element * source.element
        word = m.get(source.place, 16)[4 * half * high : 4 * half * (high + 1)]
        widened = [sign_extended(x, to.element) if signed else zero_extended(x, to.element)
                for x in lanes(word, source.element)]  # fmt: skip
        write(m, to, join(shifted_left(x, count) for x in widened))

    return step


def _narrowing(high: bool, to: Register, source: Register, count: int) -> Step:
    """SHRN, and SHRN2, which keeps the low half of the register."""

    def step(m: Machine) -> None:
        made = join(cut(x, count, to.element) for x in lanes(read(m, source), source.element))
        write(m, to, cut(read(m, to), 0, to.bits // 2) + made if high else made)

    return step


def _list(text: str, places: Places) -> list[Register]:
    found = re.match(r"\{(.*)\}(\[\w+\])?$", text)
    if found is None:
        raise UnknownInstructionError(f"operand {text}")
    index = found[2] or ""
    return [parse(each_.strip() + index, places) for each_ in found[1].split(",")]


def _table(mnemonic: str, operands: list[str], places: Places) -> Step:
    """TBL and TBX: bytes of a table at indices; others become zero, or stay."""
    to, table, index = parse(operands[0], places), _list(operands[1], places), parse(operands[2], places)

    def step(m: Machine) -> None:
        entries = [byte for register in table for byte in lanes(m.get(register.place, 16), 8)]
        old = read(m, to) if mnemonic == "tbx" else ZERO * to.bits
        write(m, to, looked_up(m, entries, read(m, index), old))

    return step


def looked_up(m: Machine, entries: list[Word], indices: Word, old: Word) -> Word:
    """Return bytes of a table at indices; where an index is beyond the table, those that were there."""
    count = len(entries)
    numbers = [value_of(entry) for entry in entries]
    elements = []
    for was, at in zip(lanes(old, 8), lanes(indices, 8)):
        place = value_of(at)
        if place is not None:
            elements.append(entries[place] if place < count else was)
            continue
        beyond = m.words.table(at, bytes(count) + b"\xff" * (256 - count), 8)
        if None in numbers:
            rows = entries + entries[:1] * ((1 << (count - 1).bit_length()) - count)
            found = m.words.and_(entry_at(m, rows, at[: 4 * (len(rows) - 1).bit_length()]), m.words.not_(beyond))
        else:
            found = m.words.table(at, bytes(number or 0 for number in numbers) + bytes(256 - count), 8)
        elements.append(m.words.xor(found, m.words.and_(was, beyond)))
    return join(elements)


def _structures(mnemonic: str, operands: list[str], places: Places) -> Step:
    """LD1 to LD4, ST1 to ST4, LD1R to LD4R, with or without a step of the address."""
    registers = _list(operands[0], places)
    base = operands[1].strip("[]! ")
    at, size = places[base]
    spread, repeated = int(mnemonic[2]), mnemonic.endswith("r")
    element = registers[0].element // 8
    count = 1 if repeated or registers[0].index is not None else registers[0].bits // 8 // element
    advance: Callable[[Machine], Word] | None = None
    if len(operands) > 2:
        if operands[2].startswith("#"):
            by = constant(number(operands[2]), 64)
            advance = lambda m: by  # noqa: E731
        else:
            place = places[operands[2]][0]
            advance = lambda m: m.get(place, 8)  # noqa: E731

    def address_of(start: int, register: int, lane: int) -> int:
        if spread == 1:
            return start + element * (count * register + lane)
        return start + element * (len(registers) * lane + register)

    def step(m: Machine) -> None:
        start = m.concrete(m.get(at, size), "an address")
        for i, register in enumerate(registers):
            if mnemonic.startswith("ld"):
                parts = [m.memory.load(address_of(start, i, lane), element) for lane in range(count)]
                word = parts[0] * (register.bits // 8 // element) if repeated else join(parts)
                write(m, register, word)
            else:
                word = read(m, register)
                for lane, part in enumerate(lanes(word, 8 * element)):
                    m.memory.store(address_of(start, i, lane), part)
        if advance is not None:
            m.put(at, m.words.add(m.get(at, size), advance(m)))

    return step
