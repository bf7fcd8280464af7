#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What results/ says, for docs/performance.md and for the chart of README.md.

.venv/bin/python bench/headline.py [--write | --check]
"""

from __future__ import annotations

import fnmatch
import re
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))
import chart
import newest
import tables
from runnel import speed
from tables import generated

ROOT = generated.ROOT
CELL = ("message", 16384)
REPEATS = 0.98
"""Two runs of one program differ by so much (bench/README.md)."""
NARROW = "speed-no-avx512.json"


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
        f"{machine['date']}. All figures and the method: [results](../results/{folder.name}/speed.md)."
    )
    return "\n\n".join([generated.wrapped(intro), generated.table(header, rows), *beyond_the_library(folder)])


def beyond_the_library(folder: Path) -> list[str]:
    """A paragraph on files and on calls from Python, where they have been measured."""
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


def slower_cells(folder: Path) -> dict[Slower, list[tuple[float, str]]]:
    """Returns every cell of one machine in which a library is faster, and how many times as fast we are."""
    found: dict[Slower, list[tuple[float, str]]] = {}
    for path in (folder / "speed.json", folder / NARROW):
        for name, comparison in compared(path).items():
            for cell, column in speed.COLUMNS.items():
                ratio, best = comparison.ratio(cell), comparison.best_peer(cell)
                if ratio is None or best is None or ratio >= 1:
                    continue
                cipher = f"`{name}`" + (" without AVX-512" if path.name == NARROW else "")
                why = reason(name, column, best[0], ratio)
                found.setdefault(Slower(cipher, best[0], why), []).append((ratio, column))
    return found


def reason(cipher: str, column: str, peer: str, ratio: float) -> str:
    for entry in tomllib.loads((ROOT / "bench" / "slower.toml").read_text(encoding="utf-8"))["slower"]:
        fits = fnmatch.fnmatchcase(cipher, entry["ciphers"]) and column in entry["columns"]
        if fits and peer.startswith(entry.get("peer", "")):
            return entry["why"]
    return "within what repeats" if ratio >= REPEATS else "not explained yet"


def slower() -> str:
    """Returns a table for each machine of what a library does faster, the worst first."""
    parts = []
    for folder in tables.newest_first():
        found = sorted(slower_cells(folder).items(), key=lambda pair: min(pair[1]))
        rows = [
            [key.cipher, ", ".join(f"{column} {ratio:.2f}" for ratio, column in cells), key.library, key.why]
            for key, cells in found
        ]
        header = ["cipher", "what, and times", "library", "why"]
        title = short(tables.load(folder / "speed.json")["machine"])
        parts += [f"**{title}**", generated.table(header, rows, left=4) if rows else "None."]
    return "\n\n".join(parts)


def newer() -> str:
    """Returns a table for each machine of what newer libraries reached, what they do faster first."""
    parts = []
    for folder in tables.newest_first():
        result = tables.load(folder / "speed.json")
        rows = [
            [
                f"`{each.cipher}`",
                sizes(each.bytes),
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


def sizes(count: int) -> str:
    return f"{count // 1024} KiB" if count % 1024 == 0 else f"{count} B"


def newest_chart() -> chart.Chart:
    """Of the newest run in which all of them were measured."""
    charts = [chart.chart(tables.load(folder / "speed.json")) for folder in tables.newest_first()]
    return next((each for each in charts if len(each.lines) == len(chart.CIPHERS)), charts[0])


PLACES = [
    generated.Place(ROOT / "docs" / "performance.md", "slower", slower),
    generated.Place(ROOT / "docs" / "performance.md", "newer", newer),
    generated.Place(ROOT / "docs" / "performance.md", "machines", machines),
    generated.Place(ROOT / "docs" / "speed.svg", None, lambda: newest_chart().svg()),
    generated.Place(ROOT / "README.md", "chart", lambda: newest_chart().markdown()),
]


if __name__ == "__main__":
    generated.main(PLACES, "What results/ says, for docs/performance.md and the chart of README.md.")
