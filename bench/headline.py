#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Read results/, for the site and for the chart of README.md.

.venv/bin/python bench/headline.py [--write | --check]
"""

from __future__ import annotations

import datetime
import fnmatch
import functools
import math
import re
import sys
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))
import chart
import newest
import tables
from runnel_lab import speed
from tables import generated

ROOT = generated.ROOT
CELL = ("message", 16384)
REPEATS = 0.98
"""Two runs of one program differ by so much (bench/README.md)."""
NARROW = "speed-no-avx512.json"
WITHOUT = " without AVX-512"
NOT_EXPLAINED = "not explained"


def compared(path: Path) -> dict[str, speed.Comparison]:
    return speed.comparisons(tables.load(path)) if path.exists() else {}


def times(comparison: speed.Comparison | None, cell: speed.Cell) -> str:
    ratio = comparison.ratio(cell) if comparison else None
    return f"{ratio:.2f}" if ratio else ""


def headline(folder: Path) -> str:
    """Returns one machine's table of messages of 16 KiB, with a paragraph on files and on calls from Python."""
    result = tables.load(folder / "speed.json")
    narrow = compared(folder / NARROW)
    header = ["cipher", "runnel, cycles/byte", "GB/s", "best library, cycles/byte", "times", "at 1 KiB", "at 128 B"]
    header += ["16 KiB without AVX-512"] if narrow else []
    rows = []
    for name, comparison in speed.comparisons(result).items():
        ours, best = comparison.ours.get(CELL), comparison.best_peer(CELL)
        if ours is None or best is None:
            continue
        row = [f"`{name}`", speed.figure(ours), f"{ours['gb_per_s']:.1f}"]
        row += [f"{best[0]}, {speed.figure(best[1])}", times(comparison, CELL)]
        row += [times(comparison, ("message", 1024)), times(comparison, ("message", 128))]
        rows.append(row + ([times(narrow.get(name), CELL)] if narrow else []))
    machine = result["machine"]
    intro = (
        f"{machine['cpu']} ({machine['cpu_id']}), {machine['clock_ghz']:.2f} GHz, {machine['compiler']}, "
        f"{machine['date']}. All figures: [page](../results/{folder.name}/speed.json)."
    )
    return "\n\n".join([generated.wrapped(intro), generated.table(header, rows), *beyond_the_library(folder)])


def beyond_the_library(folder: Path) -> list[str]:
    """Return a paragraph on files and on calls from Python, where they have been measured."""
    sentences = []
    if (path := folder / "encrypt_file.json").exists():
        result = tables.load(path)
        encrypt, decrypt = result["encrypt"], result["decrypt"]
        sentences.append(
            f"`runnel encrypt` takes {encrypt['seconds']['runnel']:.2f} s for {result['mib']} MiB in memory on "
            f"{result['machine']['cores']} cores ({result['template']}) and is {encrypt['ratio']:.1f} times as fast as "
            f"Tink's own Python package; `decrypt` {decrypt['ratio']:.1f} times."
        )
    if (path := folder / "python_calls.json").exists():
        ratios = tables.load(path)["ratios"]
        of = {(r["operation"], r["bytes"]): r["ratio"] for r in ratios if r["peer"].startswith("pyca")}
        sentences.append(
            f"From Python, AES-128-CTR on 1 MiB is {of['xor_into', 1 << 20]:.1f} times as fast as pyca/cryptography "
            f"into a buffer, {of['xor', 1 << 20]:.1f} times to new bytes, {of['reset + xor', 160]:.0f} times for a packet "
            "of 160 bytes under its own IV."
        )
    return [generated.wrapped(" ".join(sentences))] if sentences else []


def machines() -> str:
    titled = ((tables.load(folder / "speed.json")["machine"], folder) for folder in tables.newest_first())
    return "\n\n".join(f"### {short(machine)}\n\n{headline(folder)}" for machine, folder in titled)


def short(machine: dict) -> str:
    """Returns "AMD EPYC, family 26 model 2, with AVX-512"."""
    number = re.sub(r"AuthenticAMD|GenuineIntel|stepping \w+", "", machine["cpu_id"]).strip()
    widest = next((name for name in ("AVX-512", "AVX2") if name.lower().replace("-", "") in machine["features"]), "")
    return ", ".join([machine["cpu"], number, *([f"with {widest}"] if widest else [])])


class Slower(NamedTuple):
    cipher: str
    library: str
    why: str


def slower_cells(runs: Mapping[str, speed.Result]) -> dict[Slower, list[tuple[float, speed.Cell]]]:
    """Returns every cell of one machine in which a library is faster, and how many times as fast we are. runs: by what is
    printed after the cipher's name, as " without AVX-512"."""
    found: dict[Slower, list[tuple[float, speed.Cell]]] = {}
    for condition, result in runs.items():
        for name, comparison in speed.comparisons(result).items():
            for cell in speed.CELLS:
                ratio, best = comparison.ratio(cell), comparison.best_peer(cell)
                if ratio is None or best is None or ratio >= 1:
                    continue
                day = datetime.date.fromisoformat(result["machine"]["date"])
                key = Slower(f"`{name}`{condition}", best[0], reason(name, cell, best[0], ratio, day))
                found.setdefault(key, []).append((ratio, cell))
    return found


@functools.cache
def reasons() -> list[dict[str, Any]]:
    """Returns the entries of slower.toml."""
    return list(tomllib.loads((ROOT / "bench" / "slower.toml").read_text(encoding="utf-8"))["slower"])


