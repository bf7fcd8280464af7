# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The parts of cipher-data.json: one kernel of a cipher, MAC or AEAD on one target, with its cost by length."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import runnel

from runnel_lab import LabError, speed, subjects
from runnel_lab.export import builds
from runnel_lab.results import Row
from runnel_lab.tables.kernels import longest

Part = dict[str, Any]
Points = list[list[float]]

TARGETS = dict.fromkeys(("avr", "cortex-m4", "cortex-m0plus", "rv32"), "cycles")
TARGETS |= dict.fromkeys(("armv7", "aarch64"), "instructions")
MACS = ("aes-cmac", "poly1305", "siphash", "siphash-128")
"""Those that a cipher of a node may have beside it; hmac-sha-256 and ghash in C cost several times as much there."""


def of_targets(tree: Path, rows: list[Row]) -> list[Part]:
    """Return the parts that the lab measured, of ciphers and MACs, by target, name and kernel."""
    kernels = {(row["target"], row["cipher"], row["kernel"]): row for row in rows}
    wanted = [
        row
        for row in rows
        if row["target"] in TARGETS and _offered(row["cipher"]) and not row.get("peer") and "figures" in row
    ]
    chosen = sorted(longest(wanted), key=lambda row: (row["target"], row["cipher"], row["kernel"]))
    return [_part(tree, row, kernels) for row in chosen]


def _offered(name: str) -> bool:
    """Stream ciphers and counter modes: feedback needs an unpredictable IV, and what encrypts in another way than it decrypts
    is broken."""
    if name in MACS:
        return True
    found = runnel.ciphers().get(name)
    return found is not None and not found.directional


def _part(tree: Path, row: Row, kernels: dict[tuple[str, str, str], Row]) -> Part:
    unit = TARGETS[row["target"]]
    figures = row["figures"]
    fresh = _fresh(figures, unit)
    stream = figures.get("stream", {})
    going = [[0, 0], [stream["bytes"], stream[unit]]] if unit in stream else None
    is_mac = row["cipher"] in MACS
    kernel = _linked(tree, row)
    part: Part = {
        "target": row["target"],
        "name": row["cipher"],
        "kernel": kernel,
        "key_bits": row["key_bits"],
        "iv_bits": row["iv_bits"],
        "key": figures["key"].get(unit),
        "fresh": fresh,
        "going": fresh if is_mac else going,
        "block": _block(row["cipher"]),
        "rom": row["rom"],
        "static": row["ram"]["static"],
        "stack": row["ram"]["stack"],
        "constant_time": _constant_time(row, kernel, kernels),
        "kind": row["kind"],
        "date": row["date"],
        "macros": _macros(tree, row),
        "command": f"runnel lab run --target {row['target']} --cipher {row['cipher']} --kernel {row['kernel']}",
    }
    return part


def _fresh(figures: dict[str, Any], unit: str) -> Points:
    """Cost by bytes, the IV and, where it is for one message, the key among it."""
    start = figures.get("iv", {}).get(unit, 0)
    points = sorted(
        [figures[label]["bytes"], start + figures[label][unit]] for label in ("packet", "long") if label in figures
    )
    return with_empty(points, start)


def with_empty(points: Points, start: float = 0) -> Points:
    """Put what no byte takes before the points: what the line through the first and the last leaves, and no less than the
    start."""
    (x0, y0), (x1, y1) = points[0], points[-1]
    slope = (y1 - y0) / (x1 - x0) if x1 > x0 else (y0 - start) / x0
    return [[0, round(max(float(start), y0 - slope * x0), 1)], *points]


def _linked(tree: Path, row: Row) -> str:
    """Tell which kernel was linked: the lab's rows call every MAC portable that has no knob, also where it is assembly."""
    if row["cipher"] not in MACS or row["cipher"] == "aes-cmac":
        return str(row["kernel"])
    return builds.linked(tree, row["target"], f"macs/{row['cipher'].partition('-')[0]}", {})


