# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The rows of packets among the results, by target."""

from __future__ import annotations

from pathlib import Path

from runnel_lab import results
from runnel_lab.results import Row

__all__ = ["Row", "read_all", "recorded"]

recorded = results.recorded


def read_all(folder: Path) -> dict[str, list[Row]]:
    """Return the rows of each target that has any."""
    found = {file.stem: results.read(file) for file in sorted(folder.glob("*.json"))}
    of_packets = {name: [row for row in rows if "aead" in row] for name, rows in found.items()}
    return {name: rows for name, rows in of_packets.items() if rows}
