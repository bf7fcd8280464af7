# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The forms of instructions that were compared with a processor: a proof that uses another is no proof."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .testing.base import Tester

SETS = {
    "host": "x86-64",
    "aarch64": "aarch64",
    "armv7": "arm",
    "cortex-m4": "thumb-2",
    "rv32": "rv32",
    "rv32-zk": "rv32",
    "rv64-zk": "rv64",
    "avr": "avr",
}
"""The instruction set of each target."""


def tester(name: str, folder: Path) -> Tester:
    """Return what compares an instruction set with a processor; what it needs is built in a folder."""
    if name == "x86-64":
        from .testing.x86 import X86Tester

        return X86Tester(folder / "native_x86_64.so")
    if name == "avr":
        from .testing.avr import AvrTester

        return AvrTester(folder)
    from .testing import emulated

    if name.startswith("rv"):
        return emulated.RiscvTester(int(name[2:]), folder)
    kinds = {"aarch64": emulated.Aarch64Tester, "arm": emulated.ArmTester, "thumb-2": emulated.ThumbTester}
    return kinds[name](folder)


def file_of(folder: Path, name: str) -> Path:
    """Return where the forms of an instruction set are kept."""
    return folder / f"forms-{name}.json"


def tested(folder: Path, target: str) -> dict[str, Any]:
    """Return the forms of a target that were tested, each with the number of encodings and operands."""
    file = file_of(folder, SETS[target])
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else {}


def untested(result: dict[str, Any], folder: Path) -> list[str]:
    """Return the forms of a proof that were not tested, or not with the results of the processor."""
    known = tested(folder, result["target"])
    return [form for form in result.get("forms", {}) if form not in known or known[form]["wrong"]]


def used(results: Iterable[dict[str, Any]], name: str) -> dict[str, list[bytes]]:
    """Return the forms of all proofs of an instruction set, each with some encodings of it."""
    found: dict[str, set[str]] = {}
    for result in results:
        if SETS[result["target"]] == name:
            for form, codes in result.get("forms", {}).items():
                found.setdefault(form, set()).update(codes)
    return {form: [bytes.fromhex(code) for code in sorted(codes)][:16] for form, codes in sorted(found.items())}


def results_in(folder: Path) -> list[dict[str, Any]]:
    """Return the results that are kept in a folder."""
    files = (file for file in sorted(folder.glob("*.json")) if not re.match(r"forms-|planted|compilers", file.name))
    return [json.loads(file.read_text(encoding="utf-8")) for file in files]


def test(
    name: str, results: list[dict[str, Any]], folder: Path, scratch: Path, operands: int, only_new: bool = False
) -> dict[str, Any]:
    """Compare all forms of an instruction set that proofs use with a processor, and write down what came of it; of those
    that were right before, only_new keeps what is written. A comparison with a processor is not replaced by one with an
    emulator."""
    target = next(target for target, of in SETS.items() if of == name)
    before = tested(folder, target)
    outcomes = {}
    chosen = tester(name, scratch)
    for form, codes in used(results, name).items():
        here, by = all(chosen.can_run(form, code) for code in codes), chosen.by(form, codes)
        right = form in before and not before[form]["wrong"]
        if right and (only_new or not here or (by and not before[form].get("by"))):
            outcomes[form] = before[form]
            continue
        if not here:
            continue
        outcome = chosen.test(form, codes, operands)
        outcomes[form] = {"encodings": outcome.encodings, "operands": outcome.operands, "wrong": outcome.wrong}
        outcomes[form] |= {"by": by} if by else {}
    file_of(folder, name).write_text(json.dumps(outcomes, indent=1) + "\n", encoding="utf-8")
    return outcomes
