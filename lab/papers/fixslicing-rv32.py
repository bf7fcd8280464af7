# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Fixsliced AES-CTR on RISC-V: what of ours stands beside its figures."""

from __future__ import annotations

from collections.abc import Iterator

from runnel_lab.tables import curves
from runnel_lab.tables.papers import CYCLES, SIZES, Cell, Columns, Curve, Lab, Reason, all_kernels, table
from runnel_lab.tables.published import Place
from runnel_lab.tables.values import Case, Value, break_even, difference, each, memory, reduction

TITLE = "Fixsliced AES-CTR with precomputation on 32-bit RISC-V (2022)"
KOREAN = "32-bit RISC-V 상에서의 사전 연산을 활용한 Fixslicing AES-CTR 속도 최적화 구현"
PUBLISHED = (
    "Implementation of Fixslicing AES-CTR Speed Optimized Using Pre-Computed on 32-Bit RISC-V, Journal of the Korea "
    "Institute of Information Security and Cryptology 32(1), 2022"
)
DOI = "10.13089/JKIISC.2022.32.1.1"
QUESTION = (
    "How much faster is constant-time AES in counter mode on 32-bit RISC-V once its first two rounds are a table?"
)
NOTES = [
    "Holds: a table of 4 KiB, made once for a key and nonce, takes two rounds off, and fully fixsliced code gains the "
    "larger share. The gain is larger here than in the paper, whose text doesn't say why.",
    "Left out in the paper: what the table costs for each key and nonce (table_cost). It pays in messages of more than 450 "
    "blocks; below that a plain fixsliced kernel is faster.",
    "Ours does better: a quarter of the table, the words for the counter's last byte, is made anew for each run of 256 "
    "blocks at a sixth of the cost; rv32-prefix fills it with the first 256 blocks; eight blocks at a time take less still.",
    "Its future work, other ciphers: a table that holds for all counters needs a first round that is linear behind its "
    "S-boxes, as AES's is in one column. ARIA's diffusion reaches every word, and LEA's and HIGHT's additions carry, so "
    "that a table of two rounds would hold for 256 blocks and be used once an entry. What pays is to compute once a run "
    "what the counter doesn't reach (future_work).",
]
HOLDS = "The table saves more than it says, of fully fixsliced code the larger share. Its cost at a nonce is left out"
BEST = Place("cycles_per_block", "fully-precomputed")
PROCESSORS = ("rv32",)
MINUTES = {"rv32": 0.5}
DIFFERS = {
    "*/rv32-fixslice-*-table": "the quarter of the table that the counter's last byte needs, made anew every 256 "
    "blocks, and a counter in the block's last four bytes"
}

CTR = "aes-128-ctr"
SEMI, FULL = "rv32-fixslice-semi", "rv32-fixslice-full"


