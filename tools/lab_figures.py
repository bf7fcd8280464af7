# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The rows of lab/results as cells of tables."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from generated import ROOT, table, wrapped

RESULTS = ROOT / "lab" / "results"
HEAD: dict[str, Callable[[dict], str]] = {
    "cipher": lambda row: row["cipher"],
    "kernel": lambda row: f"`{row['kernel']}`",
    "key bits": lambda row: str(row["key_bits"]),
    "IV bits": lambda row: str(row["iv_bits"]),
}
"""What a row has even where the program does not fit."""
FIGURES: dict[str, Callable[[dict], str]] = {
    "key set-up": lambda row: number(figure(row, "key")),
    "IV set-up": lambda row: number(figure(row, "iv")),
    "128 bytes": lambda row: number(figure(row, "packet")),
    "a byte of them": lambda row: number(each(row, "packet"), 1),
    "a byte of many": lambda row: number(each(row, "stream") or each(row, "long"), 1),
    "a block going on": lambda row: number(each(row, "stream", 16), 1),
    "ROM": lambda row: number(row["rom"]),
    "RAM static": lambda row: number(row["ram"]["static"]),
    "stack": lambda row: number(row["ram"]["stack"]),
}


def targets() -> list[Path]:
    """Returns the files of results, one for each target; of the host, for each machine."""
    return sorted([*RESULTS.glob("*.json"), *RESULTS.glob("*/*.json")], key=lambda file: file.stem)


@functools.cache
def _text(file: Path) -> dict:
    return json.loads(file.read_text(encoding="utf-8"))


def rows(file: Path, ciphers: Sequence[str] | None = None) -> Iterator[dict]:
    """Our rows of one target; ciphers: of these only, in their order."""
    ours = [row for row in _text(file)["rows"] if not row.get("peer")]
    if ciphers is None:
        yield from ours
    else:
        for name in ciphers:
            yield from (row for row in ours if row["cipher"] == name)


def longest(found: Iterator[dict]) -> list[dict]:
    """One row for each kernel of each cipher: that with the longest key and IV."""
    best: dict[tuple[str, str], dict] = {}
    for row in found:
        before = best.get((row["cipher"], row["kernel"]))
        if before is None or (before["key_bits"], before["iv_bits"]) < (row["key_bits"], row["iv_bits"]):
            best[row["cipher"], row["kernel"]] = row
    return list(best.values())


def unit(row: dict) -> str:
    """Cycles where they are known, otherwise instructions."""
    return "cycles" if "cycles" in row.get("figures", {}).get("key", {}) else "instructions"


def figure(row: dict, label: str) -> float | None:
    return row["figures"].get(label, {}).get(unit(row))


def each(row: dict, label: str, size: int = 1) -> float | None:
    """What `size` bytes of a message take."""
    value = figure(row, label)
    return None if value is None else value * size / row["figures"][label]["bytes"]


def rank(row: dict) -> float:
    """What 128 bytes take, to sort by; what does not fit comes last."""
    return (figure(row, "packet") or 0) if "figures" in row else float("inf")


def number(value: float | None, digits: int = 0) -> str:
    return "" if value is None else f"{value:,.{digits}f}"


def cells(row: dict, columns: Sequence[str]) -> list[str]:
    head = [HEAD[name](row) for name in columns if name in HEAD]
    if "figures" in row:
        return [*head, *(FIGURES[name](row) for name in columns if name in FIGURES)]
    return [*head, f"does not fit: {row['does_not_fit']}", *[""] * (len(columns) - len(head) - 1)]


def caption(file: Path, found: Sequence[dict], details: bool = False) -> str:
    """Returns the target's name and what its figures are; details: the compiler too, with its flags."""
    first = next((row for row in found if "figures" in row), found[0])
    machine = f" ({first.get('cpu') or first['machine']})" if first["kind"] == "measured" else ""
    text = f"**`{file.stem}`**: {_text(file)['title']}{machine}; {unit(first)}, {first['kind']}"
    if details:
        text += f"; {first['compiler']}, `{' '.join(first['flags'])}`"
        text += f"; {first['simulator']}" if first.get("simulator") else ""
    return text + "."


def target_table(file: Path, found: Sequence[dict], columns: Sequence[str], details: bool = False) -> str:
    """Returns one target's table with its caption, or nothing if there is no row."""
    if not found:
        return ""
    left = sum(name in ("cipher", "kernel") for name in columns)
    return (
        wrapped(caption(file, found, details)) + "\n\n" + table(columns, [cells(row, columns) for row in found], left)
    )
