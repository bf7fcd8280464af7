# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Words of any width over one domain of Boolean functions: core/.

A word is a bytes object with a literal of four bytes for each bit, the lowest first: it is cut, joined and compared as
bytes are. Two words are equal, for all values of the inputs, if they are the same bytes."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import lru_cache

from forms import Domain, concrete

Word = bytes

value_of = concrete
"""Return the value of a word of constants, None if a bit is none."""

ZERO: Word = bytes(4)
ONE: Word = b"\1\0\0\0"
UNDEFINED_BYTE: Word = b"\xff" * 32

_OCTETS = [b"".join((ONE if value >> i & 1 else ZERO) for i in range(8)) for value in range(256)]


@lru_cache(1 << 16)
def constant(value: int, bits: int) -> Word:
    """Return a word of constants."""
    size = (bits + 7) // 8
    octets = (value & ((1 << bits) - 1)).to_bytes(size, "little")
    return b"".join([_OCTETS[octet] for octet in octets])[: 4 * bits]


def constant_bytes(value: int, size: int) -> Word:
    """Return a constant word of so many bytes."""
    return constant(value, 8 * size)


def of_octets(data: bytes) -> Word:
    """Return the constant word whose bytes in memory are these."""
    return b"".join([_OCTETS[octet] for octet in data])


def width(word: Word) -> int:
    """Return the number of bits of a word."""
    return len(word) // 4


def cut(word: Word, low: int, bits: int) -> Word:
    """Return so many bits of a word, from a bit on."""
    return word[4 * low : 4 * (low + bits)]


def lanes(word: Word, bits: int) -> list[Word]:
    """Return a word's parts of so many bits each, the lowest first."""
    step = 4 * bits
    return [word[i : i + step] for i in range(0, len(word), step)]


def join(parts: Iterable[Word]) -> Word:
    """Return the word of these parts, the lowest first."""
    return b"".join(parts)


def zero_extended(word: Word, bits: int) -> Word:
    """Return a word with zeros above it, or its low bits."""
    return word[: 4 * bits] + bytes(max(0, 4 * bits - len(word)))


def sign_extended(word: Word, bits: int) -> Word:
    """Return a word with copies of its highest bit above it."""
    return word + word[-4:] * (bits - width(word))


def shifted_left(word: Word, count: int) -> Word:
    """Return a word shifted by a known number of bits."""
    count = min(count, width(word))
    return bytes(4 * count) + word[: len(word) - 4 * count]


def shifted_right(word: Word, count: int, fill: Word = ZERO) -> Word:
    """Return a word shifted by a known number of bits, filled with a bit from above."""
    count = min(count, width(word))
    return word[4 * count :] + fill * count


def rotated_left(word: Word, count: int) -> Word:
    """Return a word rotated by a known number of bits."""
    count %= width(word)
    return word[len(word) - 4 * count :] + word[: len(word) - 4 * count]


def has_a_one(word: Word) -> bool:
    """Tell whether a bit of a word is the constant 1."""
    return 1 in memoryview(word).cast("I")


def is_defined(word: Word) -> bool:
    """Tell whether all bits of a word have been written."""
    return b"\xff\xff\xff\xff" not in word


