# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds the programs that proofs are about: the kernel's object as it ships, and the harness that tells where its
functions are.

On this processor the kernel comes from librunnel.a. For the others its files are compiled as the lab compiles them, with the
flags of the target, and linked by the target's linker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from runnel_lab import LabError
from runnel_lab.building import kernels, ninja, programs
from runnel_lab.building.tools import run_tool
from runnel_lab.subjects import cipher
from runnel_lab.targets import Target, load

ROOT = Path(__file__).resolve().parents[3]
HARNESS = ROOT / "proofs" / "machine" / "harness.c"


@dataclass(frozen=True)
class CipherFacts:
    """Facts about a cipher's folder that the prover needs."""

    name: str
    """One cipher of it, as the lab calls it."""
    state: str
    """The context's type and its member."""
    block_bytes: int = 0
    """Of a block cipher; 0: it makes a keystream of its own."""
    key_bytes: tuple[int, ...] = (16,)
    decrypts: bool = True


CIPHERS = {
    "aes": CipherFacts("aes-256-ctr", "runnel_aes_ctr, schedule", 16, (16, 24, 32)),
    "aria": CipherFacts("aria-256-ctr", "runnel_aria_ctr, schedule", 16, (16, 24, 32)),
    "seed": CipherFacts("seed-ctr", "runnel_seed_ctr, schedule", 16, (16,)),
    "lea": CipherFacts("lea-256-ctr", "runnel_lea_ctr, schedule", 16, (16, 24, 32)),
    "hight": CipherFacts("hight-ctr", "runnel_hight_ctr, schedule", 8, (16,)),
    "chacha20": CipherFacts("chacha20", "runnel_chacha20, words", 0, (32,)),
    "salsa20": CipherFacts("salsa20", "runnel_salsa20, state", 0, (16, 32)),
}

OWN_LIBRARY = ("-DPROOF_NO_LIBRARY", "-fno-builtin", "-fno-tree-loop-distribute-patterns", "-fno-stack-protector")
"""memcpy and its like come from the harness, and are not made of themselves."""

HOST = "host"
TARGETS = (HOST, "aarch64", "armv7", "cortex-m4", "rv32", "rv32-zk", "rv64-zk", "avr")


@dataclass(frozen=True)
class Subject:
    """A kernel of a cipher on a target."""

    folder: str
    kernel: str
    target: str
    compiler: tuple[str, ...] = ()
    """Another one than the target's, and how it optimizes: gcc-12, -O3."""

    def __str__(self) -> str:
        by = f" by {' '.join(self.compiler)}" if self.compiler else ""
        return f"{self.folder}/{self.kernel} on {self.target}{by}"

    @property
    def facts(self) -> CipherFacts:
        """Return what is known of its cipher."""
        return CIPHERS[self.folder]


def target_of(name: str) -> Target:
    """Return a target of the lab."""
    return load(ROOT, name)


def subjects(folders: list[str], targets: list[str]) -> list[Subject]:
    """Return the kernels of these ciphers that exist on these targets."""
    found = []
    for name in targets:
        target = target_of(name)
        for folder in folders:
            for kernel in kernels.kernels(target, cipher(CIPHERS[folder].name)):
                found.append(Subject(folder, kernel, name))
    return found


@dataclass(frozen=True)
class Program:
    """A linked program, and the objects that it was linked from."""

    elf: Path
    main: Path
    """The harness's object."""
    library: tuple[Path, ...]
    """Objects, or an archive of them."""
    kernel: str
    """The name in C of the kernel's description."""


def build(subject: Subject, folder: Path, library: Path) -> Program:
    """Compile and link the program of a kernel; what is made for it alone goes to the folder. Raise LabError with the
    compiler's or the linker's first error."""
    return build_all([subject], folder, library)[subject].program


@dataclass(frozen=True)
class Outcome:
    """A program, or why there is none."""

    made: Program | LabError

    @property
    def program(self) -> Program:
        """The program. Raises what kept it from being built."""
        if isinstance(self.made, LabError):
            raise self.made
        return self.made


