# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Paper 2, stream ciphers on a sensor node: its three tables, and what we have beyond them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from . import published, subjects
from .published import Paper, Place
from .rules import Rule
from .values import Shelf, Value, across, figure, memory, quotient, scaled, time, total

PAPER = "sensor-streams"

# What the paper calls them, and we; AES goes by the length of its key.
NAMES = {
    "LEX": "lex",
    "CryptMT": "cryptmt",
    "NLS": "nls",
    "AES-CFB": "aes-cfb",
    "AES-CTR": "aes-ctr",
    "Dragon": "dragon",
    "Rabbit": "rabbit",
    "SOSEMANUK": "sosemanuk",
    "Salsa20": "salsa20",
    "Py": "py",
    "F-FCSR-H": "f-fcsr-h-v1",
    "Phelix": "phelix",
    "TRIVIUM": "trivium",
    "Pomaranch": "pomaranch-v1",
    "MICKEY-128": "mickey-128",
    "Edon80": "edon80",
    "Grain-128": "grain-128",
    "DECIM": "decim",
    "HC-128": "hc-128",
}

NODE, LARGER_NODE, PC = "avr", "avr-1284p", "host"
MICAZ_HZ = 7.3728e6
PACKET = 128

KEY, IV, ENCRYPT = figure("key"), figure("iv"), figure("packet")
ALL = total(KEY, IV, ENCRYPT)
PER_BYTE = scaled(ALL, 1 / PACKET)

# The paper's columns of time, and what they are in cycles.
TIMES: dict[str, Value] = {"key_setup": KEY, "iv_setup": IV, "encrypt_128B": ENCRYPT}
MEMORY = {"ram_bytes": memory("program"), "rom_bytes": memory("rom_program")}

AUTHENTICATION = ("poly1305", "aes-cmac", "ghash", "siphash", "siphash-128", "hmac-sha-256")


@dataclass(frozen=True)
class _Row:
    """A row of a table: where it stands, and what of ours is beside it."""

    table: str
    name: str
    target: str
    cipher: str
    kernel: str
    lengths: tuple[int, int] | None = None

    def rule(self, column: str, unit: str, value: Value, *, exact: bool = False) -> Rule:
        return Rule(
            Place(self.table, self.name, column),
            unit,
            self.target,
            self.cipher,
            self.kernel,
            value,
            "exact" if exact else None,
            self.lengths,
        )

    def cycles(self) -> list[Rule]:
        return [
            *(self.rule(f"{column}_cycles", "cycles", value) for column, value in TIMES.items()),
            self.rule("cycles_per_byte", "cycles/byte", PER_BYTE),
            self.rule("encrypt_cycles_per_byte", "cycles/byte", scaled(ENCRYPT, 1 / PACKET)),
        ]

    def times(self) -> list[Rule]:
        rules = []
        for column, value in [*((f"{c}_us", v) for c, v in TIMES.items()), ("us_per_byte", PER_BYTE)]:
            rules.append(self.rule(column, "us", time(value, 1e-6)))
            if self.target != PC:
                rules.append(self.rule(column, "us at 7.3728 MHz", scaled(value, 1e6 / MICAZ_HZ)))
        return rules

    def memory(self) -> list[Rule]:
        """In the paper's sense, a whole program's, and the cipher's alone."""
        return [
            *(self.rule(column, "bytes", value, exact=True) for column, value in MEMORY.items()),
            self.rule("ram_cipher_bytes", "bytes", total(memory("static"), memory("stack")), exact=True),
            self.rule("rom_cipher_bytes", "bytes", memory("rom"), exact=True),
        ]

    def all(self) -> list[Rule]:
        return self.cycles() + self.times() + (self.memory() if self.target != PC else [])


