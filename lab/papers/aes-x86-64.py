# SPDX-License-Identifier: Apache-2.0 OR MIT
"""AES on 64-bit x86: what of ours stands beside its figures."""

from __future__ import annotations

from collections.abc import Iterator

from runnel_lab.tables import curves
from runnel_lab.tables.papers import Cell, Columns, Curve, Lab, Reason, all_kernels, table, without_ours
from runnel_lab.tables.published import Place
from runnel_lab.tables.values import Case, Value, count, each, figure, memory, throughput

TITLE = "AES on 64-bit x86 (2008)"
AUTHORS = "Changho Jung, Ilhwan Park"
KOREAN = "정창호, 박일환: 64-비트 프로세서에서 AES 고속 구현"
PUBLISHED = (
    "High Speed AES Implementation on 64 bits Processors, Journal of the Korea Institute of Information Security and "
    "Cryptology 18(6A), pages 51 to 61, 2008"
)
NOTES = [
    "Holds, counted: 182 accesses to memory instead of 212, 14 words of round keys instead of 44, 44 instructions "
    "and at most "
    "168 bytes a round.",
    "Does not hold any more: which of the two is faster. A core that makes two or three loads a cycle and keeps "
    "decoded "
    "instructions is bound by neither loads nor decoding.",
    "The table of independent blocks and that of a chain are kept apart: a core overlaps blocks that do not wait "
    "for each "
    "other, which no core of 2008 did as far.",
]
HOLDS = "Counted exactly: 182 accesses to memory for 212, 14 words of round keys for 44, 44 instructions a round"
BEST = Place("cycles_per_block", "em64t_partial_round_key", "core2")
PROCESSORS = ("host",)
MINUTES = {"host": 5}
DIFFERS: dict[str, str] = {}

ECB = "aes-128-ecb"
PARTIAL, SHORT = "x86-partial-key", "x86-short-code"
BERNSTEIN = "Bernstein's code of 2008, quoted by the paper; not one of ours"
MATSUI = "Matsui's code was never published"
ANOTHERS = {"*": "another's code, quoted by the paper; not one of ours"}


def rows(kernels: dict[str, str], value: Value) -> Iterator[Cell]:
    for row, kernel in kernels.items():
        yield Cell(row, None, ECB, kernel, value)


@table(
    "cycles",
    "host",
    reasons={
        "bernstein_amd64_1": BERNSTEIN,
        "bernstein_amd64_2": BERNSTEIN,
        "matsui_2006": MATSUI,
        "matsui_nakajima_bitslice_2048B": "Matsui and Nakajima's code was never published; a bitsliced kernel of "
        "ours is "
        "portable, with 64-bit words",
        "wu_ctr_only": "Wu's code of 2008, counter mode only; what it keeps is ctr-c-1 in the tables of aes-ctr-c",
        "gladman_ctr": "Gladman's code of 2003; a plain table kernel in C is ttable, in the table blocks",
        "openssl_0.9.8e_ecb": "OpenSSL 0.9.8e is not built here; OpenSSL 3 stands in the tables blocks and chain",
        "lipmaa": "Lipmaa's code was sold, not published",
    },
)
def cycles_per_block(lab: Lab) -> Iterator[Cell]:
    """Tables 2, 3 and 11, cycles of a block; ours: independent blocks of one call of 16 KiB, in cycles of the core

    - Both columns stand beside one measurement: there is one machine here, and it is neither."""
    for row, kernel in {"em64t_partial_round_key": PARTIAL, "amd64_short_code": SHORT}.items():
        for column in ("core2", "athlon64"):
            yield Cell(row, column, ECB, kernel, each("long"))


@table("loads and stores", "host", kind="exact")
def memory_accesses_per_block(lab: Lab) -> Iterator[Cell]:
    """equations 1 and 2, accesses to memory, counted under QEMU

    - usual is ttable, in C: what it has beyond 212 is words that the compiler keeps in memory. short_code, in
      assembly, has the 212."""

    def value(case: Case) -> float:
        return case.count("loads_per_block") + case.count("stores_per_block")

    return rows({"usual": "ttable", "partial_round_key": PARTIAL, "short_code": SHORT}, value)


@table("words", "host", kind="exact")
def round_key_words_read(lab: Lab) -> Iterator[Cell]:
    """section 4.1, words of round keys that are read for a block"""
    return rows({"usual": SHORT, "partial_round_key": PARTIAL}, count("round_key_words_per_block"))


@table("instructions", "host", kind="exact", reasons=ANOTHERS)
def instructions_per_round(lab: Lab) -> Iterator[Cell]:
    """Tables 4 and 10, instructions of a round"""
    return rows({"em64t": PARTIAL, "amd64": SHORT}, count("instructions_per_round"))


@table("bytes", "host", kind="exact", reasons=ANOTHERS)
def code_bytes_per_round(lab: Lab) -> Iterator[Cell]:
    """Table 10, bytes of code of a round

    - Ours are position-independent, as a shared library is; the paper's tables lie at fixed addresses."""
    yield from rows({"em64t": PARTIAL, "amd64": SHORT}, count("code_bytes_per_round"))
    fixed = count("code_bytes_per_round_at_fixed_address")
    yield from rows({"em64t at fixed addresses": PARTIAL, "amd64 at fixed addresses": SHORT}, fixed)


