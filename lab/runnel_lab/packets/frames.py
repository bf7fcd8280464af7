# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What packets look like: lab/packets/frames.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from runnel_lab import LabError, UnknownNameError
from runnel_lab.packets.combinations import Combination

LENGTHS = (8, 16, 32, 64, 95, 128, 1024)
"""Of the payloads that are measured, in bytes."""


@dataclass(frozen=True)
class Frame:
    """A format of packets; lengths in bytes, as frames.toml says."""

    name: str
    title: str
    plain: int
    sent: int
    nonce: int
    header: int
    tag: int
    longest: int
    radio: str
    source: str
    nonce_sent: bool = False

    def added(self, combination: Combination) -> int:
        """Returns the bytes on the air that security adds."""
        nonce = combination.nonce(self.nonce) if self.nonce_sent else 0
        return self.sent + nonce + combination.tag(self.tag)

    def fits(self, combination: Combination, payload: int) -> bool:
        return payload + self.added(combination) <= self.longest


@dataclass(frozen=True, order=True)
class Setting:
    """What of a frame makes a difference to the cycles: bytes of nonce, header and tag."""

    nonce: int
    header: int
    tag: int

    def __str__(self) -> str:
        return f"nonce {self.nonce}, header {self.header}, tag {self.tag}"


def setting(combination: Combination, frame: Frame, header: bool = True) -> Setting:
    """header: the frame's header is authenticated too."""
    return Setting(combination.nonce(frame.nonce), frame.header if header else 0, combination.tag(frame.tag))


def cells(combination: Combination, known: dict[str, Frame], most: int) -> list[tuple[Setting, int]]:
    """Returns all settings that the frames ask for, each with the lengths up to `most` that are measured in it. What no frame
    holds is measured in the settings of the first one alone."""
    found = set()
    for name, frame in known.items():
        lengths = LENGTHS if name == next(iter(known)) else [n for n in LENGTHS if n <= frame.longest]
        for header in (True, False):
            found |= {(setting(combination, frame, header), n) for n in lengths if n <= most}
    return sorted(found)


@lru_cache
def frames(tree: Path) -> dict[str, Frame]:
    file = tree / "lab" / "packets" / "frames.toml"
    try:
        return {name: Frame(name, **about) for name, about in tomllib.loads(file.read_text()).items()}
    except (tomllib.TOMLDecodeError, TypeError) as error:
        raise LabError(f"{file}: {error}") from None


def frame(tree: Path, name: str) -> Frame:
    known = frames(tree)
    if name not in known:
        raise UnknownNameError(f"no frame {name!r}; there are {', '.join(known)}")
    return known[name]
