# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Others' figures beside ours: lab/packets/published.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from runnel_lab import results, understanding
from runnel_lab.results import Row

NOT_EXPLAINED = "not explained yet"


@dataclass(frozen=True)
class Published:
    """Key set-up and encryption of a message without associated data, in cycles, and our best row for the same."""

    source: str
    kind: str
    processor: str
    aead: str
    what: str
    differs: str | None
    bytes: int
    theirs: int
    ours: int | None
    kernels: dict[str, str]
    reason: str | None

    @property
    def times(self) -> float | None:
        """Return how many times as many cycles theirs takes."""
        return self.theirs / self.ours if self.ours else None


def published(tree: Path, folder: Path | None = None) -> list[Published]:
    """folder: of the results, else those kept. Where theirs takes fewer cycles first, with the reason."""
    rows = results.read_packets(folder or results.recorded(tree))
    file = tree / "lab" / "packets" / "published.toml"
    found = []
    with understanding(file):
        for source in tomllib.loads(file.read_text(encoding="utf-8"))["source"]:
            for aead, about in source["aead"].items():
                for length, theirs in about["cycles"].items():
                    ours, kernels = _ours(rows.get(source["processor"], []), aead, length)
                    slower = ours is not None and theirs < ours
                    reason = about.get("reason", NOT_EXPLAINED) if slower else None
                    head = source["name"], source["kind"], source["processor"]
                    what, differs = about["what"], about.get("differs")
                    found.append(Published(*head, aead, what, differs, int(length), theirs, ours, kernels, reason))
        found.sort(key=lambda one: (one.times is None, one.times or 0))
    return found


def _ours(rows: list[Row], aead: str, length: str) -> tuple[int | None, dict[str, str]]:
    """Return the fewest cycles of key set-up and sealing without a header, whatever the tag's length."""
    best: tuple[int | None, dict[str, str]] = None, {}
    for row in rows:
        if row["aead"] != aead:
            continue
        for setting, by_length in row.get("cycles", {}).items():
            if ", header 0, " in setting and length in by_length:
                cycles = row["key"] + by_length[length][0]
                if best[0] is None or cycles < best[0]:
                    best = cycles, row["kernels"]
    return best
