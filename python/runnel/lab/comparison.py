# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A paper's tables with ours beside them. Every figure of the paper appears; ours is None where it was not measured."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from . import papers, published, results
from .papers import Rule
from .published import Place
from .values import Case, Shelf

Line = dict[str, Any]


def rows(tree: Path, paper: str) -> list[Line]:
    """Gives {"table", "row", "column", "unit", "paper", "ours", "kind", "target", "kernel"}, the paper's first, table by
    table; also "bytes" where a cell of the paper is a list."""
    text = published.read(tree, paper)
    shelf = Shelf(results.read_all(tree))
    rules = papers.rules(paper, shelf)
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
    value = rule.value(case)
    if value is None:
        return None
    row = case.row or {}
    return _places(rule.place) | {"unit": rule.unit, "paper": figure, "ours": _rounded(value),
                                  "kind": rule.kind or row["kind"], "target": rule.target, "kernel": rule.kernel}


def _places(place: Place) -> Line:
    length = {} if place.bytes is None else {"bytes": place.bytes}
    return {"table": place.table, "row": place.row, "column": place.column} | length


def _rounded(value: float) -> float:
    rounded = float(f"{value:.6g}")
    return int(rounded) if rounded.is_integer() else rounded


def text(tree: Path, paper: str, lines: list[Line]) -> str:
    """The same for people."""
    about = published.read(tree, paper).text
    parts = [papers.title(paper), *(["Paper's machine: " + about["platform"]] if "platform" in about else [])]
    for table in dict.fromkeys(line["table"] for line in lines):
        of_table = [line for line in lines if line["table"] == table]
        head = ["row", "column", "bytes", "unit", "paper", "ours", "kind", "target", "kernel"]
        kept = [h for h in head if any(line.get(h) is not None for line in of_table) or h in ("paper", "ours")]
        parts.append(f"\n{table}\n" + _columns([kept, *([_cell(line.get(h)) for h in kept] for line in of_table)], kept))
    return "\n".join(parts) + "\n"


def _cell(value: object) -> str:
    return "-" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def _columns(cells: list[list[str]], head: Iterable[str]) -> str:
    widths = [max(map(len, column)) for column in zip(*cells)]
    right = [h in ("bytes", "paper", "ours") for h in head]
    return "\n".join("  " + "  ".join(cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(line, widths, right))
                     .rstrip() for line in cells)
