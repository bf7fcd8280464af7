# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The prover of machine code in short: specifications on all vectors, a kernel of each processor, planted faults, and
instructions compared with this processor. `make proofs` does all of it."""

import dataclasses
import functools
import importlib.machinery
import importlib.util
import os
import platform
import random
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("RUNNEL_BUILD_DIR", ROOT / "build"))
sys.path[:0] = [str(ROOT / "proofs" / "machine"), str(BUILD / "proofs"), str(ROOT / "lab")]

pytest.importorskip("pypcode")
pytest.importorskip("forms")

from proving import block_ciphers, building, code, forms_tested, freshness, lengths, proof, provers, scope
from proving.block_ciphers import BlockProver
from proving.contract import Part
from proving.extent import WIDE, Extent
from proving.image import Image
from proving.linear import Form, LinearWords
from proving.machine import Machine, entry_at
from proving.processors.aarch64.vectors import looked_up
from proving.specifications import aes, vectors
from proving.testing.base import fills
from proving.words import Words, constant, lanes, value_of
from runnel_lab.building.elf import Elf

CHACHA20 = building.Subject("chacha20", "rv32", "rv32")
LIBRARY = BUILD / "librunnel.a"
RESULTS = ROOT / "results" / "proofs"
SHORT = Extent((1,), (1, 2), (16,))
STREAM = Extent((1,), (1, 2), (32,))

pytestmark = [pytest.mark.lab]


@pytest.mark.parametrize("name", building.CIPHERS)
def test_specifications_make_published_bytes(name):
    assert vectors.check(ROOT / "src" / "ciphers", name) >= 128


def image_of(subject, folder):
    if shutil.which(building.target_of(subject.target).compiler) is None:
        pytest.skip("no compiler")
    return Image(building.build(subject, folder, LIBRARY).elf)


@pytest.mark.parametrize(
    ("folder", "kernel", "target", "extent"),
    [
        ("aes", "vaes512", "host", SHORT),
        ("chacha20", "aarch64-neon", "aarch64", STREAM),
        ("chacha20", "armv7-neon", "armv7", STREAM),
        ("aes", "thumb2-fixslice", "cortex-m4", SHORT),
        ("chacha20", "rv32", "rv32", STREAM),
        ("aes", "rv64-zkne", "rv64-zk", SHORT),
        ("chacha20", "avr", "avr", STREAM),
        ("seed", "table", "avr", SHORT),
    ],
)
def test_a_kernel_of_each_processor(folder, kernel, target, extent, tmp_path):
    if target == "host" and platform.machine() != "x86_64":
        pytest.skip("another processor")
    subject = building.Subject(folder, kernel, target)
    findings, processor = proof.run(subject, image_of(subject, tmp_path), extent)
    assert findings.claims and not findings.refusals
    assert 0 < max(findings.stack.values()) < 2048
    assert processor.machine.executed.total() > 1000


@pytest.mark.skipif(platform.machine() != "x86_64", reason="another processor")
def test_lengths_are_those_that_loops_tell_apart(tmp_path):
    """Eight blocks at once, with prefix tables and without: up to 17."""
    subject = building.Subject("aes", "aesni", "host")
    chosen = proof.own_extent(subject, image_of(subject, tmp_path))
    assert chosen == Extent((1, 2, 3, 4, 5, 8, 9, 17), (1, 2, 3, 4, 5, 8, 9, 16, 17))
    assert WIDE.within(32).ctr_counts == WIDE.ctr_counts and WIDE.within(5).counts[-1] == 11


@pytest.mark.parametrize("folder", ["hight", "lea"])
def test_raw_blocks_are_not_counted(folder, tmp_path):
    """These kernels encrypted a raw block as a counter block, and counted it: a branch on its last byte."""
    subject = building.Subject(folder, "rv32-small", "rv32")
    prover = BlockProver(subject, provers.processor_for(Words(), image_of(subject, tmp_path)), proof.Findings())
    prover.prove(Part(16, "encrypt_blocks"), SHORT)
    assert prover.findings.claims and not prover.findings.refusals


def planted(image, address, bit):
    """Flip one bit of an image's code."""
    segments = []
    for segment in image.segments:
        octets = bytearray(segment.octets)
        if segment.address <= address < segment.address + len(octets):
            octets[address - segment.address] ^= 1 << bit
        segments.append(dataclasses.replace(segment, octets=bytes(octets)))
    image.segments = segments
    return image


