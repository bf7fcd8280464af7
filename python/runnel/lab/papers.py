# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which of our results stands beside which figure of a paper. A paper is a list of rules; a rule whose place the paper
does not have makes a row of ours alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from . import UnknownNameError, seed_armv8, sensor_streams
from .published import Paper, Place
from .rules import Rule
from .values import (
    Shelf,
    Value,
    break_even,
    count,
    difference,
    each,
    figure,
    gain,
    memory,
    reduction,
    throughput,
    time,
    total,
)

AES_BITS = (128, 192, 256)


@dataclass(frozen=True)
class Matching:
    """What of ours stands beside the figures of one paper."""

    title: str
    rules: Callable[[Shelf, Paper], list[Rule]]
    units: dict[str, str]
    """By table, table/row or table//column; for figures that nothing of ours stands beside."""
    wide: bool = False
    """For people: a line for each row and kernel with all columns in it."""


def _kernels(shelf: Shelf, target: str, cipher: str) -> list[str]:
    """All that were measured there, the peers too."""
    return [r["kernel"] for r in shelf.rows if (r["target"], r["cipher"]) == (target, cipher) and "figures" in r]


def _ours(shelf: Shelf, target: str, cipher: str) -> list[Rule]:
    """The whole row of each kernel on a target: what it costs in all."""
    values: list[tuple[str, str, Value]] = [
        ("key set-up", "cycles", figure("key")),
        ("IV set-up", "cycles", figure("iv")),
        ("128 bytes", "cycles", figure("packet")),
        ("long message", "cycles/block", each("long")),
        ("going on", "cycles/block", each("stream")),
        ("128 bytes", "instructions", figure("packet", "instructions")),
        ("going on", "instructions/block", each("stream", "instructions")),
        ("ROM", "bytes", memory("rom")),
        ("RAM, static", "bytes", memory("static")),
        ("RAM, stack", "bytes", memory("stack")),
    ]
    return [
        Rule(
            Place(f"ours: {cipher} on {target}", kernel, column),
            unit,
            target,
            cipher,
            kernel,
            value,
            None if "cycles" in unit else "exact",
        )
        for kernel in _kernels(shelf, target, cipher)
        for column, unit, value in values
    ]


_CTR_C = {"all": "ctr-c", "ver2": "ctr-c-2", "ver1": "ctr-c-1", "default": "ttable"}


def _aes_ctr_c(shelf: Shelf, _: Paper) -> list[Rule]:
    rules = []
    for bits in AES_BITS:
        cipher, key = f"aes-{bits}-ctr", str(bits)
        for row, kernel in _CTR_C.items():
            rules += [
                Rule(Place("block_time_ms", row, key), "ms", "host", cipher, kernel, time(each("stream"), 1e-3)),
                Rule(Place("key_schedule_ms", row, key), "ms", "host", cipher, kernel, time(figure("key"), 1e-3)),
                Rule(Place("iv_set_up_ms", row, key), "ms", "host", cipher, kernel, time(figure("iv"), 1e-3)),
                Rule(Place("cycles_per_block", row, key), "cycles", "host", cipher, kernel, each("stream")),
            ]
            saved = Place("time_reduction_percent_vs_default", row, key)
            if kernel != "ttable":
                rules.append(Rule(saved, "% of time", "host", cipher, kernel, reduction(each("stream"), "ttable")))
            for target in ("host", "armv7"):
                for name in ("instructions", "loads"):
                    per_block = each("stream", name)
                    rules.append(
                        Rule(Place(f"{name}_per_block", row, key), name, target, cipher, kernel, per_block, "exact")
                    )
                    if kernel != "ttable":
                        rules.append(
                            Rule(saved, f"% of {name}", target, cipher, kernel, reduction(per_block, "ttable"), "exact")
                        )
            rules.append(
                Rule(
                    Place("lookups_per_block", row, key),
                    "look-ups",
                    "host",
                    cipher,
                    kernel,
                    count("lookups_per_block"),
                    "exact",
                )
            )
            if kernel != "ttable":
                rules.append(
                    Rule(
                        saved,
                        "% of look-ups",
                        "host",
                        cipher,
                        kernel,
                        reduction(count("lookups_per_block"), "ttable"),
                        "exact",
                    )
                )
        for length in (16, 128, 1024, 10240, 20480):
            rate = throughput(f"more_{length}")
            rules += [
                Rule(Place("throughput_all", key, "MBps", length), "MB/s", "host", cipher, "ctr-c", rate),
                Rule(
                    Place("throughput_all", key, "gain_percent", length),
                    "%",
                    "host",
                    cipher,
                    "ctr-c",
                    gain(rate, "ttable"),
                ),
            ]
    return rules + [
        rule for target in ("host", "armv7") for bits in AES_BITS for rule in _ours(shelf, target, f"aes-{bits}-ctr")
    ]


