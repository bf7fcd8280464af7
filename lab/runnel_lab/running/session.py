# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The script that lab/bench.c carries out, and its answers."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from runnel_lab import DoesNotFit, LabError, Skipped
from runnel_lab.targets import Target

NO_ROOM = "does not fit: "
"""How a runner begins its line on standard error when the program's stack meets its data."""


@dataclass(frozen=True)
class Call:
    """One operation of the script: what is sent, and how many bytes come back after a status of 0."""

    label: str
    request: bytes
    output: int = 0
    measured: bool = True
    """The program puts marks around it."""


@dataclass(frozen=True)
class Cost:
    """The cost of one call; None: not known on this target."""

    cycles: int | None = None
    instructions: int | None = None
    loads: int | None = None
    stores: int | None = None
    stack: int | None = None


@dataclass(frozen=True)
class Answer:
    call: Call
    status: int
    output: bytes
    cost: Cost


@dataclass(frozen=True)
class Step:
    """A call of the script, and the status and the output that it must have."""

    call: Call
    expected: bytes = b""
    status: int = 0


ERR_KERNEL = -10  # RUNNEL_ERR_KERNEL


def key(data: bytes) -> Call:
    return Call("key", b"K" + len(data).to_bytes(2, "little") + data)


BE32_LEFT = 8  # RUNNEL_BE32_LEFT


def iv(data: bytes, layout: int = 0) -> Call:
    """Starts a message; the layout's number is that of <runnel/stream.h>."""
    return Call("iv", b"I" + bytes([layout]) + len(data).to_bytes(2, "little") + data)


def _message(operation: bytes, label: str, data: bytes, offset: int = 0) -> Call:
    return Call(label, operation + bytes([offset]) + len(data).to_bytes(3, "little") + data, len(data))


encrypt, decrypt = partial(_message, b"X"), partial(_message, b"D")
authenticate = partial(_message, b"T")
"""The tag comes back in the place of the first bytes."""


def seek(position: int) -> Call:
    return Call("seek", b"S" + position.to_bytes(8, "little"))


def wipe() -> Call:
    return Call("wipe", b"W")


def paint() -> Call:
    """Paint the stack under each call from now on; hosted targets only."""
    return Call("paint", b"P", measured=False)


def stack_used() -> Call:
    """Four bytes: how much stack the last call used."""
    return Call("stack", b"U", 4, measured=False)


def run(
    target: Target, runner: Path, elf: Path, script: Sequence[Call], *, timeout: float = 600, quick: bool = False
) -> list[Answer]:
    """Runs the program on the target, quick: if need be without marks. Raises LabError if it does not answer every
    call, DoesNotFit if its stack runs into its data."""
    with tempfile.TemporaryDirectory() as scratch:
        marks = Path(scratch) / "marks"
        marks.touch()
        words = target.quick if quick and target.quick and shutil.which(target.quick[0]) else target.command
        command = target.expand(words, runner=runner, elf=elf, marks=marks)
        try:
            done = subprocess.run(
                command, input=b"".join(c.request for c in script), capture_output=True, timeout=timeout
            )
        except subprocess.TimeoutExpired:
            raise LabError(f"{target.name}: the program did not end within {timeout:.0f} seconds") from None
        except OSError as error:
            raise LabError(f"{target.name}: {command[0]}: {error.strerror}") from None
        costs = iter(marks.read_text(encoding="utf-8").splitlines())
    answers = []
    answered, at = done.stdout, 0
    for number, call in enumerate(script):
        status = int.from_bytes(answered[at : at + 1], signed=True)
        begin, at = at + 1, at + 1 + (call.output if status == 0 else 0)
        if len(answered) < at:
            message = done.stderr.decode(errors="replace").strip()[-300:] or f"exit status {done.returncode}"
            if message.startswith(NO_ROOM):
                raise DoesNotFit(message.removeprefix(NO_ROOM))
            raise LabError(f"{target.name}: the program stopped at call {number}, {call.label}: {message}")
        answers.append(Answer(call, status, answered[begin:at], _cost(next(costs, "") if call.measured else "")))
    if len(answered) > at:
        raise LabError(f"{target.name}: the program sent {len(answered) - at} bytes too many")
    return answers


def checked(target: Target, name: str, runner: Path, elf: Path, steps: Sequence[Step]) -> list[Answer]:
    """Run the script, compare every byte and return the answers that are taken. Raise Skipped if no key is taken."""
    try:
        kept = taken(steps, run(target, runner, elf, [step.call for step in steps]))
    except DoesNotFit:
        raise
    except LabError as error:
        raise LabError(f"{name}: {error}; no figure is recorded") from None
    if not kept:
        raise Skipped(f"{name}: skipped, it does not take this key, or this processor cannot run it")
    return kept


def taken(steps: Sequence[Step], answers: Sequence[Answer], refusals: Collection[int] = (ERR_KERNEL,)) -> list[Answer]:
    """Return the answers without those to a key or an IV that is refused with one of these errors, and to what follows it,
    and without decryption by a kernel that has none. Raise LabError if a status or a byte is not the one expected."""
    kept, refused = list[Answer](), False
    for step, answer in zip(steps, answers, strict=True):
        label = answer.call.label
        if label == "key" or (label == "iv" and not refused):
            refused = answer.status in refusals
        if refused or (answer.status == ERR_KERNEL and label.endswith("_decrypt")):
            continue
        if answer.status != step.status:
            raise LabError(f"{label} gave status {answer.status}")
        if label != "stack" and answer.output != step.expected:
            at = next(i for i, (a, b) in enumerate(zip(answer.output, step.expected)) if a != b)
            raise LabError(f"byte {at} of {label} differs from the host's")
        kept.append(answer)
    return kept


def _cost(line: str) -> Cost:
    try:
        return Cost(*(None if word == "-" else int(word) for word in line.split()))
    except (TypeError, ValueError):
        raise LabError(f"the runner wrote marks that are none: {line[:80]}") from None
