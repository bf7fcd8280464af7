# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A paper's tables with ours beside them. Every figure of the paper appears; ours is None where it was not measured."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from runnel.columns import columns, exactly, number

from . import papers, published, results
from .published import Place
from .rules import Rule
from .values import Case, Shelf

Line = dict[str, Any]


def rows(tree: Path, paper: str) -> list[Line]:
    """Returns {"table", "row", "column", "unit", "paper", "ours", "kind", "target", "kernel"}, the paper's first, table by
    table; also "bytes" where a cell of the paper is a list, and "does_not_fit", the linker's words, where ours is None
    because of that."""
    text = published.read(tree, paper)
    shelf = Shelf(results.read_all(tree))
    rules = papers.rules(text, shelf)
    lines = []
    for place, figure in text.figures.items():
        of_place = [line for rule in rules if rule.place == place and (line := _line(rule, shelf, figure))]
        lines += of_place or [_empty(papers.unit(paper, place), place, figure)]
    lines += [line for rule in rules if rule.place not in text.figures and (line := _line(rule, shelf, None))]
    tables = list(dict.fromkeys(line["table"] for line in lines))
    return sorted(lines, key=lambda line: tables.index(line["table"]))


def _empty(unit: str, place: Place, figure: float) -> Line:
    return _places(place) | {"unit": unit, "paper": figure, "ours": None, "kind": None, "target": None, "kernel": None}


def _line(rule: Rule, shelf: Shelf, figure: float | None) -> Line | None:
    case = Case(shelf, rule.target, rule.cipher, rule.kernel, rule.lengths)
    value, row = rule.value(case), case.row or {}
    if value is None and "does_not_fit" not in row:
        return None
    line = _places(rule.place) | {
        "unit": rule.unit,
        "paper": figure,
        "ours": None if value is None else _rounded(value),
        "kind": rule.kind or row["kind"],
        "target": rule.target,
        "kernel": rule.kernel,
    }
    return line if value is not None else line | {"does_not_fit": row["does_not_fit"]}


def _places(place: Place) -> Line:
    length = {} if place.bytes is None else {"bytes": place.bytes}
    return {"table": place.table, "row": place.row, "column": place.column} | length


def _rounded(value: float) -> float:
    rounded = float(f"{value:.6g}")
    return int(rounded) if rounded.is_integer() else rounded


def tables(lines: Iterable[Line]) -> dict[str, int]:
    """Returns how many rows each table has."""
    return dict(Counter(line["table"] for line in lines))


def text(tree: Path, paper: str, lines: list[Line], lines_max: int | None = None) -> str:
    """The same for people. lines_max: the tables that have no figure of the paper, and those of more lines than that, are
    only named at the end."""
    about = published.read(tree, paper).text
    parts = [papers.title(paper), *(["Paper's machine: " + about["platform"]] if "platform" in about else [])]
    left_out = []
    for table in dict.fromkeys(line["table"] for line in lines):
        of_table = [line for line in lines if line["table"] == table]
        shown = _table(paper, of_table)
        theirs = any(line["paper"] is not None for line in of_table)
        if lines_max is not None and (not theirs or shown.count("\n") > lines_max):
            left_out.append(["  " + table, f"{len(of_table):,} rows" + ("" if theirs else ", ours alone")])
        else:
            parts.append(f"\n{table}\n{shown.rstrip()}")
    if left_out:
        parts.append(f"\nMore tables; --table NAME prints one, --all prints all:\n{columns(left_out).rstrip()}")
    return "\n".join(parts) + "\n"


def _table(paper: str, lines: list[Line]) -> str:
    if papers.wide(paper) and any("/" in str(line["row"]) for line in lines):
        return _wide(lines)
    head = ["row", "column", "bytes", "unit", "paper", "ours", "kind", "target", "kernel"]
    kept = [h for h in head if any(line.get(h) is not None for line in lines) or h in ("paper", "ours")]
    right = [place for place, h in enumerate(kept) if h in ("bytes", "paper", "ours")]
    return columns([kept, *([_cell(h, line.get(h)) for h in kept] for line in lines)], right=right, indent="  ")


# Tables of many columns are printed in parts, by unit.
_PARTS = (("cycles", "cycles/byte", "instructions", "instructions/byte"), ("us", "us at 7.3728 MHz"), ("bytes",))


def _wide(lines: list[Line]) -> str:
    """A line for each row and kernel. A cell is ours, or the paper's / ours."""
    parts = []
    for units in _PARTS:
        found = list(dict.fromkeys((line["column"], line["unit"]) for line in lines if line["unit"] in units))
        found.sort(key=lambda column: units.index(column[1]) if units == _PARTS[1] else 0)
        if found:
            parts.append(_part([line for line in lines if line["unit"] in units], found))
    return "\n".join(parts)


def _part(lines: list[Line], places: list[tuple[str, str]]) -> str:
    rows: dict[tuple[str, ...], dict[tuple[str, str], Line]] = {}
    for line in lines:
        rows.setdefault((line["row"], line["target"] or "-", line["kernel"] or "-"), {})[
            line["column"], line["unit"]
        ] = line
    cells = [
        ["row", "target", "kernel", *(re.sub("_(cycles|instructions|us|bytes)$", "", column) for column, _ in places)],
        ["", "", "", *(unit for _, unit in places)],
    ]
    remarks = []
    for place, of_row in rows.items():
        cells.append([*place, *(_both(of_row.get(c), paper=" at " not in c[1]) for c in places)])
        words = next((line["does_not_fit"] for line in of_row.values() if "does_not_fit" in line), None)
        if words is not None:
            remarks.append(f"  {place[0]} does not fit {place[1]}: {words}")
    return columns(cells, right=range(3, len(cells[0])), indent="  ") + "".join(remark + "\n" for remark in remarks)


def _both(line: Line | None, *, paper: bool) -> str:
    if line is None:
        return ""
    ours = _cell("ours", line["ours"])
    return ours if line["paper"] is None or not paper else f"{_cell('paper', line['paper'])} / {ours}"


def _cell(head: str, value: object) -> str:
    """The paper's figures have the digits that the paper prints."""
    if value is None:
        return "-"
    if not isinstance(value, (int, float)):
        return str(value)
    return exactly(value) if head == "paper" else number(value)
