# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Semantics from SLEIGH's p-code: each instruction becomes a list of functions.

Flags that are functions of a whole result (zero, parity, signed overflow) become unknown values where the result is not
concrete: constant-time code does not use them, and code that does is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pypcode
from pypcode import OpCode

from .machine import Instruction, Machine, Step
from .refusal import UnknownInstructionError
from .words import Word, constant, cut, sign_extended, value_of, width, zero_extended

Reader = Callable[[Machine], Word]
Writer = Callable[[Machine, Word], None]
Operation = Callable[[Machine, Word, Word], Word]

FALSE = constant(0, 8)

REGISTERS_MOST = 0x8000
"""Where SLEIGH keeps what is no register of ours: control registers."""


def _flag(bit: Word) -> Word:
    return bit + FALSE[4:]


def _carry(m: Machine, x: Word, y: Word) -> Word:
    return _flag(m.words.add_with_carry(x, y)[-4:])


def _known(m: Machine, bit: bool | None) -> Word:
    return _flag(m.unknown(1)) if bit is None else constant(bit, 8)


def _signed_carry(m: Machine, x: Word, y: Word) -> Word:
    return _known(m, m.words.signed_overflow(x, y, False))


def _signed_borrow(m: Machine, x: Word, y: Word) -> Word:
    return _known(m, m.words.signed_overflow(x, y, True))


def _equal(m: Machine, x: Word, y: Word) -> Word:
    return _known(m, m.words.same(x, y))


def _not_equal(m: Machine, x: Word, y: Word) -> Word:
    return _flag(m.words.not_(_equal(m, x, y)[:4]))


def _less(m: Machine, x: Word, y: Word) -> Word:
    return _flag(m.words.less(x, y))


def _less_equal(m: Machine, x: Word, y: Word) -> Word:
    return _flag(m.words.not_(m.words.less(y, x)))


def _signed_less(m: Machine, x: Word, y: Word) -> Word:
    return _flag(m.words.signed_less(x, y))


def _signed_less_equal(m: Machine, x: Word, y: Word) -> Word:
    return _flag(m.words.not_(m.words.signed_less(y, x)))


def _shift_left(m: Machine, x: Word, y: Word) -> Word:
    return m.words.shift_left(x, m.concrete(y, "a shift count"))


def _shift_right(m: Machine, x: Word, y: Word) -> Word:
    return m.words.shift_right(x, m.concrete(y, "a shift count"))


def _signed_shift_right(m: Machine, x: Word, y: Word) -> Word:
    return m.words.shift_right(x, m.concrete(y, "a shift count"), x[-4:])


def _divided(name: str, function: Callable[[int, int], int]) -> Operation:
    def divided(m: Machine, x: Word, y: Word) -> Word:
        return constant(function(m.concrete(x, name), m.concrete(y, name)), width(x))

    return divided


