# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Break kernels on purpose, one bug at a time, and see the properties of their cipher go red."""

import subprocess

import pytest
import selection
from c_programs import BUILD, link_mutant
from suite_floor import processor_has

pytestmark = pytest.mark.slow

AES, SALSA20, CHACHA20 = "ciphers/aes/x86", "ciphers/salsa20/x86", "ciphers/chacha20/x86"
# name: (cipher, kernel, file, text that is there exactly once, what replaces it)
MUTANTS = {
    "Salsa20's vectors count in 32 bits": (
        *("salsa20", "avx2", f"{SALSA20}/rounds.h"),
        *(" - (words)(LOW(index) < (uint32_t)(index) + (words){0})", " + (words){0}"),
    ),
    "Salsa20's rows lose the carry": (
        *("salsa20", "avx2", f"{SALSA20}/avx2.c"),
        *("const words r2 = (words)_mm256_add_epi64(", "const words r2 = (words)_mm256_add_epi32("),
    ),
    "Salsa20's ninth block has no carry": (
        *("salsa20", "avx2", f"{SALSA20}/avx2.c"),
        *("high = (uint32_t)((index + 8) >> 32);", "high = (uint32_t)(index >> 32);"),
    ),
    "ChaCha20's last vectors have the counter of the first": (
        *("chacha20", "avx2", f"{CHACHA20}/avx2.c"),
        *(
            "put_words(w, counter, out, in, nblocks, leftover, x, parked);",
            "put_words(w, 0, out, in, nblocks, leftover, x, parked);",
        ),
    ),
    "the seventh block in a group of AES is the fifth again": (
        *("aes-128-ctr", "aesni", f"{AES}/ctr.h"),
        *("TWO(n + 4, at) TWO(n + 6, at)\n", "TWO(n + 4, at) TWO(n + 4, at)\n"),
    ),
    "AES-192 has ten rounds": (
        *("aes-192-ctr", "aesni", f"{AES}/ctr.h"),
        *("if (s->rounds > 10) {", "if (s->rounds > 12) {"),
    ),
    "a round constant of AES is wrong": (
        *("aes-128-ctr", "aesni", f"{AES}/aesni.c"),
        *("0x80, 0x1b, 0x36}", "0x80, 0x1b, 0x37}"),
    ),
}


def survives(folder, cipher: str, kernel: str, file: str, change: tuple[str, str] | None) -> bool:
    needed = {"avx2"} if kernel == "avx2" else {"aes"}
    if not needed <= processor_has():
        pytest.skip(f"this CPU lacks one of: {', '.join(sorted(needed))}")
    source = f"{file.rsplit('/', 1)[0]}/{kernel}.c"
    parts = BUILD / "tests" / "librunnel_properties_parts.a"
    # -O2, because gcc clears upper halves of registers at that level and above only.
    program = link_mutant(folder, file, source, "runnel-properties", parts, change, "-O2")
    asked = [program, "all", "--cipher", cipher, "--kernel", kernel, "--scale", "40"]
    return subprocess.run(asked, capture_output=True, timeout=120).returncode == 0


@pytest.mark.parametrize("mutant", selection.one_in(3, MUTANTS))
def test_mutant_is_killed(mutant, tmp_path):
    cipher, kernel, file, *change = MUTANTS[mutant]
    assert not survives(tmp_path, cipher, kernel, file, tuple(change)), f"no property notices that {mutant}"


@pytest.mark.parametrize("kernel", selection.one_in(3, sorted({"/".join(mutant[:2]) for mutant in MUTANTS.values()})))
def test_the_unbroken_kernel_survives(kernel, tmp_path):
    cipher, name = kernel.split("/")
    file = next(mutant[2] for mutant in MUTANTS.values() if mutant[:2] == (cipher, name))
    assert survives(tmp_path, cipher, name, file, None)