# Without and with the table of the bytes after round 2.
_FIXSLICED = {
    "semi": ("rv32-fixslice-semi", "rv32-fixslice-semi-table"),
    "fully": ("rv32-fixslice-full", "rv32-fixslice-full-table"),
}


def _fixslicing(shelf: Shelf, _: Paper) -> list[Rule]:
    cipher, target = "aes-128-ctr", "rv32"
    rules = []
    for row, (plain, kernel) in _FIXSLICED.items():

        def rule(place: Place, unit: str, value: Value, kernel: str = kernel) -> Rule:
            return Rule(place, unit, target, cipher, kernel, value, "exact" if place.table == "table_bytes" else None)

        rules += [
            rule(Place("cycles_per_block", f"{row}-precomputed"), "cycles", each("stream")),
            rule(Place("cycles_per_block", row), "cycles", each("stream"), plain),
            rule(Place("gain_percent", row), "%", reduction(each("stream"), plain)),
            rule(Place("table_cost", f"{row}-precomputed", "cycles"), "cycles", difference(figure("iv"), plain)),
            rule(
                Place("table_cost", f"{row}-precomputed", "break_even_bytes"),
                "bytes",
                break_even(figure("iv"), each("stream", bytes=1), plain),
            ),
        ]
        if row == "fully":
            rules += [
                rule(Place("table_bytes"), "bytes", difference(memory("static"), plain)),
                rule(Place("quoted", "fixsliced_cycles_per_byte"), "cycles/byte", each("stream", bytes=1), plain),
            ]
    return rules + _ours(shelf, target, cipher)


_X86 = {"em64t": "x86-partial-key", "amd64": "x86-short-code"}
_X86_ROWS = {"em64t_partial_round_key": "x86-partial-key", "amd64_short_code": "x86-short-code"}


def _aes_x86_64(shelf: Shelf, _: Paper) -> list[Rule]:
    cipher, target = "aes-128-ecb", "host"
    rules = []
    for row, kernel in _X86_ROWS.items():
        for column in ("core2", "athlon64"):
            rules.append(Rule(Place("cycles_per_block", row, column), "cycles", target, cipher, kernel, each("long")))
        rules.append(
            Rule(Place("cycles_per_block", row, "decryption"), "cycles", target, cipher, kernel, each("long_decrypt"))
        )
    for kernel in _kernels(shelf, target, cipher):
        if kernel not in _X86_ROWS.values():
            rules += [
                Rule(Place("cycles_per_block", kernel, direction), "cycles", target, cipher, kernel, each(label))
                for direction, label in (("encryption", "long"), ("decryption", "long_decrypt"))
            ]
    rules += [
        Rule(
            Place("memory_accesses_per_block", "partial_round_key"),
            "loads and stores",
            target,
            cipher,
            "x86-partial-key",
            total(count("loads_per_block"), count("stores_per_block")),
            "exact",
        ),
        Rule(
            Place("memory_accesses_per_block", "short_code"),
            "loads and stores",
            target,
            cipher,
            "x86-short-code",
            total(count("loads_per_block"), count("stores_per_block")),
            "exact",
        ),
        Rule(
            Place("memory_accesses_per_block", "usual"),
            "loads and stores",
            target,
            cipher,
            "ttable",
            total(count("loads_per_block"), count("stores_per_block")),
            "exact",
        ),
        Rule(
            Place("round_key_words_read", "partial_round_key"),
            "words",
            target,
            cipher,
            "x86-partial-key",
            count("round_key_words_per_block"),
            "exact",
        ),
        Rule(Place("gbps_core2duo_3GHz_ecb"), "Gbit/s", target, cipher, "x86-partial-key", throughput("long", 1e9 / 8)),
    ]
    for row, kernel in _X86.items():
        rules += [
            Rule(
                Place("instructions_per_round", row),
                "instructions",
                target,
                cipher,
                kernel,
                count("instructions_per_round"),
                "exact",
            ),
            Rule(
                Place("code_bytes_per_round", row),
                "bytes",
                target,
                cipher,
                kernel,
                count("code_bytes_per_round"),
                "exact",
            ),
        ]
    return rules + _ours(shelf, target, cipher)


