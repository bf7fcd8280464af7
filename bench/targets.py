#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures everything, lists first what a library does faster, compares with what Runnel wants to reach, and keeps the
figures in results/<machine>/.

    .venv/bin/python bench/targets.py [--seconds S] [--cipher NAME]... [--no-write]

Twice: with all that the CPU has, and, where that includes AVX-512, without it, because most machines have none. Prints
and compares; it always succeeds, for a bench is not a test.
"""

import argparse
import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import headline
import runnel
import tables
from runnel_lab import speed
from tables import generated

# As on a machine without AVX-512: our kernels; those of OpenSSL, whose variable clears the bits of AVX512F, DQ, IFMA, CD, BW
# and VL in the second word of its CPU vector; and those of libgcrypt, which our measuring program tells. No other library of
# the system's uses 512-bit registers for these ciphers.
NARROW = {
    "RUNNEL_CPU": "ssse3,aes,avx2,vaes,clmul,vclmul,sha",
    "OPENSSL_ia32cap": ":~0xd0230000",
    "RUNNEL_SPEED_LIBGCRYPT_WITHOUT": "intel-avx512,intel-gfni",
}
WIDE = "they cannot be told to do without AVX-512"
"""Why the newest libsodium and RustCrypto are not measured then: they have no such variable."""
CELLS = {name: cell for cell, name in speed.COLUMNS.items()}
TITLES = ("all CPU features", "no AVX-512")
FILES = ("speed.json", headline.NARROW)
NOT_MEASURED = "not measured here"
MISSED = "MISSED"
FIRST = (
    "What was missed is first. Where a library is faster, and not only nearer than wanted, the first table says why."
)


@dataclass
class Target:
    """At least so many times as fast as the best of some libraries, or at most so many cycles per byte."""

    cipher: str
    column: str
    least: float | None = None
    peers: tuple[str, ...] = ()
    """How their names begin; none: all of them."""
    most: float | None = None

    def measured(self, comparison: speed.Comparison) -> float | None:
        cell = CELLS[self.column]
        if cell not in comparison.ours:
            return None
        if self.most is not None:
            return float(comparison.ours[cell]["cycles_per_byte"])
        if not self.peers:
            return comparison.ratio(cell)
        ratios = [ratio for peer in self.peers if (ratio := comparison.ratio(cell, peer)) is not None]
        return min(ratios, default=None)

    def wanted(self) -> str:
        if self.most is not None:
            return f"below {self.most} cycles/byte"
        return f"{self.least:.2f} times {' and '.join(self.peers) or 'the best library'}"

    def verdict(self, value: float | None) -> str:
        if value is None:
            return NOT_MEASURED
        if self.most is not None:
            return f"{value:.3f}, {'met' if value < self.most else MISSED}"
        assert self.least is not None
        return f"{value:.2f}, {'met' if value >= self.least else MISSED}"


WITHIN_TEN_PER_CENT = 1 / 1.1
TARGETS = [
    Target("aes-128-ctr", "16 KiB", 1.25, ("libgcrypt",)),
    Target("aes-128-ctr", "16 KiB", 2.6, ("OpenSSL",)),
    Target("aes-128-ctr", "stream", 1.33, ("libgcrypt",)),
    Target("aes-128-ctr", "stream", most=0.156),
    Target("aes-256-ctr", "16 KiB", 1.13, ("libgcrypt",)),
    *(Target(f"aes-{bits}-ctr", size, 1, ("libgcrypt",)) for bits in (128, 192, 256) for size in ("16 B", "128 B")),
    Target("seed-ctr", "128 B", 3),
    Target("seed-ctr", "1 KiB", 8),
    Target("seed-ctr", "16 KiB", 8),
    Target("seed-ctr", "16 KiB", most=3.1),
    Target("aria-128-ctr", "16 KiB", most=1.4),
    *(Target(f"lea-{bits}-ctr", size, 1, ("Crypto++",)) for bits in (128, 192, 256) for size in ("128 B", "16 KiB")),
    Target("hight-ctr", "16 KiB", 1, ("Crypto++",)),
    *(
        Target(cipher, size, WITHIN_TEN_PER_CENT, ("libsodium", "libgcrypt"))
        for cipher in ("salsa20", "chacha20")
        for size in ("16 B", "128 B", "1 KiB", "16 KiB", "stream")
    ),
    Target("rabbit", "1 KiB", 3, ("Crypto++",)),
    Target("rabbit", "16 KiB", 3, ("Crypto++",)),
    Target("sosemanuk", "16 KiB", 1.2, ("Crypto++",)),
    Target("hc-128", "stream", 1.3, ("Crypto++",)),
    *(
        Target(aead, size, 1)
        for aead in ("aes-128-gcm", "aes-256-gcm", "aes-128-ccm", "aes-256-ccm", "chacha20-poly1305")
        for size in ("16 B", "1 KiB", "16 KiB")
    ),
    Target("aes-128-gcm", "16 B", 4, ("OpenSSL",)),
    Target("aria-128-gcm", "16 KiB", 10, ("OpenSSL",)),
    Target("seed-gcm", "16 KiB", most=1.7),
]


def table_of_runs(runs: dict[str, speed.Result]) -> list[list[str]]:
    """Returns a row for each target: cipher, size, what is wanted, and the judgement of each run."""
    compared = [speed.comparisons(result) for result in runs.values()]
    rows = []
    for target in TARGETS:
        values = [target.measured(run[target.cipher]) if target.cipher in run else None for run in compared]
        rows.append([target.cipher, target.column, target.wanted(), *map(target.verdict, values)])
    return rows


def write(runs: dict[str, speed.Result]) -> Path:
    first = next(iter(runs.values()))
    folder = tables.RESULTS / tables.slug(first["machine"])
    folder.mkdir(parents=True, exist_ok=True)
    for name, result in zip(FILES, runs.values(), strict=False):
        (folder / name).write_text(dumps(result), encoding="utf-8")
    return folder


def page(runs: dict[str, speed.Result]) -> str:
    """Return one machine's page of the site: what a library does faster, all tables, the targets."""
    parts = [tables.legend(next(iter(runs.values()))), "## Where a library is faster"]
    parts += [headline.tally(conditions(runs)), headline.slower_table(conditions(runs))]
    parts += [tables.document(f"With {title}", result) for title, result in runs.items()]
    reached = [row for row in table_of_runs(runs) if set(row[3:]) != {NOT_MEASURED}]
    reached.sort(key=lambda row: not any(MISSED in judgement for judgement in row[3:]))
    parts += ["## What it is meant to reach", FIRST, generated.table(["cipher", "", "wanted", *runs], reached)]
    return "\n\n".join(parts) + "\n"


