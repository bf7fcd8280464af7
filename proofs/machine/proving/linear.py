# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Words that are linear in a call's unknown arguments: addresses of buffers and the number of blocks.

Such a word has free bits, as an input has, and a note of what it is; the same form is always the same word. Additions, shifts
and comparisons of them are made on the notes, so that an end of a buffer can be compared with a position in it. What is not
linear is computed on the free bits, of which a branch may not depend."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from .words import ONE, ZERO, Word, Words, constant, cut, value_of, width

MOST = 1 << 64
ALIGNED = 64
"""An address is known modulo this: of any other, only the multiple is unknown."""


@dataclass(frozen=True)
class Form:
    """The sum of a number and of multiples of the unknown count, of addresses and of the index of the first block, modulo
    2**bits."""

    bits: int
    count: int = 0
    out: int = 0
    source: int = 0
    index: int = 0
    past: int = 0
    """Of the iterations that were before."""
    number: int = 0

    def plus(self, other: Form, sign: int = 1) -> Form:
        """Return the sum, or the difference."""
        return Form(
            self.bits,
            self.count + sign * other.count,
            self.out + sign * other.out,
            self.source + sign * other.source,
            self.index + sign * other.index,
            self.past + sign * other.past,
            _signed(self.number + sign * other.number, self.bits),
        )

    def times(self, factor: int) -> Form:
        """Return the product with a number."""
        return Form(
            self.bits,
            self.count * factor,
            self.out * factor,
            self.source * factor,
            self.index * factor,
            self.past * factor,
            _signed(self.number * factor, self.bits),
        )

    def number_of_low_bits(self, bases: tuple[int, int]) -> int:
        """Return what the known low bits of a form are those of, given where buffers are."""
        return self.out * bases[0] + self.source * bases[1] + self.number

    @property
    def is_number(self) -> bool:
        """Tell whether nothing in it is unknown."""
        return not (self.count or self.past or self.is_place)

    @property
    def is_place(self) -> bool:
        """Tell whether an address or an index is in it."""
        return bool(self.out or self.source or self.index)