def _seed_armv8(shelf: Shelf, _: Paper) -> list[Rule]:
    return seed_armv8.rules(shelf) + _ours(shelf, "aarch64", "seed-ctr")


_PAPERS = {
    "aes-ctr-c": Matching(
        "AES-CTR-C: caches for AES tables in counter mode on 32-bit processors (2011)",
        _aes_ctr_c,
        {
            "block_time_ms": "ms",
            "key_schedule_ms": "ms",
            "time_reduction_percent_vs_default": "% of time",
            "throughput_all//MBps": "MB/s",
            "throughput_all//gain_percent": "%",
        },
    ),
    "fixslicing-rv32": Matching(
        "Fixsliced AES-CTR with precomputation on 32-bit RISC-V (2022)",
        _fixslicing,
        {
            "cycles_per_block": "cycles",
            "gain_percent": "%",
            "table_bytes": "bytes",
            "quoted": "cycles/byte",
            "quoted/shiftrows_share_of_bitsliced_percent": "%",
        },
    ),
    "aes-x86-64": Matching(
        "AES on 64-bit x86 (2008)",
        _aes_x86_64,
        {
            "cycles_per_block": "cycles",
            "memory_accesses_per_block": "loads and stores",
            "round_key_words_read": "words",
            "instructions_per_round": "instructions",
            "code_bytes_per_round": "bytes",
            "athlon64_instructions_per_cycle": "instructions/cycle",
            "gbps_core2duo_3GHz_ecb": "Gbit/s",
        },
    ),
    "seed-armv8": Matching(
        "SEED in counter mode on Armv8-A (2024)", _seed_armv8, {"cycles": "cycles", "gain_percent_per_block": "%"}
    ),
    "sensor-streams": Matching(
        "Stream ciphers on a sensor node (2008)",
        sensor_streams.rules,
        {
            **dict.fromkeys(("atmega128l", "atmega128l_optimised", "pentium_d"), "us"),
            **{
                f"{table}//{column}_bytes": "bytes"
                for table in ("atmega128l", "atmega128l_optimised")
                for column in ("ram", "rom")
            },
            "state_bytes": "bytes",
            "abstract_kbps_128B": "kbit/s",
            "slowdown_beyond_clock_ratio_300": "times",
        },
        wide=True,
    ),
}


def _find(paper: str) -> Matching:
    if paper not in _PAPERS:
        raise UnknownNameError(f"no paper {paper}; there are {', '.join(_PAPERS)}")
    return _PAPERS[paper]


def rules(paper: Paper, shelf: Shelf) -> list[Rule]:
    return _find(paper.name).rules(shelf, paper)


def wide(paper: str) -> bool:
    return _find(paper).wide


def title(paper: str) -> str:
    return _find(paper).title


def unit(paper: str, place: Place) -> str:
    units = _find(paper).units
    return units.get(f"{place.table}/{place.row}") or units.get(f"{place.table}//{place.column}") or units[place.table]
