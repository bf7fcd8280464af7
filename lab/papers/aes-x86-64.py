# SPDX-License-Identifier: Apache-2.0 OR MIT
"""AES on 64-bit x86: what of ours stands beside its figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from runnel_lab.tables import curves
from runnel_lab.tables.papers import SIZES, Cell, Columns, Curve, Lab, Reason, Table, all_kernels, table
from runnel_lab.tables.published import Place
from runnel_lab.tables.values import Case, Value, count, difference, each, figure, throughput

TITLE = "AES on 64-bit x86 (2008)"
AUTHORS = "Changho Jung, Ilhwan Park"
KOREAN = "정창호, 박일환: 64-비트 프로세서에서 AES 고속 구현"
PUBLISHED = (
    "High Speed AES Implementation on 64 bits Processors, Journal of the Korea Institute of Information Security and "
    "Cryptology 18(6A), pages 51 to 61, 2008"
)
QUESTION = "What should AES on 64-bit x86 save: accesses to memory, or instructions to decode?"
NOTES = [
    "Holds, counted: 182 accesses to memory instead of 212, 14 words of round keys instead of 44; 44 instructions a round "
    "of 207 bytes (appendix 1) and of 168 (appendix 2), instruction by instruction.",
    "Left open by our text of the paper: figure 3, the recurrence of decryption, is lost; ours is our own.",
    "Does not hold any more: which of the two is faster. A core that makes two or three loads a cycle and keeps decoded "
    "instructions is bound by neither loads nor decoding.",
    "The table of independent blocks and that of a chain are kept apart: a core overlaps blocks that do not wait for each "
    "other, which no core of 2008 did as far.",
]
HOLDS = "Counted exactly: 182 accesses to memory for 212, 14 words of round keys for 44, 44 instructions a round"
BEST = Place("cycles_per_block", "em64t_partial_round_key", "core2")
PROCESSORS = ("host",)
MINUTES = {"host": 5}
ECB = "aes-128-ecb"
PARTIAL, SHORT = "x86-partial-key", "x86-short-code"
SECOND_BYTE, IN_PLACE, MATSUI, GLADMAN = "x86-second-byte", "x86-in-place", "x86-4k-4k", "ttable-plain"
OPENSSL = "openssl-full-table"
DIFFERS = {
    f"*/{SECOND_BYTE}": "Bernstein and Schwabe's technique in code of ours",
    f"*/{IN_PLACE}": "Bernstein and Schwabe's technique in code of ours",
    f"*/{MATSUI}": "Matsui's design, of which no code was published",
    f"*/{GLADMAN}": "Gladman's design in plain C of ours",
    f"*/{OPENSSL}": "release 4.0.3; the paper has 0.9.8e",
    "*/portable": "bitsliced in words of 64 bits; Matsui and Nakajima's code, in words of 128, was never published",
    "*/ctr-c-wu": "Wu's 15 bytes as paper 1 of these five describes them, in C",
}

TECHNIQUES = {
    "bernstein_amd64_1": SECOND_BYTE,
    "bernstein_amd64_2": IN_PLACE,
    "matsui": MATSUI,
    "gladman": GLADMAN,
    "openssl_0.9.8e": OPENSSL,
}
"""Stand-ins for others' code: kernels of ours with their technique, and today's OpenSSL table code."""


def rows(kernels: Mapping[str, str], value: Value, column: str | None = None) -> Iterator[Cell]:
    for row, kernel in kernels.items():
        yield Cell(row, column, ECB, kernel, value)


@table("cycles", "host", reasons={"lipmaa": "Lipmaa's code was sold, not published"})
def cycles_per_block(lab: Lab) -> Iterator[Cell]:
    """Tables 2, 3 and 11, cycles of a block; ours: independent blocks of one call of 16 KiB, in cycles of the core

    - Both columns stand beside one measurement: there is one machine here, and it is neither.
    - Bernstein's, Gladman's and Wu's figures are of counter mode, which adds a few instructions a block to ours."""
    kernels = {
        "em64t_partial_round_key": PARTIAL,
        "amd64_short_code": SHORT,
        "bernstein_amd64_1": SECOND_BYTE,
        "bernstein_amd64_2": IN_PLACE,
        "matsui_2006": MATSUI,
    }
    for row, kernel in kernels.items():
        for column in ("core2", "athlon64"):
            yield Cell(row, column, ECB, kernel, each("long"))
    others = {"matsui_nakajima_bitslice_2048B": "portable", "gladman_ctr": GLADMAN, "openssl_0.9.8e_ecb": OPENSSL}
    yield from rows(others, each("long"), "core2")
    yield Cell("wu_ctr_only", "core2", "aes-128-ctr", "ctr-c-wu", each("stream"))


