# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Results of libraries newer than the machine's: newest.toml."""

from __future__ import annotations

import fnmatch
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import tables
from runnel_lab import speed


class Recorded(NamedTuple):
    """A figure that was measured once, beside ours of now."""

    cipher: str
    by: str
    bare: bool
    """A kernel without the checks and the interface of a library."""
    bytes: int
    theirs: float
    """Cycles per byte."""
    ours: float
    why: str

    @property
    def times(self) -> float:
        return self.theirs / self.ours


def recorded(result: speed.Result) -> list[Recorded]:
    """Those for the machine of a run, of what was measured in it."""
    slug, compared = tables.slug(result["machine"]), speed.comparisons(result)
    text = Path(__file__).with_name("newest.toml").read_text(encoding="utf-8")
    found = []
    for machine in tomllib.loads(text)["machine"]:
        if fnmatch.fnmatchcase(slug, machine["results"]):
            for figure in machine["figures"]:
                found += _of_cells(figure, compared)
    return found


def _of_cells(figure: Mapping[str, Any], compared: Mapping[str, speed.Comparison]) -> list[Recorded]:
    name, bare, why = figure["cipher"], figure.get("bare", False), figure.get("why", "")
    rows = compared[name].ours if name in compared else {}
    return [
        Recorded(name, figure["by"], bare, int(size), theirs, rows["message", int(size)]["cycles_per_byte"], why)
        for size, theirs in figure["at"].items()
        if ("message", int(size)) in rows
    ]


def best(result: speed.Result, cell: speed.Cell) -> dict[str, Recorded]:
    """Return the best library for each cipher."""
    found: dict[str, Recorded] = {}
    for each in recorded(result):
        if not each.bare and ("message", each.bytes) == cell:
            found[each.cipher] = min(found.get(each.cipher, each), each, key=lambda one: one.theirs)
    return found
