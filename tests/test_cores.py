# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cores that lack what others of their family have: a multiplier, half of the registers, wide pointers, the usual order of
bytes. Every file compiles for them, what the lists of kernels name is there, and kernels give the right bytes where a
simulator runs such code."""

from __future__ import annotations

import itertools
import json
import random
import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import selection
from c_programs import BUILD, ROOT, build
from lab_programs import Program, target
from runnel_lab import Skipped, subjects, targets
from runnel_lab.building import programs
from runnel_lab.building.kernels import kernels as kernels_of
from runnel_lab.packets import frames, measure, program
from runnel_lab.packets.combinations import Combination, combination
from runnel_lab.running import known_answers, session
from runnel_lab.running.target_run import TargetRun
from runnel_lab.subjects import Mode, Subject
from test_lab_streams import FILES, add_random_messages
from test_lab_vectors import add_vector, vectors_of

# Processors' folders, besides those of a core's own; their files are empty for it.
FOLDERS = {path.name for path in (ROOT / "src" / "arch").iterdir() if path.is_dir()} - {"common"} | {"rv64"}


@dataclass(frozen=True)
class Core:
    name: str
    command: str
    folders: tuple[str, ...]
    """Of src/arch."""
    without: str
    """Matches the symbols of kernels that it cannot run, besides those in folders of other processors."""
    multiplies: bool = True
    daily: bool = False
    """In every run of the tests; the others are for the campaign."""
    quick: bool = False
    """There compiled at -O0, which tells nothing of multiplications; in the campaign as all are."""

    def __str__(self) -> str:
        return self.name

    @property
    def flags(self) -> list[str]:
        return self.command.split()[1:]

    @property
    def is_clang(self) -> bool:
        return self.command.startswith("clang")

    @property
    def nm(self) -> str:
        return "llvm-nm-19" if self.is_clang else re.sub(r"g?cc$", "nm", self.command.split()[0])


RV = "riscv64-unknown-elf-gcc --specs=picolibc.specs -march={} -mabi={}"
RV_CLANG = (
    "clang-19 --target=riscv{}-unknown-elf -march={} -mabi={} -isystem /usr/lib/picolibc/riscv64-unknown-elf/include"
)
ARM = "arm-none-eabi-gcc -mcpu={}"
MULTIPLYING = r"_(rabbit|lea|aria|grain128|trivium|sosemanuk)_avr(_small)?$|_poly1305_avr|_ghash_avr"
NO_PRODUCTS_RV32 = "_(rabbit|sosemanuk)_rv32"
# Where clang calls a multiplication for what is public: AES's round constants and columns of a short last group, the offset
# of LEA's round keys by the length of the key.
PUBLIC_IN_CLANG = (
    "aes/portable",
    "aes/ttable",
    "aes/rv32/fixslice",
    "aes/rv32/prefix8",
    "lea/portable",
    "lea/rv32/small",
)
CORES = [
    Core("attiny85", "avr-gcc -mmcu=attiny85", ("avr",), MULTIPLYING, multiplies=False, daily=True),
    Core("rv32e", RV.format("rv32e", "ilp32e"), ("rv32", "rv64"), "_rv(32|64)", multiplies=False, daily=True),
    Core("x32", "gcc -mx32", ("x86",), "short_code|partial_key"),
    Core("atmega32u2", "avr-gcc -mmcu=atmega32u2", ("avr",), MULTIPLYING, multiplies=False),
    Core("rv32i", RV.format("rv32i", "ilp32"), ("rv32", "rv64"), NO_PRODUCTS_RV32, False, daily=True, quick=True),
    Core("rv32i-clang", RV_CLANG.format(32, "rv32i", "ilp32"), ("rv32", "rv64"), NO_PRODUCTS_RV32, multiplies=False),
    Core("rv32e-clang", RV_CLANG.format(32, "rv32e", "ilp32e"), ("rv32", "rv64"), "_rv(32|64)", multiplies=False),
    Core("rv64i-clang", RV_CLANG.format(64, "rv64i", "lp64"), ("rv32", "rv64"), "_rv(32|64)", multiplies=False),
    Core(
        "cortex-m0plus",
        ARM.format("cortex-m0plus -mthumb"),
        ("thumb1", "thumb2", "armv7"),
        "_(thumb2|armv7)",
        daily=True,
    ),
    Core("attiny4313", "avr-gcc -mmcu=attiny4313", ("avr",), MULTIPLYING, multiplies=False),
    Core("at90s8515", "avr-gcc -mmcu=at90s8515", ("avr",), "_avr(_|$)", multiplies=False),  # no MOVW
    Core("attiny26", "avr-gcc -mmcu=attiny26", ("avr",), "_avr(_|$)"),
    Core("attiny40", "avr-gcc -mmcu=attiny40", ("avr",), "_avr(_|$)"),  # 16 registers
    Core("atmega8", "avr-gcc -mmcu=atmega8", ("avr",), "^$"),  # no JMP
    Core("atmega2560", "avr-gcc -mmcu=atmega2560", ("avr",), "^$"),  # return addresses of three bytes
    Core("atxmega128a1", "avr-gcc -mmcu=atxmega128a1", ("avr",), "^$"),
    Core("rv64i", RV.format("rv64i", "lp64"), ("rv32", "rv64"), "_rv(32|64)", multiplies=False),
    Core("cortex-m23", ARM.format("cortex-m23 -mthumb"), ("thumb1", "thumb2", "armv7"), "_(thumb2|armv7)"),
    Core("cortex-r5-be", ARM.format("cortex-r5 -mbig-endian"), ("thumb1", "thumb2", "armv7"), "_(thumb1|thumb2|armv7)"),
    Core("aarch64-be", "aarch64-linux-gnu-gcc -mbig-endian", ("aarch64",), "_(neon|aes|aarch64|pmull|sha1)$"),
    Core("aarch64-ilp32", "aarch64-linux-gnu-gcc -mabi=ilp32", ("aarch64",), "_(neon|aes|aarch64|pmull|sha1)$"),
]


@pytest.fixture(scope="module")
def headers(tmp_path_factory) -> list[str]:
    """Options that find the headers: the source's own config.h, since the build's is for this machine, and a file that C
    libraries have for each of their ABIs."""
    build(BUILD, target="runnel_static")  # for the lists of folders
    folder = tmp_path_factory.mktemp("abi")
    (folder / "gnu").mkdir()
    for abi in ("x32", "ilp32", "lp64_be"):
        (folder / "gnu" / f"stubs-{abi}.h").touch()
    found = [ROOT / "include", ROOT / "src", BUILD / "generated", BUILD / "generated" / "runnel"]
    return [*(f"-I{path}" for path in found), "-idirafter", str(folder), "-idirafter", "/usr/include/x86_64-linux-gnu"]


def symbols(nm: str, objects: dict[Path, Path]) -> dict[Path, tuple[set[str], set[str]]]:
    """Return by source the names that its object defines, and those that it only uses."""
    listed = subprocess.run([nm, "-A", *objects.values()], text=True, capture_output=True, check=True).stdout
    sources = {str(file): source for source, file in objects.items()}
    found: dict[Path, tuple[set[str], set[str]]] = {source: (set(), set()) for source in objects}
    for line in listed.splitlines():
        file, _, rest = line.partition(":")
        kind, name = rest.split()[-2:]
        found[sources[file]][kind == "U"].add(name)
    return found


def of_the_chosen(name: str) -> bool:
    """Tell whether a symbol is of a folder that is compiled here: of a cipher that was asked for the core is not."""

    def is_of(folders: Iterable[Path]) -> bool:
        return any(f"{name}_".startswith(f"runnel_{folder.name}_") for folder in folders)

    chosen = selection.current()
    if chosen is not None:
        return is_of(chosen.folders)
    return selection.campaign() or not is_of((ROOT / "src" / "historic").iterdir())


@pytest.mark.slow
@pytest.mark.every_cipher
@pytest.mark.parametrize(
    "core", [pytest.param(core, marks=[] if core.daily else [pytest.mark.campaign]) for core in CORES], ids=str
)
def test_every_file_compiles_and_no_kernel_is_listed_that_is_not_there(core, headers, tmp_path):
    compiler, *flags = core.command.split()
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    files = [
        path
        for path in sorted((ROOT / "src").rglob("*.[cS]"))
        if path.parent.name not in FOLDERS - set(core.folders) and selection.takes_file(path)
        if selection.campaign() or "historic" not in path.parts  # C without anything of a processor's
    ]
    failed, defined, used, multiplied, objects = [], set(), set(), [], {}
    quick = core.multiplies or (core.quick and not selection.campaign())
    for number, path in enumerate(files):  # one by one: files share names
        place, object_file = path.relative_to(ROOT), tmp_path / f"{number}.o"
        options = [*flags, "-std=c11", "-O0" if quick else "-O2", "-DRUNNEL_PAPERS=1", *headers]
        command = [compiler, *options, "-c", place, "-o", object_file]
        done = subprocess.run(list(map(str, command)), cwd=ROOT, text=True, capture_output=True, check=False)
        if done.returncode != 0:
            errors = [line for line in done.stderr.splitlines() if re.search("error", line, re.IGNORECASE)]
            failed.append("\n  ".join([f"{place}:", *errors[:2]]))
            continue
        objects[place] = object_file
    for place, (its_own, others) in symbols(core.nm, objects).items():
        defined |= its_own
        used |= others
        # the core and feedback mode multiply lengths, which are public
        secret = place.parts[1] in ("ciphers", "macs", "aead", "modes") and place.parts[1:3] != ("modes", "cfb")
        public = core.is_clang and str(place.with_suffix("")).endswith(PUBLIC_IN_CLANG)
        if secret and not public and "papers" not in place.parts:
            multiplied += [f"{place}: {name}" for name in others if re.fullmatch(r"__\w*mul\w+", name)]
    assert not failed, f"{len(failed)} files\n" + "\n".join(failed[:10])
    assert not {name for name in used - defined if name.startswith("runnel_") and of_the_chosen(name)}
    assert not {name for name in defined if re.search(core.without, name)}
    if not quick:  # such a function takes the longer the larger a factor is; at -Os also for what is public
        assert not multiplied


# --- where a simulator runs it ---------------------------------------------------------------------------------------


def derived(core: str) -> targets.Target:
    """Return a target of the lab, compiled for the core, in the same simulator. On AVR the linker is told of more memory than
    the core has, as much as the simulated one."""
    command = next(each for each in CORES if each.name == core).flags
    if core.startswith("rv"):
        base = target("rv32")
        kept = [flag for flag in base.flags if not flag.startswith(("-march", "-mabi", "--specs"))]
        return replace(base, name=core, flags=[*command, *kept])
    base = target("avr")
    options = [flag for flag in base.flags if not flag.startswith("-mmcu")]
    if core == "atmega2560":
        return replace(
            base, name=core, flags=[*command, *options], link=[], command=[base.command[0], core, *base.command[2:]]
        )
    memory = ["__DATA_REGION_LENGTH__=0x1000", "__TEXT_REGION_LENGTH__=0x20000", "__stack=0x10ff"]
    return replace(base, name=core, flags=[*command, *options], link=[f"-Wl,--defsym={each}" for each in memory])


RUNS = [
    ("atmega32u2", "aes-256-ctr"),
    ("rv32i", "rabbit"),
    ("rv32e", "chacha20"),
    ("atmega2560", "aes-256-ctr"),
    *(
        (core, cipher)
        for core in ("atmega32u2", "rv32i", "rv32e")
        for cipher in ("chacha20", "sosemanuk", "aria-256-ctr")
    ),
    *((core, cipher) for core in ("atmega32u2", "rv32e") for cipher in ("rabbit", "trivium", "lea-256-ctr", "salsa20")),
    *(
        ("atmega2560", cipher)
        for cipher in ("chacha20", "sosemanuk", "seed-ctr", "aria-256-ctr", "hight-ctr", "lea-256-ctr")
    ),
    ("rv32e", "aes-256-ctr"),
    ("rv32i", "aes-256-ctr"),
    *(("atmega32u2", cipher) for cipher in ("lex", "py")),  # with kernels from papers for AVR
]


def simulated(core: str, folder: Path) -> tuple[targets.Target, Path]:
    """Return the core's target, with room for packets, and its simulator; skip the test where tools are missing."""
    chosen = derived(core)
    try:
        chosen.require()
        return chosen.smaller() or chosen, targets.build_runner(chosen, folder)
    except Skipped as why:
        pytest.skip(str(why))