@table("cycles", "host")
def matsuis_way(lab: Lab) -> Iterator[Cell]:
    """cycles of a block as Matsui measures: the time-stamp counter between two serializing instructions, less what an empty
    frame takes

    - The paper cites Matsui for its way of measuring and does not describe it; the frame is that of his paper of 2006."""
    names = {"em64t_partial_round_key": PARTIAL, "amd64_short_code": SHORT} | TECHNIQUES
    return rows(names, each("matsui"))


@table("cycles", "host")
def faster_than_bernstein(lab: Lab) -> Iterator[Cell]:
    """section 4.2, by how many cycles a block the paper's code is faster than Bernstein's better one on the same processor

    - The paper's 35 and 45 are of Core 2 and Athlon 64. On today's cores the loads that partial round keys save, and the
      decoding that short code saves, bind no longer."""
    ways = {"in one call": each("long"), "by Matsui's way": each("matsui"), "in a chain": each("chain")}
    for name, value in ways.items():
        for row, kernel, theirs in (("em64t", PARTIAL, IN_PLACE), ("amd64", SHORT, SECOND_BYTE)):
            less = difference(value, kernel)
            yield Cell(f"{row}, {name}", None, ECB, theirs, less, ours=theirs)


def accesses(case: Case) -> float:
    return case.count("loads_per_block") + case.count("stores_per_block")


@table("loads and stores", "host", kind="exact")
def memory_accesses_per_block(lab: Lab) -> Iterator[Cell]:
    """equations 1 and 2, accesses to memory, counted under QEMU

    - usual is ttable, in C: what it has beyond 212 is words that the compiler keeps in memory. short_code, in
      assembly, has the 212."""
    return rows({"usual": "ttable", "partial_round_key": PARTIAL, "short_code": SHORT}, accesses)


@table("words", "host", kind="exact")
def round_key_words_read(lab: Lab) -> Iterator[Cell]:
    """section 4.1, words of round keys that are read for a block"""
    return rows({"usual": SHORT, "partial_round_key": PARTIAL}, count("round_key_words_per_block"))


@table("instructions", "host", kind="exact")
def instructions_per_round(lab: Lab) -> Iterator[Cell]:
    """Tables 4 and 10, instructions of a round"""
    return rows({"em64t": PARTIAL, "amd64": SHORT} | TECHNIQUES, count("instructions_per_round"))


BOTH = {"em64t": PARTIAL, "amd64": SHORT, "bernstein_amd64_1": SECOND_BYTE, "bernstein_amd64_2": IN_PLACE}


@table("bytes", "host", kind="exact")
def code_bytes_per_round(lab: Lab) -> Iterator[Cell]:
    """Table 10, bytes of code of a round

    - At fixed addresses, as the paper's. Of Bernstein's it is the technique in our encoding."""
    return rows(BOTH, count("code_bytes_per_round"))


@table("instructions/cycle", "host", most=True)
def athlon64_instructions_per_cycle(lab: Lab) -> Iterator[Cell]:
    """Table 10, instructions a cycle

    - Of a kernel that takes more instructions, more of them in a cycle would not be better: each row's own stands alone."""

    def per_cycle(label: str) -> Value:
        return lambda case: case.count("instructions_per_block") / case.each(label)

    for label, name in {"long": "", "chain": " in a chain"}.items():
        for row, kernel in BOTH.items():
            yield Cell(row + name, None, ECB, kernel, per_cycle(label), ours=kernel)