def _signed(number: int, bits: int) -> int:
    return (number + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


class LinearWords(Words):
    """Words some of which are linear forms. The count is at least `least`, and so small that count_most times as many
    bytes are less than half of the memory that there can be."""

    def __init__(self, **options: bool) -> None:
        super().__init__(**options)
        self.least, self.count_most = 1, 1
        self.bases = 0, 0
        """The places of buffers in this machine's memory."""
        self.index = b""
        """The index of the call's first block, whose bits are in data too; empty: there is none."""
        self.bits = 64
        """The width of addresses."""
        self.forms: dict[Word, Form] = {}
        self.named: dict[Form, Word] = {}
        plain_and, plain_not = self.and_, self.not_
        self.and_ = lambda x, y: self._masked(plain_and, x, y)
        self.not_ = lambda x: self._inverted(plain_not, x)

    def index_is(self, word: Word) -> None:
        """Say what the index of the call's first block is."""
        self.index = word
        self.forms[word] = Form(width(word), index=1)

    def word_of(self, form: Form) -> Word:
        """Return the word of a form."""
        if form.is_number:
            return constant(form.number, form.bits)
        if form not in self.named:
            if replace(form, number=0) == Form(width(self.index), index=1):
                word = super().add(self.index, constant(form.number, form.bits))
            else:
                known = self.known_bits(form)
                low = constant(form.number_of_low_bits(self.bases), form.bits)
                word = cut(low, 0, known) + self.fresh(form.bits - known)
            self.named[form] = word
            self.forms[word] = form
            if form.bits == 64:
                self.forms[cut(word, 0, 32)] = replace(form, bits=32, number=_signed(form.number, 32))
        return self.named[form]

    def known_bits(self, form: Form) -> int:
        """Return how many low bits are known of a form: those of addresses are, by how they are aligned."""
        multiple = form.count | form.past | (ALIGNED if form.out or form.source else 0) | (1 if form.index else 0)
        return (multiple & -multiple).bit_length() - 1 if multiple else form.bits

    def form_of(self, word: Word) -> Form | None:
        """Return a word's form, None if it has none."""
        found = self.forms.get(word)
        if found is None and (value := value_of(word)) is not None:
            return Form(width(word), number=_signed(value, width(word)))
        return found

    def pair(self, x: Word, y: Word) -> tuple[Form, Form] | None:
        """Return the forms of two words, if one is unknown at least and both are forms."""
        if x not in self.forms and y not in self.forms:
            return None
        a, b = self.form_of(x), self.form_of(y)
        return (a, b) if a and b else None

    def address_of(self, word: Word) -> int | None:
        """Return where in this machine's memory an address is that is linear; None: the number of blocks is in it."""
        form = self.forms.get(word)
        if form is None or form.count or form.past or form.index or abs(form.out) > 1 or abs(form.source) > 1:
            return None
        return (form.out * self.bases[0] + form.source * self.bases[1] + form.number) % (1 << form.bits)

    def not_negative(self, form: Form) -> bool:
        """Tell whether a form is certainly what it would be in integers, and none below zero: an address plus a multiple of
        the count that stays in memory."""
        places = form.out, form.source, form.index
        if form.bits < self.bits or min(places) < 0 or sum(places) > 1:
            return False
        if not (0 <= form.count <= self.count_most and 0 <= form.past <= self.count_most):
            return False
        return form.count * self.least + form.number >= 0

    def drift(self, x: Word, y: Word) -> int | None:
        """Return the number that x - y is; None: it is none, or not known."""
        pair = self.pair(x, y)
        form = pair[0].plus(pair[1], -1) if pair else None
        return form.number if form and form.is_number and form.bits == self.bits else None

    def with_drift(self, x: Word, drift: int, number: int = 0) -> Word | None:
        """Return x + drift * j + number, with the number j of iterations that were before; None: x is no form."""
        form = self.form_of(x)
        return self.word_of(form.plus(Form(form.bits, past=drift, number=number))) if form else None

    def difference(self, x: Word, y: Word) -> tuple[int, int] | None:
        """Return the least and the most that x - y can be, without signs; None: not known."""
        pair = self.pair(x, y)
        if pair is None or not (self.not_negative(pair[0]) and self.not_negative(pair[1])):
            return None
        form = pair[0].plus(pair[1], -1)
        if form.is_place:  # no buffer is at address 0
            zero = [each.is_number and each.number == 0 and not form.index for each in pair]
            return ((1, MOST) if zero[1] else (-MOST, -1)) if any(zero) else None
        at_least = form.count * self.least + form.number
        low = -MOST if min(form.count, form.past) < 0 else at_least
        return low, (MOST if max(form.count, form.past) > 0 else at_least)

    def order(self, x: Word, y: Word) -> int | None:
        """Return 1 for x > y, 0 for x = y, -1 for x < y, without signs; None: not known."""
        found = self.difference(x, y)
        if found is None:
            return None
        low, high = found
        return 1 if low > 0 else -1 if high < 0 else 0 if low == high == 0 else None

    def add(self, x: Word, y: Word) -> Word:
        """Return the sum, as wide as x and y."""
        pair = self.pair(x, y)
        return self.word_of(pair[0].plus(pair[1])) if pair else super().add(x, y)

    def subtract(self, x: Word, y: Word) -> Word:
        """Return the difference, as wide as x and y."""
        pair = self.pair(x, y)
        return self.word_of(pair[0].plus(pair[1], -1)) if pair else super().subtract(x, y)

    def multiply(self, x: Word, y: Word) -> Word:
        """Return the low half of the product, as wide as x and y."""
        pair = self.pair(x, y)
        if pair and (pair[0].is_number or pair[1].is_number):
            form, factor = pair if pair[1].is_number else pair[::-1]
            return self.word_of(form.times(factor.number))
        return super().multiply(x, y)

    def shift_left(self, x: Word, count: int) -> Word:
        """Return a word shifted by a known number of bits."""
        form = self.forms.get(x)
        return self.word_of(form.times(1 << count)) if form else super().shift_left(x, count)

    def shift_right(self, x: Word, count: int, fill: Word = ZERO) -> Word:
        """Return a word shifted by a known number of bits, filled with a bit from above."""
        form = self.forms.get(x)
        if form and not (form.count | form.past) % (1 << count) and self.not_negative(form) and not form.is_place:
            return self.word_of(
                replace(form, count=form.count >> count, past=form.past >> count, number=form.number >> count)
            )
        return super().shift_right(x, count, fill)

    def _inverted(self, plain: Callable[[Word], Word], x: Word) -> Word:
        form = self.forms.get(x)
        return self.word_of(Form(form.bits, number=-1).plus(form, -1)) if form else plain(x)

    def _masked(self, plain: Callable[[Word, Word], Word], x: Word, y: Word) -> Word:
        """Take the low bits of an address from its alignment, and those of a number of blocks from its remainder modulo a
        power of two, where these are known."""
        pair = self.pair(x, y)
        if pair and (pair[0].is_number or pair[1].is_number):
            form, mask = pair if pair[1].is_number else pair[::-1]
            low = mask.number if mask.number >= 0 else ~mask.number
            if low & (low + 1) == 0 and low >> self.known_bits(form) == 0:
                rest = Form(form.bits, number=form.number_of_low_bits(self.bases) & low)
                return self.word_of(rest if mask.number >= 0 else form.plus(rest, -1))
        return plain(x, y)

    def less(self, x: Word, y: Word) -> Word:
        """Return the bit that says that x < y, without signs."""
        low, high = self.difference(x, y) or (-MOST, MOST)
        return ONE if high < 0 else ZERO if low >= 0 else super().less(x, y)

    def signed_less(self, x: Word, y: Word) -> Word:
        """Return the bit that says that x < y, with signs: of counts, which are small."""
        pair = self.pair(x, y)
        if pair and not any(form.is_place for form in pair):
            low, high = self.difference(x, y) or (-MOST, MOST)
            if pair[1].is_number and pair[1].number <= 0 and self.not_negative(pair[0]):
                low = 0
            if high < 0 or low >= 0:
                return ONE if high < 0 else ZERO
        return super().signed_less(x, y)

    def same(self, x: Word, y: Word) -> bool | None:
        """Tell whether two words are equal, None if that is not known: whether their difference, which is small, is 0."""
        pair, known = self.pair(x, y), self.order(x, y)
        if known is None and pair and pair[0].bits == self.bits:
            difference = pair[0].plus(pair[1], -1)
            at_least = difference.count * self.least + difference.number
            if not (difference.is_place or difference.past) and at_least * difference.count > 0:
                known = 1 if abs(difference.count) <= self.count_most else None
        return super().same(x, y) if known is None else known == 0

    def signed_overflow(self, x: Word, y: Word, difference: bool) -> bool | None:
        """Tell whether a sum or difference of counts, which are small, is too large for a signed word."""
        pair = self.pair(x, y)
        if difference and pair and all(self.not_negative(form) and not form.is_place for form in pair):
            return False
        return super().signed_overflow(x, y, difference)

    def add_with_carry(self, x: Word, y: Word, carry: Word = ZERO) -> Word:
        """Return the sum, with its carry as one bit more: x + ~y + 1 is x - y, with the complement of the borrow."""
        pair = self.pair(x, y)
        number = value_of(carry)
        if pair is None or number is None:
            return super().add_with_carry(x, y, carry)
        inverted = Form(pair[1].bits, number=-1).plus(pair[1], -1)
        if number == 1:
            borrow = self.less(x, self.word_of(inverted))
            return self.word_of(pair[0].plus(inverted, -1)) + self.not_(borrow)
        total = pair[0].plus(pair[1]).plus(Form(pair[0].bits, number=number))
        if all(map(self.not_negative, (*pair, total))):
            return self.word_of(total) + ZERO
        return self.word_of(total) + self.fresh(1)