def _macros(tree: Path, row: Row) -> builds.Macros:
    if TARGETS[row["target"]] != "cycles":  # programs of an operating system choose when they run
        return {}
    if row["cipher"] == "aes-cmac":
        folders = {"ciphers/aes": str(row["kernel"])}
    elif row["cipher"] in MACS:
        folders = {}
    else:
        folder = subjects.folder_of(tree, subjects.cipher(row["cipher"]))
        folders = {f"{folder.parent.name}/{folder.name}": str(row["kernel"])}
    return builds.macros(tree, folders, row["key_bits"], prefix=True)


def _block(name: str) -> int:
    if name in MACS:
        return 8 if name.startswith("siphash") else 16
    return subjects.cipher(name).block_bytes or (64 if name.startswith(("chacha", "salsa")) else 1)


def _constant_time(row: Row, kernel: str, kernels: dict[tuple[str, str, str], Row]) -> bool:
    """Tell whether its time is promised to reveal nothing. On AVR, which has no cache, that is so for our assembly alone,
    tables or not: what avr-gcc makes of C is not promised. AES-CMAC has its AES kernel's word, other MACs have no tables."""
    if row["target"] == "avr":
        return is_avr_assembly(kernel)
    if row["cipher"] == "aes-cmac":
        return bool(kernels[row["target"], "aes-128-ctr", row["kernel"]]["constant_time"])
    return bool(row.get("constant_time", True))


def is_avr_assembly(kernel: str) -> bool:
    return kernel.startswith("avr") and not kernel.startswith("avr-c")


def of_host(folder: Path, rom: dict[tuple[str, str], int]) -> tuple[dict[str, Any], list[Part]]:
    """Return the machine and the parts that `runnel speed` measured on it: the one on which most AEADs were, the newest of
    these. folder: results; rom: by name and kernel, where the lab has it."""
    found = []
    for file in sorted(folder.glob("*/speed.json")):
        result = json.loads(file.read_text(encoding="utf-8"))
        aeads = {row["cipher"] for row in result["rows"]} & set(runnel.aeads())
        found.append((len(aeads), result["machine"]["date"], file.parent.name, result))
    if not found or max(found)[0] == 0:
        raise LabError("results/ has no machine on which AEADs were measured")
    result = max(found)[3]
    return result["machine"], [
        part
        for name, comparison in speed.comparisons(result).items()
        if (part := _of_host(name, comparison.ours, rom, result["machine"]["date"])) is not None
    ]


def _of_host(name: str, cells: dict[speed.Cell, Row], rom: dict[tuple[str, str], int], date: str) -> Part | None:
    if not (name in runnel.aeads() or _offered(name)):
        return None
    fresh: Points = sorted([n, cell["cycles"]] for (operation, n), cell in cells.items() if operation == "message")
    going = [[0, 0]]
    if stream := cells.get(("stream", 65536)):
        going.append([65536, stream["cycles"]])
    if len(fresh) < 2:
        return None
    kernel = next(cell["kernel"] for cell in cells.values())
    facts: Any = runnel.ciphers().get(name) or runnel.aeads()[name]
    return {
        "target": "host",
        "name": name,
        "kernel": kernel,
        "key_bits": 0,
        "iv_bits": 0,
        "key": cells["key", 0]["cycles"] if ("key", 0) in cells else None,
        "fresh": with_empty(fresh),
        "going": going if len(going) > 1 else None,
        "block": 1,
        "rom": rom.get((name, kernel)),
        "static": facts.context_bytes,
        "stack": 0,
        "constant_time": True,
        "kind": "measured",
        "date": date,
        "macros": {},
        "command": f"runnel speed --cipher {name}",
    }


def machines(folder: Path) -> list[dict[str, Any]]:
    """Return what each recorded machine reaches with messages of 16 KiB: {"title", "date", "gb_per_s": by name}."""
    found = []
    for file in sorted(folder.glob("*/speed.json")):
        result = json.loads(file.read_text(encoding="utf-8"))
        about = result["machine"]
        numbers = re.search(r"family (\d+) model (\d+)", about["cpu_id"])
        title = re.sub(r"\(\w+\)| Processor", "", about["cpu"]) + (f" {numbers[1]}/{numbers[2]}" if numbers else "")
        speeds = {
            name: each.ours["message", 16384]["gb_per_s"]
            for name, each in speed.comparisons(result).items()
            if ("message", 16384) in each.ours
        }
        found.append({"title": title, "date": about["date"], "gb_per_s": speeds})
    return found