def test_a_planted_bit_is_seen(tmp_path):
    """A rotation by 17 for one by 16, in the middle of the rounds."""
    subject = building.Subject("chacha20", "rv32", "rv32")
    findings, processor = proof.run(subject, image_of(subject, tmp_path), STREAM)
    assert not findings.refusals
    shifts = [
        address
        for address, instruction in processor.machine.instructions.items()
        if instruction.form.startswith("srli") and processor.machine.executed[address] >= 20
    ]
    broken = planted(image_of(subject, tmp_path), sorted(shifts)[0] + 2, 4)
    findings, _ = proof.run(subject, broken, STREAM)
    assert findings.refusals and "differ from" in findings.refusals[0]


def test_a_wrong_table_is_seen(tmp_path, monkeypatch):
    """An S-box of which two entries have changed places, in the specification."""
    wrong = bytearray(aes.S_BOX)
    wrong[7], wrong[8] = wrong[8], wrong[7]
    monkeypatch.setattr(aes, "sub_byte", lambda w, x: w.table(x, bytes(wrong), 8))
    subject = building.Subject("aes", "thumb2-fixslice", "cortex-m4")
    prover = BlockProver(subject, provers.processor_for(Words(), image_of(subject, tmp_path)), proof.Findings())
    prover.prove(Part(16, "encrypt_blocks"), SHORT)
    assert prover.findings.refusals and "differ from" in prover.findings.refusals[0]


def wraps_early(fixed, at, number, order):
    """A counter block after which the last one but one of a run begins the run again."""
    return right_counter_block(fixed, at, 0 if number == 2**32 - 1 else number, order)


right_counter_block = block_ciphers.counter_block


def swapped(w, keys, block):
    """Two round keys have changed places."""
    return right_encryption(w, [*keys[:4], keys[5], keys[4], *keys[6:]], block)


right_encryption = aes.encrypt


@pytest.mark.parametrize(
    ("module", "name", "wrong", "function"),
    [
        (block_ciphers, "counter_block", wraps_early, "ctr32"),
        (aes, "encrypt", swapped, "encrypt_blocks"),
        (aes, "shift_rows", lambda state: state, "encrypt_blocks"),
    ],
)
def test_a_wrong_specification_is_seen(module, name, wrong, function, tmp_path, monkeypatch):
    """A counter that wraps a block early, two round keys that are swapped, rows that are not shifted."""
    subject = building.Subject("aes", "thumb2-fixslice", "cortex-m4")
    monkeypatch.setattr(module, name, wrong)
    image = image_of(subject, tmp_path)
    prover = BlockProver(subject, provers.processor_for(Words(), image), proof.Findings())
    prover.prove(Part(16, function), SHORT)
    assert prover.findings.refusals and all("differ from" in each for each in prover.findings.refusals)


def test_a_secret_address_is_seen(tmp_path):
    """A kernel that looks tables up at secret indices, if it claimed that it does not."""
    subject = building.Subject("aes", "rv32-small", "rv32")
    image = image_of(subject, tmp_path)
    processor = provers.processor_for(Words(), image)
    prover = BlockProver(subject, processor, proof.Findings())
    processor.machine.secret_indexed = False
    prover.prove(Part(16, "encrypt_blocks"), SHORT)
    assert prover.findings.refusals and "SecretError" in prover.findings.refusals[0]


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


