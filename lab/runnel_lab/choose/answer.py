# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The answer in words and rows, as page and command give it. The page's answer.js says the same letter by letter."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from runnel_lab.choose.rules import Candidate, Data, Question, candidates, device, failures, filled, reason, total

CURVES = 6
_MEMORY = ("ram", "flash")
KINDS = {"exact": "exact", "model": "timing model", "measured": "measured"}


def figure(value: float) -> str:
    """Return three digits or more: 0.0336, 1.25, 12.5, 125, 12,500."""
    digits = 0
    while 0 < value * 10**digits < 100:
        digits += 1
    whole = math.floor(value * 10**digits + 0.5)
    if digits == 0:
        return f"{whole:,}"
    text = str(whole).rjust(digits + 1, "0")
    return f"{text[:-digits]}.{text[-digits:]}"


def answer(data: Data, question: Question, mhz: float | None = None, nj: float | None = None) -> dict[str, Any]:
    """Return {"sentence", "notes", "rows", "left_out", "give_up", "built", "code", "curves", "cheapest", "memory"}. built:
    what the first row's figures hold for; curves: cost by bytes of the first rows; cheapest: what takes least of all that
    fits; memory: [name and kernel, RAM, cost] of all that fails for memory alone or not at all. mhz: the clock, and nj: the
    energy of a cycle in nJ, where they are not those of the device."""
    where = device(data, question["device"])
    mhz, nj = mhz or where.get("mhz"), nj or where.get("nj")
    rows: list[Candidate] = []
    more: list[Candidate] = []
    out: list[tuple[Candidate, list[dict[str, Any]]]] = []
    seen: set[str] = set()
    for each in candidates(data, question):
        failed = failures(data, each, question)
        if failed:
            out.append((each, failed))
        elif each["name"] not in seen:
            seen.add(each["name"])
            rows.append(each)
        else:
            more.append(each)
    for each in rows:
        each["cost_text"] = f"{each['cost']:,}"
        each["us"] = figure(each["cost"] / mhz) if mhz and where["unit"] == "cycles" else ""
        each["uj"] = figure(each["cost"] * nj / 1000) if nj and where["unit"] == "cycles" else ""
        each["per_byte"] = figure(each["cost"] / question["bytes"]) if question["bytes"] else ""
        each["times"] = _times(each, rows[0])
        each["kind_text"] = _kind(each, where)
    return {
        "sentence": _sentence(where, question, rows[0], mhz) if rows else _nothing(out, where),
        "notes": _runners_up(rows, where) + _faster(rows, out, seen, where),
        "rows": rows,
        "left_out": _left_out(out, seen),
        "give_up": _give_up(rows[0], question) if rows else [],
        "built": _built(rows[0]) if rows else "",
        "code": code(data, rows[0]) if rows else {},
        "curves": _curves(data, question, rows),
        "cheapest": _cheapest(data, question, [*rows, *more, *(each for each, _ in out)]),
        "memory": [
            [f"{each['name']} ({each['kernel']})", each["ram"], each["cost"]]
            for each in [*rows, *more, *(each for each, failed in out if {f["name"] for f in failed} <= set(_MEMORY))]
        ],
    }


def _times(each: Candidate, best: Candidate) -> str:
    """Return nothing where the best costs nothing: a message that continues by no byte."""
    if each is best:
        return "1"
    return figure(each["cost"] / best["cost"]) if best["cost"] else ""


def _kind(each: Candidate, where: Mapping[str, Any]) -> str:
    words = [KINDS[each["kind"]]]
    words += ["sum of cipher and MAC"] if each["sum"] else []
    words += [f"with a header of {each['header']} bytes"] if each["header"] else []
    if each["difference"]:
        words += ["the difference of two lengths"]
    elif each["beyond"]:
        words += ["beyond the measured lengths"]
    elif each["between"]:
        words += ["between measured lengths"]
    return ", ".join(words)


def _sentence(where: Mapping[str, Any], question: Question, best: Candidate, mhz: float | None) -> str:
    size = f"{question['bytes']:,} byte" + ("" if question["bytes"] == 1 else "s")
    parts = [f"{best['cost_text']} {where['unit']}"]
    if best["us"]:
        parts[0] += f" = {best['us']} µs at {_plain(mhz or 0)} MHz"
    parts += [f"{best['uj']} µJ"] if best["uj"] else []
    parts += [f"{best['ram']:,} bytes of RAM" + (f" ({where['ram_is']})" if "ram_is" in where else "")]
    parts += [f"{best['flash']:,} bytes of flash"] if best["flash"] is not None else []
    parts += [f"{best['air']} bytes more on the air"] if best["air"] else []
    return f"For messages of {size} on {where['title']}: {_called(best)}, {', '.join(parts)}."


def _plain(value: float) -> str:
    """Return a number as JavaScript writes it: all digits, and no point behind a whole one."""
    return repr(float(value)).removesuffix(".0")


def _nothing(out: list[tuple[Candidate, list[dict[str, Any]]]], where: Mapping[str, Any]) -> str:
    """Return what rules out the candidate that fails least."""
    if not out:
        return f"Nothing has been measured on {where['title']} yet."
    near = [pair for pair in out if all(rule["name"] != "authenticated" for rule in pair[1])]
    if not near:
        return (
            f"Nothing fits: no AEAD has been measured on {where['title']} yet. The library has some; `runnel aeads` lists "
            "them."
        )
    nearest, failed = min(near, key=lambda pair: len(pair[1]))
    why = "; ".join(reason(rule, nearest) for rule in failed)
    return f"Nothing fits. Nearest: {_called(nearest)}, but it {_clause(why)}."


