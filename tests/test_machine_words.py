# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The words that the prover of machine code computes with: equal sums, products and tables get equal forms, unequal ones do
not."""

import functools
import importlib.machinery
import importlib.util
import random
import shutil
import subprocess
import sysconfig

import pytest
from machine_prover import ROOT
from proving.linear import Form, LinearWords
from proving.machine import Machine, entry_at
from proving.processors.aarch64.vectors import looked_up
from proving.specifications import aes
from proving.words import Words, constant, lanes, value_of

pytestmark = [pytest.mark.lab]


def test_words_are_equal_only_if_they_are():
    w = Words()
    x, y = w.fresh(32), w.fresh(32)
    assert w.subtract(w.add(x, constant(5, 32)), constant(5, 32)) == x
    assert w.add(x, y) == w.add(y, x) != w.xor(x, y)
    assert w.differ(w.add(x, y), w.xor(x, y)) and not w.differ(w.add(x, y), w.add(y, x))
    block = [w.fresh(8) for _ in range(16)]
    keys = aes.expand_key(w, lanes(w.fresh(128), 8))
    assert aes.decrypt(w, keys, aes.encrypt(w, keys, block)) == block


def test_a_carry_that_is_added_ahead():
    """As small processors do: x and a carry, then y; the sum of all three is the same word, and so is the next byte's."""
    w = Words()
    x, y = w.fresh(16), w.fresh(16)
    carry = w.fresh(1)
    whole = w.domain.add(x, y, carry)
    low = w.add_with_carry(x[:32], constant(0, 8), carry)
    high = w.add_with_carry(x[32:], constant(0, 8), low[32:])
    first = w.add_with_carry(low[:32], y[:32])
    second = w.add_with_carry(high[:32], y[32:], first[32:])
    assert first[:32] + second[:32] == whole[:64]
    assert w.xor(high[32:], second[32:]) == whole[64:]


def test_a_product_of_sums():
    """f(f + g) is f + fg, in whatever order it is asked for; so x * 65536 - x, of two bits, is a mask of each."""
    w = Words()
    f, g = w.fresh(1), w.fresh(1)
    assert w.and_(f, w.xor(f, g)) == w.xor(f, w.and_(f, g))
    h = w.fresh(1)
    assert w.and_(w.xor(f, h), h) == w.xor(w.and_(f, h), h)
    pair = f + constant(0, 15) + g + constant(0, 15)
    assert w.subtract(constant(0, 16) + pair[:64], pair) == f * 16 + g * 16


def carries(w, x, y):
    """Return the sum of two words as bit-sliced code makes it: c + (x + c)(y + c) is the next carry."""
    carry, bits = constant(0, 1), []
    for a, b in zip(lanes(x, 1), lanes(y, 1)):
        bits.append((w.xor(a, carry), b))
        carry = w.xor(carry, w.and_(w.xor(a, carry), w.xor(b, carry)))
    return bits


def test_carries_that_are_no_products():
    """x - y is also the complement of y - x - 1; and both are right."""
    w = Words(own_carries=True)
    x, y = w.fresh(8), w.fresh(8)
    difference = w.subtract(x, y)
    assert difference == w.not_(w.domain.add(w.not_(x), y, constant(0, 1))[:-4])
    assert w.add(x, y) == w.add(y, x)
    values = bytes(range(128))
    total = w.domain.simulate(w.add(difference, y), values, 1)
    assert total == w.domain.simulate(x, values, 1)


def test_a_sum_in_parts():
    """Where sums have no names, the parts of one may be XORed to another word one by one."""
    w = Words(long_sums=True)
    x, y, z = w.fresh(8), w.fresh(8), w.fresh(8)
    want = w.xor(z, w.add(x, y))
    parts = [w.xor(w.xor(bit, b), a) for (a, b), bit in zip(carries(w, x, y), lanes(z, 1))]
    assert b"".join(parts) == want