class Words:
    """The operations on words of one domain."""

    def __init__(
        self,
        short_sums: bool = False,
        numbers_last: bool = False,
        long_sums: bool = False,
        own_carries: bool = False,
        look_ahead: int = 0,
        number_after: bool = False,
    ) -> None:
        self.domain = Domain()
        self.short_sums = short_sums
        """A byte plus a number is a function of the byte: for ciphers that add nothing, whose sums are addresses."""
        self.numbers_last = numbers_last
        """Terms added to two words are added to their sum: for ciphers whose specification adds numbers last."""
        self.number_after = number_after
        """The same byte by byte."""
        if short_sums:
            self.domain.keep_short_sums()
        if own_carries:  # for words that are only added as words
            self.domain.keep_own_carries()
        if look_ahead:  # for bit-sliced additions that join the carries of so many bits by products
            self.domain.keep_look_ahead(look_ahead)
        if long_sums:  # for bit-sliced additions, whose bits are XORed one by one to other words
            self.domain.keep_long_sums()
        self.offsets: dict[Word, tuple[Word, int]] = {}
        """Sums of a word and a number, each with both."""
        self.low_bytes: dict[Word, tuple[Word, Word, int]] = {}
        """Carries out of a byte to which a number was added: the sum, and both."""
        self.with_number: dict[Word, tuple[Word, Word, Word, Word]] = {}
        """Bytes to which a number was added: each with both, the carry into it and the one out of it."""
        self.moved: dict[Word, tuple[Word, Word, Word]] = {}
        """Carries out of sums whose number was moved to their end: those of both, and the one that there was without that."""
        self.raised: dict[Word, tuple[Word, Word, Word]] = {}
        """Sums of a word and a carry alone: each with both, and its own carry."""
        self.differences: dict[Word, tuple[Word, Word]] = {}
        """Differences of two words: a borrow may be subtracted from them as a word."""
        self.never_both: set[tuple[Word, Word]] = set()
        """Carries of which one is 0 at least."""
        self.sums: dict[Word, tuple[Word, Word, Word, Word]] = {}
        """Sums that were made with carries: each with both words, the carry into it and the one out of it."""
        self.looked_up: dict[tuple[Word, bytes, int], Word] = {}
        self.xor = self.domain.xor
        self.and_ = self.domain.and_
        self.or_ = self.domain.or_
        self.not_ = self.domain.not_
        self.mux = self.domain.mux
        self.fresh = self.domain.fresh
        self.all = self.domain.all

    def table(self, index: Word, entries: bytes, bits: int) -> Word:
        """Return what a table has at an index; entries are of so many bits."""
        found = self.looked_up.get((index, entries, bits))
        if found is None:
            found = self.looked_up[index, entries, bits] = self.domain.table(index, entries, bits)
        return found

    def add(self, x: Word, y: Word) -> Word:
        """Return the sum, as wide as x and y. Constants that are added one after another are added to each other."""
        number, other = value_of(y), value_of(x)
        if number is None:
            if other is None:
                return self.of_two(x, y)
            number, x = other, y
        elif other is not None:
            return constant(number + other, width(x))
        bits = width(x)
        if self.numbers_last and bits == 8 and value_of(x) is None:  # the index of a table that begins further on
            return self.table(x, bytes((octet + number) % 256 for octet in range(256)), 8)
        base, before = self.offsets.get(x, (x, 0))
        number = (number + before) % (1 << bits)
        total = self.domain.add(base, constant(number, bits), ZERO)[: len(x)]
        if base != total:
            self.offsets[total] = base, number
            if bits == 64:  # LEA adds so many bits, and keeps half of them
                self.offsets[cut(total, 0, 32)] = cut(base, 0, 32), number % (1 << 32)
        return total

    def of_two(self, x: Word, y: Word) -> Word:
        """Return the sum of two words that are not numbers. A carry may be added to one of them ahead, as a word."""
        for word, other in ((x, y), (y, x)):
            if word[4:] == bytes(len(word) - 4):
                total = self.domain.add(other, bytes(len(word)), word[:4])
                self.raised[total[:-4]] = other, word[:4], total[-4:]
                return total[:-4]
            if word in self.raised:
                base, ahead, _ = self.raised[word]
                return self.domain.add(base, other, ahead)[:-4]
        first = second = 0
        if self.numbers_last:
            (x, first), (y, second) = self.offsets.get(x, (x, 0)), self.offsets.get(y, (y, 0))
        total = self.domain.add(x, y, ZERO)[: len(x)]
        return self.add(total, constant(first + second, width(x))) if first or second else total

    def add_with_carry(self, x: Word, y: Word, carry: Word = ZERO) -> Word:
        """Return the sum, with its carry as one bit more. Two bytes to which a number is added one after the other are kept
        as one word and the number: the address of an entry in a table."""
        number, more = value_of(y), value_of(carry)
        if self.number_after and number is None and (total := self.number_moved(x, y, carry)):
            return total
        total = self.of_three(x, y, carry)
        if width(x) != 8 or number is None:
            return total
        self.with_number[total[:-4]] = x, y, carry, total[-4:]
        if more is not None:
            self.low_bytes[total[-4:]] = total[:-4], x, number + more
        elif carry in self.low_bytes:
            low, base, first = self.low_bytes[carry]
            self.offsets[low + total[:-4]] = base + x, (first + (number << 8)) % (1 << 16)
        return total

    def number_moved(self, x: Word, y: Word, carry: Word) -> Word | None:
        """Return the sum of a byte to which a number was added before, with the number last: (x + n) + y is (x + y) + n.

        Both have the same bits and, from one byte to the next, the same sum of both carries: of the four, three are known,
        and the fourth is their XOR."""
        if x not in self.with_number or x == y:  # x + x is a shift
            return None
        base, number, first, first_out = self.with_number[x]
        if value_of(first) is not None and value_of(carry) is not None:
            second, last = carry, first
        elif carry in self.moved and self.moved[carry][2] == first:
            second, last, _ = self.moved[carry]
        else:
            return None
        both = self.domain.add(base, y, second)
        total = self.domain.add(both[:-4], number, last)
        out = self.exclusive([both[-4:], total[-4:], first_out])
        self.moved[out] = both[-4:], total[-4:], first_out
        return total[:-4] + out

    def of_three(self, x: Word, y: Word, carry: Word) -> Word:
        """Return the sum of two words and a carry, with its own.

        Code for small processors may add a carry to a word ahead, and the other word later: the sum is that of all three,
        and of its carry one part came ahead and one comes now. And it may subtract again what it has added."""
        if x in self.sums:
            first, second, into, out = self.sums[x]
            if carry == self.not_(into) and self.not_(y) in (first, second):
                return (first if self.not_(y) == second else second) + self.not_(out)
        if value_of(carry) is None and value_of(y) == 0:
            total = self.domain.add(x, y, carry)
            if value_of(total[-4:]) is None:  # else it is the last step of a rotation
                self.raised[total[:-4]] = x, carry, total[-4:]
            return total
        for word, other in ((x, y), (y, x)):
            if word not in self.raised:
                continue
            base, ahead, before = self.raised[word]
            if carry == ZERO or (ahead, carry) in self.never_both:
                total = self.domain.add(base, other, self.xor(ahead, carry))
                rest = self.xor(total[-4:], before)
                self.never_both.add((before, rest))
                return total[:-4] + rest
        total = self.domain.add(x, y, carry)
        if value_of(y) is None:
            self.sums[total[:-4]] = x, y, carry, total[-4:]
        return total

    def subtract(self, x: Word, y: Word) -> Word:
        """Return the difference, as wide as x and y. Numbers that were added to them before are added to it."""
        number = value_of(y)
        if number is not None:
            return self.add(x, constant(-number, width(y)))
        number = value_of(x)
        if number is not None:
            difference = self.not_(self.add(y, constant(~number, width(x))))
            self.offsets[difference] = self.not_(y), number + 1
            return difference
        if x in self.differences and y[4:] == bytes(len(y) - 4):
            first, second = self.differences[x]
            return self.domain.add(first, self.not_(second), self.not_(y[:4]))[: len(x)]
        difference = self.of_words(x, y)
        self.differences[difference] = x, y
        return difference

    def of_words(self, x: Word, y: Word) -> Word:
        """Return the difference of two words that are not numbers."""
        (x, first), (y, second) = self.offsets.get(x, (x, 0)), self.offsets.get(y, (y, 0))
        if self.numbers_last:
            total = self.domain.add(x, self.not_(y), ZERO)[: len(x)]
            return self.add(total, constant(first - second + 1, width(x)))
        total = self.domain.add(x, self.not_(y), ONE)[: len(x)]
        return self.add(total, constant(first - second, width(x)))

    def less(self, x: Word, y: Word) -> Word:
        """Return the bit that says that x < y, without signs."""
        return self.not_(self.domain.add(x, self.not_(y), ONE)[-4:])

    def signed_less(self, x: Word, y: Word) -> Word:
        """Return the bit that says that x < y, with signs; of a number below 0 that is the highest bit."""
        if value_of(y) == 0:
            return x[-4:]
        return self.less(x[:-4] + self.not_(x[-4:]), y[:-4] + self.not_(y[-4:]))

    def shift_left(self, x: Word, count: int) -> Word:
        """Return a word shifted by a known number of bits."""
        return shifted_left(x, count)

    def shift_right(self, x: Word, count: int, fill: Word = ZERO) -> Word:
        """Return a word shifted by a known number of bits, filled with a bit from above."""
        return shifted_right(x, count, fill)

    def same(self, x: Word, y: Word) -> bool | None:
        """Tell whether two words are equal for all inputs, or for none; None if that is not known."""
        if x == y:
            return True
        return False if has_a_one(self.xor(x, y)) else None

    def signed_overflow(self, x: Word, y: Word, difference: bool) -> bool | None:
        """Tell whether a sum or a difference is too large for a signed word, None if that is not known."""
        a, b, half = value_of(x), value_of(y), 1 << width(x) - 1
        if a is None or b is None:
            return None
        a, b = (each - 2 * half if each >= half else each for each in (a, b))
        return not -half <= (a - b if difference else a + b) < half

    def address_of(self, word: Word) -> int | None:
        """Return the place of an address that is not known in figures; None: it is none."""
        return None

    def equal(self, x: Word, y: Word) -> Word:
        """Return the bit that says that x = y."""
        return self.all(self.not_(self.xor(x, y)))

    def multiply(self, x: Word, y: Word) -> Word:
        """Return the low half of the product, as wide as x and y."""
        total = constant(0, width(x))
        if value_of(x) is not None:
            x, y = y, x
        for i, bit in enumerate(lanes(y, 1)):
            if bit != ZERO:
                row = shifted_left(x, i)
                total = self.add(total, row if bit == ONE else self.and_(row, bit * width(row)))
        return total

    def carryless_multiply(self, x: Word, y: Word) -> Word:
        """Return the product of polynomials over GF(2), twice as wide."""
        bits = width(x)
        total = constant(0, 2 * bits)
        wide = zero_extended(x, 2 * bits)
        for i, bit in enumerate(lanes(y, 1)):
            if bit != ZERO:
                total = self.xor(total, self.and_(shifted_left(wide, i), bit * (2 * bits)))
        return total

    def differ(self, x: Word, y: Word) -> bool:
        """Tell whether two words have different values for one of 64 random choices of all inputs."""
        values = random.Random(1).randbytes(8 * self.domain.sizes()[4])
        return self.domain.simulate(x, values, 1) != self.domain.simulate(y, values, 1)

    def exclusive(self, words: Sequence[Word]) -> Word:
        """Return the XOR of several words."""
        total = words[0]
        for word in words[1:]:
            total = self.xor(total, word)
        return total
