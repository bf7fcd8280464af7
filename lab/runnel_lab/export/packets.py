# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Parts of cipher-data.json that are measured as whole packets: AEADs, and ciphers with MACs, on the processors of nodes.
They are sealed as an IEEE 802.15.4 frame has them, its header of 14 bytes authenticated, under a key that is kept."""

from __future__ import annotations

import shlex
from pathlib import Path

import runnel

from runnel_lab import results
from runnel_lab.export import builds
from runnel_lab.export.parts import Part, is_avr_assembly, with_empty
from runnel_lab.packets import frames
from runnel_lab.packets.combinations import Combination, combinations

FRAME = "802154"
_ARITHMETIC = ("ciphers/", "macs/", "aead/ascon", "aead/grain128aead")
"""Folders whose code computes with secrets; the others are modes, which call it."""


def measured(tree: Path) -> list[Part]:
    """Return the parts, none where nothing has been recorded. What the library's own functions cannot do is left out."""
    known = combinations(tree)
    found = []
    for target, rows in results.read_packets(results.recorded(tree)).items():
        for row in rows:
            combination = known.get(row["aead"])
            if combination is not None and "cycles" in row and name_of(combination) is not None:
                part = _part(tree, target, combination, row)
                found += [] if part is None else [part]
    return found


def name_of(combination: Combination) -> str | None:
    """Return its name here; None: the library has no such MAC, as CMAC over ARIA."""
    if combination.name in runnel.aeads():
        return combination.name
    cipher, _, mac = combination.name.partition(" + ")
    if mac == "cmac":
        mac = "aes-cmac" if cipher.startswith("aes-") else ""
    return f"{cipher} + {mac}" if mac else None


def _part(tree: Path, target: str, combination: Combination, row: results.Row) -> Part | None:
    frame = frames.frame(tree, FRAME)
    cycles: dict[str, list[int]] = row["cycles"].get(str(frames.setting(combination, frame)), {})
    if len(cycles) < 2:
        return None
    kernels: dict[str, str] = row["kernels"]
    computing = _computing(tree, target, combination, row)
    return {
        "target": target,
        "name": name_of(combination),
        "kernel": " + ".join(dict.fromkeys(kernels.values() or computing)),
        "key_bits": 8 * combination.key,
        "iv_bits": 8 * combination.iv,
        "key": row["key"],
        "fresh": with_empty(sorted([int(count), seal] for count, (seal, *_) in cycles.items())),
        "going": None,
        "block": 1,
        "rom": row["rom"],
        "static": row["ram"]["static"],
        "stack": row["ram"]["stack"],
        "constant_time": _constant_time(target, computing, row),
        "kind": row["kind"],
        "date": row.get("date", ""),
        "air": frame.added(combination),
        "tag_bytes": combination.tag(frame.tag),
        "header": frame.header,
        "macros": builds.macros(tree, kernels, 128, prefix=False),
        "command": f"runnel lab packets --target {target} --aead {shlex.quote(combination.name)}",
    }


def _computing(tree: Path, target: str, combination: Combination, row: results.Row) -> list[str]:
    """Return the kernels of all that computes with secrets."""
    folders = [folder for folder in combination.folders if folder.startswith(_ARITHMETIC)]
    return [builds.linked(tree, target, folder, row["kernels"]) for folder in folders]


def _constant_time(target: str, computing: list[str], row: results.Row) -> bool:
    """Tell whether the packet takes constant time, as for single ciphers: on AVR assembly is promised, of whatever computes
    with secrets."""
    if not target.startswith(("avr", "attiny")):
        return bool(row["constant_time"])
    return all(is_avr_assembly(kernel) for kernel in computing)


def split(name: str) -> tuple[str, str] | None:
    """Return cipher and MAC of a composition's name, None of an AEAD's."""
    cipher, plus, mac = name.partition(" + ")
    return (cipher, mac) if plus else None