@pytest.mark.lab
@pytest.mark.parametrize(
    "core, name",
    [
        pytest.param(*each, marks=[pytest.mark.of(each[1]), *([pytest.mark.campaign] if number >= 4 else [])])
        for number, each in enumerate(dict.fromkeys(RUNS))
    ],
)
def test_vectors_through_every_kernel(core, name, tmp_path):
    cipher = subjects.cipher(name)
    room, simulator = simulated(core, tmp_path)
    kernels = kernels_of(room, cipher)
    assert kernels
    longest = max(n for n in cipher.key_bytes if n <= 32)  # as firmware has them
    for kernel in kernels:
        rng = random.Random(f"{core} {name} {kernel}")
        subject = Subject(cipher, kernel, longest, cipher.iv_bytes[-1])
        programs.build_one(room, programs.program(room, subject, prefix=False), tmp_path / "bench.elf")
        run = Program(room, simulator, tmp_path / "bench.elf")
        if cipher.mode == Mode.COUNTER:
            for vector in vectors_of(cipher)[:5]:
                add_vector(run, cipher, vector, rng)
        else:
            vectors = [v for v in known_answers.read(FILES, name) if len(v.key) == longest][:3]
            assert vectors
            run.steps += known_answers.script(cipher, vectors, room.buffer, rng)
            add_random_messages(run, cipher, rng)
        assert run.run() > 10