def lengths(tree: Path) -> dict[str, list[tuple[int, int]]]:
    """Returns the lengths of key and IV, in bits, with which the paper measures its ciphers, by our names."""
    found: dict[str, list[tuple[int, int]]] = {}
    paper = published.read(tree, PAPER)
    for table in ("atmega128l", "pentium_d"):
        for row in paper.rows(table):
            name, key, iv = row.split("/")
            known = found.setdefault(_cipher(NAMES[name], int(key)), [])
            if (int(key), int(iv)) not in known:
                known.append((int(key), int(iv)))
    return found


def rules(shelf: Shelf, paper: Paper) -> list[Rule]:
    found: list[Rule] = []
    for table, target in (("atmega128l", NODE), ("pentium_d", PC)):
        for row in paper.rows(table):
            found += _beside(shelf, table, target, row)
    for row in paper.rows("atmega128l_optimised"):
        name, key, iv, rotations = row.split("/")
        found += _Row("atmega128l_optimised", row, NODE, NAMES[name], f"avr-c-{rotations}", (int(key), int(iv))).all()
    found += _abstract(shelf)
    return found + _beyond(shelf)


def _beside(shelf: Shelf, table: str, target: str, row: str) -> list[Rule]:
    """Plain C of ours on the node; on the PC what runs by default, every kernel that is faster by name, and libraries."""
    name, key, iv = row.split("/")
    cipher, lengths = _cipher(NAMES[name], int(key)), (int(key), int(iv))
    kernels = [_plain(shelf, target, cipher)] if target == NODE else _on_the_pc(shelf, cipher, lengths)
    rules = []
    for kernel in filter(None, kernels):
        at = _Row(table, row, target, cipher, kernel, lengths)
        rules += at.all()
        if target == NODE and _does_not_fit(shelf, target, cipher):
            rules += _Row(table, row, LARGER_NODE, cipher, kernel, lengths).all()
    return rules


def _cipher(name: str, key_bits: int) -> str:
    return name.replace("aes-", f"aes-{key_bits}-")


def _kernels(shelf: Shelf, target: str, cipher: str, lengths: tuple[int, int] | None = None) -> list[str]:
    return list(
        dict.fromkeys(
            r["kernel"]
            for r in shelf.rows
            if (r["target"], r["cipher"]) == (target, cipher)
            and (lengths is None or lengths == (r["key_bits"], r["iv_bits"]))
        )
    )


def _does_not_fit(shelf: Shelf, target: str, cipher: str) -> bool:
    return any("does_not_fit" in r for r in shelf.rows if (r["target"], r["cipher"]) == (target, cipher))


def _plain(shelf: Shelf, target: str, cipher: str) -> str | None:
    """The C kernel that knows nothing of the processor: with tables, where there is one; ours for AES."""
    known = _kernels(shelf, target, cipher)
    return next((k for k in ("table", "portable", "avr-sram", *known) if k in known), None)


def _on_the_pc(shelf: Shelf, cipher: str, lengths: tuple[int, int]) -> list[str]:
    known = _kernels(shelf, PC, cipher, lengths) or _kernels(shelf, PC, cipher)
    if any(c.name == cipher for c in subjects.ciphers().values()):
        chosen = subjects.chosen_kernel(cipher)
        return [k for k in known if k == chosen or k == "table" or _peer(shelf, cipher, k)]
    return known


def _peer(shelf: Shelf, cipher: str, kernel: str) -> bool:
    return any(r.get("peer") for r in shelf.rows if (r["target"], r["cipher"], r["kernel"]) == (PC, cipher, kernel))


