# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A target is a folder, lab/targets/<name>: target.toml says how to compile for it and how to run what comes out.

target.toml:
    title, kind         what it stands for; the kind of its figures: exact, model, mca or measured
    compiler, binutils  "avr-gcc", and the prefix of nm and size: "avr-"
    flags, link         for compiling and linking; {target} and {lab} stand for the folders
    sources             beside lab/bench.c: start-up code, the channel
    buffer, long        longest message, and the length of the long one, in bytes
    passes              how often the script is measured; the last pass counts on simulators, the median on the host
    tools               programs without which the target is skipped
    [runner] build, command   how to make the runner ({runner} is its path), and how to run {elf} with it: the channel is
                        its standard input and output; {marks} is a file that gets one line for each pair of marks:
                        cycles, instructions, loads, stores, stack bytes; "-" for what is unknown
"""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from . import LabError, Skipped


@dataclass(frozen=True)
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
    passes: int = 2

    @property
    def tree(self) -> Path:
        return self.folder.parent.parent.parent

    def expand(self, words: list[str], **names: object) -> list[str]:
        """Fills in {target}, {lab} and what else is given."""
        known = {"target": self.folder, "lab": self.folder.parent.parent} | names
        return [word.format(**known) for word in words]

    def require(self) -> None:
        """Raises Skipped with the name of the first tool that is not there."""
        for tool in [self.compiler, self.binutils + "size", *self.tools]:
            if shutil.which(tool) is None:
                raise Skipped(f"{self.name}: skipped, {tool} is not installed")


def find(tree: Path) -> list[str]:
    """Gives the names of all targets."""
    return sorted(p.parent.name for p in (tree / "lab" / "targets").glob("*/target.toml"))


def load(tree: Path, name: str) -> Target:
    folder = tree / "lab" / "targets" / name
    try:
        text = tomllib.loads((folder / "target.toml").read_text())
    except FileNotFoundError:
        raise LabError(f"no target {name}; there are {', '.join(find(tree))}") from None
    runner = text.pop("runner")
    return Target(name, folder, command=runner["command"], runner_build=runner.get("build", []), **text)


def build_runner(target: Target, folder: Path) -> Path:
    """Makes the target's runner in the folder, if it has one to be made."""
    runner = folder / "runner"
    if target.runner_build:
        done = subprocess.run(target.expand(target.runner_build, runner=runner), text=True, capture_output=True)
        if done.returncode != 0:
            raise Skipped(f"{target.name}: skipped, its runner cannot be built: {done.stderr.strip()[-300:]}")
    return runner
