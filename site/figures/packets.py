# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The page of authenticated packets on small processors: rankings, curves and what others published, from lab/packets."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache

import generated
from runnel_lab import pictures
from runnel_lab.packets import rows, text
from runnel_lab.packets.published import published
from runnel_lab.packets.rows import Question

from figures import ROOT, Page, lab_rows

TITLES = {"avr": "ATmega128L", "rv32": "RV32IM, SiFive E31", "cortex-m4": "Cortex-M4"}
CURVES = (
    "aes-128-ccm",
    "aes-128-gcm",
    "ascon-aead128",
    "chacha20-poly1305",
    "grain-128aead-v2",
    "hight-ctr + cmac",
    "rabbit + siphash",
    "salsa20-12 + poly1305",
)
FIRST = text.PACKETS[0][0]


def pages() -> Iterator[Page]:
    parts = [
        "What each figure is, and what to choose: [authenticated packets on the node](packets-on-the-node.md).",
        "## Cycles against length",
        *map(curve, text.PROCESSORS),
        "## The paper of 2008",
        paper(),
        "## Published figures",
        "Key set-up and sealing without a header, in cycles; times is theirs by ours, where theirs is lower first. They were "
        "taken on boards with other compilers and options, so they are in no ranking.",
        theirs(),
        "## Rankings",
        rankings(),
    ]
    yield Page("packets", "Authenticated packets on small processors", "\n\n".join(parts))


@cache
def found(frame: str) -> list[dict]:
    return rows.rows(ROOT, Question(frame))


def rankings() -> str:
    """Return a table for each of the documents' packets and processors."""
    parts = []
    for frame, length in text.PACKETS:
        for processor in text.PROCESSORS:
            cells = text.ranking_cells(found(frame), processor, length)
            header = [f"{head}, {unit}" if unit else head for head, unit in text.HEADER.items()]
            body = [[cell.replace("!", " (too long)") for cell in line] for line in cells]
            more = f'Again: `runnel lab show packets --table "{processor} {frame} {length}"`.'
            words = generated.wrapped(f"{text.about(ROOT, processor, frame, length)} {more}")
            parts += [f"### {TITLES[processor]}: {length} bytes, {frame}", words, generated.table(header, body)]
    return "\n\n".join(parts)


def curve(processor: str) -> str:
    title = f"{TITLES[processor]}: cycles to seal so many bytes, header of 14 bytes, key kept"
    curves: dict[str, dict[int, float]] = {}
    for row in found(FIRST):
        if row["processor"] == processor and row["direction"] == "seal" and row["aead"] in CURVES:
            of_name = curves.setdefault(row["aead"], {})
            of_name[row["bytes"]] = min(row["cycles"], of_name.get(row["bytes"], row["cycles"]))
    series = [pictures.Series(name, sorted(curves[name].items())) for name in CURVES if name in curves]
    words = "; ".join(f"{each.name}: {each.points[-1][1]:,.0f} at {each.points[-1][0]:,.0f} bytes" for each in series)
    return f"### {TITLES[processor]}\n\n{title}.\n\n" + pictures.figure(
        pictures.lines(f"{title}: {words}", series, "bytes", "cycles")
    )


def theirs() -> str:
    """Return what others published, where theirs takes fewer cycles first."""
    header = ["processor", "AEAD", "theirs is", "bytes", "theirs", "ours", "times"]
    body, kinds = [], {}
    for one in published(ROOT):
        words = one.what + (f" ({one.differs})" if one.differs else "")
        words += f"; lower: {one.reason}" if one.reason else ""
        ours = f"{one.ours:,}" if one.ours else ""
        times = f"{one.times:.2f}" if one.times else ""
        body.append([f"`{one.processor}`", one.aead, words, str(one.bytes), f"{one.theirs:,}", ours, times])
        kinds[f"- `{one.processor}`: {one.source}, {one.kind}."] = None
    return generated.table(header, body, left=3) + "\n\n" + "\n".join(kinds)


def encrypted(cipher: str) -> float:
    """Return cycles of key, IV and 128 bytes by the best kernel on the ATmega128L, as in the paper's table."""
    results = lab_rows.rows(lab_rows.RESULTS / "avr.json", [cipher])
    figures = (row["figures"] for row in results if "figures" in row)
    return min(sum(f[label]["cycles"] for label in ("key", "iv", "packet")) for f in figures)


def paper() -> str:
    """Compare the paper of 2008 with the same node now."""
    figures = json.loads((ROOT / "lab" / "papers" / "sensor-streams.json").read_text(encoding="utf-8"))
    then = {
        row["cipher"]: 8 * (row["key_setup_us"] + row["iv_setup_us"] + row["encrypt_128B_us"])
        for row in figures["atmega128l"]["rows"]
        if row["key_bits"] == 128
    }
    sealed = {
        row["aead"]: row["cycles"] + row["key_cycles"]
        for row in sorted(found(FIRST), key=lambda row: -(row["cycles"] or 0))
        if (row["processor"], row["bytes"], row["direction"]) == ("avr", 128, "seal") and row["cycles"]
    }

    def best(names: Iterable[str]) -> str:
        name = min(names, key=lambda name: sealed[name])
        return f"{sealed[name]:,} with {name}"

    now = {
        name: f"{then[name]:,.0f} cycles ({encrypted(cipher):,.0f} now)"
        for name, cipher in {
            "AES-CFB": "aes-128-cfb",
            "LEX": "lex",
            "Rabbit": "rabbit",
            "SOSEMANUK": "sosemanuk",
            "Salsa20": "salsa20",
        }.items()
    }
    single_algorithms = [name for name in sealed if " + " not in name]
    streams = [name for name in sealed if " + " in name and "aes" not in name and "-ctr" not in name]
    winners = {best(sealed): "the best"}
    for names, what in ((single_algorithms, "an AEAD of its own"), (streams, "without a block cipher")):
        before = winners.get(best(names))
        winners[best(names)] = f"{before}, and {what}" if before else f"the best that is {what}"
    takes = ", ".join(f"{name} ({why})" for name, why in winners.items())
    return generated.wrapped(
        "The paper of 2008 (`runnel lab show sensor-streams`) encrypted 128 bytes on an ATmega128L and concluded, from the "
        "time of encryption alone, that stream ciphers are faster in software than AES. Key and IV included, LEX took "
        f"{now['LEX']}, AES in feedback mode {now['AES-CFB']}, Rabbit {now['Rabbit']}, SOSEMANUK {now['SOSEMANUK']}, "
        f"Salsa20 {now['Salsa20']}. Nothing was authenticated. The same 128 bytes with key set-up, a header of 14 bytes and "
        f"a tag now take {takes}."
    )
