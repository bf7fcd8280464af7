# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What was measured, as JSON in lab/results/<target>/<cipher>.json:

{"target", "title", "compiler", "rows": [row, …]}, one row a kernel, sorted by its name; a row is what measure.measure
gives: cipher, kernel, key_bits, iv_bits, kind (exact, model, mca, measured), figures (key, iv, packet, long, stream;
each with cycles, instructions, loads, stores as far as the target knows them, and bytes), rom and ram (static, stack)
in bytes, output_sha256, flags. long starts with a fresh nonce, stream goes on behind it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from . import firmware
from .targets import Target


def path(tree: Path, target: str, cipher: str) -> Path:
    return tree / "lab" / "results" / target / f"{cipher}.json"


def read(tree: Path, target: str, cipher: str) -> list[dict[str, Any]]:
    """Gives the rows, none if nothing was measured."""
    try:
        rows: list[dict[str, Any]] = json.loads(path(tree, target, cipher).read_text())["rows"]
    except FileNotFoundError:
        return []
    return rows


def record(target: Target, row: dict[str, Any]) -> None:
    """Puts the row in the place of the kernel's last one."""
    file = path(target.tree, target.name, row["cipher"])
    rows = [r for r in read(target.tree, target.name, row["cipher"]) if r["kernel"] != row["kernel"]]
    rows = sorted([*rows, row], key=lambda r: str(r["kernel"]))
    file.parent.mkdir(parents=True, exist_ok=True)
    text = {"target": target.name, "title": target.title, "compiler": firmware.compiler_version(target), "rows": rows}
    file.write_text(json.dumps(text, indent=1) + "\n")
