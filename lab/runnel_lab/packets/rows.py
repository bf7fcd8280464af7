# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The results as rows: a combination, a processor, a frame, a length and a direction, with cycles, memory, bytes on the air
and energy. What `runnel lab show packets --json` prints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runnel_lab.packets import energy, frames, recorded
from runnel_lab.packets.combinations import Combination, combinations
from runnel_lab.packets.energy import Board
from runnel_lab.packets.frames import Frame
from runnel_lab.packets.measure import DIRECTIONS

IN_THE_RADIO = "aes-128-ccm in the radio"


@dataclass(frozen=True)
class Question:
    """What is asked of the results."""

    frame: str
    header: bool = True
    """The frame's header is authenticated too."""
    new_key: bool = False
    """Key set-up counts with every packet."""


def rows(tree: Path, question: Question, folder: Path | None = None) -> list[dict[str, Any]]:
    """Returns a row for each combination, processor, length and direction. folder: of the results, else those kept."""
    frame, known = frames.frame(tree, question.frame), combinations(tree)
    found: list[dict[str, Any]] = []
    for processor, measured in recorded.read_all(folder or recorded.recorded(tree)).items():
        board = next((b for b in energy.boards(tree).values() if b.processor == processor), None)
        for row in measured:
            if row["aead"] in known:
                found += _of_combination(tree, question, frame, known[row["aead"]], processor, board, row)
        if board is not None:
            found += _in_the_radio(tree, question, frame, known["aes-128-ccm"], board)
    return found


def _of_combination(
    tree: Path,
    question: Question,
    frame: Frame,
    combination: Combination,
    processor: str,
    board: Board | None,
    row: recorded.Row,
) -> Iterator[dict[str, Any]]:
    setting = frames.setting(combination, frame, question.header)
    for length, cycles in row.get("cycles", {}).get(str(setting), {}).items():
        for direction, warm in zip(DIRECTIONS, cycles):
            taken = warm + (row["key"] if question.new_key else 0)
            yield (
                _head(question, frame, combination, processor, int(length), direction)
                | {"cycles": taken, "key_cycles": row["key"]}
                | _energy(tree, frame, combination, board, taken, direction)
                | {
                    "rom": row["rom"],
                    "ram_context": row["ram"]["context"],
                    "ram_stack": row["ram"]["stack"],
                    "ram_static": row["ram"]["static"],
                    "kernels": row["kernels"],
                    "constant_time": row["constant_time"],
                    "kind": row["kind"],
                    "status": combination.status,
                    "standard": combination.standard,
                    "limits": combination.limits,
                }
            )


def _head(
    question: Question, frame: Frame, combination: Combination, processor: str, length: int, direction: str
) -> dict[str, Any]:
    setting = frames.setting(combination, frame, question.header)
    return {
        "aead": combination.name,
        "processor": processor,
        "frame": frame.name,
        "bytes": length,
        "direction": direction,
        "header_bytes": setting.header,
        "nonce_bytes": setting.nonce,
        "tag_bytes": setting.tag,
        "air_bytes": frame.added(combination),
        "fits": frame.fits(combination, length),
        "key_new": question.new_key,
    }


def _energy(
    tree: Path, frame: Frame, combination: Combination, board: Board | None, cycles: int, direction: str
) -> dict[str, Any]:
    if board is None:
        return dict.fromkeys(("board", "radio", "cpu_uj", "radio_uj", "energy_uj", "cipher_share"))
    radio = energy.radio_of(tree, board, frame)
    cost = energy.energy(board, radio, cycles, frame.added(combination), direction == "seal")
    return _rounded(board, radio, cost)


def _rounded(board: Board, radio: energy.Radio, cost: energy.Energy) -> dict[str, Any]:
    return {
        "board": board.name,
        "radio": radio.name,
        "cpu_uj": round(cost.processor, 3),
        "radio_uj": round(cost.radio, 3),
        "energy_uj": round(cost.total, 3),
        "cipher_share": round(cost.share, 3),
    }


def _in_the_radio(
    tree: Path, question: Question, frame: Frame, ccm: Combination, board: Board
) -> Iterator[dict[str, Any]]:
    """Rows of a radio's own AES: by its datasheet, nothing was run."""
    radio = energy.radio_of(tree, board, frame)
    if radio.ccm is None or radio.name not in board.radios:
        return
    for length in frames.LENGTHS:
        if not frame.fits(ccm, length):
            continue
        header = frame.header if question.header else 0
        us, waiting = energy.in_the_radio(board, radio, header, length)
        for direction in DIRECTIONS[:2]:
            sending = direction == "seal"
            cost = energy.Energy(waiting, frame.added(ccm) * radio.uj_per_byte(sending))
            head = _head(question, frame, ccm, board.processor, length, direction) | {"aead": IN_THE_RADIO}
            yield (
                head
                | {"cycles": None, "key_cycles": None, "us": round(us, 1)}
                | _rounded(board, radio, cost)
                | dict.fromkeys(("rom", "ram_context", "ram_stack", "ram_static", "constant_time"))
                | {
                    "kernels": {},
                    "kind": "datasheet",
                    "status": ccm.status,
                    "standard": ccm.standard,
                    "limits": f"{radio.ccm.source}; the bytes' way into the radio is not counted",
                }
            )


def ranking(found: list[dict[str, Any]], processor: str, length: int, direction: str = "seal") -> list[dict[str, Any]]:
    """Returns one packet's rows on a processor, the least energy first; where a board is missing, the fewest cycles."""
    chosen = [r for r in found if (r["processor"], r["bytes"], r["direction"]) == (processor, length, direction)]
    return sorted(
        chosen,
        key=lambda r: (
            r["energy_uj"] if r["energy_uj"] is not None else r["cycles"],
            r["aead"],
            bool(r["constant_time"]),
        ),
    )
