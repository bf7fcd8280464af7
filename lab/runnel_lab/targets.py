# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A target is a folder, lab/targets/<name>: target.toml says how to compile for it and how to run what comes out.

target.toml:
    title, kind         what it stands for; the kind of its figures: exact, model, mca or measured
    compiler, binutils  "avr-gcc", and the prefix of ar, nm and size: "avr-"
    flags, link         for compiling and linking; {target} and {lab} stand for the folders
    sources             beside lab/bench.c: start-up code, the channel
    buffer, long        longest message, and the length of the long one, in bytes
    small               longest message where a cipher leaves no room for more: then 128 bytes are all that is measured
    patience            instructions of a packet of 128 bytes, above which longer messages take the simulator too long
    argument            longest key or IV, in bytes; 256 if it is left out
    beside              another target: only what does not fit there is measured here
    kernels             those that are measured here, "folder/kernel"; all, if it is left out: a processor that has
                        another's kernels too need not measure those again
    like                another target whose kernels it runs: of its tests the daily suite takes a sample, and authenticated
                        packets are measured there
    portable_like       another target of the same compiler: of the tests of portable kernels, which it has too, the daily
                        suite takes a sample
    packets_only        true: nothing but authenticated packets is measured here (runnel_lab/packets); may be left out
    tiny                true: the smallest kernels are tried in packets too, as no others may fit; may be left out
    lengths             more lengths of messages to measure, each with a fresh nonce and once more continued; they may be
                        left out
    [curves]            by cipher lengths beyond the longest message, which papers' curves continue to; may be left out
    passes              how often the script is measured; the last pass counts on simulators, the quarter of them that took
                        the least time where a clock measures
    paint               bytes of stack to paint, where the runner does not know the stack (its "-"); with an operating
                        system 32768 without being asked
    ram, ram_at         bytes of RAM, where the linker does not know them; more is reported as "does not fit"; and the
                        linker's address of the first
    machine             the part that is simulated, by its name; a clock's runner says it itself
    clock_hz            of the machine it stands for: turns cycles into time where a paper gives times
    tools               programs without which the target is skipped
    [runner] build, command   how to make the runner ({runner} is its path), and how to run {elf} with it: the channel is
                        its standard input and output; {marks} is a file that gets one line for each pair of marks:
                        cycles, instructions, loads, stores, stack bytes; "-" for what is unknown
    [runner] quick      another command for tests that compare bytes alone: without marks; may be left out, and is
                        passed over where its program is missing
    [runner] machine    a command that prints {"cpu": …, "hz": …}: the processor's name, and core cycles a second
    [runner] version    a command whose first line tells the simulator's version; without it "… --version" of the
                        runner's first word, if that is a program on the path
    [mca] simulated, triple   where llvm-mca reads traces of the target: the processor that is simulated for them, so that the
                        C library does not choose code that the analysed cores cannot run, and LLVM's triple
    [mca] ciphers       which are ranked; all, if it is left out
    [mca.cores]         by a core's name LLVM's name of its model
    [counter]           where the runner only measures time: flags, sources, link, tools, build and command of the same
                        program once more on a simulator that counts instructions, loads and stores
    [[peers]] command   measures other projects' code beside ours in one run, for {ciphers}, and prints a list of rows
                        as JSON (see results.py): with "peer": true whole rows of theirs, without it additions to rows of ours
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from runnel_lab import LabError, Skipped, UnknownNameError, speed, understanding

KINDS = ("exact", "model", "mca", "measured")


@dataclass(frozen=True)
class Mca:
    """How llvm-mca reads a target's traces."""

    simulated: str
    triple: str
    cores: dict[str, str]
    ciphers: Sequence[str] = ()
    """Those that are ranked; none: all."""


