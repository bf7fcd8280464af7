# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The results as rows: a combination, a processor, a frame, a length and a direction, with cycles, memory, bytes on the air
and energy. What `runnel lab show packets --json` prints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runnel_lab import results
from runnel_lab.packets import energy, frames
from runnel_lab.packets.combinations import Combination, combinations
from runnel_lab.packets.energy import Board, Energy, Radio
from runnel_lab.packets.frames import Frame
from runnel_lab.packets.measure import DIRECTIONS

IN_THE_RADIO = "aes-128-ccm in the radio"
_SIZES = ("rom", "ram_context", "ram_stack", "ram_static")


@dataclass(frozen=True)
class Question:
    """A question to the results."""

    frame: str
    header: bool = True
    """The frame's header is authenticated too."""
    new_key: bool = False
    """Key set-up counts with every packet."""


@dataclass(frozen=True)
class _Place:
    """A combination in a frame, on a processor with its board and radio where they are known."""

    question: Question
    frame: Frame
    combination: Combination
    processor: str
    board: Board | None
    radio: Radio | None

    def row(self, length: int, direction: str, cost: Energy | None, **more: Any) -> dict[str, Any]:
        setting = frames.setting(self.combination, self.frame, self.question.header)
        return {
            "aead": self.combination.name,
            "processor": self.processor,
            "frame": self.frame.name,
            "bytes": length,
            "direction": direction,
            "header_bytes": setting.header,
            "nonce_bytes": setting.nonce,
            "tag_bytes": setting.tag,
            "air_bytes": self.frame.added(self.combination),
            "fits": self.frame.fits(self.combination, length),
            "key_new": self.question.new_key,
            "board": self.board and self.board.name,
            "radio": self.radio and self.radio.name,
            "cpu_uj": cost and round(cost.processor, 3),
            "radio_uj": cost and round(cost.radio, 3),
            "energy_uj": cost and round(cost.total, 3),
            "cipher_share": cost and round(cost.share, 3),
            "status": self.combination.status,
            "standard": self.combination.standard,
        } | more

    def measured(self, row: results.Row) -> Iterator[dict[str, Any]]:
        setting = frames.setting(self.combination, self.frame, self.question.header)
        added, key = self.frame.added(self.combination), row.get("key")
        for length, cycles in row.get("cycles", {}).get(str(setting), {}).items():
            for direction, warm in zip(DIRECTIONS, cycles):
                taken = warm + (key if self.question.new_key else 0)
                cost = None
                if self.board is not None and self.radio is not None:
                    cost = energy.energy(self.board, self.radio, taken, added, direction == "seal")
                sizes = (row["rom"], *(row["ram"][name] for name in ("context", "stack", "static")))
                about = {name: row[name] for name in ("kernels", "constant_time", "kind")}
                about |= {"cycles": taken, "key_cycles": key, "limits": self.combination.limits}
                yield self.row(int(length), direction, cost, **dict(zip(_SIZES, sizes)), **about)

    def in_the_radio(self) -> Iterator[dict[str, Any]]:
        """Yield rows of a radio's own AES: by its datasheet, nothing was run."""
        if self.board is None or self.radio is None or self.radio.ccm is None:
            return
        if self.radio.name not in self.board.radios:
            return
        limits = f"{self.radio.ccm.source}; the bytes' way into the radio is not counted"
        header = self.frame.header if self.question.header else 0
        empty = dict.fromkeys((*_SIZES, "cycles", "key_cycles", "constant_time"))
        about = empty | {"aead": IN_THE_RADIO, "kernels": {}, "kind": "datasheet", "limits": limits}
        for length in frames.LENGTHS:
            if self.frame.fits(self.combination, length):
                us, waiting = energy.in_the_radio(self.board, self.radio, header, length)
                for direction in DIRECTIONS[:2]:
                    air = self.frame.added(self.combination) * self.radio.uj_per_byte(direction == "seal")
                    yield self.row(length, direction, Energy(waiting, air), us=round(us, 1), **about)


def rows(tree: Path, question: Question, folder: Path | None = None) -> list[dict[str, Any]]:
    """Return a row for each combination, processor, length and direction. folder: of the results, else those kept."""
    frame, known = frames.frame(tree, question.frame), combinations(tree)
    found: list[dict[str, Any]] = []
    for processor, measured in results.read_packets(folder or results.recorded(tree)).items():
        board = energy.board_of(tree, processor)
        radio = None if board is None else energy.radio_of(tree, board, frame)
        for row in measured:
            if row["aead"] in known:
                found += _Place(question, frame, known[row["aead"]], processor, board, radio).measured(row)
        found += _Place(question, frame, known["aes-128-ccm"], processor, board, radio).in_the_radio()
    return found


def ranking(found: list[dict[str, Any]], processor: str, length: int, direction: str = "seal") -> list[dict[str, Any]]:
    """Return one packet's rows on a processor, the least energy first; where a board is missing, the fewest cycles."""
    chosen = [r for r in found if (r["processor"], r["bytes"], r["direction"]) == (processor, length, direction)]

    def rank(row: dict[str, Any]) -> tuple[float, str, bool]:
        cost = row["cycles"] if row["energy_uj"] is None else row["energy_uj"]
        return cost, row["aead"], bool(row["constant_time"])

    return sorted(chosen, key=rank)
