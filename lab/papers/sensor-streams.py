# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Stream ciphers on a sensor node: what of ours stands beside its figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from runnel_lab import subjects
from runnel_lab.pictures import Series
from runnel_lab.tables import curves
from runnel_lab.tables.papers import (
    Cell,
    Columns,
    Curve,
    Lab,
    Reason,
    all_kernels,
    ranking,
    streams,
    table,
    with_blocks,
)  # fmt: skip
from runnel_lab.tables.published import Place
from runnel_lab.tables.values import Case, ResultSet, Value, each, figure, memory

TITLE = "Stream ciphers on a sensor node (2008)"
AUTHORS = "Min Yun, Hyoung Jun Na, Mun-Kyu Lee, Kunsoo Park"
KOREAN = "윤민, 나형준, 이문규, 박근수: 안전한 센서 네트워크를 위한 스트림 암호의 성능 비교 분석"
PUBLISHED = (
    "Performance Analysis and Comparison of Stream Ciphers for Secure Sensor Networks, Journal of the Korea Institute of "
    "Information Security and Cryptology 18(5), 2008"
)
DOI = "10.13089/JKIISC.2008.18.5.3"
QUESTION = "Which stream cipher should a sensor node encrypt with, and is it faster there than AES?"
NOTES = [
    "Holds: an 8-bit node encrypts packets with every one of these ciphers, and rotations by whole bytes are what helps "
    "most of them.",
    "Holds in part: of encryption alone, which the paper compares, SOSEMANUK and Rabbit of eSTREAM's portfolio are faster "
    "than AES-CFB and Salsa20 is not, in C beside C and in assembly beside assembly (abstract_kbps_128B).",
    "Key, IV and 128 bytes, for which the paper claims nothing: AES-128 in counter mode takes fewer cycles than every "
    "stream cipher of the paper; Salsa20/12 and Salsa20/8 take fewer still (table fastest, the best kernel of each).",
    "Ours does better: our best kernel takes fewer cycles than the paper's code in every row of its three tables.",
]
HOLDS = (
    "Rotations by whole bytes help most ciphers; in C SOSEMANUK and Rabbit encrypt faster than AES, Salsa20 does not"
)
BEST = Place("abstract_kbps_128B", "SOSEMANUK")
PROCESSORS = ("avr", "host")
MINUTES = {"avr": 2, "host": 10}
DIFFERS = {
    "sosemanuk/avr-c-*": "Serpent's rounds in loops; the paper's code size suggests that they are unrolled there"
}

NODE = {
    "LEX": ("lex", "avr-c-xtime"),
    "CryptMT": ("cryptmt", "portable"),
    "NLS": ("nls", "table"),
    "Dragon": ("dragon", "table"),
    "Rabbit": ("rabbit", "portable"),
    "SOSEMANUK": ("sosemanuk", "table"),
    "Salsa20": ("salsa20", "portable"),
    "Py": ("py", "avr-c-rolling"),
    "Phelix": ("phelix", "portable"),
    "TRIVIUM": ("trivium", "portable"),
    "Pomaranch": ("pomaranch-v1", "table"),
    "Edon80": ("edon80", "portable"),
    "DECIM": ("decim", "portable"),
    "F-FCSR-H": ("f-fcsr-h-v1", "portable"),
    "MICKEY-128": ("mickey-128", "portable"),
    "Grain-128": ("grain-128", "portable"),
    "AES-CFB": ("aes-{key}-cfb", "avr-c-xtime"),
}
"""By the paper's name: our cipher, and the kernel of the paper's technique on the node."""
PC = NODE | {"LEX": ("lex", "table"), "Py": ("py", "table"), "AES-CTR": ("aes-{key}-ctr", "ttable")}
TUNED = {"SOSEMANUK": "sosemanuk", "Rabbit": "rabbit", "Salsa20": "salsa20"}

OF_BYTES = dict.fromkeys(
    ("ram_bytes", "rom_bytes", "ram_cipher_bytes", "rom_cipher_bytes", "ram_context_bytes"), "bytes"
)
OF_CYCLES = dict.fromkeys(("key_setup_cycles", "iv_setup_cycles", "encrypt_128B_cycles"), "cycles")
UNITS = OF_BYTES | OF_CYCLES | {"cycles_per_byte": "cycles/byte", "encrypt_cycles_per_byte": "cycles/byte"}


def iv(case: Case) -> float:
    return case.figure("iv")


