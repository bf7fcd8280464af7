# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One row of the results: a cipher, a kernel, a target; no figure without the right bytes."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path
from statistics import median_low
from typing import Any

import runnel

from . import LabError, firmware, session
from .firmware import Subject
from .targets import Target

PACKET = 128


def _bytes(label: str, count: int) -> bytes:
    """Gives test data that look random and are the same every time."""
    return hashlib.shake_256(label.encode()).digest(count)


def script(target: Target, subject: Subject) -> tuple[list[session.Call], list[bytes]]:
    """Gives the calls of all passes, and the output that is expected of each."""
    description = subject.description
    key = _bytes("key", description.key_bytes[-1])
    calls, outputs = [], []
    for number in range(target.passes):
        calls.append(session.key(key))
        outputs.append(b"")
        for labels in (("packet",), ("long", "stream")):
            iv = _bytes(f"iv {number} {labels[0]}", description.iv_bytes[-1])
            if description.layout is not None:  # a nonce and a counter, as protocols have it
                iv = iv[:-4] + bytes(4)
            host = runnel.new(subject.cipher, key, iv, kernel="portable", allow_broken=True)
            calls.append(session.iv(iv))
            outputs.append(b"")
            for label in labels:
                data = _bytes(f"data {number} {label}", PACKET if label == "packet" else target.long)
                calls.append(session.encrypt(label, data))
                outputs.append(host.xor(data))
    return calls, outputs


def measure(target: Target, subject: Subject, runner: Path) -> dict[str, Any]:
    """Builds, runs, compares, and gives the row. Raises LabError if a byte differs."""
    with tempfile.TemporaryDirectory() as scratch:
        empty, elf = Path(scratch) / "empty.elf", Path(scratch) / "bench.elf"
        firmware.build(target, None, empty)
        firmware.build(target, subject, elf)
        base, full = firmware.sizes(target, empty), firmware.sizes(target, elf)
        calls, outputs = script(target, subject)
        answers = session.run(target, runner, elf, calls)
    name = f"{target.name} {subject.cipher} {subject.kernel}"
    for answer, output in zip(answers, outputs):
        if answer.status != 0:
            raise LabError(f"{name}: {answer.call.label} gave status {answer.status}; no figure is recorded")
        if answer.output != output:
            at = next(i for i, (a, b) in enumerate(zip(answer.output, output)) if a != b)
            raise LabError(f"{name}: byte {at} of {answer.call.label} differs from the host's; no figure is recorded")
    return {
        "cipher": subject.cipher,
        "kernel": subject.kernel,
        "key_bits": 8 * subject.description.key_bytes[-1],
        "iv_bits": 8 * subject.description.iv_bytes[-1],
        "kind": target.kind,
        "figures": _figures(target, answers),
        "rom": full.rom - base.rom,
        "ram": {"static": full.ram - base.ram, "stack": _most(a.cost.stack for a in answers)},
        "output_sha256": hashlib.sha256(b"".join(outputs)).hexdigest(),
        "flags": [*target.flags],
    }


def _most(values: Any) -> int | None:
    known = [v for v in values if v is not None]
    return max(known) if known else None


def _figures(target: Target, answers: list[session.Answer]) -> dict[str, Any]:
    """Gives cost by label: of the last pass on simulators (caches of predictions are warm), the median on the host."""
    figures: dict[str, Any] = {}
    for label in ("key", "iv", "packet", "long", "stream"):
        costs = [a.cost for a in answers if a.call.label == label]
        if target.kind == "measured":
            cycles = [c.cycles for c in costs if c.cycles is not None]
            figure = {"cycles": median_low(cycles) if cycles else None}
        else:
            last = costs[-1]
            figure = {n: v for n in ("cycles", "instructions", "loads", "stores")
                      if (v := getattr(last, n)) is not None}
        if label not in ("key", "iv"):
            figure["bytes"] = PACKET if label == "packet" else target.long
        figures[label] = figure
    return figures
