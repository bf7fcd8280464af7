# SPDX-License-Identifier: Apache-2.0 OR MIT
"""runnel lab show packets: rankings, what their figures are, and what others published."""

from __future__ import annotations

import itertools
import json
import textwrap
from dataclasses import asdict
from pathlib import Path
from typing import Any

from runnel.columns import columns

from runnel_lab import UnknownNameError, results
from runnel_lab.packets import energy, frames, rows
from runnel_lab.packets.published import published
from runnel_lab.packets.rows import Question

PACKETS = (("802154", 32), ("802154", 95), ("ble", 16), ("lorawan", 16))
"""The packets that the documents rank."""
PROCESSORS = ("avr", "rv32", "cortex-m4")

HEADER = {
    "AEAD": "", "energy": "uJ", "cipher": "%",
    "seal": "cycles", "open": "cycles", "forged": "cycles", "key": "cycles",
    "sent": "bytes", "ROM": "bytes", "context": "bytes", "stack": "bytes", "CT": "", "status": "",
}  # fmt: skip
"""The columns of a ranking, with their units."""


def shown(tree: Path, tables: list[str], everything: bool, as_json: bool) -> str:
    """Return rankings, or the rows of the first frame, or with everything those of all frames; and what others published."""
    ranked = [split(tree, table) for table in tables if table != "published"]
    if not as_json:
        return text(tree, names(tree) if everything else tables)
    known = frames.frames(tree)
    questions = [Question(frame) for frame in dict.fromkeys(frame for _, frame, _ in ranked)]
    if everything:
        questions = [Question(*one) for one in itertools.product(known, (True, False), (False, True))]
    elif not tables:
        questions = [Question(next(iter(known)))]
    found = [row for question in questions for row in rows.rows(tree, question)]
    if tables:
        found = [row for row in found if (row["processor"], row["frame"], row["bytes"]) in ranked]
    record: dict[str, Any] = {"rows": found}
    if not tables or "published" in tables:
        record["published"] = [asdict(one) | {"times": one.times} for one in published(tree)]
    return json.dumps(record, indent=1) + "\n"


def names(tree: Path) -> list[str]:
    """Return what --table takes."""
    known = frames.frames(tree)
    ranked = [
        f"{processor} {name} {n}"
        for processor in results.read_packets(results.recorded(tree))
        for name, frame in known.items()
        for n in frames.LENGTHS
        if n <= frame.longest or name == next(iter(known))
    ]
    return [*ranked, "published"]


def ranking_cells(found: list[dict[str, Any]], processor: str, length: int) -> list[list[str]]:
    """Return a line for each combination, by the energy of sending."""
    both = {
        (row["aead"], row["constant_time"], row["direction"]): row
        for row in found
        if (row["processor"], row["bytes"]) == (processor, length)
    }
    lines = []
    for row in rows.ranking(found, processor, length):
        other = {d: both.get((row["aead"], row["constant_time"], d)) for d in ("open", "forged")}
        share = row["cipher_share"]
        lines.append(
            [
                row["aead"],
                _decimal(row["energy_uj"]),
                "" if share is None else f"{100 * share:.0f}",
                _whole(row["cycles"]),
                *(_whole(one["cycles"] if one else None) for one in other.values()),
                _whole(row["key_cycles"]),
                str(row["air_bytes"]) + ("" if row["fits"] else "!"),
                *(_whole(row[name]) for name in ("rom", "ram_context", "ram_stack")),
                {True: "yes", False: "no", None: ""}[row["constant_time"]],
                row["status"],
            ]
        )
    return lines


def _whole(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def _decimal(value: float | None) -> str:
    return "" if value is None else f"{value:,.1f}" if value >= 10 else f"{value:.2f}"


def about(tree: Path, processor: str, frame_name: str, length: int) -> str:
    """Return what a ranking is of."""
    frame = frames.frame(tree, frame_name)
    board = energy.board_of(tree, processor)
    words = f"{length} bytes in {frame.title}; header of {frame.header} bytes authenticated, key kept, sending. "
    if board is None:
        return words + "No board: ranked by cycles."
    radio = energy.radio_of(tree, board, frame)
    assumed = ", assumed" if board.grade == "assumed" else ""
    return (
        words
        + f"{board.title}: {board.arithmetic}{assumed} (published: {board.least_nj} to {board.most_nj}), {board.source}. "
        + f"{radio.title}: {radio.uj_per_byte(True):.3g} uJ a byte sent ({radio.default}), {radio.uj_per_byte(False):.3g} "
        + f"received, {radio.source}."
    )


def text(tree: Path, wanted: list[str]) -> str:
    """Return the tables that are named, else the documents' packets on every processor, and what others published."""
    tables = wanted or [f"{p} {name} {n}" for p in PROCESSORS for name, n in PACKETS] + ["published"]
    parts = ["Authenticated packets: what security costs a packet, in cycles, memory, bytes on the air and energy"]
    for table in tables:
        parts += ["", table, *(_published(tree) if table == "published" else _ranking(tree, table))]
    return "\n".join([*parts, "", _wrapped(LEGEND)]) + "\n"


def _ranking(tree: Path, table: str) -> list[str]:
    processor, frame, length = split(tree, table)
    found = rows.rows(tree, Question(frame))
    cells = [list(HEADER), list(HEADER.values()), *ranking_cells(found, processor, length)]
    shown = columns(cells, right=range(1, len(HEADER) - 2), indent="  ").rstrip()
    return [_wrapped(about(tree, processor, frame, length)), shown]


def split(tree: Path, table: str) -> tuple[str, str, int]:
    """Return processor, frame and length of a ranking's name."""
    if table not in names(tree) or table == "published":
        raise UnknownNameError(f"packets has no table {table!r}; it has 'avr 802154 32' and so on, and 'published'")
    processor, frame, length = table.split()
    return processor, frame, int(length)


def _published(tree: Path) -> list[str]:
    found = published(tree)
    cells = [["processor", "AEAD", "bytes", "theirs", "ours", "times", "theirs is"]]
    for one in found:
        words = one.what + (f"; lower: {one.reason}" if one.reason else "")
        times = f"{one.times:.2f}" if one.times else ""
        cells.append([one.processor, one.aead, str(one.bytes), _whole(one.theirs), _whole(one.ours), times, words])
    kinds = dict.fromkeys(f"{one.processor}: {one.source}, {one.kind}" for one in found)
    return [
        _wrapped(
            "Key set-up and sealing without associated data, in cycles: others' figures, which are in no ranking."
        ),
        columns(cells, right=range(2, 6), indent="  ").rstrip(),
        *(_wrapped(f"* {kind}") for kind in kinds),
    ]


LEGEND = (
    "energy: of the cycles and of the bytes that security adds, by datasheet currents; a model, not a measurement. "
    "cipher: the cycles' share of it. forged: opening a packet whose tag is wrong. sent: bytes that security adds on "
    "the air, with ! where the frame has no room for the packet. CT: the kernels are constant-time by their own "
    "description, which counts look-ups at secret addresses as not, also where there is no cache."
)


def _wrapped(words: str) -> str:
    return textwrap.fill(words, 116, initial_indent="  ", subsequent_indent="  ")