def reason(cipher: str, cell: speed.Cell, peer: str, ratio: float, measured: datetime.date = datetime.date.max) -> str:
    for entry in reasons():
        fits = fnmatch.fnmatchcase(cipher, entry["ciphers"]) and _is_for(entry, cell)
        fits = fits and ("before" not in entry or measured < entry["before"])
        if fits and peer.startswith(entry.get("peer", "")):
            return str(entry["why"])
    return "within what repeats" if ratio >= REPEATS else NOT_EXPLAINED


def _is_for(entry: Mapping[str, Any], cell: speed.Cell) -> bool:
    operation, size = cell
    least, most = entry.get("bytes", (0, math.inf))
    return speed.MODES.get(operation, speed.COLUMNS.get(cell)) in entry["what"] and (size == 0 or least <= size <= most)


def slower_table(runs: Mapping[str, speed.Result]) -> str:
    """Returns the table of one machine, the worst first, or "None."."""
    found = sorted(slower_cells(runs).items(), key=lambda pair: min(pair[1]))
    rows = [[key.cipher, _listed(cells), key.library, key.why] for key, cells in found]
    return generated.table(["cipher", "what, and times", "library", "why"], rows, left=4) if rows else "None."


def tally(runs: Mapping[str, speed.Result]) -> str:
    """Says in how many cells of one machine a library is faster, of how many that a library has too."""
    compared = [each for result in runs.values() for each in speed.comparisons(result).values()]
    every = sum(each.ratio(cell) is not None for each in compared for cell in speed.CELLS)
    found = slower_cells(runs)
    lost, unexplained = (
        sum(len(cells) for key, cells in found.items() if key.why in why or not why) for why in ((), (NOT_EXPLAINED,))
    )
    return f"A library is faster in {lost} of {every} cells" + (f"; {unexplained} are not explained." if lost else ".")


def _listed(cells: Iterable[tuple[float, speed.Cell]]) -> str:
    """Returns "new IV 16 B 0.60, 64 B 0.71; key 0.36"."""
    modes: dict[str, list[str]] = {}
    for ratio, (operation, size) in cells:
        sized = f"{speed.size_name(size)} " if size else ""
        modes.setdefault(operation, []).append(f"{sized}{ratio:.2f}")
    titles = {mode: speed.MODES.get(mode) or speed.COLUMNS[mode, 0] for mode in modes}
    return "; ".join(f"{titles[mode]} {', '.join(each)}" for mode, each in modes.items())


def runs_of(folder: Path) -> dict[str, speed.Result]:
    paths = {"": folder / "speed.json", WITHOUT: folder / NARROW}
    return {condition: tables.load(path) for condition, path in paths.items() if path.exists()}


def slower() -> str:
    """Returns a table for each machine of what a library does faster, with a sentence on files before it if they are among
    that."""
    parts = []
    for folder in tables.newest_first():
        title = short(tables.load(folder / "speed.json")["machine"])
        paragraphs = [f"**{title}.** {tally(runs_of(folder))}", *slower_on_disk(folder)]
        parts += [generated.wrapped(" ".join(paragraphs)), slower_table(runs_of(folder))]
    return "\n\n".join(parts)


def slower_on_disk(folder: Path) -> list[str]:
    """Return a sentence on files that are encrypted to a disk, where Tink is faster."""
    path = folder / "encrypt_file.json"
    result = tables.load(path) if path.exists() else {}
    seconds = result.get("disk_seconds", {"tink": 1, "with_fsync": 1})
    times = seconds["tink"] / seconds["with_fsync"]
    if times >= 1:
        return []
    return [
        f"`runnel encrypt` of {result['mib']} MiB to a disk is {times:.2f} times as fast as Tink's Python package, "
        f"{seconds['with_fsync']:.2f} s to {seconds['tink']:.2f} s: it waits until the file is on the disk (fsync), which "
        f"Tink does not do; without waiting it takes {seconds['without_fsync']:.2f} s."
    ]


def newer() -> str:
    """Returns a table for each machine of what newer libraries reached, what they do faster first."""
    parts = []
    for folder in tables.newest_first():
        result = tables.load(folder / "speed.json")
        rows = [
            [
                f"`{each.cipher}`",
                speed.size_name(each.bytes),
                each.by,
                each.why if each.times < REPEATS else "",
                *(f"{number:.3f}" for number in (each.theirs, each.ours)),
                f"{each.times:.2f}",
            ]
            for each in sorted(newest.recorded(result), key=lambda each: each.times)
        ]
        if rows:
            header = ["cipher", "message", "measured once", "why it is faster", "cycles/byte there", "here", "times"]
            parts += [f"**{short(result['machine'])}**", generated.table(header, rows, left=4)]
    return "\n\n".join(parts)


def newest_chart() -> chart.Chart:
    """Return the chart of the newest run in which all of them were measured."""
    charts = [chart.chart(tables.load(folder / "speed.json")) for folder in tables.newest_first()]
    return next((each for each in charts if len(each.lines) == len(chart.CIPHERS)), charts[0])


PLACES = [
    generated.Place(ROOT / "docs" / "speed.svg", None, lambda: newest_chart().svg()),
    generated.Place(ROOT / "README.md", "chart", lambda: newest_chart().markdown()),
]


if __name__ == "__main__":
    generated.main(PLACES, "The chart of README.md.")
