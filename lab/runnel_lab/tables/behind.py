# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Where we are behind: figures of the papers' tables that are better than ours, each with the reason of its paper's
file, and cells of the results that got slower or larger than an earlier copy of them says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from runnel.columns import columns, exactly, number

from runnel_lab import results
from runnel_lab.results import Row
from runnel_lab.tables import comparison, papers, published
from runnel_lab.tables.comparison import Line

NOT_EXPLAINED = "not explained"
REPEATS = 1.10
"""A clock's figures that differ by no more are the same."""


def behind(tree: Path, folder: Path | None = None) -> tuple[list[Line], int]:
    """Return the figures of ours that are worse than the paper's, of its technique and of our best kernel, and how many a
    verdict may use: the rows of comparison.rows with "paper_name"; "which", technique or ours; "figure", that one; "by", its
    kernel; "times", how many times as good the paper's is; and "why". folder: as there."""
    lines: list[Line] = []
    among = 0
    for paper in published.names(tree):
        known = papers.describe(tree, paper).behind
        for line in comparison.rows(tree, paper, folder):
            for which, kernel in (("ours", "kernel"), ("technique", "technique_kernel")):
                if not comparison.counts_in_a_verdict(line, which):
                    continue
                among += 1
                if (times := comparison.times(line, which)) > 1:
                    place = line["table"], line["row"], line["column"]
                    why = next((each.why for each in known if each.fits(*place, which)), NOT_EXPLAINED)
                    about = {"paper_name": paper, "which": which, "figure": line[which], "by": line[kernel]}
                    lines.append(line | about | {"times": times, "why": why})
    return lines, among


def slower(now: Path, before: Path) -> list[dict[str, Any]]:
    """Return the cells of results that cost more than in an earlier folder of results, the worst first: {"target",
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
            about = {name: row[name] for name in _IDENTITY}
            times = figure / earlier if earlier else float("inf")
            found.append(about | {"what": what, "unit": unit, "before": earlier, "now": figure, "times": times})
    return sorted(found, key=lambda cell: -cell["times"])


_IDENTITY = "target", "machine", *results.IDENTITY


def _identity(row: Row) -> tuple[Any, ...]:
    return tuple(row.get(name) for name in _IDENTITY)


def _cells(row: Row) -> dict[str, tuple[str, float]]:
    """Return the unit and the figure of each cell by its label: cycles, or on a target without them instructions."""
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
    """Format the cells for readers."""
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
    text = f"{len(cells):,} {'cell' if len(cells) == 1 else 'cells'} got slower or larger, the worst first:\n"
    return text + columns([head, *lines], right=range(6, 9), indent="  ")


def behind_text(lines: list[Line], among: int) -> str:
    """Format the cells for readers: reason by reason, what is not explained first."""
    lost = [line for line in lines if line["why"] == NOT_EXPLAINED]
    ours = sum(line["which"] == "ours" for line in lines)
    parts = [
        f"Behind a paper in {len(lines):,} of {among:,} figures, {ours:,} of them our best kernel's; {len(lost):,} not "
        "explained.\n"
    ]
    for why in sorted(dict.fromkeys(line["why"] for line in lines), key=lambda why: why != NOT_EXPLAINED):
        head = ["paper", "table", "row", "column", "unit", "theirs", "ours", "by", "which"]
        cells = [
            [
                line["paper_name"],
                line["table"],
                line["row"] or "",
                line["column"] or "",
                line["unit"],
                exactly(line["paper"]),
                number(line["figure"]),
                line["by"] or "",
                line["which"],
            ]
            for line in lines
            if line["why"] == why
        ]
        parts.append(f"\n{why}:\n" + columns([head, *cells], right=(5, 6), indent="  "))
    return "".join(parts)
