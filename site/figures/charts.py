# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The page of charts: how near AES is to the limit of each processor, cost by length, energy by packet."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import headline
import tables
from runnel_lab import pictures, speed
from runnel_lab.packets import energy

from figures import ROOT, Page, lab_tables, packets

ROUNDS = {"aes-128-ctr": 10, "aes-256-ctr": 14, "aes-128-gcm": 10, "aes-256-gcm": 14}
CACHED = 2
"""Rounds that the prefix tables of our kernels leave out."""
BLOCK = 16
CELL = ("message", 16384)
BY_LENGTH = (
    "aes-128-ctr",
    "aes-128-gcm",
    "aes-256-gcm-siv",
    "chacha20-poly1305",
    "ascon-aead128",
    "aria-128-gcm",
    "aes-128-ccm",
)
ENERGY = ("aes-128-ccm", "aes-128-gcm", "ascon-aead128", "chacha20-poly1305", "grain-128aead-v2", "hight-ctr + cmac")
FRAME = "802154"
_AUTHORS = re.compile(r",| \(| in ")
"""Separates the name of a library, or of the first author, from the rest."""


def pages() -> Iterator[Page]:
    parts = [
        "Drawn of the results that are kept with the source; each page of tables has the figures themselves.",
        "## How near to the limit",
        "AES in counter mode and GCM, messages of 16 KiB on one core: the shorter, the faster. The limit is the time in "
        "which the core can carry out the AES instructions alone, all 10 or 14 rounds of each block. A counter mode that "
        f"keeps the first {CACHED} rounds in tables, as ours does, may go below it, and a run's clock is known to about 2 %. "
        "GCM also has its hash to compute.",
        *limits(),
        "### Other processors",
        "AES in counter mode beside other libraries, a byte. No limit is drawn: with tables or bit slices it depends on "
        "registers, loads and order, and no single instruction decides it.",
        *others(),
        "## Cost by length",
        "Cycles of a message under a new nonce, by its bytes.",
        *by_length(),
        'For small processors: <a href="packets.html">authenticated packets</a>.',
        "## Energy of a packet",
        "What security costs a node for each packet that it sends: the processor's energy, and the radio's for the bytes "
        "that nonce and tag add. [Packets on the node](packets-on-the-node.md) has the arithmetic.",
        *by_energy(),
    ]
    yield Page("charts", "Charts: limits, lengths, energy", "\n\n".join(parts))


def limits() -> Iterator[str]:
    """Yield a chart for each run on x86-64: the limit, ours, the best library."""
    known = known_limits()
    for folder in tables.newest_first():
        for name, rate in known.get(folder.name, {}).items():
            without = headline.WITHOUT if name == headline.NARROW else ""
            title = headline.short(tables.load(folder / name)["machine"]) + without
            yield f"### {title}"
            yield _bars(title, list(limit_rows(folder / name, rate)), "cycles a byte")


def known_limits() -> dict[str, dict[str, int]]:
    """Return, by folder and file of results/, the blocks for which the core carries out a round of AES in a cycle."""
    return tomllib.loads((ROOT / "site" / "limits.toml").read_text(encoding="utf-8"))


def limit(cipher: str, rate: int) -> float:
    """Return the cycles a byte of all rounds of AES, at so many blocks' rounds a cycle."""
    return ROUNDS[cipher] / rate / BLOCK


def limit_rows(file: Path, rate: int) -> Iterator[pictures.Bar]:
    for name, comparison in speed.comparisons(tables.load(file)).items():
        ours, best = comparison.ours.get(CELL), comparison.best_peer(CELL)
        if name in ROUNDS and ours is not None:
            values = [("Runnel", float(ours["cycles_per_byte"]))]
            if best is not None and (ratio := comparison.ratio(CELL)):
                values.append(("best library", values[0][1] * ratio))
            values.append(("limit of the AES instructions", limit(name, rate)))
            yield pictures.Bar(name, [(what, value, f"{value:.3f}") for what, value in values])


def others() -> Iterator[str]:
    """Yield a chart for each target whose AES in counter mode has others' figures beside it."""
    by_target: dict[tuple[str, str], list[pictures.Bar]] = defaultdict(list)
    for peer in lab_tables.peers()["rows"]:
        cipher = peer.get("cipher", "aes-128-ctr")
        if cipher == "aes-128-ctr" and peer["label"] != "key":
            row = lab_tables.our_row(peer, cipher)
            count = peer.get("bytes", 1)
            pair = (("Runnel", lab_tables.our_figure(peer, row) / count), ("the other library", peer["figure"] / count))
            name = f"{peer['kernel']}, {_AUTHORS.split(peer['peer'])[0]}"
            bar = pictures.Bar(name, [(what, value, lab_tables.figure(value)) for what, value in pair])
            by_target[(peer["target"], peer["unit"])].append(bar)
    for (target, unit), rows in by_target.items():
        yield f"**{target}**"
        yield _bars(f"{target}, {unit} a byte", rows, f"{unit} a byte")


def by_length() -> Iterator[str]:
    """Yield the curves of the newest run that has AEADs."""
    for folder in tables.newest_first():
        result = tables.load(folder / "speed.json")
        series = list(_curves(result))
        if len(series) > 3:
            yield f"### {headline.short(result['machine'])}"
            words = "; ".join(f"{each.name} {each.points[0][1]:,.0f} at {each.points[0][0]:,.0f}" for each in series)
            yield pictures.figure(
                pictures.lines(f"Cycles of a message by its bytes: {words}", series, "bytes", "cycles")
            )
            return


def _curves(result: speed.Result) -> Iterator[pictures.Series]:
    compared = speed.comparisons(result)
    for name in BY_LENGTH:
        if name in compared:
            ours = compared[name].ours
            cells = sorted((n, float(row["cycles"])) for (what, n), row in ours.items() if what == "message" and n)
            if len(cells) > 1:
                yield pictures.Series(name, cells)


def by_energy() -> Iterator[str]:
    """Yield a chart for each processor that has a board with a radio."""
    for processor, title in packets.TITLES.items():
        board = energy.board_of(ROOT, processor)
        curves: dict[str, dict[int, float]] = {}
        for row in packets.found(FRAME):
            if (
                row["processor"] == processor
                and row["direction"] == "seal"
                and row["aead"] in ENERGY
                and row["energy_uj"]
            ):
                of_name = curves.setdefault(row["aead"], {})
                of_name[row["bytes"]] = min(row["energy_uj"], of_name.get(row["bytes"], row["energy_uj"]))
        series = [pictures.Series(name, sorted(points.items())) for name, points in curves.items() if len(points) > 1]
        if board is not None and series:
            words = "; ".join(f"{each.name} {each.points[-1][1]:,.1f} µJ" for each in series)
            yield f"### {title}, {board.arithmetic}"
            yield pictures.figure(
                pictures.lines(f"{title}, longest packet: {words}", series, "bytes of the packet", "µJ")
            )


def _bars(title: str, rows: Sequence[pictures.Bar], unit: str) -> str:
    words = "; ".join(f"{row.name}: " + ", ".join(f"{what} {text}" for what, _, text in row.values) for row in rows)
    return pictures.figure(pictures.bars(f"{title}: {words}", rows, unit))
