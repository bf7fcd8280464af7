# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Recorded proofs of machine code: every kernel is in the table, proofs of other code are marked, documents count them."""

import dataclasses
import platform
import re
import shutil

import pytest
from machine_prover import LIBRARY, ROOT, image_of
from proving import building, code, forms_tested, freshness, proof, scope
from runnel_lab.building.elf import Elf

CHACHA20 = building.Subject("chacha20", "rv32", "rv32")
RESULTS = ROOT / "results" / "proofs"

pytestmark = [pytest.mark.lab]


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
