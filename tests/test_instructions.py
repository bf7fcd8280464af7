# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Code that runs after a CPU check has no instruction beyond the features checked: each file of a kernel is disassembled
as gcc compiled it, and assembled again by an assembler that knows what the kernel declares in `.cpu`, and no more. All
other files have to do with what every x86-64 CPU has. And no kernel divides, for division takes longer for some values.

Firmware is compiled for one CPU, whose compiler refuses what it lacks."""

import platform
import re
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest
from c_programs import BUILD, ROOT, build
from constant_time import ELSEWHERE

# Names of features in GNU's assembler. AVX-512 is looked for where AVX2 is, and AVX2 means AVX.
KNOWN_AS = {
    "ssse3": ("ssse3",),
    "aes": ("ssse3", "sse4.1", "aes"),
    "clmul": ("ssse3", "sse4.1", "pclmul"),
    "sha": ("ssse3", "sse4.1", "sha"),
    "avx2": ("avx2",),
    "vaes": ("avx2", "vaes"),
    "vclmul": ("avx2", "vpclmulqdq"),
    "gfni": ("avx2", "gfni"),
    "avx512": ("avx2", "avx512f", "avx512bw", "avx512dq", "avx512vl"),
    "ifma": ("avx512ifma",),
}
# Files without a kernel of their own: what was looked for before they are called, if not what another file declares.
CALLED_AFTER = {
    "aead/chacha20_poly1305/x86/avx2.c": {"avx2"},
    "ciphers/aes/x86/key.c": "ciphers/aes/x86/aesni.c",
    "ciphers/aria/x86/half_avx512.c": "ciphers/aria/x86/avx512.c",
    "ciphers/aria/x86/one_avx512.c": "ciphers/aria/x86/avx512.c",
    "ciphers/chacha20/x86/row_avx512.c": "ciphers/chacha20/x86/avx512.c",
    "ciphers/hc128/x86/avx512_iv.c": "ciphers/hc128/x86/avx512.c",
    "ciphers/hc128/x86/sha_expand.c": {"sha"},
    "ciphers/hight/x86/few_avx512.c": "ciphers/hight/x86/avx512.c",
    "ciphers/lea/x86/few_avx512.c": "ciphers/lea/x86/avx512.c",
    "ciphers/salsa20/x86/row_avx512.c": "ciphers/salsa20/x86/avx512.c",
    "ciphers/seed/x86/few_avx512.c": "ciphers/seed/x86/avx512.c",
}
# GCM's code of a kernel declares what is needed besides what the kernel needs. There may be more than one for a kernel.
BESIDES = re.compile(r"(.*/aes/x86/)gcm_(?:siv_)?([^_]+)(?:_avx2)?(\.c)")
# TZCNT is BSF to CPUs that do not know it, and gcc uses it where both give the same; ENDBR64 is a NOP to them. cpu.c asks
# whether there is XGETBV, and VZEROUPPER comes after a look for AVX2.
EVERYWHERE = {"tzcnt", "endbr64"}
ASKED_FOR = {"core/cpu.c": {"xgetbv"}, "vzeroupper": {"sha"}}

PREFIX = r"(?:bnd|notrack|data16|cs|lock|rep[nz]*|\{\w+\}) "
OF_OBJECT = re.compile(r"^(\S+)\.o: +file format")
OF_FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
OF_INSTRUCTION = re.compile(rf"^\s+[0-9a-f]+:\s+((?:{PREFIX})*)(\S+)\s*([^#<]*)")
DIVISION = re.compile(r"v?(i?div|sqrt)")


def declared(file: str) -> set[str]:
    """Return what the source itself declares."""
    if isinstance(instead := CALLED_AFTER.get(file), set):
        return instead
    if instead:
        return declared(instead)
    text = (ROOT / "src" / file).read_text()
    found = {
        name.lower()
        for given in re.findall(r"\.cpu = ([A-Z0-9_| \n]+)", text)
        for name in re.findall(r"RUNNEL_CPU_(\w+)", given)
    }
    kernel = BESIDES.fullmatch(file)
    return found | (declared("".join(kernel.groups())) if kernel else set())


class Listing:
    """By file below src: each instruction that is in it once, and the functions that divide."""

    def __init__(self, objects: list[Path]):
        self.instructions: dict[str, set[tuple[str, str]]] = defaultdict(set)
        self.dividing: set[tuple[str, str]] = set()
        self.jumping: set[tuple[str, str]] = set()  # to where a register or a table says
        command = ["objdump", "-d", "--no-show-raw-insn", *map(str, objects)]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        file = function = ""
        for line in text.splitlines():
            if found := OF_INSTRUCTION.match(line):
                prefix, mnemonic, operands = found.groups()
                if DIVISION.match(mnemonic):
                    self.dividing.add((file, function))
                if mnemonic.startswith(("jmp", "call")) and "*" in operands:
                    self.jumping.add((file, function))
                if not mnemonic.startswith(("j", "call", "nop", "(bad)")):
                    self.instructions[file].add((mnemonic, f"{prefix}{mnemonic} {operands}".rstrip()))
            elif found := OF_FUNCTION.match(line):
                function = found[1]
            elif found := OF_OBJECT.match(line):
                file = found[1].partition("/src/")[2]


def refused(instructions: set[tuple[str, str]], features: set[str], folder: Path, file: str = "") -> list[str]:
    """Return the lines that an assembler with these features refuses."""
    allowed = EVERYWHERE | ASKED_FOR.get(file, set())
    if features & ASKED_FOR["vzeroupper"]:
        allowed = allowed | {"vzeroupper"}
    lines = sorted(text for mnemonic, text in instructions if mnemonic not in allowed)
    known = sorted({name for feature in features for name in KNOWN_AS[feature]})
    source = folder / "again.s"
    source.write_text("\n".join([".arch generic64", *(f".arch .{name}" for name in known), *lines, ""]))
    done = subprocess.run(["as", "--64", source, "-o", folder / "again.o"], capture_output=True, text=True)
    first = 2 + len(known)
    wrong = [int(number) for number in re.findall(r"again\.s:(\d+): Error", done.stderr)]
    assert bool(wrong) == (done.returncode != 0), done.stderr
    return [lines[number - first] for number in wrong]


@pytest.fixture(scope="module")
def listing() -> Listing:
    if platform.machine() != "x86_64":
        pytest.skip("x86-64 only")
    build(BUILD, target="runnel_static")
    objects = sorted((BUILD / "CMakeFiles" / "runnel_objects.dir" / "src").rglob("*.o"))
    return Listing(objects)


def test_no_instruction_beyond_what_is_declared(listing, tmp_path):
    """All files with the same features at once, and one by one where something is found."""
    by_features = defaultdict(list)
    for file in listing.instructions:
        by_features[frozenset(declared(file)), file if file in ASKED_FOR else ""].append(file)
    assert len(listing.instructions) > 150 and len(by_features) > 12
    found = {}
    for (features, asking), files in by_features.items():
        if refused(set().union(*(listing.instructions[file] for file in files)), set(features), tmp_path, asking):
            found |= {file: refused(listing.instructions[file], set(features), tmp_path, asking) for file in files}
    assert not {file: lines[:5] for file, lines in found.items() if lines}


@pytest.mark.parametrize("feature", [name for name in KNOWN_AS if name not in ("avx2", "ssse3", "clmul")])
def test_a_feature_that_is_not_declared_is_missed(listing, tmp_path, feature):
    """In a file that declares it, where no other feature brings the same instructions."""
    file = next(f for f in sorted(listing.instructions) if feature in declared(f) and "siv" not in f)
    without = declared(file) - {feature}
    if feature == "aes":
        without -= {"vaes"}
    if feature == "avx512":
        without -= {"ifma"}
    assert refused(listing.instructions[file], without, tmp_path)


@pytest.mark.parametrize(
    "line", ["rorx $7, %eax, %ebx", "mulx %rax, %rbx, %rcx", "vpermb %zmm1, %zmm2, %zmm3", "movbe (%rdi), %eax"]
)
def test_what_no_kernel_declares_is_missed(tmp_path, line):
    """BMI2, AVX-512 VBMI, MOVBE: nothing asks the CPU for them."""
    assert refused({(line.split()[0], line)}, set(KNOWN_AS), tmp_path) == [line]


# Whole lengths by the bytes of a block, or blocks by those of a group: both are public.
DIVIDES = {
    "aead/aegis/aegis.c": {"aegis_aad", "aegis_text", "aegis_crypt", "aegis_tag"},
    "aead/chacha20_poly1305/chacha20_poly1305.c": {"chacha20_poly1305_crypt"},
    "modes/cfb/cfb.c": {"cfb_encrypt", "cfb_decrypt"},
    "macs/poly1305/poly1305.c": {"runnel_poly1305_absorb"},
}


def test_no_kernel_divides(listing):
    """The core divides lengths and positions; it sees no secrets but to copy and to XOR them."""
    kernels = {(file, function) for file, function in listing.dividing if not file.startswith("core/")}
    assert kernels == {(file, function) for file, functions in DIVIDES.items() for function in functions}


# Tables of jumps by how many blocks there are, and calls of what contexts and kernels point to.
JUMPS = {
    f"aes_{name}"
    for name in (
        "partial_group",
        "short_message",
        "short_message_little",
        "crypt_groups",
        "crypt_message",
        "crypt_batch",
        "begin",
        "make_tag",
    )
} | {"ascon_messages"}


def test_no_new_jump_where_only_msan_watches(listing):
    """MSan does not see a call through a secret pointer (constant_time.py): each function that has
    one, in the files that valgrind cannot run, was looked at by people."""
    jumping = {function for file, function in listing.jumping if ELSEWHERE & declared(file)}
    assert {function.partition(".")[0] for function in jumping} <= JUMPS
