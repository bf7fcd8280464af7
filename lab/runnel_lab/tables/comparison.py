# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A paper's tables with ours beside them: each figure of the paper, the paper's technique in our code, our best kernel. What
cannot be filled says why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from runnel_lab import LabError, results
from runnel_lab.tables import papers, published
from runnel_lab.tables.papers import Cell, PaperDescription
from runnel_lab.tables.published import Place
from runnel_lab.tables.values import Case, Shelf

Line = dict[str, Any]


def rows(tree: Path, paper: str, folder: Path | None = None) -> list[Line]:
    """Returns {"table", "row", "column", "unit", "paper", "technique", "ours", "kind", "target", "cipher", "key_bits",
    "iv_bits", "kernel", "technique_kernel", "machine"}, the paper's first, table by table: the paper's figure, the one of
    its technique in our code, that of our best kernel. Also "bytes" where a cell of the paper is a list, "elsewhere" for
    another project's figure, "does_not_fit", the linker's words, and "reason": why technique or ours is null beside a
    figure of the paper. folder: results that are not those kept. Raises LabError for a table that mixes units or
    machines."""
    text, about = published.read(tree, paper), papers.describe(tree, paper)
    shelf = Shelf(results.read_all(folder or results.recorded(tree)))
    found: dict[Place, list[Cell]] = {}
    for cell in papers.cells(tree, text, shelf):
        found.setdefault(cell.place, []).append(cell)
    lines = []
    for place, figure in text.figures.items():
        of_place = [_line(cell, figure, about) for cell in found.pop(place, [])]
        lines += of_place or [_unfilled(place, figure, about)]
    lines += [line for cells in found.values() for cell in cells if _has_figure(line := _line(cell, None, about))]
    tables = list(dict.fromkeys(line["table"] for line in lines))
    lines.sort(key=lambda line: tables.index(line["table"]))
    check(lines)
    return lines


def check(lines: list[Line]) -> None:
    """Raises LabError where a column has two units, or a table figures of two machines."""
    units: dict[tuple[str, str], str] = {}
    machines: dict[str, tuple[str, str | None]] = {}
    for line in lines:
        if line["column"] is not None:
            unit = units.setdefault((line["table"], line["column"]), line["unit"])
            if unit != line["unit"]:
                raise LabError(f"{line['table']}: the column {line['column']} mixes {unit} and {line['unit']}")
        if line["target"] is not None:
            machine = machines.setdefault(line["table"], (line["target"], line["machine"]))
            if machine != (line["target"], line["machine"]):
                raise LabError(f"{line['table']} mixes {machine[0]} and {line['target']}, {line['machine']}")


def _has_figure(line: Line) -> bool:
    names = ("technique", "ours", "elsewhere", "does_not_fit")
    return any(line.get(name) is not None for name in names)


_OF_ROW = ("cipher", "key_bits", "iv_bits")
"""With target and kernel they tell which row of the results a figure is of."""


def _unfilled(place: Place, figure: float, about: PaperDescription) -> Line:
    table = about.table(place.table)
    names = ("technique", "ours", "kind", "target", *_OF_ROW, "kernel", "technique_kernel", "machine")
    empty = dict.fromkeys(names)
    return _places(place) | {"unit": table.unit_of(place), "paper": figure} | empty | {"reason": table.reason(place)}


def _line(cell: Cell, figure: float | None, about: PaperDescription) -> Line:
    technique, ours = _figure(cell, cell.technique), _figure(cell, cell.ours)
    row = next((case.row for case in (cell.ours, cell.technique) if case and case.row), None)
    line = _places(cell.place) | {
        "unit": cell.unit,
        "paper": figure,
        "technique": technique,
        "ours": ours,
        "kind": row and (cell.kind or row["kind"]),
        "target": row and row["target"],
        **{name: row and row[name] for name in _OF_ROW},
        "kernel": row and _kernel(cell.ours or cell.technique),
        "technique_kernel": _kernel(cell.technique),
        "machine": row and row.get("machine"),
    }
    if row is not None and row.get("peer"):
        line |= {"ours": None, "elsewhere": ours}
    if "does_not_fit" in (row or {}) and ours is None:
        line |= {"does_not_fit": row and row["does_not_fit"]}
    if figure is not None and (ours is None or (technique is None and cell.technique is not None)):
        line["reason"] = about.table(cell.place.table).reason(cell.place) or line.get("does_not_fit")
    if figure is not None and technique is None and "reason" not in line:
        line["reason"] = about.table(cell.place.table).reason(cell.place)
    return line


def _kernel(case: Case | None) -> str | None:
    return case.kernel if case and case.row else None


def _figure(cell: Cell, case: Case | None) -> float | None:
    value = cell.value(case) if case is not None and case.row is not None else None
    return None if value is None else _rounded(value)


def _places(place: Place) -> Line:
    length = {} if place.bytes is None else {"bytes": place.bytes}
    return {"table": place.table, "row": place.row, "column": place.column} | length


def _rounded(value: float) -> float:
    rounded = float(f"{value:.6g}")
    return int(rounded) if rounded.is_integer() else rounded


def tables(lines: Iterable[Line]) -> dict[str, int]:
    """Returns how many rows each table has."""
    return dict(Counter(line["table"] for line in lines))
