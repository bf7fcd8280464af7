# SPDX-License-Identifier: Apache-2.0 OR MIT
"""RV32 and RV64, by SLEIGH's p-code; Zbkb and Zkne, which it does not have or has in part, by semantics of our own."""

from __future__ import annotations

from collections.abc import Callable

from ..image import Image
from ..machine import Instruction, Machine
from ..pcode import Lifter
from ..specifications import aes
from ..words import Word, Words, constant, cut, join, lanes, rotated_left, sign_extended, zero_extended
from .base import RETURN_ADDRESS, Argument, Processor, store_arguments

ABI_NAMES = (
    *("zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1"),
    *(f"a{i}" for i in range(8)),
    *(f"s{i}" for i in range(2, 12)),
    *("t3", "t4", "t5", "t6"),
)


class Riscv(Processor):
    """A RISC-V processor."""

    callee_saved = ("gp", "tp", *(f"s{i}" for i in range(12)))

    def __init__(self, words: Words, image: Image, before: Processor | None = None) -> None:
        self.fixed = {"zero": 0, "ra": RETURN_ADDRESS, "gp": image.symbols.get("__global_pointer$", 0)}
        super().__init__(words, image, before)

    def new_decoder(self) -> Lifter:
        """Return what decodes its instructions."""
        return RiscvLifter(f"RISCV:LE:{self.image.bits}:default")

    def pass_arguments(self, arguments: list[Argument], stack: int) -> None:
        """Pass words in a0 to a7, two for a long number, then on the stack."""
        pieces: list[Argument] = []
        bits = 8 * self.pointer_bytes
        for argument in arguments:
            size = argument.size or self.pointer_bytes
            for at in range(0, max(size, 1), self.pointer_bytes):
                pieces.append(Argument(argument.word(bits, 8 * at), min(size, self.pointer_bytes)))
        for number, piece in enumerate(pieces[:8]):
            self.set_register(f"a{number}", piece.word(bits))
        store_arguments(self, pieces[8:], stack, self.pointer_bytes)

    def set_return_address(self, stack: int) -> int:
        """Put the return address into ra."""
        return stack

    def result(self) -> int:
        """Return a0."""
        return self.machine.concrete(self.register("a0"), "a result")


Function = Callable[[Machine, Word, Word], Word]
"""Of the contents of rs1 and rs2; a number is part of the function."""


def _sub_word(m: Machine, word: Word) -> Word:
    return join(aes.sub_byte(m.words, byte) for byte in lanes(word, 8))


def _aes32(mix: bool, at: int) -> Function:
    """AES32ESI and AES32ESMI: one byte of rs2 through the S-box, and a column of MixColumns."""

    def function(m: Machine, x: Word, y: Word) -> Word:
        once = aes.sub_byte(m.words, cut(y, 8 * at, 8))
        column = zero_extended(once, 32)
        if mix:
            twice = aes.xtime(m.words, once)
            column = join([twice, once, once, m.words.xor(twice, once)])
        return m.words.xor(x, rotated_left(column, 8 * at))

    return function


def _aes64(mix: bool) -> Function:
    """AES64ES and AES64ESM: the low half of a round."""

    def function(m: Machine, x: Word, y: Word) -> Word:
        state = [aes.sub_byte(m.words, byte) for byte in aes.shift_rows(lanes(x + y, 8))[:8]]
        return join(aes.mix_columns(m.words, state * 2)[:8] if mix else state)

    return function


def _aes64_key(number: int) -> Function:
    """AES64KS1I: what is XORed to the first word of a round key."""

    def function(m: Machine, x: Word, y: Word) -> Word:
        word = cut(x, 32, 32)
        if number == 10:
            word = _sub_word(m, word)
        else:
            round_constant = (1, 2, 4, 8, 16, 32, 64, 128, 0x1B, 0x36)[number]
            word = m.words.xor(_sub_word(m, rotated_left(word, -8)), constant(round_constant, 32))
        return word * 2

    return function


def _aes64_words(m: Machine, x: Word, y: Word) -> Word:
    """AES64KS2: two words of a round key."""
    first = m.words.xor(cut(x, 32, 32), cut(y, 0, 32))
    return first + m.words.xor(first, cut(y, 32, 32))


def _count(m: Machine, y: Word, bits: int) -> int:
    return m.concrete(cut(y, 0, bits.bit_length() - 1), "a rotation's count")


def _rotation(sign: int, bits: int) -> Function:
    return lambda m, x, y: rotated_left(cut(x, 0, bits), sign * _count(m, y, bits))


