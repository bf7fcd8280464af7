#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Rankings, curves and comparisons of docs/packets-on-the-node.md, from lab/packets.

.venv/bin/python tools/packet_tables.py [--write | --check]
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache

import generated
import lab_figures
import packet_curves
from generated import ROOT, Place
from runnel_lab.packets import energy, rows, text
from runnel_lab.packets.published import published
from runnel_lab.packets.rows import Question

DOCS = ROOT / "docs"
PAGE = DOCS / "packets-on-the-node.md"
TITLES = {"avr": "ATmega128L", "rv32": "RV32IM, SiFive E31", "cortex-m4": "Cortex-M4"}
CURVES = (
    "aes-128-ccm",
    "aes-128-gcm",
    "ascon-aead128",
    "chacha20-poly1305",
    "grain-128aead-v2",
    "lea-128-ccm",
    "hight-ctr + cmac",
    "rabbit + siphash",
    "salsa20-12 + poly1305",
)
FIRST = text.PACKETS[0][0]
SHOWN = 16
"""Rows of a ranking that the page has, besides AEADs."""


@cache
def found(frame: str) -> list[dict]:
    return rows.rows(ROOT, Question(frame))


def rankings() -> str:
    """One table for each of the documents' packets and processors: the first rows, and all AEADs of their own."""
    parts = []
    for frame, length in text.PACKETS:
        for processor in text.PROCESSORS:
            cells = text.ranking_cells(found(frame), processor, length)
            shown = [line for rank, line in enumerate(cells) if rank < SHOWN or " + " not in line[0]]
            header = [f"{head}, {unit}" if unit else head for head, unit in text.HEADER.items()]
            body = [[cell.replace("!", " (too long)") for cell in line] for line in shown]
            more = f'`runnel lab show packets --table "{processor} {frame} {length}"` has all {len(cells)} rows.'
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
    return packet_curves.picture(title, {name: curves[name] for name in CURVES if name in curves})


def pictures() -> str:
    images = (f"![Cycles against length on {TITLES[p]}](packets-{p}.svg)" for p in text.PROCESSORS)
    return "\n\n".join(images)


def theirs() -> str:
    """What others published, where theirs takes fewer cycles first."""
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
    """Cycles of key, IV and 128 bytes by the best kernel on the ATmega128L, as the paper's table has them."""
    results = lab_figures.rows(lab_figures.RESULTS / "avr.json", [cipher])
    figures = (row["figures"] for row in results if "figures" in row)
    return min(sum(f[label]["cycles"] for label in ("key", "iv", "packet")) for f in figures)


def paper() -> str:
    """The paper of 2008 beside the same node now."""
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

    micaz, cc2420 = energy.boards(ROOT)["micaz"], energy.radios(ROOT)["cc2420"]
    longer = 8 * cc2420.uj_per_byte(sending=True) / micaz.nj_per_cycle * 1000
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
    alone = [name for name in sealed if " + " not in name]
    streams = [name for name in sealed if " + " in name and "aes" not in name and "-ctr" not in name]
    winners = {best(sealed): "the best"}
    for names, what in ((alone, "an AEAD of its own"), (streams, "without a block cipher")):
        before = winners.get(best(names))
        winners[best(names)] = f"{before}, and {what}" if before else f"the best that is {what}"
    takes = ", ".join(f"{name} ({why})" for name, why in winners.items())
    first = (
        "The paper of 2008 (`runnel lab show sensor-streams`) encrypted 128 bytes on an ATmega128L and concluded that stream "
        f"ciphers are faster in software than AES. Key and IV included, LEX took {now['LEX']}, AES in feedback mode "
        f"{now['AES-CFB']}, Rabbit {now['Rabbit']}, SOSEMANUK {now['SOSEMANUK']}, Salsa20 {now['Salsa20']}. Nothing was "
        f"authenticated. The same 128 bytes with key set-up, a header of 14 bytes and a tag now take {takes}."
    )
    second = f"""
        What changed since, and why. The paper compared plain C, and so what a compiler for eight bits makes of words of 32.
        In assembly rotations by whole bytes cost nothing and AES has its tables in SRAM: all of them are faster, and AES is
        among the first again. A packet without a tag is no longer called protected. The MAC decides as much as the cipher: a
        block cipher that is both, in one program and with one table, is near the best, and a stream cipher needs a MAC as
        quick on the node as itself, as SipHash is in assembly. Ascon and ChaCha20-Poly1305 became standards; how to put a tag
        on a cipher of the portfolio, none says. And the radio is counted: eight bytes more of tag or nonce cost a MICAz what
        {longer:,.0f} cycles cost, so that a short tag, and a nonce that is counted and not sent, decide between neighbours in
        the ranking. On 32 bits the words fit, the order is another one, and most of the energy is the radio's.
    """
    return generated.wrapped(first) + "\n\n" + generated.wrapped(" ".join(second.split()))


PLACES = [
    *(Place(DOCS / f"packets-{p}.svg", None, lambda p=p: curve(p)) for p in text.PROCESSORS),
    Place(PAGE, "rankings", rankings),
    Place(PAGE, "pictures", pictures),
    Place(PAGE, "published", theirs),
    Place(PAGE, "paper", paper),
]


if __name__ == "__main__":
    generated.main(PLACES, "Rankings, curves and comparisons of docs/packets-on-the-node.md.")
