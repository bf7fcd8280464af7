# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The layout of packets: lab/packets/frames.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from runnel_lab import UnknownNameError, understanding
from runnel_lab.packets.combinations import Combination

LENGTHS = (8, 16, 32, 64, 95, 128, 1024)
"""Of the payloads that are measured in the first frame, in bytes."""
SOME = (16, 32, 64)
"""In the others."""


@dataclass(frozen=True)
class Frame:
    """A format of packets; lengths in bytes, as frames.toml says."""

    name: str
    title: str
    sent: int
    nonce: int
    header: int
    tag: int
    longest: int
    radio: str
    source: str
    nonce_sent: bool = False

    def added(self, combination: Combination) -> int:
        """Return the bytes on the air that security adds."""
        nonce = combination.nonce(self.nonce) if self.nonce_sent else 0
        return self.sent + nonce + combination.tag(self.tag)

    def fits(self, combination: Combination, payload: int) -> bool:
        return payload + self.added(combination) <= self.longest


@dataclass(frozen=True, order=True)
class Setting:
    """The properties of a frame that make a difference to the cycles: bytes of nonce, header and tag."""

    nonce: int
    header: int
    tag: int

    def __str__(self) -> str:
        return f"nonce {self.nonce}, header {self.header}, tag {self.tag}"


def setting(combination: Combination, frame: Frame, header: bool = True) -> Setting:
    """header: the frame's header is authenticated too."""
    return Setting(combination.nonce(frame.nonce), frame.header if header else 0, combination.tag(frame.tag))


def cells(combination: Combination, known: dict[str, Frame], most: int) -> list[tuple[Setting, int]]:
    """Return all settings that are measured, each with its lengths up to `most`: in the first frame all lengths, with its
    header and without, which other frames' cells lie between; in the others some, with their headers."""
    first, *others = known.values()
    found = {(setting(combination, first, header), n) for header in (True, False) for n in LENGTHS}
    found |= {(setting(combination, frame), n) for frame in others for n in SOME}
    return sorted((setting, n) for setting, n in found if n <= most)


@lru_cache
def frames(tree: Path) -> dict[str, Frame]:
    file = tree / "lab" / "packets" / "frames.toml"
    with understanding(file):
        return {name: Frame(name, **about) for name, about in tomllib.loads(file.read_text(encoding="utf-8")).items()}


def frame(tree: Path, name: str) -> Frame:
    known = frames(tree)
    if name not in known:
        raise UnknownNameError(f"no frame {name!r}; there are {', '.join(known)}")
    return known[name]