def recorded(folder: Path) -> dict[str, speed.Result]:
    """Returns the runs that a folder of results/ holds, by title."""
    found = [folder / name for name in FILES if (folder / name).exists()]
    return dict(zip(TITLES, map(tables.load, found), strict=False))


def conditions(runs: dict[str, speed.Result]) -> dict[str, speed.Result]:
    """Returns the runs by what stands after a cipher's name: nothing of the first."""
    return dict(zip(("", headline.WITHOUT), runs.values(), strict=False))


def dumps(result: speed.Result) -> str:
    """JSON with one row a line, so that a comparison of two versions shows what changed."""
    rows = ",\n".join(json.dumps(row) for row in result["rows"])
    return f'{{"machine": {json.dumps(result["machine"], indent=1)},\n"rows": [\n{rows}\n]}}\n'


@contextlib.contextmanager
def narrow() -> Iterator[Mapping[str, str]]:
    """Yields the environment of a run without AVX-512: of the newest releases, those that can be told are in its folder."""
    newest = Path(
        os.environ.get("RUNNEL_SPEED_NEWEST") or f"{os.environ.get('RUNNEL_SPEED_SHIMS') or speed.SHIMS}/newest"
    )
    with tempfile.TemporaryDirectory() as folder:
        for name in ("libcrypto.so", "libgcrypt.so"):
            Path(folder, name).symlink_to(newest.resolve() / name)
        yield {**NARROW, "RUNNEL_SPEED_NEWEST": folder}


def measured(names: Sequence[str], options: argparse.Namespace, environment: Mapping[str, str]) -> speed.Result:
    """Returns all sizes in all modes; of our ciphers the kernels too that do not run by default."""
    aeads = [name for name in runnel.aeads() if not names or name in names]
    ciphers = [name for name in names if name not in aeads]
    parts = [
        speed.measure(
            chosen,
            all_kernels=chosen is ciphers,
            full=True,
            seconds=options.seconds,
            progress=sys.stderr.isatty(),
            environment=environment,
            engine=options.engine,
        )
        for chosen in ([] if names and not ciphers else [ciphers]) + ([aeads] if aeads else [])
    ]
    parts[0]["rows"] += [row for part in parts[1:] for row in part["rows"]]
    return parts[0]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures and compares with what Runnel wants to reach.")
    parser.add_argument("--seconds", type=float, default=300, help="for each of the runs: two, or four with AVX-512")
    parser.add_argument("--cipher", action="append", default=[], help="only this one; may be repeated; writes nothing")
    parser.add_argument("--no-write", action="store_true", help="leave results/ as it is")
    parser.add_argument("--engine", default=speed.ENGINE, help="the measuring program, if not the installed one")
    options = parser.parse_args()
    runs = {TITLES[0]: measured(options.cipher, options, {})}
    if "avx512" in next(iter(runs.values()))["machine"]["features"]:
        with narrow() as environment:
            runs[TITLES[1]] = measured(options.cipher, options, environment)
        runs[TITLES[1]]["machine"]["newest_absent_because"] = WIDE
    rows = [row for row in table_of_runs(runs) if not options.cipher or row[0] in options.cipher]
    print(f"{headline.slower_table(conditions(runs))}\n\n{headline.tally(conditions(runs))}\n")
    print(tables.libraries(next(iter(runs.values()))["machine"]) + "\n")
    print(generated.table(["cipher", "", "wanted", *runs], rows))
    if not options.no_write and not options.cipher:
        print(f"\nwritten to {write(runs)}")


if __name__ == "__main__":
    main()
