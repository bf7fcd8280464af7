# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Put cipher-data.json together, a line for each part, so that changes can be read."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import runnel

from runnel_lab import results
from runnel_lab.export import algorithms, packets, parts
from runnel_lab.export.parts import Part

SCHEMA = 1
COUNTER_BYTES = 4
"""Bytes of the nonce that a packet carries, as in IEEE 802.15.4; both sides know the others."""


def data(tree: Path) -> dict[str, Any]:
    """Return what the file holds. Raise LabError if results are missing."""
    rows = results.read_all(results.recorded(tree))
    found = parts.of_targets(tree, rows)
    rom = {(row["cipher"], row["kernel"]): row["rom"] for row in rows if row["target"] == "host" and "rom" in row}
    machine, host = parts.of_host(tree / "results", rom)
    devices = _toml(tree, "devices")["devices"]
    for each in devices:
        each["counter_bytes"] = COUNTER_BYTES
        if each["target"] == "host":
            each["title"] += f", {machine['cpu']}"
            each["mhz"] = round(machine["clock_ghz"] * 1000)
    whole = packets.measured(tree)
    found = [*found, *whole, *host]
    options, facts = _options(found, algorithms.standards(tree), {part["target"] for part in whole})
    return {
        "schema": SCHEMA,
        "version": runnel.__version__,
        "measured": max(part["date"] for part in found),
        "licence": "Apache-2.0 OR MIT",
        "about": "runnel lab export makes this file of the results that are kept; runnel_lab/export says what is in it",
        "devices": devices,
        "rules": _toml(tree, "rules"),
        "code": {
            kind: {language: text.strip() for language, text in texts.items()}
            for kind, texts in _toml(tree, "code").items()
        },
        "algorithms": dict(sorted(facts.items())),
        "machines": parts.machines(tree / "results"),
        "parts": [_short(part) for part in found],
        "options": options,
    }


def text(tree: Path) -> str:
    """Return the file's text."""
    lines = []
    for name, value in data(tree).items():
        if name in ("algorithms", "devices", "machines", "parts", "options"):
            pairs = value.items() if isinstance(value, dict) else ((None, each) for each in value)
            inner = ",\n".join("  " + (f"{_dump(key)}: " if key else "") + _dump(each) for key, each in pairs)
            open_, close = "{}" if isinstance(value, dict) else "[]"
            lines.append(f"{_dump(name)}: {open_}\n{inner}\n {close}")
        else:
            lines.append(f"{_dump(name)}: {_dump(value)}")
    return "{\n " + ",\n ".join(lines) + "\n}\n"


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _toml(tree: Path, name: str) -> dict[str, Any]:
    return tomllib.loads((tree / "lab" / "chooser" / f"{name}.toml").read_text(encoding="utf-8"))


def _short(part: Part) -> Part:
    return {name: value for name, value in part.items() if name not in ("key_bits", "iv_bits", "date")}


def _composable(cipher: Part, mac: Part) -> bool:
    """AES-CMAC stands beside AES, by the one kernel that a firmware has, and beside stream ciphers; Poly1305 wants 64 bytes
    of keystream for each message, which block ciphers have no quicker than a MAC of their own."""
    block_cipher = cipher["name"].endswith("-ctr")
    if mac["name"] == "aes-cmac":
        return cipher["kernel"] == mac["kernel"] if cipher["name"].startswith("aes-") else not block_cipher
    return mac["name"] != "poly1305" or not block_cipher


def _options(
    found: list[Part], known: dict[str, list[str]], with_packets: set[str]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """List every part by itself, MACs left out; and beside each cipher that is not broken each MAC of the same target, where
    packets have not been measured as a whole. with_packets: the targets where they have."""
    options: list[dict[str, Any]] = []
    facts: dict[str, Any] = {}
    macs = [(number, part) for number, part in enumerate(found) if part["name"] in parts.MACS]
    for number, part in enumerate(found):
        name, lengths = part["name"], (part["key_bits"], part["iv_bits"])
        if name in parts.MACS:
            continue
        options.append({"name": name, "parts": [number]})
        if name in runnel.aeads():
            facts[name] = algorithms.aead(name, known)
            continue
        if pair := packets.split(name):
            facts.setdefault(name, algorithms.composed(*pair, known))
            continue
        facts.setdefault(name, algorithms.cipher(name, known, *lengths))
        if runnel.cipher(name).status == "broken" or part["target"] in with_packets:
            continue
        for mac_number, mac in macs:
            if mac["target"] == part["target"] and _composable(part, mac):
                both = f"{name} + {mac['name']}"
                facts.setdefault(both, algorithms.composed(name, mac["name"], known, *lengths))
                extra = {"extra": algorithms.ONE_TIME_BYTES} if mac["name"] == "poly1305" else {}
                options.append({"name": both, "parts": [number, mac_number], **extra})
    return options, facts
