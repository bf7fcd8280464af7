# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The lab's descriptions and results: targets, papers' figures, frames, boards, combinations, published figures in TOML and
JSON, as they are except for some damage, and the input's own text. Each is understood or refused in one line."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from runnel_lab import LabError, results, targets
from runnel_lab.packets import combinations, energy, frames
from runnel_lab.packets import published as packets_published
from runnel_lab.tables import published

from fuzz.python_checks import Choices, damaged, result_or_line

_ROOT = Path(__file__).resolve().parent.parent.parent
_FOLDER = tempfile.TemporaryDirectory(prefix="runnel-fuzz-")

_TREE = Path(_FOLDER.name)

# Where each is in a tree, one of the project's own, and what reads it.
_FILES: list[tuple[str, str, Callable[[], object]]] = [
    ("lab/papers/x.json", "lab/papers/seed-armv8.json", lambda: published.read(_TREE, "x").figures),
    ("lab/targets/x/target.toml", "lab/targets/rv32/target.toml", lambda: targets.load(_TREE, "x")),
    ("lab/results/x.json", "", lambda: results.read_all(_TREE / "lab" / "results")),
    ("lab/packets/frames.toml", "lab/packets/frames.toml", lambda: frames.frames.__wrapped__(_TREE)),
    (
        "lab/packets/combinations.toml",
        "lab/packets/combinations.toml",
        lambda: combinations.combinations.__wrapped__(_TREE),
    ),
    ("lab/packets/radios/x.toml", "", lambda: energy.radios.__wrapped__(_TREE)),
    ("lab/packets/boards/x.toml", "", lambda: energy.boards.__wrapped__(_TREE)),
    ("lab/packets/published.toml", "lab/packets/published.toml", lambda: packets_published.published(_TREE)),
    ("lab/results/y.json", "", lambda: results.read_packets(_TREE / "lab" / "results")),
]


def _original(place: str, own: str) -> bytes:
    """Return the project's own file, at most its first 4,000 bytes; the first that there is of its folder where none is
    named."""
    file = _ROOT / own if own else min((_ROOT / place).parent.glob(f"*{Path(place).suffix}"))
    return file.read_bytes()[:4000]


def one(data: bytes) -> None:
    choices = Choices(data)
    place, own, read = _FILES[choices.below(len(_FILES))]
    file = _TREE / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(choices.rest() if choices.below(2) else damaged(choices, _original(place, own)))
    try:
        result_or_line(read, LabError)
    finally:
        file.unlink()
