# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The energy of packets: lab/packets/boards and lab/packets/radios are the parameters, one file each.

    microjoules of the processor = cycles x nJ a cycle / 1000;  nJ a cycle = volts x mA / MHz
    microjoules of the radio     = bytes x uJ a byte;           uJ a byte  = volts x mA x us a byte / 1000

A model of datasheet currents and not a measurement: without wake-ups, back-off and listening, which are the same for all that
is compared here."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from runnel_lab import understanding
from runnel_lab.packets.frames import Frame


@dataclass(frozen=True)
class Ccm:
    """A radio's own AES: a packet takes so long for each call of the block cipher, the processor waits."""

    us_per_block: float
    idle_milliamps: float
    source: str


@dataclass(frozen=True)
class Radio:
    name: str
    title: str
    frames: list[str]
    volts: float
    us_per_byte: float
    rx_milliamps: float
    source: str
    default: str
    """Of the levels to send with."""
    tx_milliamps: dict[str, float]
    ccm: Ccm | None = None

    def uj_per_byte(self, sending: bool) -> float:
        milliamps = self.tx_milliamps[self.default] if sending else self.rx_milliamps
        return self.volts * milliamps * self.us_per_byte / 1000


@dataclass(frozen=True)
class Board:
    """A processor with its current, and radios."""

    name: str
    title: str
    processor: str
    """A target of the lab."""
    source: str
    grade: str
    """Of the current: datasheet, or assumed."""
    least_nj: float
    most_nj: float
    """The span of what is published."""
    clock_mhz: float
    """As the board runs."""
    radios: list[str] = field(default_factory=list)
    volts: float | None = None
    milliamps: float | None = None
    mhz: float | None = None
    """At which the datasheet gives the current."""
    nj: float | None = None
    """Where there is no current."""

    @property
    def nj_per_cycle(self) -> float:
        if self.nj is not None:
            return self.nj
        assert self.volts is not None and self.milliamps is not None and self.mhz is not None
        return self.volts * self.milliamps / self.mhz

    @property
    def arithmetic(self) -> str:
        if self.nj is not None:
            return f"{self.nj} nJ a cycle"
        return f"{self.volts} V x {self.milliamps} mA / {self.mhz} MHz = {self.nj_per_cycle:.3g} nJ a cycle"


@dataclass(frozen=True)
class Energy:
    """In microjoules."""

    processor: float
    radio: float

    @property
    def total(self) -> float:
        return self.processor + self.radio

    @property
    def share(self) -> float:
        """Return the share of the processor in both."""
        return self.processor / self.total if self.total else 0.0


def energy(board: Board, radio: Radio, cycles: float, added: int, sending: bool) -> Energy:
    """Return what security costs a packet: the cycles, and the bytes that it adds on the air."""
    return Energy(cycles * board.nj_per_cycle / 1000, added * radio.uj_per_byte(sending))


def blocks_of_ccm(header: int, payload: int) -> int:
    """Return how many blocks CCM encrypts: two for the tag, one for each of header with its length, and two of payload."""
    return 2 + (-(-(header + 2) // 16) if header else 0) + 2 * -(-payload // 16)


def in_the_radio(board: Board, radio: Radio, header: int, payload: int) -> tuple[float, float]:
    """Return microseconds and microjoules of a packet in CCM that the radio's AES encrypts while the processor waits."""
    assert radio.ccm is not None
    us = blocks_of_ccm(header, payload) * radio.ccm.us_per_block
    waiting = us * board.clock_mhz * board.nj_per_cycle / 1000
    return us, waiting + us * radio.volts * radio.ccm.idle_milliamps / 1000


T = TypeVar("T")


def _described(tree: Path, kind: str, make: Callable[..., T]) -> dict[str, T]:
    found = {}
    for file in sorted((tree / "lab" / "packets" / kind).glob("*.toml")):
        with understanding(file):
            found[file.stem] = make(file.stem, **tomllib.loads(file.read_text(encoding="utf-8")))
    return found


@lru_cache
def boards(tree: Path) -> dict[str, Board]:
    return _described(tree, "boards", Board)


def board_of(tree: Path, processor: str) -> Board | None:
    """Return the first board with this processor."""
    return next((board for board in boards(tree).values() if board.processor == processor), None)


@lru_cache
def radios(tree: Path) -> dict[str, Radio]:
    return _described(tree, "radios", _radio)


def _radio(name: str, ccm: dict[str, Any] | None = None, **text: Any) -> Radio:
    return Radio(name, **text, ccm=Ccm(**ccm) if ccm else None)


def radio_of(tree: Path, board: Board, frame: Frame) -> Radio:
    """Return the board's radio for the frame, or where it has none the one that the frame names, put beside it."""
    known = radios(tree)
    return next((known[name] for name in board.radios if frame.name in known[name].frames), known[frame.radio])