@table("instructions/cycle", "host", most=True, reasons=ANOTHERS)
def athlon64_instructions_per_cycle(lab: Lab) -> Iterator[Cell]:
    """Table 10, instructions a cycle"""

    def per_cycle(label: str) -> Value:
        return lambda case: case.count("instructions_per_block") / case.each(label)

    # Ours is the row's own kernel: of another, which takes more instructions, more in a cycle would not be better.
    for label, name in {"long": "", "chain": " in a chain"}.items():
        for row, kernel in {"em64t": PARTIAL, "amd64": SHORT}.items():
            yield Cell(row + name, None, ECB, kernel, per_cycle(label), ours=kernel)


@table("Gbit/s", "host", most=True)
def gbps_core2duo_3GHz_ecb(lab: Lab) -> Iterator[Cell]:
    """section 4.2, throughput of one core"""
    yield Cell(None, None, ECB, PARTIAL, throughput("long", 125000000))


table_1_pentium = without_ours(
    "Table 1, others' code on 32-bit processors",
    "cycles",
    why="others' code for 32-bit processors of 1999 to 2004, quoted by the paper: nothing here runs on them",
)
table_2_core2 = without_ours(
    "Table 2, Matsui in ECB mode; the paper's Table 11 has 251 for the same code", "cycles", why=MATSUI
)
table_3_athlon64 = without_ours(
    "Table 3, Bernstein's amd64-1; the paper's Table 11 has 215 for the same code", "cycles", why=BERNSTEIN
)
table_4_designs = without_ours(
    "Table 4, designs: tables, accesses to memory and instructions of a round",
    units={
        "table_kib": "KiB",
        "memory_accesses_per_round": "loads and stores",
        "instructions_per_round": "instructions",
    },
    notes=[
        "2 KiB and 4 KiB of tables are equally fast, the paper says, and 4+4 KiB a little faster in the last round, "
        "without a "
        "figure; our kernels in assembly have 2+2 KiB, ttable 4 KiB and the S-box.",
        "The variant of 40 instructions was slower on Athlon 64, the paper says without a figure, because its loads "
        "follow each "
        "other.",
    ],
    why="others' code, quoted by the paper; not one of ours",
)


@table(
    "", "host", units={"code_bytes": "bytes"} | dict.fromkeys(("em64t", "amd64", "amd64_least", "amd64_most"), "cycles")
)
def table_7_three_instructions(lab: Lab) -> Iterator[Cell]:
    """Table 7, three instructions, again and again: their bytes, and cycles"""
    for row in ("code_1", "code_2", "code_3"):
        yield Cell(row, "code_bytes", ECB, SHORT, count(f"bytes of {row}"), ours=SHORT, kind="exact")
        for column in ("em64t", "amd64", "amd64_least", "amd64_most"):
            yield Cell(row, column, ECB, SHORT, figure(row), ours=SHORT)


@table("bytes", "host", kind="exact")
def table_9_instruction_bytes(lab: Lab) -> Iterator[Cell]:
    """Table 9, bytes of an instruction

    - xor eax, [r9+r14*8] takes 4 bytes; 5 with a displacement of one byte, as the paper's code reaches its second to
      fourth table."""
    for row in lab.paper.rows("table_9_instruction_bytes"):
        yield Cell(row, None, ECB, SHORT, count(f"bytes of {row}"), ours=SHORT)


ONE_A_CYCLE = (
    "a count of accesses taken for a bound: one a cycle. The count is in memory_accesses_per_block, and cores now "
    "make two or "
    "three a cycle"
)
bounds = without_ours(
    "what the paper takes for bounds, in cycles of a block",
    "cycles",
    why={
        "em64t_usual": ONE_A_CYCLE,
        "em64t_partial_round_key": ONE_A_CYCLE,
        "athlon64": "Matsui's estimate for Athlon 64, an argument and no measurement",
    },
)


@table("cycles", "host")
def blocks(lab: Lab) -> Iterator[Cell]:
    """independent blocks in one run, by our kernels and by OpenSSL 3, cycles of the core for a block"""
    columns: Columns = {"encryption": (each("long"), "", None), "decryption": (each("long_decrypt"), "", None)}
    return all_kernels(lab, "host", [ECB], columns, short=True)


@table("cycles", "host")
def chain(lab: Lab) -> Iterator[Cell]:
    """a chain, each block waiting for the one before, in the same run: what CBC encryption costs"""
    return all_kernels(lab, "host", [ECB], {"encryption": (each("chain"), "", None)}, short=True)


OURS: Columns = {
    "key set-up, cycles": (figure("key"), "cycles", None),
    "128 bytes, cycles": (figure("packet"), "cycles", None),
    "a block, instructions": (count("instructions_per_block"), "instructions", "exact"),
    "a block, loads": (count("loads_per_block"), "loads", "exact"),
    "a block, stores": (count("stores_per_block"), "stores", "exact"),
    "ROM": (memory("rom"), "bytes", "exact"),
    "RAM, context": (memory("context"), "bytes", "exact"),
    "RAM, stack": (memory("stack"), "bytes", "exact"),
}


@table()
def ours(lab: Lab) -> Iterator[Cell]:
    return all_kernels(lab, "host", [ECB], OURS, "ours: {cipher} on host", short=True)


CURVES = [
    Curve("blocks-by-length", "independent blocks in one call", "cycles a byte, host", lambda shelf: (
        curves.fresh(kernel, Case(shelf, "host", ECB, kernel), "cycles")
        for kernel in (PARTIAL, SHORT, "ttable", "bitsliced", "aesni")
    )),
]  # fmt: skip
BEHIND = [
    Reason(
        "usual is C: the compiler keeps 18 words in memory; short_code has the 212",
        "memory_accesses_per_block",
        "usual",
    ),
    Reason("the processor's: three instructions, which the paper times on an Athlon 64", "table_7_three_instructions"),
]