def test_a_carry_that_is_lost_is_seen(tmp_path):
    """An AND for an OR where bit-sliced code joins the carries of bytes."""
    subject = building.Subject("seed", "portable", "rv32")

    def proved(image):
        words = Words(**provers.options(subject))
        prover = BlockProver(subject, provers.processor_for(words, image), proof.Findings())
        prover.prove(Part(16, "encrypt_blocks"), SHORT)
        return prover

    prover = proved(image_of(subject, tmp_path))
    assert prover.findings.claims and not prover.findings.refusals
    ors = [
        address
        for address, instruction in prover.processor.machine.instructions.items()
        if instruction.code[0] & 0x7F == 0x33 and instruction.code[1] >> 4 & 7 == 6
        and prover.processor.image.function_at(address) == "seed_add"
    ]  # fmt: skip
    prover = proved(planted(image_of(subject, tmp_path), ors[-1] + 1, 4))
    assert prover.findings.refusals and "differ from" in prover.findings.refusals[0]


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


def test_a_call_of_arm_code_leaves_thumb_as_it_is():
    """SLEIGH took all code after the target for ARM code."""
    from proving.processors.arm.lifter import ArmLifter

    lifter = ArmLifter(lambda address: True)
    blx_1104, ldr_and_cmp = bytes.fromhex("00f080e8"), bytes.fromhex("0e69182a")
    assert lifter.decode(blx_1104, 0x1000).form.startswith("blx")
    assert lifter.decode(ldr_and_cmp, 0x1200).form == "ldr 3"


def test_all_lengths(tmp_path):
    """By induction; and a loop that takes another step in a buffer is seen."""
    subject = building.Subject("chacha20", "rv32", "rv32")
    image = image_of(subject, tmp_path)
    (row,) = lengths.of(subject, image)
    assert row["all"] and row["stride"] == 1
    _, processor = proof.run(subject, image, STREAM)
    steps = [
        address
        for address, each in processor.machine.instructions.items()
        if each.form.startswith("addi")
        and int.from_bytes(each.code, "little") >> 20 == 64
        and image.function_at(address) == "runnel_chacha20_rv32_xor"
    ]
    assert steps
    for address in steps[:2]:
        (row,) = lengths.of(subject, planted(image_of(subject, tmp_path), address + 3, 4))
        assert not row["all"]


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


def test_every_kernel_is_in_the_table(tmp_path):
    """With a proof or without, once; and a proof with a form that nobody compared is none."""
    result = {"cipher": "aes", "kernel": "vaes512", "target": "host", "proved": True, "refusals": [], "claims": [1],
              "forms": {"vaesenc zmm": []}}  # fmt: skip
    rows = scope.with_all([result], tmp_path)
    kernels = [(each["cipher"], each["kernel"], each["target"]) for each in rows]
    assert len(set(kernels)) == len(kernels) > 100 and not any(each["proved"] for each in rows)
    assert ("aes", "ctr-c", "host") not in kernels
    (row,) = (each for each in rows if each["kernel"] == "vaes512")
    assert "not compared" in row["refusals"][0]
    forms_tested.file_of(tmp_path, "x86-64").write_text('{"vaesenc zmm": {"wrong": ""}}')
    assert sum(each["proved"] for each in scope.with_all([result], tmp_path)) == 1
    with pytest.raises(ValueError, match="aes/nobody"):
        scope.with_all([result | {"kernel": "nobody"}], tmp_path)


@pytest.mark.parametrize("target", building.TARGETS)
def test_results_are_of_the_code_as_it_is(target):
    """A sample of those that are not marked as stale; `prove.py --table` builds all. Another compiler may make other code."""
    if shutil.which(building.target_of(target).compiler) is None:
        pytest.skip("no compiler")
    if target == "host" and platform.machine() != "x86_64":
        pytest.skip("another processor")
    kept = [
        each
        for each in forms_tested.results_in(RESULTS)
        if each["target"] == target and each["proved"] and "stale" not in each
    ]
    stale = freshness.stale(freshness.sample(kept, 2), LIBRARY)
    wrong = [f"{subject}: {why}" for subject, why in stale.items() if why != freshness.OTHER_COMPILER]
    assert not wrong, "make proofs, or prove.py --stale: " + "; ".join(wrong)


