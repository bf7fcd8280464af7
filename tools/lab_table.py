#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes what lab/results holds between markers: tables of our kernels on all targets into lab/README.md, and the best of
them beside what others have (lab/peers.json) into README.md. Without --write it prints all of it.

    .venv/bin/python tools/lab_table.py [--write]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
AES = ("aes-128-ctr", "aes-192-ctr", "aes-256-ctr")
STREAM_COLUMNS = (
    "cipher",
    "kernel",
    "key",
    "IV",
    "key set-up",
    "IV set-up",
    "128 bytes",
    "a byte of them",
    "a byte of many",
    "ROM",
    "RAM static",
    "stack",
)
COLUMNS = (
    "kernel",
    "key bits",
    "key set-up",
    "IV set-up",
    "128 bytes",
    "a byte of them",
    "a block going on",
    "ROM",
    "RAM static",
    "stack",
)


def rows_of(folder: Path) -> list[dict]:
    found = [
        row
        for cipher in AES
        if (file := folder / f"{cipher}.json").exists()
        for row in json.loads(file.read_text())["rows"]
        if not row.get("peer")
    ]
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

    return [
        *head,
        *(number(figures[label].get(what)) for label in ("key", "iv", "packet")),
        number(each("packet", 1), 1),
        number(each("stream", 16), 1),
        number(row["rom"]),
        number(row["ram"]["static"]),
        number(row["ram"]["stack"]),
    ]


def table(folder: Path) -> str:
    rows = rows_of(folder)
    if not rows:
        return ""
    about = json.loads(next(folder.glob("aes-128-ctr.json")).read_text())
    first = rows[0]
    simulator = f"; {first['simulator']}" if first.get("simulator") else ""
    machine = f" ({first['machine']})" if first.get("machine") else ""
    lines = [
        f"**`{folder.name}`**: {about['title']}{machine}; {unit(first)}, {first['kind']}; {first['compiler']},"
        f" `{' '.join(first['flags'])}`{simulator}.",
        "",
        "| " + " | ".join(COLUMNS) + " |",
        "| --- |" + " ---: |" * (len(COLUMNS) - 1),
    ]
    return "\n".join([*lines, *("| " + " | ".join(cells(row)) + " |" for row in rows)]) + "\n"


def tables() -> str:
    folders = sorted(f for f in (ROOT / "lab" / "results").iterdir() if f.is_dir())
    return "\n".join(filter(None, map(table, folders)))


def stream_rows(folder: Path) -> list[dict]:
    """One row for each kernel of each stream cipher and MAC: that with the longest key and IV."""
    found: dict[tuple[str, str], dict] = {}
    for file in sorted(folder.glob("*.json")):
        for row in json.loads(file.read_text())["rows"]:
            if (row["cipher"].startswith("aes-") and row["cipher"] != "aes-cmac") or row.get("peer"):
                continue
            before = found.get((row["cipher"], row["kernel"]))
            if before is None or (before["key_bits"], before["iv_bits"]) < (row["key_bits"], row["iv_bits"]):
                found[row["cipher"], row["kernel"]] = row
    return sorted(found.values(), key=lambda row: (row["cipher"], packet(row)))


def packet(row: dict) -> float:
    return row["figures"]["packet"][unit(row)] if "figures" in row else float("inf")


def stream_cells(row: dict) -> list[str]:
    head = [row["cipher"], f"`{row['kernel']}`", str(row["key_bits"]), str(row["iv_bits"])]
    if "figures" not in row:
        return [*head, f"does not fit: {row['does_not_fit']}", *[""] * (len(STREAM_COLUMNS) - len(head) - 1)]
    figures, what = row["figures"], unit(row)
    calls = [
        f"{figures[label][what]:,.0f}" if what in figures.get(label, {}) else "" for label in ("key", "iv", "packet")
    ]
    many = figures.get("stream") or figures.get("long")
    each = [f"{of[what] / of['bytes']:,.1f}" if of and what in of else "" for of in (figures["packet"], many)]
    stack = row["ram"]["stack"]
    return [*head, *calls, *each, f"{row['rom']:,}", f"{row['ram']['static']:,}", "" if stack is None else f"{stack:,}"]


def stream_table(folder: Path) -> str:
    rows = stream_rows(folder)
    if not rows:
        return ""
    about = json.loads((folder / f"{rows[0]['cipher']}.json").read_text())
    first = next((row for row in rows if "figures" in row), rows[0])
    machine = f" ({first['machine']})" if first.get("machine") else ""
    lines = [
        f"**`{folder.name}`**: {about['title']}{machine}; {unit(first)}, {first['kind']}.",
        "",
        "| " + " | ".join(STREAM_COLUMNS) + " |",
        "| --- | --- |" + " ---: |" * (len(STREAM_COLUMNS) - 2),
    ]
    return "\n".join([*lines, *("| " + " | ".join(stream_cells(row)) + " |" for row in rows)]) + "\n"


def stream_tables() -> str:
    folders = sorted(f for f in (ROOT / "lab" / "results").iterdir() if f.is_dir())
    return "\n".join(filter(None, map(stream_table, folders)))


def figure(value: float) -> str:
    return f"{value:,.2f}" if value < 10 else f"{value:,.1f}" if value < 200 else f"{value:,.0f}"


def beside_peers() -> str:
    """Our kernels beside others' on the same rulers."""
    lines = [
        "| processor | cipher | what | best elsewhere | there | Runnel's kernel | here | times |",
        "| --- | --- | --- | --- | ---: | --- | ---: | ---: |",
    ]
    for peer in json.loads((ROOT / "lab" / "peers.json").read_text())["rows"]:
        cipher = peer.get("cipher", "aes-128-ctr")
        file = ROOT / "lab" / "results" / peer["target"] / f"{cipher}.json"
        row = next(r for r in json.loads(file.read_text())["rows"] if r["kernel"] == peer["kernel"])
        measured = row["figures"][peer["label"]]
        ours = measured[peer["unit"]] * peer["bytes"] / measured["bytes"]
        lines.append(
            f"| `{peer['target']}` | {cipher} | {peer['unit']}, {row['kind']}: {peer['what']} | {peer['peer']} |"
            f" {figure(peer['figure'])} | `{peer['kernel']}` | {figure(ours)} | {peer['figure'] / ours:.2f} |"
        )
    return "\n".join(lines) + "\n"


# (file, markers, what goes between them)
PLACES = [
    (ROOT / "lab" / "README.md", "results", tables),
    (ROOT / "lab" / "README.md", "streams", stream_tables),
    (ROOT / "README.md", "lab", beside_peers),
]


def main() -> None:
    for file, marker, text_of in PLACES:
        if sys.argv[1:] != ["--write"]:
            print(text_of(), end="")
            continue
        begin, end = f"<!-- {marker}: begin -->\n", f"<!-- {marker}: end -->"
        before, _, rest = file.read_text(encoding="utf-8").partition(begin)
        _, _, after = rest.partition(end)
        file.write_text(before + begin + text_of() + end + after, encoding="utf-8")


if __name__ == "__main__":
    main()