@table("cycles", "rv32")
def cycles_per_block(lab: Lab) -> Iterator[Cell]:
    """Table 5, cycles of a block, the table being there

    - The best kernel is the best of those in constant time, as the paper's are; rv32-ttable, which looks up by
      secrets, is faster still.
    - The paper's counter is the first four bytes of the block, the layout le32, which the kernels of 4 KiB take too. The
      figures are of the last four, as in SP 800-38A: in le32 a block takes 0.2 cycles fewer."""
    kernels = {
        "semi-precomputed": f"{SEMI}-table4k",
        "fully-precomputed": f"{FULL}-table4k",
        "semi-precomputed, a quarter of the table": f"{SEMI}-table",
        "fully-precomputed, a quarter of the table": f"{FULL}-table",
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

    - A quarter of the table saves more of semi-fixsliced code, because its loop merges the table's ShiftRows with the two
      of round 2."""
    for row, plain in {"semi": SEMI, "fully": FULL}.items():
        for name, kernel in {row: f"{plain}-table4k", f"{row}, a quarter of the table": f"{plain}-table"}.items():
            yield Cell(name, None, CTR, kernel, reduction(each("stream"), plain), constant_time=True)


@table("bytes", "rv32", kind="exact")
def table_bytes(lab: Lab) -> Iterator[Cell]:
    """section 3.2, what the context grows by"""
    yield Cell(None, None, CTR, f"{FULL}-table4k", difference(memory("context"), FULL), ours="rv32-prefix")


STOFFELEN = (
    "Stoffelen's bitsliced code of 2019 on the same model of the E31, run outside this tree (docs/timing-models.md)"
)


@table(
    "cycles/byte",
    "rv32",
    units={"shiftrows_share_of_bitsliced_percent": "%"},
    reasons={
        "bitsliced_cycles_per_byte": f"119.4 cycles/byte: {STOFFELEN}",
        "shiftrows_share_of_bitsliced_percent": f"41.6 %, 49.7 of 119.4 cycles/byte: {STOFFELEN}",
    },
)
def quoted(lab: Lab) -> Iterator[Cell]:
    """what the paper quotes from its sources

    - The paper writes cycles per bit where its sources mean cycles per byte."""
    yield Cell("fixsliced_cycles_per_byte", None, CTR, FULL, each("stream", bytes=1), constant_time=True)


def at_a_new_nonce(case: Case) -> float:
    """Return what setting the IV and filling the tables cost beyond a continued message."""
    return case.figure("iv") + case.figure("long") - case.figure("stream")


@table("", "rv32", units={"cycles": "cycles", "break_even_bytes": "bytes"})
def table_cost(lab: Lab) -> Iterator[Cell]:
    """what the table costs for a key and nonce, at IV set-up and in the first 4 KiB, and when it pays"""
    for row, plain in {"semi-precomputed": SEMI, "fully-precomputed": FULL}.items():
        columns = {
            "cycles": difference(at_a_new_nonce, plain),
            "break_even_bytes": break_even(at_a_new_nonce, each("stream", bytes=1), plain),
        }
        for name, kernel in {row: f"{plain}-table4k", f"{row}, a quarter of the table": f"{plain}-table"}.items():
            for column, value in columns.items():
                yield Cell(name, column, CTR, kernel, value, ours="rv32-prefix")


BEFORE = {
    "aria-128-ctr": {"rv32": ("rv32", 76.11), "cortex-m4": ("thumb2", 50.49), "avr": ("avr", 131.09)},
    "lea-128-ctr": {"rv32": ("rv32", 28.29), "cortex-m4": ("thumb2", 18.15), "avr": ("avr", 158.2)},
    "hight-ctr": {"rv32": ("rv32", 47.82), "cortex-m4": ("thumb2", 55.65)},
    "seed-ctr": {"rv32": ("rv32", 68.28), "cortex-m4": ("thumb2", 48.72)},
}
"""Cycles a byte of a long message without what a run shares or, of ARIA and LEA, with less of it: measured once, in the
commits that changed the kernels."""


def once(value: float) -> Value:
    return lambda case: value


@table("cycles/byte")
def future_work(lab: Lab) -> Iterator[Cell]:
    """the paper's future work: counter mode's first rounds in other ciphers, a long message

    - Tried and left out, cycles/byte of a long message: ARIA with five bytes of round 2 in a table of 4 KiB that holds for
      2^16 blocks, 73.9 (RV32) and 48.8 (Cortex-M4), pays after 1,330 and 1,010 blocks; HIGHT on RV32 with seven rounds on 32
      blocks in slices, 46.1 for 10 KB more ROM; LEA on Cortex-M4 with the counter kept little-endian, 18.0; SEED's first G
      by one look-up on AVR, 171.0 for 284 bytes of flash.
    - On AVR, HIGHT's kernel has left out what the counter does not reach from the beginning."""
    for cipher, targets in BEFORE.items():
        for target, (kernel, before) in targets.items():
            for column, value in {"before": once(before), "after": each("stream", bytes=1)}.items():
                table = f"future_work on {target}"
                yield Cell(cipher, column, cipher, None, value, kernel, target=target, table=table)


OURS: Columns = {
    **CYCLES,
    "a block, continued, instructions": (each("stream", "instructions"), "instructions", "exact"),
    **SIZES,
}


@table()
def ours(lab: Lab) -> Iterator[Cell]:
    return all_kernels(lab, "rv32", [CTR], OURS, "ours: {cipher} on rv32", short=True)


CURVES = [
    Curve("fixslicing-by-length", "a message under a new nonce", "cycles a byte, RV32", lambda result_set: (
        curves.fresh(kernel.removeprefix("rv32-"), Case(result_set, "rv32", CTR, kernel), "cycles")
        for kernel in (f"{SEMI}-table4k", f"{FULL}-table4k", f"{FULL}-table", SEMI, FULL, "rv32-prefix", "rv32-prefix8")
    )),
]  # fmt: skip
BEHIND = [Reason("16 bytes beside the table say for which nonce it holds", "table_bytes")]