def test_results_without_a_hash_are_marked_as_stale():
    for each in forms_tested.results_in(RESULTS):
        assert not each["proved"] or "code" in each or "stale" in each, proof.subject_of(each)


def test_a_stale_result_does_not_count():
    """It is marked, unless only the compiler differs; and it counts again when the build makes its code again."""
    result = next(each for each in forms_tested.results_in(RESULTS) if proof.subject_of(each) == CHACHA20)
    result.pop("stale", None)
    (kept,) = (each for each in scope.with_all([result], RESULTS) if proof.subject_of(each) == CHACHA20)
    assert kept["proved"]
    other = result | {"code": "0"}
    assert freshness.mark([other]) == [other] and other["stale"] == freshness.OTHER_CODE
    (kept,) = (each for each in scope.with_all([other], RESULTS) if proof.subject_of(each) == CHACHA20)
    assert not kept["proved"] and kept["refusals"] == [f"stale: {freshness.OTHER_CODE}"]
    assert "stale" in proof.summary([kept])
    assert freshness.mark([other]) == []
    other["code"] = result["code"]
    assert freshness.mark([other]) == [other] and "stale" not in other
    assert freshness.mark([result | {"code": "0", "compiler": "another"}]) == []


def changed(objects, folder, section):
    """The same objects with one bit of a section turned."""
    for file in objects:
        elf = Elf.of(file)
        for number in elf.loaded(section):
            octets = bytearray(elf.data)
            octets[elf.sections[number][4]] ^= 1
            other = folder / file.name
            other.write_bytes(octets)
            return tuple(other if each == file else each for each in objects)
    raise AssertionError(section)


def test_a_result_is_fresh_while_the_build_makes_its_code(tmp_path):
    """In whatever order it is linked; functions that no proof calls may change."""
    subject = building.Subject("chacha20", "rv32", "rv32")
    image_of(subject, tmp_path)
    program = building.build(subject, tmp_path, LIBRARY)
    made, compiler = code.hash_of(program), code.compiler_of(program)
    assert re.fullmatch(r"[0-9a-f]{16}", made) and "GCC" in compiler

    def made_of(library):
        return code.hash_of(dataclasses.replace(program, library=library))

    assert made_of(program.library[::-1]) == made
    assert made_of(changed(program.library, tmp_path, ".text.runnel_stream_xor")) == made
    assert made_of(changed(program.library, tmp_path, ".text.runnel_chacha20_rv32_xor")) != made
    result = {"cipher": "chacha20", "kernel": "rv32", "target": "rv32", "code": made, "compiler": compiler}
    assert freshness.stale([result]) == {}
    assert freshness.stale([result | {"code": "0"}]) == {subject: freshness.OTHER_CODE}
    assert freshness.stale([result | {"code": "0", "compiler": "b"}]) == {subject: freshness.OTHER_COMPILER}
    del result["code"]
    assert freshness.stale([result]) == {subject: freshness.NO_HASH}


def test_documents_say_how_many_are_proved():
    rows = scope.with_all(forms_tested.results_in(RESULTS), RESULTS)
    sentence = f"{sum(each['proved'] for each in rows)} of {len(rows)} kernels"
    assert sentence in " ".join((ROOT / "docs" / "reliability.md").read_text(encoding="utf-8").split())
    for other in ("README.md", "SECURITY.md"):
        assert not re.search(r"\d+ of \d+ kernels", (ROOT / other).read_text(encoding="utf-8"))