def build_all(subjects: Sequence[Subject], folder: Path, library: Path) -> dict[Subject, Outcome]:
    """Compile and link the programs of kernels, those of one compiler at once."""
    found: dict[Subject, Outcome] = {}
    groups: dict[tuple[str, tuple[str, ...]], list[Subject]] = {}
    for subject in subjects:
        groups.setdefault((subject.target, subject.compiler), []).append(subject)
    for (target, compiler), group in groups.items():
        if target == HOST and not compiler:
            found |= {each: _from_library(each, folder, library) for each in group}
        else:
            found |= _from_sources(group)
    return found


def _symbol(subject: Subject) -> str:
    return f"runnel_{subject.folder}_{subject.kernel.replace('-', '_')}"


def _definitions(subject: Subject) -> tuple[str, ...]:
    """Return the macros that tell the harness which kernel it is for."""
    return (
        f'-DPROOF_KERNELS="ciphers/{subject.folder}/kernels.h"',
        f"-DPROOF_KERNEL={_symbol(subject)}",
        f"-DPROOF_STATE={subject.facts.state}",
        f"-DPROOF_BLOCK={int(subject.facts.block_bytes > 0)}",
        f"-DPROOF_PREFIX={'RUNNEL_AES_PREFIX_BYTES' if subject.folder == 'aes' else '0'}",
    )


KNOBS = ("-DRUNNEL_DECRYPT=1", "-DRUNNEL_PREFIX=1")


def _from_library(subject: Subject, folder: Path, library: Path) -> Outcome:
    """Link the harness with librunnel.a."""
    stem = folder / f"{subject.folder}-{subject.kernel}"
    main, elf = stem.with_suffix(".o"), stem.with_suffix(".elf")
    folders = ninja.includes(ROOT, ROOT / "src" / "ciphers" / subject.folder)
    compiler = ninja.compiler(target_of(HOST))
    link = ("-static", "-nostdlib", "-no-pie", "-Wl,--gc-sections,-e,main")
    try:
        words = [*compiler, *KNOBS, *_definitions(subject), *OWN_LIBRARY, *folders]
        run_tool([*words, "-c", str(HARNESS), "-o", str(main)])
        run_tool([*compiler, str(main), str(library), *link, "-o", str(elf)])
    except LabError as error:
        return Outcome(error)
    return Outcome(Program(elf, main, (library,), _symbol(subject)))


def _from_sources(group: Sequence[Subject]) -> dict[Subject, Outcome]:
    """Compile kernels and the harness as the lab does, for one target by one compiler."""
    first = group[0]
    target = target_of(first.target)
    if first.compiler:
        name, *flags = first.compiler
        target = replace(target, compiler=name, flags=[*flags, "-fno-pie"], link=["-static", "-no-pie"])
    freestanding = ("-nostdlib", "-Wl,-e,main", "-lgcc") if target.hosted else ()
    bare = replace(
        target,
        sources=[source for source in target.sources if Path(source).name == "start.S"],
        link=[*target.link, *freestanding],
    )
    made = ninja.build(bare, [_program(each, target.hosted) for each in group])
    return {
        each: Outcome(built.error or Program(built.elf, built.main, built.archived, _symbol(each)))
        for each, built in zip(group, made)
    }


def _program(subject: Subject, hosted: bool) -> ninja.Program:
    """Return what the lab builds for a kernel."""
    folder = f"ciphers/{subject.folder}"
    return ninja.Program(
        main=(f"../{HARNESS.relative_to(ROOT)}",),
        definitions=(*_definitions(subject), *(OWN_LIBRARY if hosted else ())),
        knobs=(*KNOBS, *programs.knob(subject.folder, subject.kernel, 8 * max(subject.facts.key_bytes))),
        folders=(folder,),
        without=tuple(programs.other_kernels(ROOT, folder, subject.kernel)),
    )