BINARY: dict[OpCode, Operation] = {
    OpCode.INT_ADD: lambda m, x, y: m.words.add(x, y),
    OpCode.INT_SUB: lambda m, x, y: m.words.subtract(x, y),
    OpCode.INT_XOR: lambda m, x, y: m.words.xor(x, y),
    OpCode.INT_AND: lambda m, x, y: m.words.and_(x, y),
    OpCode.INT_OR: lambda m, x, y: m.words.or_(x, y),
    OpCode.INT_MULT: lambda m, x, y: m.words.multiply(x, y),
    OpCode.INT_DIV: _divided("a dividend", lambda a, b: a // b),
    OpCode.INT_REM: _divided("a dividend", lambda a, b: a % b),
    OpCode.BOOL_XOR: lambda m, x, y: _flag(m.words.xor(x[:4], y[:4])),
    OpCode.BOOL_AND: lambda m, x, y: _flag(m.words.and_(x[:4], y[:4])),
    OpCode.BOOL_OR: lambda m, x, y: _flag(m.words.or_(x[:4], y[:4])),
    OpCode.PIECE: lambda m, x, y: y + x,
    OpCode.INT_LEFT: _shift_left,
    OpCode.INT_RIGHT: _shift_right,
    OpCode.INT_SRIGHT: _signed_shift_right,
    OpCode.INT_EQUAL: _equal,
    OpCode.INT_NOTEQUAL: _not_equal,
    OpCode.INT_LESS: _less,
    OpCode.INT_LESSEQUAL: _less_equal,
    OpCode.INT_SLESS: _signed_less,
    OpCode.INT_SLESSEQUAL: _signed_less_equal,
    OpCode.INT_CARRY: _carry,
    OpCode.INT_SCARRY: _signed_carry,
    OpCode.INT_SBORROW: _signed_borrow,
}


def _population(m: Machine, x: Word, bits: int) -> Word:
    value = value_of(x)
    return zero_extended(m.unknown(8), bits) if value is None else constant(value.bit_count(), bits)


def _leading_zeros(m: Machine, x: Word, bits: int) -> Word:
    return constant(width(x) - m.concrete(x, "a count of leading zeros").bit_length(), bits)


UNARY: dict[OpCode, Callable[[Machine, Word, int], Word]] = {
    OpCode.COPY: lambda m, x, bits: x,
    OpCode.INT_ZEXT: lambda m, x, bits: zero_extended(x, bits),
    OpCode.INT_SEXT: lambda m, x, bits: sign_extended(x, bits),
    OpCode.INT_NEGATE: lambda m, x, bits: m.words.not_(x),
    OpCode.INT_2COMP: lambda m, x, bits: m.words.subtract(constant(0, bits), x),
    OpCode.BOOL_NEGATE: lambda m, x, bits: _flag(m.words.not_(x[:4])),
    OpCode.POPCOUNT: _population,
    OpCode.LZCOUNT: _leading_zeros,
}


def _compacted(ops: list[Any]) -> dict[int, int]:
    """Return where an instruction's temporaries are kept, which SLEIGH spreads over megabytes."""
    nodes = sorted(
        {
            (node.offset, node.size)
            for op in ops
            for node in ([*op.inputs, op.output] if op.output else op.inputs)
            if node.space.name == "unique"
        }
    )
    places: dict[int, int] = {}
    block = end = used = 0
    for at, size in nodes:
        if at >= end:
            used += end - block
            block = end = at
        places[at] = used + at - block
        end = max(end, at + size)
    return places


class Lifter:
    """Translates instructions of one of SLEIGH's languages."""

    stack_register = "sp"

    def __init__(self, language: str) -> None:
        self.context = pypcode.Context(language)
        self.places = {name: (v.offset, v.size) for name, v in self.context.registers.items()}
        self.register_bytes = max(at + size for at, size in self.places.values() if at < REGISTERS_MOST)
        self.stack_place, self.stack_size = self.places[self.stack_register]
        self.places_of_temporaries: dict[int, int] = {}

    def decode(self, code: bytes, address: int) -> Instruction:
        """Translate the first instruction of the code."""
        try:
            translation = self.context.translate(code, address, max_instructions=1)
            text = self.context.disassemble(code, address, max_instructions=1).instructions[0]
        except Exception as error:  # pypcode raises several of its own
            raise UnknownInstructionError(f"{code[:4].hex()} at {address:#x}: {error}") from error
        marks = [op for op in translation.ops if op.opcode == OpCode.IMARK]
        length = marks[0].inputs[0].size
        ops = [op for op in translation.ops if op.opcode != OpCode.IMARK]
        self.places_of_temporaries = _compacted(ops)
        steps = tuple(self.step(op, number, address) for number, op in enumerate(ops))
        if any(op.output and op.output.space.name == "register" and op.output.offset == self.stack_place for op in ops):
            steps = (*steps, self.note_stack)
        return Instruction(form_name(text.mnem, text.body), length, steps, code[:length])

    def note_stack(self, m: Machine) -> None:
        """Keep how deep the stack is."""
        pointer = m.concrete(m.get(self.stack_place, self.stack_size), "the stack pointer")
        if pointer < m.lowest_stack:
            m.lowest_stack = pointer

    def reader(self, node: Any) -> Reader:
        """Return what reads a varnode."""
        space, at, size = node.space.name, node.offset, node.size
        if space == "const":
            word = constant(at, 8 * size)
            return lambda m: word
        if space == "register":
            return lambda m: m.get(at, size)
        if space == "unique":
            start = 32 * self.places_of_temporaries[at]
            end = start + 32 * size
            return lambda m: bytes(m.temporaries[start:end])
        return lambda m: m.memory.load(at, size)

    def writer(self, node: Any) -> Writer:
        """Return what writes a varnode."""
        space, at, size = node.space.name, node.offset, node.size
        if space == "register":
            return lambda m, word: m.put(at, word)
        if space == "unique":
            start = 32 * self.places_of_temporaries[at]

            def write(m: Machine, word: Word) -> None:
                m.temporaries[start : start + 32 * size] = word

            return write
        return lambda m, word: m.memory.store(at, word)

    def step(self, op: Any, number: int, address: int) -> Step:
        """Return what does one operation of p-code."""
        code, inputs = op.opcode, op.inputs
        if code in BINARY:
            function, x, y, write = BINARY[code], self.reader(inputs[0]), self.reader(inputs[1]), self.writer(op.output)
            return lambda m: write(m, function(m, x(m), y(m)))
        if code in UNARY:
            unary, x, write, bits = UNARY[code], self.reader(inputs[0]), self.writer(op.output), 8 * op.output.size
            return lambda m: write(m, unary(m, x(m), bits))
        if code == OpCode.SUBPIECE:
            x, write, bits, low = self.reader(inputs[0]), self.writer(op.output), 8 * op.output.size, inputs[1].offset
            return lambda m: write(m, zero_extended(cut(x(m), 8 * low, bits), bits))
        if code == OpCode.LOAD:
            return self.load(inputs[0].getSpaceFromConst().name, inputs[1], op.output)
        if code == OpCode.STORE:
            to, data = self.reader(inputs[1]), self.reader(inputs[2])
            return lambda m: m.memory.store(m.concrete(to(m), "the address of a store"), data(m))
        if code in (OpCode.BRANCH, OpCode.CALL):
            target = self.target(inputs[0], number)
            return lambda m: target
        if code == OpCode.CBRANCH:
            target, condition = self.target(inputs[0], number), self.reader(inputs[1])
            return lambda m: target if m.concrete(condition(m)[:4], "a branch") else None
        if code in (OpCode.BRANCHIND, OpCode.CALLIND, OpCode.RETURN):
            x = self.reader(inputs[0])
            return lambda m: m.concrete(x(m), "the target of a jump")
        return self.other(op, address)

    def load(self, space: str, at: Any, to: Any) -> Step:
        """Return what loads from a space."""
        address, write, size = self.reader(at), self.writer(to), to.size
        return lambda m: write(m, m.load(address(m), size))

    def target(self, node: Any, number: int) -> int:
        """Return where a branch goes: an address, or ~i for part i of the instruction."""
        if node.space.name != "const":
            return int(node.offset)
        bits = 8 * node.size
        distance = node.offset - (1 << bits) if node.offset >> (bits - 1) else node.offset
        return ~(number + int(distance))

    def other(self, op: Any, address: int) -> Step:
        """Return what does an operation that p-code only names."""
        raise UnknownInstructionError(f"p-code {op.opcode} at {address:#x}")


def form_name(mnemonic: str, operands: str) -> str:
    """Return an instruction's form: its mnemonic, and which of its operands are registers, numbers and memory."""
    return f"{mnemonic} {len(operands.split(',')) if operands else 0}".lower()