def first_iv(case: Case) -> float:
    return case.first("iv")


def cipher_ram(case: Case) -> float:
    return case.memory("static") + case.memory("stack")


def costs(iv: Value) -> dict[str, Value]:
    """Columns of the paper's tables of ciphers, by what an IV takes."""

    def us(value: Value) -> Value:
        return lambda case: case.time(value(case), 1e-6)

    def a_byte(case: Case) -> float:
        return (case.figure("key") + iv(case) + case.figure("packet")) / 128

    return {
        "key_setup_us": us(figure("key")),
        "iv_setup_us": us(iv),
        "encrypt_128B_us": us(figure("packet")),
        "us_per_byte": us(a_byte),
        "key_setup_cycles": figure("key"),
        "iv_setup_cycles": iv,
        "encrypt_128B_cycles": figure("packet"),
        "cycles_per_byte": a_byte,
        "encrypt_cycles_per_byte": each("packet", bytes=1),
    }


MEMORY: dict[str, Value] = {
    "ram_bytes": memory("program"),
    "rom_bytes": memory("rom_program"),
    "ram_context_bytes": memory("context"),
    "ram_cipher_bytes": cipher_ram,
    "rom_cipher_bytes": memory("rom"),
}


def of_paper(lab: Lab, name: str, kernels: Mapping[str, tuple[str, str]], columns: Mapping[str, Value], iv: Value,
             constant_time: bool = False) -> Iterator[Cell]:  # fmt: skip
    """Yield the paper's rows; a row's best kernel is the one that is best at key, IV and 128 bytes together."""

    def by(case: Case) -> float:
        return case.figure("key") + iv(case) + case.figure("packet")

    for row, cipher, lengths, word in lab.rows(name):
        ours, kernel = kernels[cipher]
        for column, value in columns.items():
            yield Cell(
                row, column, ours.format(key=lengths[0]), kernel.format(word=word), value, by=by, lengths=lengths,
                kind="exact" if column in MEMORY else None, constant_time=constant_time,
            )  # fmt: skip


@table("bytes", "avr", kind="exact")
def state_bytes(lab: Lab) -> Iterator[Cell]:
    """Table 1, bytes of state; ours: the context of the firmware, counters and position included"""
    for row in lab.paper.rows("state_bytes"):
        cipher, kernel = (NODE | {"HC-128": ("hc-128", "table")})[row]
        yield Cell(row, None, cipher, kernel, memory("context"))


@table("us", "avr", units=UNITS)
def atmega128l(lab: Lab) -> Iterator[Cell]:
    """Table 2, ATmega128L at 8 MHz; a row's best kernel is the one that is best at key, IV and 128 bytes together

    - The paper's technique in our code is C, as the paper's is: LEX and AES-CFB with its S-box and its tables of
      twice and three times a byte (3.1), Py with rolling arrays within 4 KB (3.2). Py's key set-up is in our IV
      set-up, because only the IV tells its own length.
    - The paper's RAM and ROM are those of a program with TinyOS; ours of the measured program. Columns with cipher in
      their name are what the cipher adds.
    - The paper's AES-CFB takes as long with 256 bits of key as with 128 (9,357 us, 315.65 us for the key): ten rounds
      were run with either.
    - The text takes 8 MHz; the crystal of a MicaZ has 7.3728 MHz, at which all times of ours are 1.085 times as long.
    """
    return of_paper(lab, "atmega128l", NODE, costs(iv) | MEMORY, iv)


@table("us", "avr", units=UNITS)
def atmega128l_optimised(lab: Lab) -> Iterator[Cell]:
    """Table 5, the paper's tuned code; ours: the same rotations as functions or as macros in C

    - The last two rows, SOSEMANUK with key and IV set together (5.3), are missing in the copy that we have: 400 bytes
      of RAM less than 3,211 are the abstract's 2,811, and its 70 kB and 406 kbit/s are theirs. Ours are
      avr-c-fused-macros and avr-c-fused-functions.
    - The paper's SOSEMANUK is faster at key and IV set-up. It has 55 to 65 kB of code and ours 11, which suggests
      that Serpent's rounds are unrolled there; here they are loops.
    - Rabbit has one state (5.2), which the first IV after key set-up changes: its IV set-up is that of the first IV,
      as for all in this table. A second IV under the same key costs the key set-up too.
    - Rabbit's sum is 11,212 us, 87.6 us a byte; the table has 89.18, the figure of Table 2."""
    kernels = {name: (cipher, "avr-c-{word}") for name, cipher in TUNED.items()}
    return of_paper(lab, "atmega128l_optimised", kernels, costs(first_iv) | MEMORY, first_iv)