@dataclass(frozen=True, eq=False)
class Target:
    name: str
    folder: Path
    title: str
    kind: str
    compiler: str
    binutils: str
    flags: list[str]
    sources: list[str]
    buffer: int
    long: int
    command: list[str]
    link: list[str] = field(default_factory=list)
    tools: list[str] = field(default_factory=list)
    runner_build: list[str] = field(default_factory=list)
    runner_version: list[str] = field(default_factory=list)
    runner_machine: list[str] = field(default_factory=list)
    quick: list[str] = field(default_factory=list)
    counter: dict[str, Any] = field(default_factory=dict)
    peers: list[list[str]] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    curves: dict[str, list[int]] = field(default_factory=dict)
    small: int | None = None
    patience: int | None = None
    argument: int = 256
    beside: str | None = None
    kernels: list[str] = field(default_factory=list)
    like: str | None = None
    portable_like: str | None = None
    packets_only: bool = False
    tiny: bool = False
    passes: int = 2
    paint: int | None = None
    ram: int | None = None
    ram_at: int | None = None
    clock_hz: int | None = None
    machine: str | None = None
    mca: Mca | None = None

    @property
    def tree(self) -> Path:
        return self.folder.parent.parent.parent

    @property
    def measured(self) -> bool:
        """Time is taken by a clock: nothing else may run meanwhile, and passes differ."""
        return self.kind == "measured"

    @cached_property
    def machine_of_compiler(self) -> str:
        """Return the compiler's name for what it compiles for: avr, riscv64-unknown-elf."""
        return _first_line([self.compiler, "-dumpmachine"]) or ""

    @property
    def hosted(self) -> bool:
        """Tell whether there is an operating system: kernels are named at key set-up, and the stack is large."""
        return "linux" in self.machine_of_compiler

    @property
    def packets(self) -> bool:
        """Authenticated packets are measured here: on nodes without an operating system, with kernels of their own."""
        return not (self.measured or self.hosted or self.kernels or self.like)

    @property
    def painted(self) -> int:
        """Return the bytes of stack that the program paints to see what a call used; 0: the runner watches the stack
        pointer."""
        return self.paint if self.paint is not None else 32768 if self.hosted else 0

    def with_room(self, cipher: str) -> Target:
        """Return the same with room for the longest message of a cipher's curves."""
        return replace(self, buffer=max([self.buffer, *self.curves.get(cipher, [])]))

    def for_curves(self, cipher: str) -> Target | None:
        """Return the same that measures what a cipher's curves continue to, and nothing else; None: there is nothing."""
        more = self.curves.get(cipher)
        return replace(self, lengths=more, long=0, passes=min(self.passes, 12)) if more and self.long else None

    def smaller(self) -> Target | None:
        """Return the same target with room for a packet only; None: that is no difference."""
        if self.small is None or self.small >= self.buffer:
            return None
        return replace(self, buffer=self.small, long=0, lengths=[])

    def counting(self) -> Target | None:
        """Return the same target on the simulator that counts; None: there is none, or its tools are missing."""
        if not self.counter:
            return None
        text = dict(self.counter)
        other = replace(
            self,
            kind="exact",
            passes=2,
            patience=300_000,
            peers=[],
            mca=None,
            counter={},
            quick=[],
            runner_version=[],
            runner_machine=[],
            runner_build=text.pop("build", []),
            **text,
        )
        try:
            other.require()
        except Skipped:
            return None
        return other

    def describe_machine(self, runner: Path) -> dict[str, Any]:
        """Describe the machine for rows: the part that is simulated, or this one, as the runner that reads its clock says."""
        if not self.runner_machine:
            return {"machine": self.machine, "hz": self.clock_hz}
        machine = _first_line(self.expand(self.runner_machine, runner=runner))
        try:
            found: dict[str, Any] = json.loads(machine or "")
        except ValueError:
            raise LabError(f"{self.name}: the runner does not say what machine this is") from None
        return {"machine": speed.slug(speed.machine())} | found

    def expand(self, words: list[str], **names: object) -> list[str]:
        """Fills in {target}, {lab}, {python} and what else is given."""
        known = {"target": self.folder, "lab": self.folder.parent.parent, "python": sys.executable} | names
        return [word.format(**known) for word in words]

    def require(self) -> None:
        """Raises Skipped with the name of the first tool that is not there."""
        for tool in [self.compiler, self.binutils + "size", self.binutils + "ar", "ninja", *self.tools]:
            if shutil.which(tool) is None:
                package = package_of(self.tree, tool)
                hint = f": apt-get install {package}" if package else ""
                raise Skipped(f"{self.name}: skipped, {tool} is not installed{hint}")

    @cached_property
    def compiler_version(self) -> str:
        return _first_line([self.compiler, "--version"]) or "unknown"

    @cached_property
    def simulator(self) -> str | None:
        """Return the simulator's version; None: there is none, or it is the project's own."""
        if self.runner_version:
            return _first_line(self.expand(self.runner_version))
        program = self.command[0]
        return None if "{" in program or shutil.which(program) is None else _first_line([program, "--version"])


def _first_line(command: list[str]) -> str | None:
    try:
        done = subprocess.run(command, text=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return next((line.strip() for line in done.stdout.splitlines() if line.strip()), None)


def package_of(tree: Path, tool: str) -> str | None:
    """Returns the package of packages.txt that has the tool; None: there is none whose name says so."""
    try:
        lines = (tree / "packages.txt").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    listed = {package for line in lines if not line.startswith("#") for package in line.split()[1:]}
    prefix, _, last = tool.rpartition("-")
    names = [tool, f"gcc-{prefix}", "gcc" if tool in ("cc", "ar", "nm", "size") else "", f"llvm-{last}"]
    names += ["qemu-user"] if tool.startswith("qemu-") else ["ninja-build"] if tool == "ninja" else []
    return next((name for name in names if name in listed), None)


def find(tree: Path) -> list[str]:
    """Returns the names of all targets."""
    return sorted(p.parent.name for p in (tree / "lab" / "targets").glob("*/target.toml"))


def load(tree: Path, name: str) -> Target:
    if name not in find(tree):
        raise UnknownNameError(f"no target {name}; there are {', '.join(find(tree))}")
    folder = tree / "lab" / "targets" / name
    with understanding(folder / "target.toml"):
        text = tomllib.loads((folder / "target.toml").read_text(encoding="utf-8"))
        runner = text.pop("runner")
        target = Target(
            name,
            folder,
            command=runner.pop("command"),
            quick=runner.pop("quick", []),
            peers=[program["command"] for program in text.pop("peers", [])],
            mca=Mca(**text.pop("mca")) if "mca" in text else None,
            **{f"runner_{what}": words for what, words in runner.items()},
            **text,
        )
    if not isinstance(target.kind, str) or target.kind not in KINDS:
        raise LabError(f"{folder / 'target.toml'}: kind is one of {', '.join(KINDS)}")
    return target


def build_runner(target: Target, folder: Path) -> Path:
    """Makes the target's runner in the folder, if it has one to be made."""
    runner = folder / "runner"
    if target.runner_build:
        try:
            done = subprocess.run(target.expand(target.runner_build, runner=runner), text=True, capture_output=True)
        except OSError as error:
            raise Skipped(f"{target.name}: skipped, its runner cannot be built: {error}") from None
        if done.returncode != 0:
            line = next((x for x in done.stderr.splitlines() if "error" in x), done.stderr.strip()[-300:])
            raise Skipped(f"{target.name}: skipped, its runner cannot be built: {line}")
    return runner
