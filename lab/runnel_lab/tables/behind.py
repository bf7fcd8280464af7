# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Where we are behind: cells of the papers' tables in which ours costs more than the paper's, each with its reason of
lab/behind.toml, and cells of the results that got slower or larger than an earlier copy of them says."""

from __future__ import annotations

import fnmatch
import tomllib
from pathlib import Path
from typing import Any

from runnel.columns import columns, exactly, number

from runnel_lab import results, understanding
from runnel_lab.results import Row
from runnel_lab.tables import comparison, published
from runnel_lab.tables.comparison import Line

NOT_EXPLAINED = "not explained"
MORE_IS_BETTER = {"%", "times as fast", "MB/s", "kbit/s", "Gbit/s", "instructions/cycle"}
"""Units; of all others less is better."""
REPEATS = 1.10
"""A clock's figures that differ by no more are the same."""


def reasons(tree: Path) -> list[dict[str, str]]:
    """Returns the entries of lab/behind.toml. Raises LabError."""
    file = tree / "lab" / "behind.toml"
    with understanding(file):
        found: list[dict[str, str]] = tomllib.loads(file.read_text(encoding="utf-8"))["behind"]
    return found


def reason(known: list[dict[str, str]], paper: str, line: Line) -> str:
    """Returns what the first entry says that counts for a cell."""
    place = {"papers": paper, "tables": line["table"], "rows": line["row"] or "", "columns": line["column"] or ""}
    return next(
        (
            each["why"]
            for each in known
            if all(fnmatch.fnmatchcase(text, each.get(name, "*")) for name, text in place.items())
        ),
        NOT_EXPLAINED,
    )


def behind(tree: Path, folder: Path | None = None) -> tuple[list[Line], int]:
    """Returns the cells of all papers in which ours is worse, by the paper's table: the rows of comparison.rows, with
    "paper_name", "times", how many times as good the paper's is, and "why"; and of how many cells the paper and we have a
    figure. folder: as there."""
    known = reasons(tree)
    both = [
        (paper, line)
        for paper in published.names(tree)
        for line in comparison.rows(tree, paper, folder)
        if line["paper"] is not None and line["ours"] is not None
    ]
    lines = [
        line | {"paper_name": paper, "times": times, "why": reason(known, paper, line)}
        for paper, line in both
        if (times := _times(line)) > 1
    ]
    return lines, len(both)


def _times(line: Line) -> float:
    above, below = line["ours"], line["paper"]
    if line["unit"] in MORE_IS_BETTER:
        above, below = below, above
    return float("inf") if below <= 0 < above else above / below if below else 1.0


def slower(now: Path, before: Path) -> list[dict[str, Any]]:
    """Returns the cells of results that cost more than in an earlier folder of results, the worst first: {"target",
    "machine", "cipher", "kernel", "key_bits", "iv_bits", "what", "unit", "before", "now", "times"}. What a clock measured
    counts from REPEATS on, what was counted always."""
    old = {_identity(row): row for row in results.read_all(before)}
    found = []
    for row in results.read_all(now):
        was = old.get(_identity(row))
        if was is None or row.get("peer"):
            continue
        for what, (unit, figure) in _cells(row).items():
            unit_before, earlier = _cells(was).get(what, (unit, None))
            least = REPEATS if row["kind"] == "measured" and unit == "cycles" else 1
            if earlier is None or unit_before != unit or figure <= earlier * least:
                continue
            about = {name: row[name] for name in ("target", "machine", "cipher", "kernel", "key_bits", "iv_bits")}
            times = figure / earlier if earlier else float("inf")
            found.append(about | {"what": what, "unit": unit, "before": earlier, "now": figure, "times": times})
    return sorted(found, key=lambda cell: -cell["times"])


def _identity(row: Row) -> tuple[Any, ...]:
    return tuple(row.get(name) for name in ("target", "machine", "cipher", "kernel", "key_bits", "iv_bits"))


def _cells(row: Row) -> dict[str, tuple[str, float]]:
    """By what it is: its unit, and its figure; cycles, or on a target without them instructions."""
    found: dict[str, tuple[str, float]] = {}
    for label, figure in row.get("figures", {}).items():
        for unit in ("cycles", "instructions"):
            if figure.get(unit) is not None:
                found[label] = (unit, figure[unit])
                break
    if row.get("rom") is not None:
        found["ROM"] = ("bytes", row["rom"])
    for name in ("static", "stack"):
        if (bytes_ := row.get("ram", {}).get(name)) is not None:
            found[f"RAM, {name}"] = ("bytes", bytes_)
    return found


def slower_text(cells: list[dict[str, Any]]) -> str:
    """For people."""
    if not cells:
        return "No cell got slower or larger.\n"
    head = ["target", "cipher", "kernel", "key/IV", "what", "unit", "before", "now", "times"]
    lines = [
        [
            *(str(cell[name]) for name in ("target", "cipher", "kernel")),
            f"{cell['key_bits']}/{cell['iv_bits']}",
            cell["what"],
            cell["unit"],
            number(cell["before"]),
            number(cell["now"]),
            f"{cell['times']:.3f}",
        ]
        for cell in cells
    ]
    said = f"{len(cells):,} {'cell' if len(cells) == 1 else 'cells'} got slower or larger, the worst first:\n"
    return said + columns([head, *lines], right=range(6, 9), indent="  ")


def behind_text(lines: list[Line], among: int) -> str:
    """For people: reason by reason, what is not explained first."""
    lost = [line for line in lines if line["why"] == NOT_EXPLAINED]
    parts = [f"Behind a paper in {len(lines):,} of {among:,} cells; {len(lost):,} not explained.\n"]
    for why in sorted(dict.fromkeys(line["why"] for line in lines), key=lambda why: why != NOT_EXPLAINED):
        head = ["paper", "table", "row", "column", "unit", "theirs", "ours", "kernel"]
        cells = [
            [
                line["paper_name"],
                line["table"],
                line["row"] or "",
                line["column"] or "",
                line["unit"],
                exactly(line["paper"]),
                number(line["ours"]),
                line["kernel"] or "",
            ]
            for line in lines
            if line["why"] == why
        ]
        parts.append(f"\n{why}:\n" + columns([head, *cells], right=(5, 6), indent="  "))
    return "".join(parts)