def _called(each: Candidate) -> str:
    return f"{each['name']} ({each['title']}, kernel {each['kernel']})"


def _clause(why: str) -> str:
    """Return it as it stands behind "it"."""
    return why if why.split(" ")[0] in ("needs", "does", "cannot", "is", "takes", "authenticates") else f"fails: {why}"


def _runners_up(rows: list[Candidate], where: Mapping[str, Any]) -> list[str]:
    return [
        f"{each['title']}: {each['times']} times the cost."
        if each["times"]
        else f"{each['title']}: {each['cost_text']} {where['unit']}."
        for each in rows[1:4]
    ]


def _faster(
    rows: list[Candidate], out: list[tuple[Candidate, list[dict[str, Any]]]], seen: set[str], where: Mapping[str, Any]
) -> list[str]:
    """Return why a cheaper candidate was not taken, where there is one reason alone; of those that do not
    authenticate, the cheapest."""
    found: dict[str, str] = {}
    named: set[str] = {"raw"}
    as_long = "as long" if where["unit"] == "cycles" else f"the {where['unit']}"
    for each, failed in out:
        cheaper = rows and len(failed) == 1 and each["cost"] is not None and each["cost"] < rows[0]["cost"]
        if cheaper and each["name"] not in seen and each["name"] not in found and failed[0]["name"] not in named:
            named |= {failed[0]["name"]} & {"authenticated"}
            found[each["name"]] = (
                f"{each['title']} would take {figure(each['cost'] / rows[0]['cost'])} times {as_long}, but "
                f"{reason(failed[0], each)}."
            )
    return list(found.values())[:3]


def _left_out(out: list[tuple[Candidate, list[dict[str, Any]]]], seen: set[str]) -> list[str]:
    """Return every algorithm without a row, and why: the reason of its cheapest kernel that fails least."""
    best: dict[str, tuple[int, str]] = {}
    for each, failed in out:
        if each["name"] not in seen and (each["name"] not in best or len(failed) < best[each["name"]][0]):
            best[each["name"]] = (len(failed), f"{each['title']}: {reason(failed[0], each)}")
    return [text for _, text in best.values()]


def _curves(data: Data, question: Question, rows: Sequence[Candidate]) -> list[dict[str, Any]]:
    """Return the cost by bytes of the first rows, as far as all of them were measured."""
    found = []
    chosen = rows[:CURVES]
    longest = min((_longest(data, each) for each in chosen), default=0)
    for each in chosen:
        lengths = [count for count in data["rules"]["lengths"] if count <= longest]
        points = [[count, _cost(data, each, question | {"bytes": count})] for count in lengths]
        found.append({"name": each["name"], "title": each["title"], "points": points})
    return found


def _cheapest(data: Data, question: Question, every: Sequence[Candidate]) -> list[str]:
    """Return which candidate is the cheapest, with any of its kernels, from which length on: of each length those that were
    measured so far."""
    lines: list[str] = []
    before = None
    short = question | {"bytes": 0}
    fitting = [(each, _longest(data, each)) for each in every if not failures(data, each, short)]
    for count in data["rules"]["lengths"]:
        asked = question | {"bytes": count}
        able = [each for each, longest in fitting if count <= longest and not failures(data, each, asked)]
        if not able:
            continue
        best = min(able, key=lambda each: (_cost(data, each, asked), each["title"]))["title"]
        if best != before:
            lines.append(f"From {count:,} bytes on {best} takes least.")
        before = best
    return lines


def _cost(data: Data, each: Candidate, question: Question) -> int:
    return total(
        [data["parts"][number] for number in each["parts"]], each["extra"], question["bytes"], question["nonce"]
    )


def _longest(data: Data, each: Candidate) -> float:
    """Return the longest message that all parts were measured with."""
    longest: float = min(data["parts"][number]["fresh"][-1][0] for number in each["parts"])
    return longest


def _give_up(best: Candidate, question: Question) -> list[str]:
    lines = [f"A nonce that comes twice under one key {best['reuse']}."]
    if best["iv_counts"]:
        lines.append(
            f"The last {best['iv_counts']} bytes of the IV count blocks: they must be zero, and the rest another for each "
            "message, or keystream comes twice."
        )
    if best["messages"]:
        lines.append(f"A key is for {best['messages']} messages at most.")
    if best["authenticated"]:
        if question["nonce"] == "stream":
            lines.append("What is decrypted is not verified before the last piece: do not act on it until then.")
        if question["nonce"] == "stream" and best["lengths_first"]:
            lines.append("The lengths of message and associated data must be known before the first piece.")
        lines.append(
            "It commits to its key: no sealed message opens under two."
            if best["commits"]
            else "It does not commit to its key: where others choose keys, a sealed message may open under two."
        )
    else:
        lines.append("Nothing is authenticated: whoever can change the ciphertext changes the plaintext, bit by bit.")
    if not best["constant_time"]:
        lines.append(f"The time or the addresses of {best['kernel']} may depend on secrets.")
    return lines


def _built(best: Candidate) -> str:
    """Return the build that the figures hold for; nothing where the kernel is chosen as the program runs."""
    if not best["built"]:
        return ""
    return f"Built with {best['built']}: another configuration, such as a package's, takes something else."


def code(data: Data, best: Candidate) -> dict[str, str]:
    """Return six lines for this choice in each language: c, arduino, python."""
    return {language: filled(text, best["code_values"]) for language, text in data["code"][best["code_kind"]].items()}
