# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The forms of instructions that were compared with a processor: a proof that uses another is no proof."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

TESTERS = {"host": "x86-64"}
"""Targets whose instructions are compared with a processor; those of others rest on SLEIGH and the tables of ours alone."""


def file_of(folder: Path, target: str) -> Path:
    """Return where the forms of a target are kept."""
    return folder / f"forms-{TESTERS[target]}.json"


def tested(folder: Path, target: str) -> dict[str, Any]:
    """Return the forms that were tested, each with the number of encodings and operands."""
    file = file_of(folder, target)
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else {}


def untested(result: dict[str, Any], folder: Path) -> list[str] | None:
    """Return the forms of a proof that were not tested; None: there is no tester for its target."""
    if result["target"] not in TESTERS:
        return None
    known = tested(folder, result["target"])
    return [form for form in result.get("forms", {}) if form not in known or known[form]["wrong"]]


def used(results: Iterable[dict[str, Any]], target: str) -> dict[str, list[bytes]]:
    """Return the forms of all proofs of a target, each with some encodings of it."""
    found: dict[str, set[str]] = {}
    for result in results:
        if result["target"] == target:
            for form, codes in result.get("forms", {}).items():
                found.setdefault(form, set()).update(codes)
    return {form: [bytes.fromhex(code) for code in sorted(codes)][:16] for form, codes in sorted(found.items())}


def results_in(folder: Path) -> list[dict[str, Any]]:
    """Return the results that are kept in a folder."""
    files = (file for file in sorted(folder.glob("*.json")) if not re.match(r"forms-|planted-", file.name))
    return [json.loads(file.read_text(encoding="utf-8")) for file in files]


def test_x86(results: list[dict[str, Any]], folder: Path, library: Path, operands: int) -> dict[str, Any]:
    """Compare all forms of x86-64 that proofs use with this processor, and write down what came of it."""
    from .testing import x86

    tester = x86.Tester(x86.Processor(library))
    made = {}
    for form, codes in used(results, "host").items():
        outcome = tester.test(form, codes, operands)
        made[form] = {"encodings": outcome.encodings, "operands": outcome.operands, "wrong": outcome.wrong}
    file_of(folder, "host").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    return made
