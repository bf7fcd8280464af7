# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The rows of lab/results for the site's tables."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from runnel_lab.tables import kernels
from runnel_lab.tables.kernels import longest, rank

from figures import ROOT

RESULTS = ROOT / "lab" / "results"
__all__ = ["RESULTS", "caption", "cells", "longest", "rank", "rows", "targets"]


def targets() -> list[Path]:
    """Return the files of results, one for each target; of the host, for each machine."""
    return sorted([*RESULTS.glob("*.json"), *RESULTS.glob("*/*.json")], key=lambda file: file.stem)


@functools.cache
def _text(file: Path) -> dict:
    return json.loads(file.read_text(encoding="utf-8"))


def rows(file: Path, ciphers: Sequence[str] | None = None) -> Iterator[dict]:
    """Yield our rows of one target; ciphers: of these only, in their order."""
    ours = [row for row in _text(file)["rows"] if "cipher" in row and not row.get("peer")]
    if ciphers is None:
        yield from ours
    else:
        for name in ciphers:
            yield from (row for row in ours if row["cipher"] == name)


def cells(row: dict, columns: Sequence[str]) -> list[str]:
    found = kernels.cells(row, columns)
    return [f"`{cell}`" if name == "kernel" else cell for name, cell in zip(columns, found)]


def caption(file: Path, found: Sequence[dict]) -> str:
    """Return the target's name and what its figures are."""
    first = next((row for row in found if "figures" in row), found[0])
    machine = f" ({first.get('cpu') or first['machine']})" if first["kind"] == "measured" else ""
    return f"**`{file.stem}`**: {_text(file)['title']}{machine}; {kernels.unit(first)}, {first['kind']}."
