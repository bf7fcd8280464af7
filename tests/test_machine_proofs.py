# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The prover of machine code in short: specifications on all vectors, a kernel of each processor, planted faults, and
instructions compared with this processor. `make proofs` does all of it."""

import dataclasses
import platform
from pathlib import Path

import pytest
from machine_prover import BUILD, ROOT, image_of
from proving import block_ciphers, building, forms_tested, lengths, proof, provers
from proving.block_ciphers import BlockProver
from proving.contract import Part
from proving.extent import WIDE, Extent
from proving.specifications import aes, vectors
from proving.testing.base import fills
from proving.words import Words

SHORT = Extent((1,), (1, 2), (16,))
STREAM = Extent((1,), (1, 2), (32,))

pytestmark = [pytest.mark.lab]


@pytest.mark.parametrize("name", building.CIPHERS)
def test_specifications_make_published_bytes(name):
    assert vectors.check(ROOT / "src" / "ciphers", name) >= 128


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