@table("Gbit/s", "host", most=True)
def gbps_core2duo_3GHz_ecb(lab: Lab) -> Iterator[Cell]:
    """section 4.2, throughput of one core"""
    yield Cell(None, None, ECB, PARTIAL, throughput("long", 125000000))


table_1_pentium = Table(
    title="Table 1, others' code on 32-bit processors",
    unit="cycles",
    reasons={"*": "others' code for 32-bit processors of 1999 to 2004, quoted by the paper: nothing here runs on them"},
)


@table("cycles", "host")
def table_2_core2(lab: Lab) -> Iterator[Cell]:
    """Table 2, Matsui in ECB mode; the paper's Table 11 has 251 for the same code"""
    return rows({"matsui_2006_ecb": MATSUI}, each("matsui"))


@table("cycles", "host")
def table_3_athlon64(lab: Lab) -> Iterator[Cell]:
    """Table 3, Bernstein's amd64-1; the paper's Table 11 has 215 for the same code"""
    return rows({"bernstein_amd64_1": SECOND_BYTE}, each("long"))


@table(
    "",
    "host",
    kind="exact",
    units={
        "table_kib": "KiB",
        "memory_accesses_per_round": "loads and stores",
        "instructions_per_round": "instructions",
    },
)
def table_4_designs(lab: Lab) -> Iterator[Cell]:
    """Table 4, designs: tables, accesses to memory and instructions of a round

    - 2 KiB and 4 KiB of tables are equally fast, the paper says, and 4+4 KiB a little faster in the last round, without
      a figure: blocks and chain have x86-second-byte, x86-4k and x86-4k-4k.
    - The variant of 40 instructions was slower on Athlon 64, the paper says without a figure, because its loads follow
      each other: x86-in-place.
    - OpenSSL's is release 4.0.3; the paper has 0.9.8e, whose round had 26 accesses and 54 instructions."""
    columns = {"table_kib": "table_kib", "memory_accesses_per_round": "accesses_per_round"}
    for column in ("table_kib", "memory_accesses_per_round", "instructions_per_round"):
        yield from rows(TECHNIQUES, count(columns.get(column, column)), column)


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
    """Table 9, bytes of an instruction"""
    for row in lab.paper.rows("table_9_instruction_bytes"):
        yield Cell(row, None, ECB, SHORT, count(f"bytes of {row}"), ours=SHORT)


@table(
    "loads and stores",
    "host",
    kind="exact",
    reasons={"athlon64": "Matsui's estimate for Athlon 64, an argument and no measurement"},
)
def bounds(lab: Lab) -> Iterator[Cell]:
    """what the paper takes for bounds, in cycles of a block: the accesses to memory, one a cycle

    - Cores now make two or three a cycle, so that this binds no longer."""
    return rows({"em64t_usual": SHORT, "em64t_partial_round_key": PARTIAL}, accesses)


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
    **SIZES,
}


@table()
def ours(lab: Lab) -> Iterator[Cell]:
    return all_kernels(lab, "host", [ECB], OURS, "ours: {cipher} on host", short=True)


CURVES = [
    Curve("blocks-by-length", "independent blocks in one call", "cycles a byte, host", lambda result_set: (
        curves.fresh(kernel, Case(result_set, "host", ECB, kernel), "cycles")
        for kernel in (PARTIAL, SHORT, "ttable", "bitsliced", "aesni")
    )),
]  # fmt: skip
BEHIND = [
    Reason("plain C: the compiler keeps words in memory", "table_4_designs", "gladman", of="technique"),
    Reason(
        "words of 64 bits for the paper's 128: half as many blocks at a time",
        "cycles_per_block",
        "matsui_nakajima_bitslice_2048B",
        of="technique",
    ),
    Reason(
        "usual is C: the compiler keeps 18 words in memory; short_code has the 212",
        "memory_accesses_per_block",
        "usual",
    ),
    Reason("the processor's: three instructions, which the paper times on an Athlon 64", "table_7_three_instructions"),
]