def test_two_sizes_of_key_wrong(tmp_path):
    """As openssl#32873: vector code that a compiler got wrong for longer keys alone."""
    if platform.machine() != "x86_64":
        pytest.skip("another processor")
    subject = building.Subject("aes", "vaes512", "host")

    def proved(image, key_bytes):
        prover = BlockProver(subject, provers.processor_for(Words(), image), proof.Findings())
        prover.prove(Part(key_bytes, "ctr32"), Extent((1,), (1, 17)))
        return prover.findings, prover.processor.machine

    findings, short = proved(image_of(subject, tmp_path), 16)
    assert findings.claims and not findings.refusals
    findings, long = proved(image_of(subject, tmp_path), 24)
    assert findings.claims and not findings.refusals
    rounds = [
        (address, each.length)
        for address, each in sorted(long.instructions.items())
        if each.form.startswith("vaesenc zmm") and address not in short.executed
    ]
    address, length = rounds[0]
    broken = planted(image_of(subject, tmp_path), address + length - 1, 0)
    assert not proved(broken, 16)[0].refusals
    for key_bytes in (24, 32):
        assert "differ from" in proved(broken, key_bytes)[0].refusals[0]


OTHERS = [
    ("chacha20", "aarch64-neon", "aarch64"),
    ("chacha20", "armv7-neon", "armv7"),
    ("chacha20", "thumb2", "cortex-m4"),
    ("aes", "rv32-zkne", "rv32-zk"),
    ("aes", "rv64-zkne", "rv64-zk"),
    ("chacha20", "avr", "avr"),
]


@pytest.mark.parametrize(("folder", "kernel", "target"), OTHERS)
def test_instructions_of_other_processors(folder, kernel, target, tmp_path, monkeypatch):
    """Those that one kernel executes, in an emulator; and a wrong operation is seen."""
    subject = building.Subject(folder, kernel, target)
    _, processor = proof.run(subject, image_of(subject, tmp_path), STREAM if folder == "chacha20" else SHORT)
    tester = forms_tested.tester(forms_tested.SETS[target], tmp_path)
    forms = processor.machine.forms
    compared = 0
    for form, codes in sorted(forms.items()):
        tested = tester.test(form, sorted(codes)[:1], 64)
        assert not tested.wrong, f"{form}: {tested.wrong}"
        compared += tested.operands > 0
    assert compared > 10

    class Wrong(Words):
        def __init__(self):
            super().__init__()
            self.xor = self.and_

    monkeypatch.setattr("proving.testing.base.Words", Wrong)
    assert any(tester.test(form, sorted(codes)[:1], 64).wrong for form, codes in forms.items())


def test_unknown_values_are_not_compared():
    """Nor is the XOR of two of them, which is zero where both are zeros and where both are ones."""
    for count in range(1, 9):
        zeros, *others = fills(count)
        assert not any(zeros)
        for i in range(count):
            assert any(other[i] for other in others)
            assert all(any(other[i] != other[k] for other in others) for k in range(i))
    assert fills(0) == [b""]


@pytest.mark.skipif(platform.machine() != "x86_64", reason="another processor")
def test_instructions_of_x86(tmp_path):
    """Those that one kernel executes, on this processor or in Bochs; and a wrong result of one of them is seen."""
    from proving.processors.x86 import vectors as x86_vectors
    from proving.testing import bochs
    from proving.testing.x86 import X86Tester

    if "avx512vbmi2" not in Path("/proc/cpuinfo").read_text().replace("_", "") and not bochs.is_there():
        pytest.skip("this CPU lacks one of: avx512")
    subject = building.Subject("chacha20", "avx512", "host")
    _, processor = proof.run(subject, image_of(subject, tmp_path), STREAM)
    tester = X86Tester(BUILD / "proofs" / "native_x86_64.so")
    forms = processor.machine.forms
    assert len(forms) > 40
    for form, codes in sorted(forms.items()):
        tested = tester.test(form, sorted(codes)[:1], 64)
        assert not tested.wrong, f"{form}: {tested.wrong}"
    right = x86_vectors.BINARIES["paddd"]
    x86_vectors.BINARIES["paddd"] = lambda m, x, y: right(m, x, m.words.not_(y))
    try:
        form = next(each for each in forms if each.startswith("vpaddd zmm, zmm, zmm"))
        assert tester.test(form, sorted(forms[form])[:1], 64).wrong
    finally:
        x86_vectors.BINARIES["paddd"] = right
