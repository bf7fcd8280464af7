# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Questions to the chooser, for the rules in Python, in JavaScript and on the page: twelve whose answers are worked out here
from the data by a few lines of their own, and a grid on which the rules in both languages must say the same."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable
from typing import Any, NamedTuple

from runnel_lab.choose import rules

Question = dict[str, Any]
Facts = dict[str, Any]


class Asked(NamedTuple):
    question: Question
    fits: Callable[[Facts, dict[str, Any]], bool]
    """Tells whether an algorithm, with the sums of its parts, may be taken."""


def _usual(a: Facts, p: dict[str, Any]) -> bool:
    return a["status"] == "recommended" and a["authenticated"] and not a["composed"] and p["safe"]


def _raw(a: Facts, p: dict[str, Any]) -> bool:
    return a["status"] == "recommended" and not a["authenticated"] and p["safe"]


TWELVE = {
    "a small packet on an Arduino": Asked({}, lambda a, p: _usual(a, p) and p["ram"] <= 2048 and p["rom"] <= 32768),
    "with 1 KB of RAM": Asked({"ram": 1024}, lambda a, p: _usual(a, p) and p["ram"] <= 1024 and p["rom"] <= 32768),
    "with 100 bytes of RAM": Asked({"ram": 100}, lambda a, p: False),
    "not authenticated, in 6,000 bytes of flash": Asked(
        {"authenticated": False, "flash": 6000}, lambda a, p: _raw(a, p) and p["ram"] <= 2048 and p["rom"] <= 6000
    ),
    "a Korean cipher on a mote": Asked(
        {"device": "atmega128", "standard": "ks", "authenticated": False, "bytes": 128},
        lambda a, p: _raw(a, p) and "ks" in a["standards"] and p["ram"] <= 4096,
    ),
    "broken ciphers too, on AVR": Asked(
        {"device": "atmega128", "all": True, "authenticated": False, "bytes": 1024},
        lambda a, p: not a["authenticated"] and p["safe"] and p["ram"] <= 4096,
    ),
    "a packet on a Cortex-M4": Asked({"device": "cortex-m4", "bytes": 64}, _usual),
    "NIST's, where nobody measures time": Asked(
        {"device": "cortex-m4", "timing": False, "standard": "nist", "bytes": 1000},
        lambda a, p: _usual(a, p | {"safe": True}) and "nist" in a["standards"],
    ),
    "a seekable one of an RFC on RV32": Asked(
        {"device": "rv32", "authenticated": False, "seek": True, "standard": "rfc", "bytes": 256},
        lambda a, p: _raw(a, p) and a["seek"] and "rfc" in a["standards"] and p["ram"] <= 16384,
    ),
    "an Ethernet packet on a PC": Asked({"device": "x86-64", "bytes": 1500}, _usual),
    "a PC whose nonces may repeat": Asked(
        {"device": "x86-64", "nonce": "repeat", "bytes": 1024}, lambda a, p: _usual(a, p) and a["tolerates_reuse"]
    ),
    "AArch64 without AES instructions": Asked(
        {"device": "aarch64-no-aes", "authenticated": False, "bytes": 1024},
        lambda a, p: _raw(a, p) and "aarch64-aes" not in p["kernels"],
    ),
}


def worked_out(asked: Asked) -> str | None:
    """Returns the name of the cheapest that fits, from the file alone: none of the package's code is used."""
    data = json.loads(rules.FILE.read_text())
    count = asked.question.get("bytes", 32)
    device = next(d for d in data["devices"] if d["name"] == asked.question.get("device", "atmega328p"))
    best: tuple[int, str] | None = None
    for option in data["options"]:
        parts = [data["parts"][n] for n in option["parts"]]
        where = device.get("packets", device["target"]) if "air" in parts[0] else device["target"]
        if parts[0]["target"] != where:
            continue
        sums = {
            "ram": sum(p["static"] for p in parts) + max(p["stack"] for p in parts),
            "rom": sum(p["rom"] or 0 for p in parts),
            "safe": all(p["constant_time"] for p in parts),
            "kernels": [p["kernel"] for p in parts],
        }
        facts = data["algorithms"][option["name"]]
        limit = facts["message_bytes"]
        if not asked.fits(facts, sums) or (limit is not None and count > limit):
            continue
        cost = 0.0
        for number, part in enumerate(parts):
            cost += _line(part, count + (option.get("extra", 0) if number == 0 else 0))
        found = (math.floor(cost + 0.5), option["name"])
        best = found if best is None or found[0] < best[0] else best
    return best and best[1]


def _line(part: dict[str, Any], count: int) -> float:
    """Return the cost of so many bytes, rounded up to blocks, by the two measured lengths around them."""
    count = -(-count // part["block"]) * part["block"]
    points = part["fresh"]
    if count <= points[0][0]:
        return points[0][1]
    low, high = next((pair for pair in itertools.pairwise(points) if count <= pair[1][0]), points[-2:])
    part_of_it = (count - low[0]) / (high[0] - low[0])
    return low[1] + part_of_it * (high[1] - low[1])


def whole(asked: Question) -> Question:
    return rules.defaults(rules.load()) | asked


def grid() -> list[Question]:
    """Yield every answer to every question beside the usual ones, and some combinations of answers, on each device."""
    data = rules.load()
    counts: dict[str, list[Any]] = {
        "bytes": [0, 1, 16, 33, 128, 1000, 65536, (1 << 24) - 1, 1 << 26],
        "ram": [None, 300, 1024, 100_000],
        "flash": [None, 4000, 10_000],
    }
    found = []
    for device in [each["name"] for each in data["devices"]]:
        for asked in data["rules"]["questions"]:
            answers = counts.get(asked["name"]) or list(asked.get("choices", {})) or [True, False]
            if asked["name"] != "device":
                found += [whole({"device": device, asked["name"]: value}) for value in answers]
        some = itertools.product([True, False], ["stream", "repeat"], [0, 1500], [None, 700], [True, False])
        found += [
            whole({"device": device, "authenticated": a, "nonce": n, "bytes": b, "ram": r, "all": every})
            for a, n, b, r, every in some
        ]
    return found
