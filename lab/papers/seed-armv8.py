# SPDX-License-Identifier: Apache-2.0 OR MIT
"""SEED in counter mode on Armv8-A: what of ours stands beside its figures."""

from __future__ import annotations

from collections.abc import Iterator

from runnel_lab.tables import curves
from runnel_lab.tables.papers import SIZES, Cell, Columns, Curve, Lab, all_kernels, table
from runnel_lab.tables.published import Place
from runnel_lab.tables.values import Case, each, figure, ranked, speed_gain

TITLE = "SEED in counter mode on Armv8-A (2024)"
AUTHORS = "Min-Ho Song"
KOREAN = "송민호: ARM 프로세서 상에서의 블록 암호 SEED CTR 모드 최적 구현"
PUBLISHED = (
    "Optimized Implementation of block cipher SEED CTR mode on ARM processors, "
    "Master's thesis, Hansung University, 2024"
)
QUESTION = (
    "How fast is SEED in counter mode on Armv8-A with look-ups in vector registers and round 1 computed in advance?"
)
NOTES = [
    "Holds: with the counter in the left half F of round 1 is one constant for all blocks.",
    "Not settled here: 15 % for a block on Apple M2, of which LLVM has no model. By its model of Cyclone, a core of 2013, "
    "the kernel gains on the reference; by those of the other cores the reference in C with tables is faster (gain_by_core).",
    "Literal: Tables 3-1 to 3-3 line by line, one alignment of blocks, masks and round keys for all rounds. The thesis does "
    "not print how v0 to v3 come about before Table 3-1, and how the sums in F are aligned again; the kernel's comment says "
    "what was chosen.",
    "Ours does better: S-boxes by the AES instructions, or by TBL for 16 blocks at once.",
]
HOLDS = (
    "The constant of round 1. The gain on the reference holds by the model of Apple's core of 2013, not by the others"
)
BEST = Place("cycles", "neon_tbl_2_blocks")
PROCESSORS = ("aarch64",)
MINUTES = {"aarch64": 2}
DIFFERS = {"*/neon-tbl": "gathers bytes for each G, and loads each S-box half as often"}

SEED = "seed-ctr"
ROWS = {
    "reference_c_1_block": ("table", 16),
    "neon_tbl_2_blocks": ("neon-tbl-literal", 32),
    "after the paper, S-boxes loaded half as often": ("neon-tbl", 32),
}
"""Kernel, and bytes of the blocks that are counted together."""
CORES = ("cyclone", "cortex-a55", "cortex-a57", "neoverse-n1", "neoverse-v2")


@table("cycles", "aarch64", kind="mca")
def cycles(lab: Lab) -> Iterator[Cell]:
    """Table 4-1, cycles of a block of the reference and of two blocks of the paper's, in its own layout, be32-left;
    ours: 1 KiB on Apple Cyclone of 2013 by llvm-mca, which ranks and is no measurement

    - The paper measured Apple M2; LLVM has no model of it and takes Cyclone's for every core of Apple's.
    - neon-tbl-literal is the thesis line by line; neon-tbl gathers bytes for each G and loads the S-boxes half as often."""
    for row, (kernel, size) in ROWS.items():
        yield Cell(row, None, SEED, kernel, ranked("cyclone", "left", size))


@table("%", "aarch64", kind="mca", most=True)
def gain_percent_per_block(lab: Lab) -> Iterator[Cell]:
    """section 4, what the paper's kernel gains on the reference for a block

    - 1,550 cycles for two blocks are 775 for one, and 896 / 775 is 15.6 per cent.
    - Ours is against the same reference in the same layout, be32-left, by the model of Cyclone: the row of
      gain_by_core."""
    yield Cell(None, None, SEED, "neon-tbl-literal", speed_gain(ranked("cyclone", "left"), "table"))


@table("cycles", "aarch64", kind="mca")
def by_core(lab: Lab) -> Iterator[Cell]:
    """the same on other cores by llvm-mca, calls of 1 KiB, be32-left, cycles of one block and of two"""
    for row, (kernel, size) in ROWS.items():
        for core in CORES:
            yield Cell(row, core, SEED, kernel, ranked(core, "left", size))


@table("cycles", "aarch64", kind="mca")
def by_core_be128(lab: Lab) -> Iterator[Cell]:
    """the same in the standard layout, be128"""
    for row, (kernel, size) in ROWS.items():
        for core in CORES:
            yield Cell(row, core, SEED, kernel, ranked(core, bytes=size))


@table("%", "aarch64", kind="mca", most=True)
def gain_by_core(lab: Lab) -> Iterator[Cell]:
    """what the paper's kernel gains on the reference for a block, by llvm-mca, be32-left"""
    for row in ("neon_tbl_2_blocks", "after the paper, S-boxes loaded half as often"):
        for core in CORES:
            yield Cell(row, core, SEED, ROWS[row][0], speed_gain(ranked(core, "left"), "table"))


@table("instructions", "aarch64", kind="exact")
def instructions(lab: Lab) -> Iterator[Cell]:
    """instructions of one block and of two, 4 KiB"""
    for row, (kernel, size) in ROWS.items():
        for column, label in {"be32-left": "left", "be128": "long"}.items():
            yield Cell(row, column, SEED, kernel, each(label, "instructions", size))


OURS: Columns = {
    "key set-up": (figure("key", "instructions"), "instructions", "exact"),
    "128 bytes": (figure("packet", "instructions"), "instructions", "exact"),
    "a block of 4 KiB": (each("long", "instructions"), "instructions", "exact"),
    **SIZES,
    **{core: (ranked(core, bytes=1), "cycles/byte", "mca") for core in CORES},
}


@table()
def ours(lab: Lab) -> Iterator[Cell]:
    return all_kernels(lab, "aarch64", [SEED], OURS, "ours: {cipher} on aarch64", short=True)


CURVES = [
    Curve("seed-by-length", "SEED, a message under a new nonce", "instructions a byte, AArch64", lambda result_set: (
        curves.fresh(kernel, Case(result_set, "aarch64", SEED, kernel), "instructions")
        for kernel in ("table", "neon-tbl-literal", "neon-tbl", "aarch64-neon", "aarch64-aes")
    )),
]  # fmt: skip