def _abstract(shelf: Shelf) -> list[Rule]:
    """Kilobits in a second of the best kernels, the state, and how much slower the node is than its clock explains."""
    rules = []
    for name in ("SOSEMANUK", "Salsa20", "Rabbit", "AES"):
        cipher = "aes-128-cfb" if name == "AES" else NAMES[name]
        if kernel := _fastest(shelf, NODE, cipher):
            rate = quotient(lambda case: PACKET * 8 / 1000, time(ENCRYPT, 1))
            rules.append(Rule(Place("abstract_kbps_128B", name), "kbit/s", NODE, cipher, kernel, rate))
    for name, cipher in NAMES.items():
        if kernel := _plain(shelf, NODE, cipher) or _plain(shelf, LARGER_NODE, cipher):
            target = LARGER_NODE if _does_not_fit(shelf, NODE, cipher) else NODE
            rules.append(Rule(Place("state_bytes", name), "bytes", target, cipher, kernel, memory("static"), "exact"))
    for name, bits in (("SOSEMANUK", 128), ("SOSEMANUK", 256), ("Salsa20", 128), ("Salsa20", 256), ("Rabbit", 128)):
        cipher = NAMES[name]
        iv = 128 if (name, bits) == ("SOSEMANUK", 256) else 64
        for column, value in (("key", KEY), ("iv", IV), ("encrypt", ENCRYPT)):
            if kernel := _plain(shelf, NODE, cipher):
                rules.append(
                    Rule(
                        Place("slowdown_beyond_clock_ratio_300", f"{name}-{bits}", column),
                        "times",
                        NODE,
                        cipher,
                        kernel,
                        quotient(value, across(PC, value, subjects.chosen_kernel(cipher))),
                        None,
                        (bits, iv),
                    )
                )
    return rules


def _fastest(shelf: Shelf, target: str, cipher: str) -> str | None:
    rows = [
        r for r in shelf.rows if (r["target"], r["cipher"]) == (target, cipher) and "figures" in r and not r.get("peer")
    ]
    return min(rows, key=lambda r: r["figures"]["packet"].get("cycles", 0))["kernel"] if rows else None


def _beyond(shelf: Shelf) -> list[Rule]:
    """Every kernel of every stream cipher on the node, what does not fit on a larger one too; what authenticates a packet;
    the same ciphers on the other processors."""
    rules = []
    streams = [
        c.name for c in subjects.ciphers().values() if c.mode in (subjects.Mode.STREAM, subjects.Mode.DIRECTIONAL)
    ]
    for target in (NODE, LARGER_NODE):
        for cipher in streams:
            for row in (r for r in shelf.rows if (r["target"], r["cipher"]) == (target, cipher)):
                name = f"{cipher}/{row['key_bits']}/{row['iv_bits']} {row['kernel']}"
                at = _Row(f"ours: {target}", name, target, cipher, row["kernel"], (row["key_bits"], row["iv_bits"]))
                rules += at.cycles() + at.memory()
    for target in (NODE, "rv32", "cortex-m4"):
        for mac in AUTHENTICATION:
            for row in (r for r in shelf.rows if (r["target"], r["cipher"]) == (target, mac)):
                at = _Row(
                    f"authentication: {target}",
                    f"{mac}/{row['key_bits']} {row['kernel']}",
                    target,
                    mac,
                    row["kernel"],
                    (row["key_bits"], row["iv_bits"]),
                )
                rules += at.cycles() + at.memory()
    for target in ("rv32", "cortex-m4", "armv7", "aarch64"):
        for cipher in streams:
            for row in (r for r in shelf.rows if (r["target"], r["cipher"]) == (target, cipher)):
                at = _Row(
                    f"ours: {target}",
                    f"{cipher}/{row['key_bits']}/{row['iv_bits']} {row['kernel']}",
                    target,
                    cipher,
                    row["kernel"],
                    (row["key_bits"], row["iv_bits"]),
                )
                what = "cycles" if "cycles" in row.get("figures", {}).get("long", {}) else "instructions"
                rules += [
                    at.rule(f"{column}_{what}", what, figure(label, what))
                    for column, label in (("key_setup", "key"), ("iv_setup", "iv"), ("encrypt_128B", "packet"))
                ]
                rules.append(
                    at.rule(
                        f"long_{what}_per_byte", f"{what}/byte", quotient(figure("long", what), figure("long", "bytes"))
                    )
                )
                rules += at.memory()
    return rules