def _rotation_by(number: int, bits: int) -> Function:
    return lambda m, x, y: rotated_left(cut(x, 0, bits), -number)


def _interleaved(m: Machine, x: Word, y: Word) -> Word:
    return join(bit for pair in zip(lanes(cut(x, 0, 16), 1), lanes(cut(x, 16, 16), 1)) for bit in pair)


def _separated(m: Machine, x: Word, y: Word) -> Word:
    return join(lanes(x, 1)[::2] + lanes(x, 1)[1::2])


REGISTERS: dict[tuple[int, int, int], tuple[str, Function]] = {
    (0x33, 7, 0x20): ("andn", lambda m, x, y: m.words.and_(x, m.words.not_(y))),
    (0x33, 6, 0x20): ("orn", lambda m, x, y: m.words.or_(x, m.words.not_(y))),
    (0x33, 4, 0x20): ("xnor", lambda m, x, y: m.words.not_(m.words.xor(x, y))),
    (0x33, 7, 0x04): ("packh", lambda m, x, y: zero_extended(cut(x, 0, 8) + cut(y, 0, 8), len(x) // 4)),
    (0x33, 4, 0x04): ("pack", lambda m, x, y: x[: len(x) // 2] + y[: len(y) // 2]),
    (0x3B, 4, 0x04): ("packw", lambda m, x, y: cut(x, 0, 16) + cut(y, 0, 16)),
    (0x3B, 1, 0x30): ("rolw", _rotation(1, 32)),
    (0x3B, 5, 0x30): ("rorw", _rotation(-1, 32)),
    (0x33, 0, 0x19): ("aes64es", _aes64(False)),
    (0x33, 0, 0x1B): ("aes64esm", _aes64(True)),
    (0x33, 0, 0x3F): ("aes64ks2", _aes64_words),
}
"""By opcode, funct3 and funct7. A result of 32 bits is extended by its sign."""


def own_function(code: int, bits: int) -> tuple[str, Function] | None:
    """Return the name and the function of an instruction that SLEIGH does not have."""
    opcode, funct3, funct7, number = code & 0x7F, code >> 12 & 7, code >> 25, code >> 20 & 0xFFF
    if found := REGISTERS.get((opcode, funct3, funct7)):
        return found
    if opcode == 0x33 and funct7 == 0x30 and funct3 in (1, 5):
        return ("rol", _rotation(1, bits)) if funct3 == 1 else ("ror", _rotation(-1, bits))
    if opcode == 0x33 and funct3 == 0 and funct7 & 31 in (0x11, 0x13):
        mix = funct7 & 31 == 0x13
        return "aes32esmi" if mix else "aes32esi", _aes32(mix, code >> 30)
    if opcode == 0x13 and funct3 == 5:
        if number >> 6 == 0x18:
            return "rori", _rotation_by(number & (bits - 1), bits)
        if number == (0x6B8 if bits == 64 else 0x698):
            return "rev8", lambda m, x, y: join(lanes(x, 8)[::-1])
        if number == 0x687:
            return "brev8", lambda m, x, y: join(join(lanes(byte, 1)[::-1]) for byte in lanes(x, 8))
        if number == 0x08F and bits == 32:
            return "unzip", _separated
    if opcode == 0x13 and funct3 == 1:
        if number == 0x08F and bits == 32:
            return "zip", _interleaved
        if number >> 4 == 0x31:
            return "aes64ks1i", _aes64_key(number & 15)
    if opcode == 0x1B and funct3 == 5 and funct7 == 0x30:
        return "roriw", _rotation_by(number & 31, 32)
    return None


class RiscvLifter(Lifter):
    """Decodes RISC-V."""

    def decode(self, code: bytes, address: int) -> Instruction:
        """Translate the first instruction of the code."""
        word = int.from_bytes(code[:4], "little")
        bits = 8 * self.stack_size
        own = own_function(word, bits) if word & 3 == 3 else None
        if own is None:
            return super().decode(code, address)
        name, function = own
        to, x, y = (ABI_NAMES[word >> at & 31] for at in (7, 15, 20))
        (x_place, size), (y_place, _), (to_place, _) = self.places[x], self.places[y], self.places[to]

        def step(m: Machine) -> None:
            value = function(m, m.get(x_place, size), m.get(y_place, size))
            if to != "zero":
                m.put(to_place, sign_extended(value, bits))

        return Instruction(name, 4, (step,), code[:4])
