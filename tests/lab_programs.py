# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds the lab's measured program for every kernel of every target, and puts scripts through it."""

from __future__ import annotations

import atexit
import functools
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import selection
from runnel_lab import DoesNotFit, LabError, Skipped, subjects, targets
from runnel_lab.building import ninja, programs
from runnel_lab.building.kernels import kernels
from runnel_lab.running import known_answers, session
from runnel_lab.subjects import Mode, Subject

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import vectors as collection

LAYOUTS = ("default", "be128", "be64", "be32", "be16", "le128", "le64", "le32", "be32-left")  # as in stream.h
# All block ciphers, with the longest of their keys: firmware for it takes the others too.
BLOCK_CIPHERS = tuple(
    {c.family: c.name.removesuffix("-ctr") for c in subjects.ciphers().values() if c.mode == Mode.COUNTER}.values()
)


@functools.cache
def target(name: str) -> targets.Target:
    return targets.load(ROOT, name)


def require(name: str) -> targets.Target:
    """Skip the test where the target's tools are missing; return the target."""
    try:
        target(name).require()
    except Skipped as why:
        pytest.skip(str(why))
    return target(name)


@functools.cache
def runner(name: str) -> Path:
    """Return the target's simulator, built once a process."""
    folder = tempfile.mkdtemp(prefix="runnel-lab-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return targets.build_runner(target(name), Path(folder))


def pairs(ciphers: tuple[str, ...], *, hosted: bool = False) -> list:
    """List every kernel of every micro-controller for these ciphers, as parameters; of targets with an operating system the
    portable one, because there the C suite runs all of them (test_vectors.py, test_c_cross.py), and of these one in twelve
    except in the campaign; or with `hosted` all. Of a target that is like another, or of its portable kernels, one in thirty
    except there. Of what is broken or withdrawn, one in three except there. Where tools are missing, one that is skipped. Without targets that differ
    from others in their memory alone."""
    found = []
    for name in targets.find(ROOT):
        if target(name).beside or target(name).packets_only:
            continue
        try:
            target(name).require()
            those = [
                pytest.param(name, cipher, kernel, id=f"{name}-{cipher}-{kernel}")
                for cipher in ciphers
                if selection.takes(cipher)
                for kernel in kernels(target(name), subjects.cipher(cipher))
                if hosted or kernel == "portable" or not target(name).hosted
            ]
            if target(name).hosted and not hosted:
                found += selection.one_in(12, those)
            elif target(name).like:
                found += selection.one_in(30, those[len(name) :] + those[: len(name)])  # each target begins elsewhere
            else:
                if target(name).portable_like:
                    portable = [pair for pair in those if pair.values[2] == "portable"]
                    those = [pair for pair in those if pair not in portable]
                    found += selection.one_in(30, portable)
                past = [pair for pair in those if selection.historic(pair.values[1])]
                found += [pair for pair in those if pair not in past] + selection.one_in(3, past)
        except Skipped as why:
            found.append(pytest.param(name, "", "", id=name, marks=pytest.mark.skip(reason=str(why))))
    return found


@dataclass
class Program:
    """The measured program of one kernel, for keys of all lengths, with a script that grows."""

    target: targets.Target
    runner: Path
    elf: Path
    steps: list[session.Step] = field(default_factory=list)

    def expect(self, call: session.Call, output: bytes = b"") -> None:
        self.steps.append(session.Step(call, output))

    def expect_pieces(
        self, call: Callable[..., session.Call], label: str, before: bytes, after: bytes, rng, sizes: Iterable[int]
    ) -> None:
        """Expect a message in calls of these sizes, at any alignment."""
        at = 0
        for size in sizes:
            self.expect(call(label, before[at : at + size], rng.randrange(16)), after[at : at + size])
            at += size

    def run(self) -> int:
        """Runs the script; every answer must be the expected one. Returns how many calls were answered: a kernel may
        refuse a length of key, or raw decryption. Skips the test where the processor of the host itself lacks what
        the kernel needs: then every key is refused."""
        calls = [step.call for step in self.steps]
        answers = session.run(self.target, self.runner, self.elf, calls, quick=True)
        try:
            taken = session.taken(self.steps, answers)
        except LabError as why:
            pytest.fail(str(why), pytrace=False)
        if self.target.hosted and not taken:
            pytest.skip("this processor does not run the kernel")
        return len(taken)


def pieces(rng, length: int, limit: int, sizes: Sequence[int]) -> list[int]:
    """Cut a message into calls that the target's buffer holds."""
    found = []
    while length > 0:
        found.append(min(length, limit, rng.choice(sizes)))
        length -= found[-1]
    return found


def program(name: str, cipher: str, kernel: str, folder: Path, *, prefix: bool = True) -> Program:
    chosen = subjects.cipher(cipher)
    subject = Subject(chosen, kernel, chosen.key_bytes[-1], 0 if chosen.mode == Mode.BLOCKS else chosen.block_bytes)
    try:
        output = runner(name)
        programs.build_one(target(name), programs.program(target(name), subject, prefix=prefix), folder / "bench.elf")
    except (Skipped, DoesNotFit) as why:
        pytest.skip(str(why))
    except LabError as why:
        pytest.fail(str(why), pytrace=False)
    return Program(target(name), output, folder / "bench.elf")


def built(name: str, source: Path, elf: Path, folders: tuple[str, ...], definitions=(), knobs=()) -> Path:
    """Builds a test's own program for a target, with what it needs of these folders of src/."""
    try:
        target(name).require()
        programs.build_one(target(name), ninja.Program((str(source),), tuple(definitions), tuple(knobs), folders), elf)
    except Skipped as why:
        pytest.skip(str(why))
    return elf


def claims_constant_time(cipher: subjects.Cipher, kernel: str) -> bool:
    """Return whether the kernel's own description says so."""
    return subjects.constant_time(ROOT, Subject(cipher, kernel, cipher.key_bytes[-1], 0))


def block_vectors(family: str) -> list[dict]:
    """Return the vectors of a block cipher, of all its key lengths: those in its folder, and the complete collection where it
    is at hand; each once."""
    base = collection.directory(None)
    found = list(known_answers.paragraphs((ROOT / "src" / "ciphers" / family / "vectors.txt").read_text()))
    if base.is_dir():
        found += [v for _, group in collection.everything(base) for v in group if v["cipher"].startswith(f"{family}-")]
    fields = ("cipher", "key", "iv", "layout", "offset", "input", "output")
    return list({tuple(v.get(field) for field in fields): v for v in found}.values())
