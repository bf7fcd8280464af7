# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The costs of every kernel on a target: the rows of the results as cells of tables."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from runnel.columns import columns

from runnel_lab import LabError, results
from runnel_lab.results import Row

HEAD: dict[str, Callable[[Row], str]] = {
    "cipher": lambda row: row["cipher"],
    "kernel": lambda row: (
        row["kernel"] + ("~" if any(each.get("noisy") for each in row.get("figures", {}).values()) else "")
    ),
    "key bits": lambda row: str(row["key_bits"]),
    "IV bits": lambda row: str(row["iv_bits"]),
}
"""Fields of a row even where the program does not fit."""
FIGURES: dict[str, tuple[Callable[[Row], float | None], int]] = {
    "key set-up": (lambda row: figure(row, "key"), 0),
    "IV set-up": (lambda row: figure(row, "iv"), 0),
    "128 bytes": (lambda row: figure(row, "packet"), 0),
    "a byte of them": (lambda row: each(row, "packet"), 1),
    "a byte, long message": (lambda row: each(row, "stream") or each(row, "long"), 1),
    "a block, continued": (lambda row: each(row, "stream", 16), 1),
    "ROM": (lambda row: row.get("rom"), 0),
    "RAM static": (lambda row: row.get("ram", {}).get("static"), 0),
    "stack": (lambda row: row.get("ram", {}).get("stack"), 0),
}
"""Values, and their digits behind the point."""
SHOWN = [*HEAD, *(name for name in FIGURES if name != "a block, continued")]


def unit(row: Row) -> str:
    """Return cycles where they are known, otherwise instructions."""
    return "cycles" if "cycles" in row.get("figures", {}).get("key", {}) else "instructions"


def figure(row: Row, label: str) -> float | None:
    found: float | None = row["figures"].get(label, {}).get(unit(row))
    return found


def each(row: Row, label: str, size: int = 1) -> float | None:
    """Return what `size` bytes of a message take."""
    value = figure(row, label)
    return None if value is None else value * size / float(row["figures"][label]["bytes"])


def rank(row: Row) -> float:
    """Return what 128 bytes take, to sort by; what does not fit comes last."""
    return (figure(row, "packet") or 0) if "figures" in row else float("inf")


def longest(found: Iterable[Row]) -> list[Row]:
    """Return one row for each kernel of each cipher on a target: that with the longest key and IV."""
    best: dict[tuple[str, ...], Row] = {}
    for row in found:
        key = row.get("target", ""), row["cipher"], row["kernel"]
        before = best.get(key)
        if before is None or (before["key_bits"], before["iv_bits"]) < (row["key_bits"], row["iv_bits"]):
            best[key] = row
    return list(best.values())


def number(value: float | None, digits: int = 0) -> str:
    return "" if value is None else f"{value:,.{digits}f}"


def cells(row: Row, names: Sequence[str]) -> list[str]:
    head = [HEAD[name](row) for name in names if name in HEAD]
    if "figures" in row:
        values = [FIGURES[name] for name in names if name in FIGURES]
        return [*head, *(number(value(row), digits) for value, digits in values)]
    return [*head, f"does not fit: {row['does_not_fit']}", *[""] * (len(names) - len(head) - 1)]


def csv_text(lines: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(lines)
    return out.getvalue()


def shown(folders: Sequence[Path], target: str, as_csv: bool, as_json: bool) -> str:
    """Return every row of a target, ours and other projects', as a table, CSV or JSON. Raise LabError: there is none."""
    files = [
        file
        for folder in folders
        for file in sorted({*folder.glob(f"{target}.json"), *folder.glob(f"*/{target}.json")})
    ]
    rows_of = {file: [row for row in results.read(file) if "cipher" in row] for file in files}
    found = {file: sorted(rows, key=lambda row: (row["cipher"], rank(row))) for file, rows in rows_of.items()}
    if not any(found.values()):
        raise LabError(f"{target} has no results in {', '.join(map(str, folders))}")
    if as_json:
        return json.dumps({"target": target, "rows": [row for rows in found.values() for row in rows]}, indent=1) + "\n"
    lines = [[str(file.parent.name), unit(row), *cells(row, SHOWN)] for file, rows in found.items() for row in rows]
    if as_csv:
        return csv_text([["results", "unit", *SHOWN], *([cell.replace(",", "") for cell in line] for line in lines)])
    parts = []
    for file, rows in found.items():
        first = next((row for row in rows if "figures" in row), rows[0])
        fits = [row for row in rows if "figures" in row]
        parts.append(
            f"{file}: {unit(first)}, {first['kind']}; {first['machine']}; {first['compiler']}, {' '.join(first['flags'])}\n"
            + columns([SHOWN, *(cells(row, SHOWN) for row in fits)], right=range(2, len(SHOWN)), indent="  ")
            + "".join(f"  {' '.join(cells(row, SHOWN)).rstrip()}\n" for row in rows if row not in fits)
        )
    return "\n".join(parts)
