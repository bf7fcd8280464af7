# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The prover of machine code in short: specifications on all vectors, a kernel of each processor, planted faults, and
instructions compared with this processor. `make proofs` does all of it."""

import dataclasses
import os
import platform
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("RUNNEL_BUILD_DIR", ROOT / "build"))
sys.path[:0] = [str(ROOT / "proofs" / "machine"), str(BUILD / "proofs"), str(ROOT / "lab")]

pytest.importorskip("pypcode")
pytest.importorskip("forms")

from proving import building, proof
from proving.image import Image
from proving.specifications import aes, vectors
from proving.words import Words, constant, lanes

LIBRARY = BUILD / "librunnel.a"
SHORT = proof.Extent((1,), (1, 2), (16,))
STREAM = proof.Extent((1,), (1, 2), (32,))

pytestmark = [pytest.mark.lab]


@pytest.mark.parametrize("name", building.CIPHERS)
def test_specifications_make_published_bytes(name):
    assert vectors.check(ROOT / "src" / "ciphers", name) >= 128


def image_of(subject, folder):
    if shutil.which(building.target_of(subject.target).compiler) is None:
        pytest.skip("no compiler")
    elf = folder / "kernel.elf"
    building.build(subject, elf, LIBRARY)
    return Image(elf)


@pytest.mark.parametrize(
    ("folder", "kernel", "target", "extent"),
    [
        ("aes", "vaes512", "host", SHORT),
        ("chacha20", "aarch64-neon", "aarch64", STREAM),
        ("aes", "thumb2-fixslice", "cortex-m4", SHORT),
        ("chacha20", "rv32", "rv32", STREAM),
        ("chacha20", "avr", "avr", STREAM),
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


@pytest.mark.parametrize("folder", ["hight", "lea"])
def test_raw_blocks_are_not_counted(folder, tmp_path):
    """These kernels encrypted a raw block as a counter block, and counted it: a branch on its last byte."""
    subject = building.Subject(folder, "rv32-small", "rv32")
    prover = proof.BlockProver(subject, proof.processor_for(Words(), image_of(subject, tmp_path)), proof.Findings())
    prover.prove(16, "encrypt_blocks", (1,), (1,))
    assert prover.findings.claims and not prover.findings.refusals


def planted(image, address, bit):
    """An image with one bit of its code turned."""
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
    prover = proof.BlockProver(subject, proof.processor_for(Words(), image_of(subject, tmp_path)), proof.Findings())
    prover.prove(16, "encrypt_blocks", (1,), (1,))
    assert prover.findings.refusals and "differ from" in prover.findings.refusals[0]


def test_a_secret_address_is_seen(tmp_path):
    """A kernel that looks tables up at secret indices, if it said that it does not."""
    subject = building.Subject("aes", "rv32-small", "rv32")
    image = image_of(subject, tmp_path)
    processor = proof.processor_for(Words(), image)
    prover = proof.BlockProver(subject, processor, proof.Findings())
    processor.machine.secret_indexed = False
    prover.prove(16, "encrypt_blocks", (1,), (1,))
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


@pytest.mark.skipif(platform.machine() != "x86_64", reason="another processor")
def test_instructions_of_this_processor(tmp_path):
    """Those that one kernel executes; and a wrong result of one of them is seen."""
    if "avx512vbmi2" not in Path("/proc/cpuinfo").read_text().replace("_", ""):
        pytest.skip("an older processor")
    from proving.processors.x86 import vectors as x86_vectors
    from proving.testing import x86

    subject = building.Subject("chacha20", "avx512", "host")
    _, processor = proof.run(subject, image_of(subject, tmp_path), STREAM)
    tester = x86.Tester(x86.Processor(BUILD / "proofs" / "native_x86_64.so"))
    forms = processor.machine.forms
    assert len(forms) > 40
    for form, codes in sorted(forms.items()):
        tested = tester.test(form, sorted(codes)[:1], 64)
        assert not tested.wrong, f"{form}: {tested.wrong}"
    right = x86_vectors.BINARIES["paddd"]
    x86_vectors.BINARIES["paddd"] = lambda m, x, y: right(m, x, m.words.not_(y))
    try:
        form = next(each for each in forms if each.startswith("vpaddd zmm, zmm, zmm"))
        assert x86.Tester(tester.processor).test(form, sorted(forms[form])[:1], 64).wrong
    finally:
        x86_vectors.BINARIES["paddd"] = right