AEADS = {
    "aes-128-ccm": ("aes_ccm_rfc3610", "wycheproof_aes_ccm"),
    "ascon-aead128": ("ascon_aead128_kat", "wycheproof_ascon_aead128"),
    "chacha20-poly1305": ("chacha20_poly1305_rfc8439",),
}
"""Each with files of tests/vectors/aead."""
AEAD_RUNS = [
    ("rv32e", "aes-128-ccm"),
    ("atmega32u2", "ascon-aead128"),
    ("atmega32u2", "chacha20-poly1305"),
    ("rv32i", "chacha20-poly1305"),
    *((core, aead) for core in ("atmega32u2", "rv32e", "rv32i") for aead in AEADS),
]


def published(aead: Combination, limit: int) -> list[list[measure.Step]]:
    """Return the steps of each vector that the program's memory has room for: set the key, then seal and open a packet, or
    refuse it."""
    found = []
    for name in AEADS[aead.name]:
        for vector in json.loads((selection.AEAD_VECTORS / f"{name}.json").read_text())["vectors"]:
            if "aad_rule" in vector:  # data that are not written out
                continue
            key, nonce, header, text, ciphertext, tag = (
                bytes.fromhex(vector[field]) for field in ("key", "iv", "aad", "plaintext", "ciphertext", "tag")
            )
            fits = len(key) == aead.key and len(header) <= 32 and max(len(text), len(ciphertext)) <= limit
            if not fits or not aead.nonces[0] <= len(nonce) <= aead.nonces[1] or len(tag) not in aead.tags:
                continue
            packet = [measure.refused(nonce, header, ciphertext, tag)]
            if vector["result"] == "valid":
                message = nonce, header, text, ciphertext, tag
                packet = [measure.sealed(*message), measure.opened(*message)]
            found.append([measure.Step(session.key(key)), *packet])
    return found


@pytest.mark.lab
@pytest.mark.parametrize(
    "core, name",
    [
        pytest.param(*each, marks=[pytest.mark.of(each[1]), *([pytest.mark.campaign] if number >= 4 else [])])
        for number, each in enumerate(dict.fromkeys(AEAD_RUNS))
    ],
)
def test_packets_through_the_kernels_that_the_lab_tries(core, name, tmp_path):
    """Published vectors, and packets up to 128 bytes compared with the host's; forgeries are refused."""
    room, simulator = simulated(core, tmp_path)
    aead, target_run = combination(ROOT, name), TargetRun(room, simulator, {}, tmp_path)
    vectors = published(aead, room.buffer)
    assert vectors
    cells = frames.cells(aead, frames.frames(ROOT), 128)
    steps = [
        *itertools.chain.from_iterable(vectors),
        measure.key(aead, 0),
        *(step for cell in cells for step in measure.packet(aead, *cell, 0)),
    ]
    for kernels in program.candidates(room, aead):
        programs.build_one(room, program.program(room, aead, kernels), tmp_path / "packet.elf")
        measure.run(target_run, aead, tmp_path / "packet.elf", steps)
