# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Carries out the rules of cipher-data.json: what a message costs, who is left out and why, who comes first. The page's
rules.js does the same step by step; the tests hold both to the same answers."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

Data = dict[str, Any]
Question = dict[str, Any]
Candidate = dict[str, Any]

FILE = Path(__file__).with_name("cipher-data.json")
SCHEMA = 1

COUNT_MOST = 1 << 40
"""Lengths that may be asked for, in bytes."""
MHZ = (0.001, 1_000_000)
NJ = (0.000001, 1_000_000)
"""The least and the most that a clock and the energy of a cycle may be."""


@lru_cache
def load(file: Path = FILE) -> Data:
    """Return the data. Raises ValueError for a file of another schema."""
    data: Data = json.loads(file.read_text(encoding="utf-8"))
    if data.get("schema") != SCHEMA:
        raise ValueError(f"{file.name}: its schema is {data.get('schema')}, not {SCHEMA}")
    return data


def defaults(data: Data) -> Question:
    """Return the default questions."""
    asked = {each["name"]: each.get("default") for each in data["rules"]["questions"]}
    return asked | {"device": data["devices"][0]["name"]}


def device(data: Data, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in data["devices"] if each["name"] == name)
    return found


def interpolated(points: Sequence[Sequence[float]], count: float) -> float:
    """Return the cost of so many bytes: on straight lines between what was measured, and on the last line beyond it."""
    if count <= points[0][0] or len(points) == 1:
        return points[0][1]
    after = next((n for n, point in enumerate(points) if point[0] >= count), len(points) - 1)
    (x0, y0), (x1, y1) = points[after - 1], points[after]
    return y0 + (y1 - y0) * (count - x0) / (x1 - x0)


def going(part: Mapping[str, Any]) -> Sequence[Sequence[float]]:
    """Return the cost of further bytes of one message: as measured, or what the longest message takes more than the
    shortest, or than none where there is one length alone."""
    measured: Sequence[Sequence[float]] | None = part.get("going")
    (x0, y0), (x1, y1) = part["fresh"][len(part["fresh"]) > 2], part["fresh"][-1]
    return measured or [[0, 0], [x1 - x0, y1 - y0]]


def cost_of(part: Mapping[str, Any], count: int, nonce: str) -> float:
    """Return what a part takes for a message of so many bytes, or for so many more of one."""
    if nonce == "stream":
        return interpolated(going(part), count)
    block = part.get("block", 1)
    return interpolated(part["fresh"], math.ceil(count / block) * block)


def candidates(data: Data, question: Question) -> list[Candidate]:
    """Return everything that was measured on the device, with what a message costs, the cheapest first."""
    where = device(data, question["device"])
    parts = data["parts"]
    found = []
    for option in data["options"]:
        mine = [parts[number] for number in option["parts"]]
        if mine[0]["target"] not in _targets(where, mine[0]) or any(_missing(where, part["kernel"]) for part in mine):
            continue
        found.append(_candidate(data, where, option, mine, question))
    return sorted(found, key=_order)


def _order(candidate: Candidate) -> tuple[float, int, str, str]:
    cost = candidate["cost"]
    return (math.inf if cost is None else cost, candidate["ram"] or 0, candidate["name"], candidate["kernel"])