def fused(name: str, what: Value, key_bits: int, lab: Lab) -> Iterator[Cell]:
    """Yield the abstract's rows: SOSEMANUK with key and IV set together."""
    lengths = {
        "SOSEMANUK": (128, 64) if key_bits == 128 else (256, 128),
        "Salsa20": (key_bits, 64),
        "Rabbit": (128, 64),
    }
    for row, pair in lengths.items():
        kernel = "avr-c-fused-macros" if row == "SOSEMANUK" else "avr-c-functions"
        yield Cell(row, None, TUNED[row], kernel, what, lengths=pair, by=figure("packet"), most=False)


def kilobits(case: Case) -> float:
    return 128 * 8 / 1024 / case.time(case.figure("packet"), 1)


@table("kbit/s", "avr", most=True)
def abstract_kbps_128B(lab: Lab) -> Iterator[Cell]:
    """abstract, encryption of 128 bytes, kilobits a second

    - A kilobit is 1,024 bits here, as in the paper: AES's 9,357 us are 106 (106.9), Phelix's 32,701 us 31 (30.6).
    - 176 and 121 have changed places in the paper: Rabbit's 5,681 us of Table 5 are 176 (176.0), and Salsa20's 8,239
      us, with rotations as functions, 121 (121.4).
    - SOSEMANUK's 406 belong to the rows with key and IV set together, which are missing in our copy of Table 5; its
      2,594 us are 385."""
    yield from fused("abstract_kbps_128B", kilobits, 128, lab)
    yield Cell("AES", None, "aes-128-cfb", "avr-c-xtime", kilobits)
    yield Cell("AES in counter mode", None, "aes-128-ctr", "avr-sram", kilobits)


@table("bytes", "avr", kind="exact")
def abstract_ram_bytes(lab: Lab) -> Iterator[Cell]:
    """abstract, RAM of a whole program"""
    return fused("abstract_ram_bytes", memory("program"), 256, lab)


@table("kB", "avr", kind="exact")
def abstract_rom_kB(lab: Lab) -> Iterator[Cell]:
    """abstract, ROM of a whole program

    - SOSEMANUK's 70 kB belong to the rows of Table 5 that are missing in our copy; those with separate key and IV
      set-up have 55 and 65."""
    return fused("abstract_rom_kB", lambda case: case.memory("rom_program") / 1000, 256, lab)


def tuning(
    row: str, column: str, cipher: str, lengths: tuple[int, int], plain: str, label: str, ours: str | None = None
) -> Cell:
    def value(case: Case) -> float:
        return case.by(plain).figure(label) / case.figure(label)

    return Cell(f"{row}, {column}", None, cipher, "avr-c-functions", value, ours, lengths=lengths)


@table("times as fast", "avr", most=True)
def tuning_factor(lab: Lab) -> Iterator[Cell]:
    """section 5.3, how fast rotations by whole bytes are, as functions, beside what the compiler makes of rotations in C

    - The text says about 3 of Salsa20; Tables 2 and 5 give 3.00. Of SOSEMANUK they give 2.50, 2.35 and 1.40. Ours
      stands beside the same C without them: portable, and SOSEMANUK's table."""
    yield tuning("Salsa20", "encryption", "salsa20", (256, 64), "portable", "packet")
    yield tuning("SOSEMANUK", "key set-up", "sosemanuk", (256, 128), "table", "key", ours="avr")
    yield tuning("SOSEMANUK", "IV set-up", "sosemanuk", (256, 128), "table", "iv")
    yield tuning("SOSEMANUK", "encryption", "sosemanuk", (256, 128), "table", "packet")


@table("us", "host", units=UNITS)
def pentium_d(lab: Lab) -> Iterator[Cell]:
    """Table 3, a PC; a row's best kernel is the one that is best at key, IV and 128 bytes together

    - The table's title has 3.4 GHz, the text 2.4 GHz, and with that a ratio of clocks of 300."""
    return of_paper(lab, "pentium_d", PC, costs(iv), iv)


