#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes what lab/results holds between markers: the tables of our AES kernels on all targets into lab/README.md, and
the best of them beside what others have (lab/peers.json) into README.md. Without --write it prints both.

    .venv/bin/python tools/lab_table.py [--write]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CIPHERS = ("aes-128-ctr", "aes-192-ctr", "aes-256-ctr")
COLUMNS = ("kernel", "key bits", "key set-up", "IV set-up", "128 bytes", "a byte of them", "a block going on", "ROM",
           "RAM static", "stack")


def rows_of(folder: Path) -> list[dict]:
    found = [row for cipher in CIPHERS if (file := folder / f"{cipher}.json").exists()
             for row in json.loads(file.read_text())["rows"] if not row.get("peer")]
    return sorted(found, key=lambda row: (row["key_bits"], row.get("figures", {}).get("stream", {}).get(unit(row), 0)))


def unit(row: dict) -> str:
    """Cycles where they are known, otherwise instructions."""
    return "cycles" if "cycles" in row.get("figures", {}).get("key", {}) else "instructions"


def cells(row: dict) -> list[str]:
    head = [f"`{row['kernel']}`", str(row["key_bits"])]
    if "does_not_fit" in row:
        return [*head, "does not fit", *[""] * (len(COLUMNS) - 3)]
    figures, what = row["figures"], unit(row)

    def number(value: float | None, digits: int = 0) -> str:
        return "" if value is None else f"{value:,.{digits}f}"

    def each(label: str, size: int) -> float | None:
        figure = figures[label]
        return figure[what] * size / figure["bytes"] if what in figure else None

    return [*head, *(number(figures[label].get(what)) for label in ("key", "iv", "packet")), number(each("packet", 1), 1),
            number(each("stream", 16), 1), number(row["rom"]), number(row["ram"]["static"]), number(row["ram"]["stack"])]


def table(folder: Path) -> str:
    rows = rows_of(folder)
    if not rows:
        return ""
    about = json.loads(next(folder.glob("aes-128-ctr.json")).read_text())
    first = rows[0]
    simulator = f"; {first['simulator']}" if first.get("simulator") else ""
    machine = f" ({first['machine']})" if first.get("machine") else ""
    lines = [f"**`{folder.name}`**: {about['title']}{machine}; {unit(first)}, {first['kind']}; {first['compiler']},"
             f" `{' '.join(first['flags'])}`{simulator}.", "",
             "| " + " | ".join(COLUMNS) + " |", "| --- |" + " ---: |" * (len(COLUMNS) - 1)]
    return "\n".join([*lines, *("| " + " | ".join(cells(row)) + " |" for row in rows)]) + "\n"


def tables() -> str:
    folders = sorted(f for f in (ROOT / "lab" / "results").iterdir() if f.is_dir())
    return "\n".join(filter(None, map(table, folders)))


def figure(value: float) -> str:
    return f"{value:,.2f}" if value < 10 else f"{value:,.1f}" if value < 200 else f"{value:,.0f}"


def beside_peers() -> str:
    """Our kernels beside others' on the same rulers."""
    lines = ["| processor | AES-128-CTR | best elsewhere | there | Runnel's kernel | here | times |",
             "| --- | --- | --- | ---: | --- | ---: | ---: |"]
    for peer in json.loads((ROOT / "lab" / "peers.json").read_text())["rows"]:
        file = ROOT / "lab" / "results" / peer["target"] / "aes-128-ctr.json"
        row = next(r for r in json.loads(file.read_text())["rows"] if r["kernel"] == peer["kernel"])
        measured = row["figures"][peer["label"]]
        ours = measured[peer["unit"]] * peer["bytes"] / measured["bytes"]
        lines.append(f"| `{peer['target']}` | {peer['unit']}, {row['kind']}: {peer['what']} | {peer['peer']} |"
                     f" {figure(peer['figure'])} | `{peer['kernel']}` | {figure(ours)} | {peer['figure'] / ours:.2f} |")
    return "\n".join(lines) + "\n"


# file: (markers, what goes between them)
PLACES = {ROOT / "lab" / "README.md": ("results", tables), ROOT / "README.md": ("lab", beside_peers)}


def main() -> None:
    for file, (marker, text_of) in PLACES.items():
        if sys.argv[1:] != ["--write"]:
            print(text_of(), end="")
            continue
        begin, end = f"<!-- {marker}: begin -->\n", f"<!-- {marker}: end -->"
        before, _, rest = file.read_text(encoding="utf-8").partition(begin)
        _, _, after = rest.partition(end)
        file.write_text(before + begin + text_of() + end + after, encoding="utf-8")


if __name__ == "__main__":
    main()
