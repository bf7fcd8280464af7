# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The script that lab/bench.c carries out, and its answers."""

from __future__ import annotations

import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from . import LabError
from .targets import Target


@dataclass(frozen=True)
class Call:
    """One operation of the script: what is sent, and how many bytes come back after a status of 0."""

    label: str
    request: bytes
    output: int = 0


@dataclass(frozen=True)
class Cost:
    """What one call took; None: not known on this target."""

    cycles: int | None
    instructions: int | None
    loads: int | None
    stores: int | None
    stack: int | None


@dataclass(frozen=True)
class Answer:
    call: Call
    status: int
    output: bytes
    cost: Cost


def key(data: bytes) -> Call:
    return Call("key", b"K" + bytes([len(data)]) + data)


def iv(data: bytes, layout: int = 0) -> Call:
    return Call("iv", b"I" + bytes([layout, len(data)]) + data)


def encrypt(label: str, data: bytes, offset: int = 0) -> Call:
    return Call(label, b"X" + bytes([offset]) + len(data).to_bytes(2, "little") + data, len(data))


def seek(position: int) -> Call:
    return Call("seek", b"S" + position.to_bytes(8, "little"))


def wipe() -> Call:
    return Call("wipe", b"W")


def run(target: Target, runner: Path, elf: Path, script: list[Call], timeout: float = 600) -> list[Answer]:
    """Runs the program on the target. Raises LabError if it does not answer every call."""
    with tempfile.TemporaryDirectory() as scratch:
        marks = Path(scratch) / "marks"
        marks.touch()
        try:
            done = subprocess.run(target.expand(target.command, runner=runner, elf=elf, marks=marks),
                                  input=b"".join(c.request for c in script), capture_output=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            raise LabError(f"{target.name}: the program did not end within {timeout:.0f} seconds") from None
        lines = marks.read_text().splitlines()
    answers = []
    rest = done.stdout
    for number, call in enumerate(script):
        if not rest:
            said = done.stderr.decode(errors="replace").strip()[-300:]
            raise LabError(f"{target.name}: the program stopped at call {number}, {call.label}: {said}")
        status = int.from_bytes(rest[:1], signed=True)
        output = rest[1 : 1 + call.output] if status == 0 else b""
        rest = rest[1 + len(output) :]
        answers.append(Answer(call, status, output, _cost(lines[number]) if number < len(lines) else _cost("")))
    return answers


def _cost(line: str) -> Cost:
    words = line.split() or ["-"] * 5
    return Cost(*(None if word == "-" else int(word) for word in words))