@table("us", "host", name="constant time: host", units={"cycles_per_byte": "cycles/byte"})
def constant_time(lab: Lab) -> Iterator[Cell]:
    """the ciphers of Table 3 whose tables are looked up by secrets: the technique, and beside it our best kernel that
    does without secret addresses"""
    tables = {name: pair for name, pair in PC.items() if pair[1] == "table"}
    columns = {name: value for name, value in costs(iv).items() if name.endswith("_us") or "_per_byte" in name}
    del columns["encrypt_cycles_per_byte"]
    for cell in of_paper(lab, "pentium_d", PC, columns, iv, constant_time=True):
        if (cell.row or "").split("/")[0] in tables:
            yield cell


def slowdown(label: str) -> Value:
    return lambda case: case.figure(label) / case.across("host", figure(label))


@table("times", "avr")
def slowdown_beyond_clock_ratio_300(lab: Lab) -> Iterator[Cell]:
    """Table 4, how many times slower the node is than its clock explains: cycles on the node, by cycles on the PC

    - Depends on the PC as much as on the node: the host's cycles are those of pentium_d."""
    ivs = {"SOSEMANUK-128": 64, "SOSEMANUK-256": 128, "Salsa20-128": 64, "Salsa20-256": 64, "Rabbit-128": 64}
    for row, iv_bits in ivs.items():
        name, _, key = row.rpartition("-")
        for column, label in {"key": "key", "iv": "iv", "encrypt": "packet"}.items():
            yield Cell(row, column, *NODE[name], slowdown(label), by=Case.packet, lengths=(int(key), iv_bits))


@table("times", "avr")
def encryption_slowdown_range(lab: Lab) -> Iterator[Cell]:
    """section 4.1, the range of Table 4's factor for the encryption of 128 bytes by the ciphers for software: the least,
    the example of the text, the most

    - The text names CryptMT alone; 8 and 110 are what Tables 2 and 3 give for Py (7.6) and Phelix (109.7)."""
    for row, lengths in {"Py": (128, 64), "CryptMT": (128, 128), "Phelix": (128, 128)}.items():
        yield Cell(row, None, *NODE[row], slowdown("packet"), by=figure("packet"), lengths=lengths)


@table("cycles", "avr")
def fastest(lab: Lab) -> Iterator[Cell]:
    """key, IV and 128 bytes on the node by each cipher's best kernel, block ciphers in counter mode among them

    - The longest key and IV of each; ours: avr has all lengths and kernels."""
    columns: Columns = {
        "cycles": (Case.packet, "", None),
        "cycles_per_byte": (lambda case: case.packet() / 128, "cycles/byte", None),
    }
    return ranking(lab, "avr", [*streams(), *with_blocks()], Case.packet, columns)


@table("cycles", "host")
def libraries(lab: Lab) -> Iterator[Cell]:
    """other libraries on the same machine in one run, in cycles of the core; a library that sets key and IV together has
    both in the first"""
    columns: Columns = {
        "key_setup": (figure("key"), "", None),
        "iv_setup": (figure("iv"), "", None),
        "encrypt_128B": (figure("packet"), "", None),
        "all": (Case.packet, "", None),
    }
    return all_kernels(lab, "host", [*streams(), "chacha20"], columns, peers=True)


def in_unit(unit: str) -> Columns:
    """Columns of everything, in cycles or instructions."""

    def all_of_it(case: Case) -> float:
        return case.figure("key", unit) + case.figure("iv", unit) + case.figure("packet", unit)

    return {
        f"key_setup_{unit}": (figure("key", unit), unit, None),
        f"iv_setup_{unit}": (figure("iv", unit), unit, None),
        f"encrypt_128B_{unit}": (figure("packet", unit), unit, None),
        f"all_{unit}": (all_of_it, unit, None),
        f"long_{unit}_per_byte": (each("long", unit, 1), f"{unit}/byte", None),
        **SIZES,
    }


SIZES: Columns = {
    "ram_context_bytes": (memory("context"), "bytes", "exact"),
    "ram_cipher_bytes": (cipher_ram, "bytes", "exact"),
    "rom_cipher_bytes": (memory("rom"), "bytes", "exact"),
}


@table()
def ours(lab: Lab) -> Iterator[Cell]:
    """the table of everything: all kernels of stream ciphers and of block ciphers in counter and feedback mode"""
    units = {"avr": "cycles", "avr-1284p": "cycles", "rv32": "cycles", "cortex-m4": "cycles"}
    for target, unit in (units | {"armv7": "instructions", "aarch64": "instructions"}).items():
        ciphers = streams() if target == "avr-1284p" else [*streams(), *with_blocks()]
        yield from all_kernels(lab, target, ciphers, in_unit(unit), f"ours: {target}")


