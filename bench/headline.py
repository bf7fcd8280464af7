#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Prints the README's headline table from results/<machine>/, or writes it between the markers in the README.

.venv/bin/python bench/headline.py [--write] [MACHINE]
"""

import argparse
import json
import sys
import textwrap
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import tables
from runnel import speed

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- headline: begin -->", "<!-- headline: end -->"
CELL = ("message", 16384)


def compared(path: Path) -> dict[str, speed.Comparison]:
    return speed.comparisons(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def times(comparison: speed.Comparison | None, cell: speed.Cell) -> str:
    ratio = comparison.ratio(cell) if comparison else None
    return f"{ratio:.2f}" if ratio else ""


def headline(folder: Path) -> str:
    result = json.loads((folder / "speed.json").read_text(encoding="utf-8"))
    narrow = compared(folder / "speed-no-avx512.json")
    header = ["cipher", "runnel, cycles/byte", "GB/s", "best library, cycles/byte", "times", "at 1 KiB", "at 128 B"]
    header += ["16 KiB without AVX-512"] if narrow else []
    rows = []
    for name, comparison in speed.comparisons(result).items():
        ours, best = comparison.ours[CELL], comparison.best_peer(CELL)
        if best is None:
            continue
        row = [f"`{name}`", speed.figure(ours), f"{ours['gb_per_s']:.1f}"]
        row += [f"{best[0]}, {speed.figure(best[1])}", times(comparison, CELL)]
        row += [times(comparison, ("message", 1024)), times(comparison, ("message", 128))]
        rows.append(row + ([times(narrow.get(name), CELL)] if narrow else []))
    machine = result["machine"]
    intro = (
        "Messages of 16 KiB, a new IV for each, on one core, and how many times as fast as the best library that "
        f"Debian 12 packages this is. {machine['cpu']} ({machine['cpu_id']}), {machine['clock_ghz']:.2f} GHz, "
        f"{machine['compiler']}. All figures and the method: [results](results/{folder.name}/speed.md); yours: "
        "`runnel speed`."
    )
    return "\n\n".join([wrapped(intro), tables.markdown(header, rows), *beyond_the_library(folder)])


def wrapped(text: str) -> str:
    return textwrap.fill(text, 120, break_on_hyphens=False, break_long_words=False)


def beyond_the_library(folder: Path) -> list[str]:
    """A paragraph on files and on calls from Python, where they have been measured."""
    sentences = []
    if (path := folder / "encrypt_file.json").exists():
        result = json.loads(path.read_text(encoding="utf-8"))
        encrypt, decrypt = result["encrypt"], result["decrypt"]
        sentences.append(
            f"`runnel encrypt` takes {encrypt['seconds']['runnel']:.2f} s for {result['mib']} MiB in memory on "
            f"{result['machine']['cores']} cores ({result['template']}) and is {encrypt['ratio']:.1f} times as fast as "
            f"Tink's own Python package; `decrypt` {decrypt['ratio']:.1f} times."
        )
    if (path := folder / "python_calls.json").exists():
        ratios = json.loads(path.read_text(encoding="utf-8"))["ratios"]
        of = {(r["operation"], r["bytes"]): r["ratio"] for r in ratios if r["peer"].startswith("pyca")}
        sentences.append(
            f"From Python, AES-128-CTR on 1 MiB is {of['xor_into', 1 << 20]:.1f} times as fast as pyca/cryptography "
            f"into a buffer, {of['xor', 1 << 20]:.1f} times to new bytes, {of['reset + xor', 160]:.0f} times for a packet "
            "of 160 bytes under its own IV. `make bench` measures all of this anew."
        )
    return [wrapped(" ".join(sentences))] if sentences else []


def main() -> None:
    parser = argparse.ArgumentParser(description="Prints the README's headline table.")
    parser.add_argument("machine", nargs="?", help="a folder in results/; not needed where there is only one")
    parser.add_argument("--write", action="store_true", help="put it between the markers in README.md")
    options = parser.parse_args()
    folders = [path.parent for path in sorted((ROOT / "results").glob("*/speed.json"))]
    chosen = [folder for folder in folders if options.machine in (None, folder.name)]
    if len(chosen) != 1:
        parser.error(f"name one of: {' '.join(folder.name for folder in folders) or 'none, run bench/targets.py'}")
    table = headline(chosen[0])
    if not options.write:
        print(table)
        return
    readme = ROOT / "README.md"
    before, begin, rest = readme.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        parser.error("README.md has no markers for the headline")
    readme.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
