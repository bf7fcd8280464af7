# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Rows of packets as files, one for each target: what they are is said in measure.py."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from runnel_lab import LabError, results
from runnel_lab.targets import Target

Row = dict[str, Any]


def recorded(tree: Path) -> Path:
    """Returns the folder of what is kept."""
    return tree / "lab" / "packets" / "results"


def scratch(tree: Path) -> Path:
    """Returns the folder of what is tried out."""
    return tree / "build" / "lab" / "packets"


def read(file: Path) -> list[Row]:
    """Returns the rows of one file, none if there is none."""
    try:
        rows: list[Row] = json.loads(file.read_text(encoding="utf-8"))["rows"]
        if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
            return rows
    except FileNotFoundError:
        return []
    except (ValueError, LookupError, TypeError, RecursionError):
        pass
    raise LabError(f"{file}: is no file of results; delete it and measure again")


def read_all(folder: Path) -> dict[str, list[Row]]:
    """Returns the rows of each target."""
    return {file.stem: read(file) for file in sorted(folder.glob("*.json"))}


def record(folder: Path, target: Target, aead: str, rows: list[Row]) -> None:
    """Puts the rows in the place of the last ones of the same combination."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{target.name}.json"
    with results.locked(folder):
        kept = [row for row in read(file) if row["aead"] != aead]
        results.write(file, {"target": target.name, "title": target.title}, sorted([*kept, *rows], key=_order))


def forget_the_gone(folder: Path, target: Target, known: set[str]) -> None:
    """Drops the rows of combinations that exist no more."""
    file = folder / f"{target.name}.json"
    if any(row["aead"] not in known for row in read(file)):
        with results.locked(folder):
            kept = [row for row in read(file) if row["aead"] in known]
            results.write(file, {"target": target.name, "title": target.title}, kept)


def _order(row: Row) -> tuple[str, bool]:
    return row["aead"], bool(row["constant_time"])