def _targets(where: Mapping[str, Any], part: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the targets of a device: whole packets may have been measured on one of their own."""
    return (where.get("packets", where["target"]),) if "air" in part else (where["target"],)


def total(parts: Sequence[Mapping[str, Any]], extra: int, count: int, nonce: str) -> int:
    """Return what a message takes; the first part has `extra` bytes more to do."""
    return math.floor(_sum(parts, extra, count, nonce) + 0.5)


def _sum(parts: Sequence[Mapping[str, Any]], extra: int, count: int, nonce: str) -> float:
    return sum(cost_of(part, count + (extra if n == 0 else 0), nonce) for n, part in enumerate(parts))


def _missing(where: Mapping[str, Any], kernel: str) -> bool:
    return any(kernel.startswith(word) or kernel.endswith(word) for word in where.get("without", ()))


def _candidate(
    data: Data, where: Mapping[str, Any], option: Mapping[str, Any], parts: list[dict[str, Any]], question: Question
) -> Candidate:
    facts = data["algorithms"][option["name"]]
    extra, nonce, count = option.get("extra", 0), question["nonce"], question["bytes"]
    stream = nonce == "stream"
    cost = None if stream and not facts["pieces"] else total(parts, extra, count, nonce)
    empty = _sum(parts, extra, 0, nonce)
    flash = [part["rom"] for part in parts]
    places = [_place(part, count + (extra if n == 0 else 0), stream) for n, part in enumerate(parts)]
    tag = parts[0].get("tag_bytes", facts["tag_bytes"])
    return {
        "name": option["name"],
        **facts,
        "tag_bytes": tag,
        "code_values": {**facts["code_values"], "tag_bytes": tag},
        "kernel": " + ".join(dict.fromkeys(part["kernel"] for part in parts)),
        "constant_time": all(part["constant_time"] for part in parts),
        "cost": cost,
        "setup": None if not cost else math.floor(100 * min(empty, cost) / cost + 0.5),
        "key": math.floor(sum(part["key"] or 0 for part in parts) + 0.5),
        "ram": sum(part["static"] for part in parts) + max(part["stack"] for part in parts),
        "flash": None if None in flash else sum(flash),
        "air": tag if stream else parts[0].get("air", tag + where["counter_bytes"]),
        "kind": parts[0]["kind"],
        "between": "between" in places,
        "beyond": "beyond" in places,
        "difference": stream and not all(part.get("going") for part in parts),
        "sum": len(parts) > 1,
        "header": 0 if stream else parts[0].get("header", 0),
        "code_kind": facts["pieces_code_kind" if stream else "code_kind"],
        "built": _built(parts),
        "commands": [part["command"] for part in parts],
        "parts": option["parts"],
        "extra": extra,
    }


def _place(part: Mapping[str, Any], count: int, stream: bool) -> str:
    """Return where the length lies: on what was measured, between, or beyond. What a fresh message of no byte takes was not
    measured."""
    lengths = [point[0] for point in (going(part) if stream else part["fresh"][1:])]
    if count in lengths:
        return ""
    return "between" if lengths[0] < count < lengths[-1] else "beyond"


def _built(parts: Sequence[Mapping[str, Any]]) -> str:
    """Return the knobs of a build that has all parts: of two lengths of key the longer."""
    found: dict[str, Any] = {}
    for part in parts:
        for name, value in part["macros"].items():
            found[name] = max(found.get(name, value), value)
    return ", ".join(f"{name}={value}" for name, value in found.items())


def limit(where: Mapping[str, Any], question: Question, names: Sequence[str]) -> int | None:
    """Return the least of the limits that are set: answers, or fields of the device."""
    values = [where.get(name[7:]) if name.startswith("device.") else question[name] for name in names]
    return min((value for value in values if value is not None), default=None)


def passes(rule: Mapping[str, Any], candidate: Candidate, question: Question, where: Mapping[str, Any]) -> bool:
    if any(question[name] not in answers for name, answers in rule.get("when", {}).items()):
        return True
    value = candidate[rule["field"]]
    if "is" in rule:
        return bool(value == rule["is"])
    if "has" in rule:
        return question[rule["has"]] in value
    if "at_least" in rule:
        return value is None or value >= question[rule["at_least"]]
    if value is None:
        return all(question.get(name) is None for name in rule["at_most"])
    most = limit(where, question, rule["at_most"])
    return most is None or value <= most


def failures(data: Data, candidate: Candidate, question: Question) -> list[dict[str, Any]]:
    """Return the filters that keep a candidate out, the first one first."""
    where = device(data, question["device"])
    return [rule for rule in data["rules"]["filters"] if not passes(rule, candidate, question, where)]


def reason(rule: Mapping[str, Any], candidate: Candidate) -> str:
    """Return why the filter keeps the candidate out."""
    unknown = "why_unknown" in rule and candidate[rule["field"]] is None
    return filled(rule["why_unknown" if unknown else "why"], candidate)


def filled(text: str, values: Mapping[str, Any]) -> str:
    """Return the text with {field} in place; numbers have commas."""

    def value(match: re.Match[str]) -> str:
        found = values[match[1]]
        return f"{found:,}" if isinstance(found, int) and not isinstance(found, bool) else str(found)

    return re.sub(r"\{([a-z]\w*)\}", value, text)
