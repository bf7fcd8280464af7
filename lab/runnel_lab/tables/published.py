# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The papers' figures, lab/papers/<paper>.json: tables as the papers print them, in a few shapes.

"table": 2.0                                        row and column null
"table": {"row": 182}                               column null
"table": {"row": {"column": 185}}
"table": {"row": {"bytes": [16, 128], "column": [10.7, 20.6]}}     a row of the result for each of bytes
"table": {"rows": [{"cipher": "LEX", "key_bits": 128, "iv_bits": 128, "column": 317.43}]}    row LEX/128/128
… a word besides, {…, "rotations_as": "macros"}: row SOSEMANUK/128/64/macros
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runnel_lab import UnknownNameError, understanding


@dataclass(frozen=True)
class Place:
    """Where a figure stands in a paper."""

    table: str
    row: str | None = None
    column: str | None = None
    bytes: int | None = None
    """The length of the message, where a table's cell holds a list."""


@dataclass(frozen=True)
class Paper:
    name: str
    text: dict[str, Any]
    figures: dict[Place, float]

    def rows(self, table: str) -> list[str]:
        return list(
            dict.fromkeys(place.row for place in self.figures if place.table == table and place.row is not None)
        )


def names(tree: Path) -> list[str]:
    return sorted(p.stem for p in (tree / "lab" / "papers").glob("*.json"))


def read(tree: Path, name: str) -> Paper:
    if name not in names(tree):
        raise UnknownNameError(f"no paper {name}; there are {', '.join(names(tree))}")
    file = tree / "lab" / "papers" / f"{name}.json"
    with understanding(file):
        text = json.loads(file.read_text(encoding="utf-8"))
        figures = {place: value for table, cells in text.items() for place, value in _table(table, cells)}
    return Paper(name, text, figures)


def _number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _table(table: str, cells: Any) -> Iterator[tuple[Place, float]]:
    if _number(cells):
        yield Place(table), cells
    elif isinstance(cells, dict):
        for row, value in cells.items():
            if row == "rows":
                yield from _list_of_ciphers(table, value)
            elif _number(value):
                yield Place(table, row), value
            elif isinstance(value, dict):
                yield from _row(table, row, value)


def _row(table: str, row: str, columns: dict[str, Any]) -> Iterator[tuple[Place, float]]:
    for column, value in columns.items():
        if _number(value):
            yield Place(table, row, column), value
        elif isinstance(value, list) and column != "bytes":
            for length, figure in zip(columns["bytes"], value, strict=True):
                yield Place(table, row, column, length), figure


def _list_of_ciphers(table: str, rows: list[dict[str, Any]]) -> Iterator[tuple[Place, float]]:
    for cells in rows:
        words = [value for column, value in cells.items() if column != "cipher" and isinstance(value, str)]
        row = "/".join(map(str, [cells["cipher"], cells["key_bits"], cells["iv_bits"], *words]))
        for column, value in cells.items():
            if _number(value) and column not in ("key_bits", "iv_bits"):
                yield Place(table, row, column), value
