#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compare the speed of two builds of the library: for a change that must not slow anything down.

    python3 bench/compare.py OLD.so NEW.so [--name NAME ...] [--kernel NAME ...] [--operation NAME ...] [--bytes N ...]
                             [--rounds N] [--at-most 1.02]

Both are opened in one process, and each cell (cipher or AEAD, kernel, operation, length) is measured by turns in one and the
other (compare.c). A figure is the minimum over all rounds, in cycles of the core; windows next to a disturbed clock do not
count. So it needs no quiet machine, only enough rounds. Both builds must make the same bytes. Prints a table in Markdown;
status 1 if a ratio is larger than --at-most, after those cells were measured once more, with four times as many rounds.

Without --name: AES in counter mode and GCM, and ChaCha20-Poly1305. Without --kernel: the library's choice; `-` stands for it.
Operations: message, pieces, iv, key of ciphers; seal, open, key of AEADs (compare.c says what each is). x86-64 only.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

NAMES = ["aes-128-ctr", "aes-256-ctr", "aes-128-gcm", "aes-256-gcm", "chacha20-poly1305"]
AEADS = ("gcm", "ccm", "siv", "poly1305", "aead")
SIZES = [16, 64, 100, 256, 1024, 4096, 16384, 65536]


class Cell(NamedTuple):
    name: str
    kernel: str
    operation: str
    bytes: int


class Figure(NamedTuple):
    kernel: str
    before: float
    after: float

    @property
    def ratio(self) -> float:
        return self.after / self.before


def operations(name: str) -> list[str]:
    return ["seal", "open"] if any(word in name for word in AEADS) else ["message"]


def measure(program: Path, builds: list[Path], rounds: int, cells: list[Cell]) -> list[Figure]:
    words = [str(word) for cell in cells for word in cell]
    done = subprocess.run([program, *builds, str(rounds), *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr.strip() or f"{program} ended with status {done.returncode}")
    lines = [line.split() for line in done.stdout.splitlines()]
    return [Figure(kernel, float(before), float(after)) for kernel, before, after in lines]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("builds", nargs=2, type=Path, metavar="LIBRARY.so")
    parser.add_argument("--name", nargs="+", default=NAMES)
    parser.add_argument("--kernel", nargs="+", default=["-"])
    parser.add_argument("--operation", nargs="+")
    parser.add_argument("--bytes", nargs="+", type=int, default=SIZES)
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--at-most", type=float, default=1.02)
    chosen = parser.parse_args()
    cells = [
        Cell(name, kernel, operation, size)
        for name in chosen.name
        for kernel in chosen.kernel
        for operation in chosen.operation or operations(name)
        for size in (chosen.bytes if operation != "key" else [0])
    ]
    builds = [build.resolve() for build in chosen.builds]
    with tempfile.TemporaryDirectory() as scratch:
        program = Path(scratch) / "compare"
        source = Path(__file__).resolve().with_suffix(".c")
        subprocess.run(["cc", "-O2", "-Wall", "-o", program, source, "-ldl"], check=True)
        figures = measure(program, builds, chosen.rounds, cells)
        again = [n for n, figure in enumerate(figures) if figure.ratio > chosen.at_most]
        if again:
            for n, figure in zip(again, measure(program, builds, 4 * chosen.rounds, [cells[n] for n in again])):
                figures[n] = figure
    print("| | kernel | operation | bytes | before | after | ratio |\n| --- | --- | --- | ---: | ---: | ---: | ---: |")
    for cell, figure in zip(cells, figures):
        mark = " slower" if figure.ratio > chosen.at_most else ""
        print(
            f"| {cell.name} | {figure.kernel} | {cell.operation} | {cell.bytes} | {figure.before:.1f} "
            f"| {figure.after:.1f} | {figure.ratio:.3f}{mark} |"
        )
    return int(any(figure.ratio > chosen.at_most for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
