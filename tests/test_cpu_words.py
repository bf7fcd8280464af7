# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Test which features are found, by the words of CPUs and operating systems that are not at hand: state that is not saved
between two threads takes every feature whose registers are in it."""

import platform
import subprocess
from itertools import product

import pytest
from c_programs import BUILD, CHANGED, ROOT, build

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="x86-64 only")

# Bits by the names of Intel's manual (CPUID.1:ECX, CPUID.7.0:EBX and ECX, XCR0), written from there.
C1 = {"PCLMULQDQ": 1, "SSSE3": 9, "SSE4_1": 19, "AES": 25, "OSXSAVE": 27, "AVX": 28}
B7 = {"AVX2": 5, "F": 16, "DQ": 17, "IFMA": 21, "SHA": 29, "BW": 30, "VL": 31}
C7 = {"GFNI": 8, "VAES": 9, "VPCLMULQDQ": 10}
XCR0 = {"xmm": 1, "ymm": 2, "opmask": 5, "zmm_hi256": 6, "hi16_zmm": 7}
NEEDS = {
    "ssse3": {"SSSE3"},
    "aes": {"SSSE3", "SSE4_1", "AES"},
    "clmul": {"SSSE3", "SSE4_1", "PCLMULQDQ"},
    "sha": {"SSSE3", "SSE4_1", "SHA"},
    "avx2": {"AVX", "AVX2", "xmm", "ymm"},
}
NEEDS["vaes"] = NEEDS["avx2"] | NEEDS["aes"] | {"VAES"}
NEEDS["vclmul"] = NEEDS["avx2"] | NEEDS["clmul"] | {"VPCLMULQDQ"}
NEEDS["gfni"] = NEEDS["avx2"] | {"GFNI"}
NEEDS["avx512"] = NEEDS["avx2"] | {"F", "BW", "DQ", "VL", "opmask", "zmm_hi256", "hi16_zmm"}
NEEDS["ifma"] = NEEDS["avx512"] | {"IFMA"}
EVERYTHING = frozenset().union(C1, B7, C7, XCR0) - {"OSXSAVE"}


def found(sets: list[frozenset[str]], folder) -> list[set[str]]:
    """Return the words by the library, for each set of bits."""
    build(BUILD, target="runnel_static")  # for the generated headers
    program = folder / "cpu-words"
    folders = (CHANGED / "src", ROOT / "src", ROOT / "include", BUILD / "generated", BUILD / "generated/runnel")
    includes = [f"-I{path}" for path in folders]
    subprocess.run(["cc", "-std=c11", "-O1", *includes, ROOT / "tests/c/cpu_words.c", "-o", program], check=True)

    def word(bits: dict[str, int], those: frozenset[str]) -> str:
        return format(sum(1 << bits[name] for name in those & bits.keys()), "x")

    lines = "".join(" ".join(word(bits, those) for bits in (C1, B7, C7, XCR0)) + "\n" for those in sets)
    done = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    return [set(line.split()) for line in done.stdout.splitlines()]


def test_every_bit_counts(tmp_path):
    """All bits, all but one or two, one or two alone, and all sets of those of XCR0."""
    sets = [EVERYTHING - {a, b} for a, b in product(EVERYTHING, EVERYTHING)]
    sets += [frozenset({a, b}) for a, b in product(EVERYTHING, EVERYTHING)]
    sets += [EVERYTHING, frozenset()]
    sets += [
        EVERYTHING - XCR0.keys() | {name for name, there in zip(XCR0, chosen, strict=True) if there}
        for chosen in product((0, 1), repeat=len(XCR0))
    ]
    results = found(sets, tmp_path)
    assert len(results) == len(sets) > 800
    for those, seen in zip(sets, results, strict=True):
        assert seen == {feature for feature, needs in NEEDS.items() if needs <= those}, sorted(EVERYTHING - those)


def test_state_that_is_not_saved_takes_its_kernels(tmp_path):
    """As under a hypervisor that hides a part of AVX-512's state but not its bits in CPUID."""
    full, *less = found([EVERYTHING, *(EVERYTHING - {part} for part in XCR0)], tmp_path)
    assert full == NEEDS.keys()
    for part, seen in zip(XCR0, less, strict=True):
        lost = {"avx512", "ifma"} if part not in ("xmm", "ymm") else full - {"ssse3", "aes", "clmul", "sha"}
        assert full - seen == lost, part