def tag(case: Case) -> float:
    return case.figure("key") + case.figure("packet")


@table()
def authentication(lab: Lab) -> Iterator[Cell]:
    columns: Columns = {
        "key_setup_cycles": (figure("key"), "cycles", None),
        "tag_128B_cycles": (figure("packet"), "cycles", None),
        "cycles_per_byte": (lambda case: tag(case) / 128, "cycles/byte", None),
        **SIZES,
    }
    for target in ("avr", "rv32", "cortex-m4"):
        yield from all_kernels(lab, target, subjects.macs(), columns, f"authentication: {target}")


def with_tag(mac: str) -> Value:
    return lambda case: case.packet() + case.beside(mac, tag)


@table("cycles", name="encrypt and tag")
def encrypt_and_tag(lab: Lab) -> Iterator[Cell]:
    """a packet of 128 bytes encrypted and authenticated, key set-up of both included: each cipher's best kernel with
    each MAC's"""
    columns: Columns = {"encryption alone": (Case.packet, "", None)} | {
        mac: (with_tag(mac), "", None) for mac in ("poly1305", "siphash", "aes-cmac", "ghash", "hmac-sha-256")
    }
    for target in ("avr", "rv32", "cortex-m4"):
        yield from ranking(
            lab, target, [*streams(), *with_blocks()], Case.packet, columns, f"encrypt and tag: {target}"
        )


def packets_by_length(result_set: ResultSet) -> Iterator[Series]:
    for cipher in ("aes-128-ctr", "salsa20", "rabbit", "sosemanuk", "nls", "lex", "dragon", "phelix"):
        if best := Case(result_set, "avr", cipher, "").best(Case.packet):
            yield curves.fresh(cipher, best, "cycles")


CURVES = [
    Curve("node-by-length", "the best kernel of each cipher under a fresh IV", "cycles a byte, AVR", packets_by_length)
]
BEHIND = [
    Reason("ours is the whole context: position, limit, left-over keystream and the kernel too", "state_bytes"),
    Reason("a ratio of two of our figures: vectors take more off the PC's than assembly off the node's", "*slowdown*"),
    Reason(
        "the paper takes the IV as a part of encryption; ours copies it and checks its length",
        row="AES-CFB/*",
        column="iv_setup_us",
    ),
    Reason(
        "the paper stores two words; ours also checks length and layout and begins a message with its limit",
        row="Salsa20/*",
        column="iv_setup_us",
    ),
    Reason(
        "what depends on the key alone is computed once, the paper does it for every IV; key and IV together take less than "
        "the paper's",
        row="Pomaranch/*",
        column="key_setup_us",
    ),
    Reason(
        "the paper keeps the caller's pointer; ours copies the key, checks its length and chooses the kernel",
        row="Grain-128/*",
        column="key_setup_us",
    ),
    Reason(
        "Serpent's rounds are loops here; the paper's program has 36 kB more with SOSEMANUK than with LEX, so that they are "
        "unrolled there",
        "atmega128l*",
        "SOSEMANUK/*",
        of="technique",
    ),
    Reason(
        "ours has loops before and after; the paper's code is unrolled, by its size",
        "tuning_factor",
        "SOSEMANUK, *",
        of="technique",
    ),
    Reason("the paper's 176 are Rabbit's; Salsa20's are 121", "abstract_kbps_128B", "Salsa20", of="technique"),
    Reason(
        "the library's portable C, which is not tuned for 8 bits; our assembly is",
        "atmega128l",
        "MICKEY-128/*",
        of="technique",
    ),
    Reason(
        "a key schedule in portable C with words of 32 bits; our assembly takes 134 us with 128 bits of key",
        "atmega128l",
        "AES-CFB/*",
        "key_setup_us",
        of="technique",
    ),
    Reason(
        "the paper only stores the key; ours also checks its length, chooses the kernel and fills in the context",
        "atmega128l*",
        column="key_setup_us",
    ),
    Reason(
        "the lab's clock takes one call after others, which leave caches and predictions theirs; called again and again, "
        "Salsa20 takes 20 ticks of the time-stamp counter for a key, MICKEY-128 16, Phelix 406",
        "pentium_d",
        column="*_setup_us",
    ),
]
