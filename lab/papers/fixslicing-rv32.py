# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Fixsliced AES-CTR on RISC-V: what of ours stands beside its figures."""

from __future__ import annotations

from collections.abc import Iterator

from runnel_lab.tables import curves
from runnel_lab.tables.papers import Cell, Columns, Curve, Lab, Reason, all_kernels, table
from runnel_lab.tables.published import Place
from runnel_lab.tables.values import Case, break_even, difference, each, figure, memory, reduction

TITLE = "Fixsliced AES-CTR with precomputation on 32-bit RISC-V (2022)"
KOREAN = "32-bit RISC-V 상에서의 사전 연산을 활용한 Fixslicing AES-CTR 속도 최적화 구현"
PUBLISHED = (
    "Implementation of Fixslicing AES-CTR Speed Optimized Using Pre-Computed on 32-Bit RISC-V, Journal of the Korea "
    "Institute "
    "of Information Security and Cryptology 32(1), 2022"
)
DOI = "10.13089/JKIISC.2022.32.1.1"
NOTES = [
    "Holds: a table of 4 KiB takes two rounds off; the gain is larger here, because the paper puts ShiftRows and "
    "its inverse "
    "back in at the table.",
    "Left out in the paper: what the table costs for each key and nonce (table_cost); below the break-even a plain "
    "fixsliced "
    "kernel is faster.",
    "Ours has a quarter of the table: the words for the counter's last byte; those for the other three bytes are "
    "the same for "
    "a run of 256 blocks.",
    "Ours does better in long messages: the prefix tables of rv32-prefix hold the same two rounds, and its first "
    "256 blocks "
    "fill them; in short messages plain fixsliced code is faster (table_cost). Eight blocks at a time take less still.",
]
HOLDS = "The table saves more than it says; what it costs at each nonce is left out there"
BEST = Place("cycles_per_block", "fully-precomputed")
PROCESSORS = ("rv32",)
MINUTES = {"rv32": 0.5}
DIFFERS = {
    "*/rv32-fixslice-*-table": "the quarter of the table that the counter's last byte needs, made anew every 256 "
    "blocks, and a "
    "counter in the block's last four bytes"
}

CTR = "aes-128-ctr"
SEMI, FULL = "rv32-fixslice-semi", "rv32-fixslice-full"


@table("cycles", "rv32")
def cycles_per_block(lab: Lab) -> Iterator[Cell]:
    """Table 5, cycles of a block, the table being there

    - The best kernel is the best of those in constant time, as the paper's are; rv32-ttable, which looks up by
      secrets, is faster still.
    - The paper's counter is the first four bytes of the block. The library counts in the last four, as SP 800-38A
      does; in either place the four bytes lie in four columns after ShiftRows and the same 16 bytes are looked up."""
    kernels = {
        "semi-precomputed": f"{SEMI}-table",
        "fully-precomputed": f"{FULL}-table",
        "semi-precomputed, 4 KiB": f"{SEMI}-table4k",
        "fully-precomputed, 4 KiB": f"{FULL}-table4k",
        "semi": SEMI,
        "fully": FULL,
        "eight blocks at a time": "rv32-prefix8",
    }
    for row, kernel in kernels.items():
        yield Cell(row, None, CTR, kernel, each("stream"), constant_time=True)
    yield Cell("with tables looked up by secrets", None, CTR, "rv32-ttable", each("stream"))


@table("%", "rv32", most=True)
def gain_percent(lab: Lab) -> Iterator[Cell]:
    """Table 5, cycles saved by the table

    - The paper saves more of fully than of semi-fixsliced code; our reproduction saves more of semi-fixsliced code.
      Fully fixsliced code is the faster in both."""
    for row, plain in {"semi": SEMI, "fully": FULL}.items():
        yield Cell(row, None, CTR, f"{plain}-table", reduction(each("stream"), plain), constant_time=True)


@table("bytes", "rv32", kind="exact")
def table_bytes(lab: Lab) -> Iterator[Cell]:
    """section 3.2, what the context grows by"""
    yield Cell(None, None, CTR, f"{FULL}-table", difference(memory("context"), FULL), ours="rv32-prefix")


@table(
    "cycles/byte",
    "rv32",
    units={"shiftrows_share_of_bitsliced_percent": "%"},
    reasons={
        "bitsliced_cycles_per_byte": "Stoffelen's bitsliced code, not one of ours; the model runs it in "
        "docs/timing-models.md",
        "shiftrows_share_of_bitsliced_percent": "a share of Stoffelen's bitsliced code: 47.5 of 124 cycles/byte; "
        "our kernels "
        "have no ShiftRows to take a share of",
    },
)
def quoted(lab: Lab) -> Iterator[Cell]:
    """what the paper quotes from its sources

    - The paper writes cycles per bit where its sources mean cycles per byte."""
    yield Cell("fixsliced_cycles_per_byte", None, CTR, FULL, each("stream", bytes=1), constant_time=True)


def at_a_new_nonce(case: Case) -> float:
    """What setting the IV and the first use of the tables cost beyond going on."""
    return case.figure("iv") + case.figure("long") - case.figure("stream")


@table("", "rv32", units={"cycles": "cycles", "break_even_bytes": "bytes"})
def table_cost(lab: Lab) -> Iterator[Cell]:
    """what the table costs for a key and nonce, at IV set-up and in the first 4 KiB, and when it pays"""
    for row, plain in {"semi-precomputed": SEMI, "fully-precomputed": FULL}.items():
        columns = {
            "cycles": difference(at_a_new_nonce, plain),
            "break_even_bytes": break_even(at_a_new_nonce, each("stream", bytes=1), plain),
        }
        for column, value in columns.items():
            yield Cell(row, column, CTR, f"{plain}-table", value, ours="rv32-prefix")


OURS: Columns = {
    "key set-up, cycles": (figure("key"), "cycles", None),
    "IV set-up, cycles": (figure("iv"), "cycles", None),
    "128 bytes, cycles": (figure("packet"), "cycles", None),
    "a block of a long message, cycles": (each("long"), "cycles", None),
    "a block going on, cycles": (each("stream"), "cycles", None),
    "a block going on, instructions": (each("stream", "instructions"), "instructions", "exact"),
    "ROM": (memory("rom"), "bytes", "exact"),
    "RAM, context": (memory("context"), "bytes", "exact"),
    "RAM, stack": (memory("stack"), "bytes", "exact"),
}


@table()
def ours(lab: Lab) -> Iterator[Cell]:
    return all_kernels(lab, "rv32", [CTR], OURS, "ours: {cipher} on rv32", short=True)


CURVES = [
    Curve("fixslicing-by-length", "a message under a new nonce", "cycles a byte, RV32", lambda shelf: (
        curves.fresh(kernel.removeprefix("rv32-"), Case(shelf, "rv32", CTR, kernel), "cycles")
        for kernel in (f"{SEMI}-table", f"{FULL}-table", SEMI, FULL, "rv32-prefix", "rv32-prefix8")
    )),
]  # fmt: skip
BEHIND = [Reason("16 bytes beside the table say for which nonce it holds", "table_bytes", of="ours")]