def all_values(bits):
    """All values of so many inputs, for `simulate`: a word of 64 bits holds 64 of them."""
    words = max(1, 2**bits // 64)
    patterns = [sum(1 << lane for lane in range(64) if lane >> i & 1) for i in range(6)]
    rows = [
        [patterns[i] if i < 6 else (2**64 - 1) * (word >> (i - 6) & 1) for word in range(words)] for i in range(bits)
    ]
    return b"".join(word.to_bytes(8, "little") for row in rows for word in row), words


def looked_ahead(w, x, y, step, groups):
    """A sum whose groups of bits are added without a carry into them, and then given one from the groups below."""
    carry_into, sums, made, passed = [constant(0, 1)], [], [], []
    for group in range(groups):
        carry, all_of_them, bits = constant(0, 1), constant(1, 1), []
        for a, b in zip(*(lanes(word, 1)[step * group : step * (group + 1)] for word in (x, y))):
            half = w.xor(a, b)
            bits.append((w.xor(half, carry), all_of_them))
            carry, all_of_them = w.xor(w.and_(a, b), w.and_(half, carry)), w.and_(all_of_them, half)
        sums.append(bits)
        made.append(carry)
        passed.append(all_of_them)
    for group in range(1, groups):  # all groups below in one go, the highest first
        total, through = made[group - 1], passed[group - 1]
        for below in range(group - 2, -1, -1):
            total = w.or_(total, w.and_(through, made[below]))
            through = w.and_(through, passed[below])
        carry_into.append(total)
    return b"".join(w.xor(bit, w.and_(way, into)) for bits, into in zip(sums, carry_into) for bit, way in bits)


def test_carries_that_look_ahead():
    """Groups of two and of eight bits; and a carry that is lost on its way is seen."""
    for step, groups in ((2, 3), (8, 4)):
        w = Words(look_ahead=step)
        x, y = w.fresh(step * groups), w.fresh(step * groups)
        want = w.domain.add(x, y, constant(0, 1))[:-4]
        assert looked_ahead(w, x, y, step, groups) == want
        right, w.or_ = w.or_, w.and_
        wrong, w.or_ = looked_ahead(w, x, y, step, groups), right
        assert wrong != want and w.differ(wrong, want)


def test_notes_are_true_for_all_values():
    """What sums note of products, with words of six bits, three groups and a carry into them: 8,192 values."""
    for kinds in ({}, {"long_sums": True}, {"look_ahead": 2}, {"look_ahead": 1}, {"own_carries": True}):
        w = Words(**kinds)
        w.domain.add(w.fresh(6), w.fresh(6), w.fresh(1))
        assert w.domain.wrong_notes(*all_values(13)) == 0, kinds


def test_a_wrong_lemma_is_seen(tmp_path):
    """The core with another carry in one of its notes."""
    core = tmp_path / "core"
    shutil.copytree(ROOT / "proofs" / "machine" / "core", core)
    right = "domain_xor(d, carry[i + 1], r.generated)"
    source = (core / "look_ahead.c").read_text()
    assert right in source
    (core / "look_ahead.c").write_text(source.replace(right, "domain_xor(d, carry[i], r.generated)"))
    where = tmp_path / "forms.abi3.so"
    include = f"-I{sysconfig.get_path('include')}"
    subprocess.run(["cc", "-std=c11", "-O1", "-shared", "-fPIC", include, *core.glob("*.c"), "-o", where], check=True)
    loader = importlib.machinery.ExtensionFileLoader("forms", str(where))
    wrong = importlib.util.module_from_spec(importlib.machinery.ModuleSpec("forms", loader, origin=str(where)))
    domain = wrong.Domain()
    domain.keep_look_ahead(2)
    domain.add(domain.fresh(6), domain.fresh(6), domain.fresh(1))
    assert domain.wrong_notes(*all_values(13)) > 0


def test_a_borrow_that_is_subtracted_as_a_word():
    """x - y, then a borrow: the difference that one subtraction makes with it; for all words of four bits."""
    w = Words()
    x, y, borrow = w.fresh(4), w.fresh(4), w.fresh(1)
    found = w.subtract(w.subtract(x, y), borrow + constant(0, 3))
    assert found == w.domain.add(x, w.not_(y), w.not_(borrow))[:-4]
    values, words = all_values(9)
    octets = w.domain.simulate(found, values, words)
    bits = [int.from_bytes(octets[8 * words * i : 8 * words * (i + 1)], "little") for i in range(4)]
    for case in range(512):
        a, b, c = case & 15, case >> 4 & 15, case >> 8
        assert sum((bits[i] >> case & 1) << i for i in range(4)) == (a - b - c) % 16
    pairs = w.fresh(3)
    spread = b"".join(bit + constant(0, 15) for bit in lanes(pairs, 1))
    low, high = spread[: 4 * 32], spread[4 * 32 :] + constant(0, 16)
    up = constant(0, 16) + spread
    first = w.subtract(up[: 4 * 32], low)
    second = w.subtract(w.subtract(up[4 * 32 :], high), w.less(up[: 4 * 32], low) + constant(0, 31))
    assert first + second == b"".join(bit * 16 for bit in lanes(pairs, 1)) + constant(0, 16)


def added(w, x, y, carry):
    """The sum of two words of 16 bits, byte by byte."""
    low = w.add_with_carry(x[:32], y[:32], carry)
    return low[:32] + w.add_with_carry(x[32:], y[32:], low[32:])[:32]


def test_a_number_that_is_moved_byte_by_byte():
    """(x + n) - y is (x - y) + n; x + n twice over is a shift; and for random values all are what integers say."""
    w = Words(number_after=True)
    x, y = w.fresh(16), w.fresh(16)
    number, zero, one = constant(0x79B9, 16), constant(0, 1), constant(1, 1)
    first = added(w, x, number, zero)
    found = added(w, first, w.not_(y), one)
    assert found == added(w, added(w, x, w.not_(y), one), number, zero)
    assert added(w, first, first, zero) == zero + first[:-4]
    values = random.Random(2).randbytes(8 * 32)
    bits = [int.from_bytes(values[8 * i : 8 * i + 8], "little") for i in range(32)]
    octets = w.domain.simulate(found, values, 1)
    for case in range(64):
        a, b = (sum((bits[16 * k + i] >> case & 1) << i for i in range(16)) for k in range(2))
        got = sum((octets[8 * i + case // 8] >> case % 8 & 1) << i for i in range(16))
        assert got == (a + 0x79B9 - b) % 65536
    # Without the carry that the number made, or with another byte's, it is another sum, and not moved.
    low = w.add_with_carry(first[:32], w.not_(y)[:32], one)
    assert w.number_moved(first[32:], w.not_(y)[32:], zero) is None
    wrong = low[:32] + w.add_with_carry(first[32:], w.not_(y)[32:], one)[:32]
    assert wrong != found and w.differ(wrong, found)


def test_an_address_that_is_added_byte_by_byte():
    """A table that begins at 0x1A7, with entries of four bytes: the index and the number; and not with another carry."""
    w = Words()
    index = constant(0, 2) + w.fresh(8) + constant(0, 6)
    address = added(w, index, constant(0x1A7, 16), constant(0, 1))
    assert w.offsets[address] == (index, 0x1A7)
    assert w.offsets[w.add(address, constant(1, 16))] == (index, 0x1A8)
    low = w.add_with_carry(index[:32], constant(0xA7, 8))
    high = w.add_with_carry(index[32:], constant(1, 8), constant(1, 1))
    assert low[:32] + high[:32] not in w.offsets


def test_many_bytes_with_one_last_atom():
    """Of 24 bytes that end with the same one each is an index of its own, and found again."""
    w = Words(short_sums=True)
    last = [w.fresh(8) for _ in range(25)]
    indices = [w.xor(w.xor(last[i], last[-1]), constant(i, 8)) for i in range(24)]
    first = [w.table(index, aes.S_BOX, 8) for index in indices]
    w.looked_up.clear()
    assert [w.table(index, aes.S_BOX, 8) for index in indices] == first


def test_a_number_added_to_a_function_of_a_byte():
    """However many functions of the byte there are, so that they are long sums: the result is a function of it too."""
    w, chance = Words(short_sums=True), random.Random(1)
    byte = w.fresh(8)
    tables = [chance.randbytes(256) for _ in range(40)]
    for table in tables:
        found = w.table(byte, table, 8)
        lowered = w.table(byte, bytes((x - 32) % 256 for x in table), 8)
        assert w.subtract(found, constant(32, 8)) == lowered


def test_a_table_looked_up_by_parts():
    """As 32-bit ARM does, 32 bytes at a time: short forms on the way, and the whole table in the end."""
    w, chance = Words(short_sums=True), random.Random(2)
    machine = Machine(w, None, 0)
    byte, table = w.fresh(8), chance.randbytes(256)
    wanted = w.table(byte, table, 8)
    index, found = byte, constant(0, 8)
    for start in range(0, 256, 32):
        entries = [constant(x, 8) for x in table[start : start + 32]]
        found = looked_up(machine, entries, index, found)
        index = w.subtract(index, constant(32, 8))
    assert found == wanted
    _, _, longest, groups, _ = w.domain.sizes()
    assert longest < 16 and groups == 1


def test_a_carry_that_is_added_as_a_word():
    """x + c, then x again, is x shifted left with c behind it, as ARM's ADC may shift two words."""
    w = Words()
    x, carry = w.fresh(32), w.fresh(1)
    assert w.add(w.add(x, carry + constant(0, 31)), x) == carry + x[:-4]


def test_a_table_that_is_secret_by_one_word():
    """Entries XORed with one key, as a look-up of nibbles may have them; and entries that have nothing in common."""
    w = Words()
    m = Machine(w, None, 8)
    index, key = w.fresh(4), w.fresh(8)
    table = bytes(range(40, 56))
    entries = [w.xor(constant(entry, 8), key) for entry in table]
    assert entry_at(m, entries, index) == w.xor(w.table(index, table, 8), key)
    entries[3] = w.fresh(8)
    found = entry_at(m, entries, index)
    assert entry_at(m, entries, constant(3, 4)) == entries[3] and found != entries[3]


def test_forms_are_compared_as_integers():
    w = LinearWords()
    w.least, w.count_most, w.bases = 2, 64, (0x105, 0x203)
    count, out = w.word_of(Form(64, count=4, number=3)), w.word_of(Form(64, out=1))
    number = functools.partial(constant, bits=64)
    assert value_of(w.less(count, number(11))) == 0 and value_of(w.less(count, number(12))) is None
    assert (
        value_of(w.less(number(10), count)) == 1
        and w.same(count, number(10)) is False
        and w.same(out, number(0)) is False
    )
    assert value_of(w.and_(count, number(3))) == 3 and value_of(w.and_(out, number(7))) == 5
    assert w.shift_right(w.subtract(count, number(3)), 2) == w.word_of(Form(64, count=1))
    end = w.add(out, w.shift_left(count, 4))
    assert value_of(w.less(out, end)) == 1 and w.subtract(end, out) == w.word_of(Form(64, count=64, number=48))
    assert value_of(w.less(end, w.word_of(Form(64, source=1)))) is None
    assert w.same(w.subtract(count, number(15)), number(0)) is None
