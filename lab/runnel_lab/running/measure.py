# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One row of the results: a cipher, a kernel, a target; no figure without the right bytes."""

from __future__ import annotations

import datetime
import hashlib
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from statistics import mean
from typing import Any

from runnel_lab import DoesNotFit, LabError, Skipped, subjects, targets
from runnel_lab import results as recording
from runnel_lab.building import firmware, objects
from runnel_lab.running import macs, mca, reference, session
from runnel_lab.subjects import Cipher, Mode, Subject
from runnel_lab.targets import Target

PACKET = 128

# The label of what is encrypted in the layout be32-left; all else is in the cipher's default layout.
LEFT = "left"

# Passes that differ in data and IV; more of them repeat these.
_DIFFERENT = 4

_ERR_KERNEL = -10  # RUNNEL_ERR_KERNEL


@dataclass(frozen=True)
class Step:
    """A call of the script and the output that it must have."""

    call: session.Call
    expected: bytes = b""


def _bytes(label: str, count: int) -> bytes:
    """Returns test data that look random and are the same every time."""
    return hashlib.shake_256(label.encode()).digest(count)


def messages(target: Target, cipher: Cipher) -> list[list[tuple[str, int]]]:
    """Returns labels and lengths of what is encrypted, message by message: an IV is set before each, and the second of one
    length goes on behind the first."""
    more = [[(f"message_{n}", n), (f"more_{n}", n)] for n in target.lengths]
    long = [[("long", target.long), ("stream", target.long)]] if target.long else []
    left = [[(LEFT, target.long)]] if target.long and "be32-left" in cipher.layouts else []
    return [[("packet", PACKET)], *more, *long, *left]


def one_pass(target: Target, subject: Subject, number: int) -> list[Step]:
    """Key set-up and all messages, forwards and, where that is something else, backwards."""
    if subject.cipher.mode == Mode.MAC:
        return [Step(*step) for step in macs.one_pass(target, subject, number, PACKET)]
    key = _bytes("key", subject.key_bytes)
    host = reference.host(subject.cipher, key)
    steps = [Step(session.key(key))]
    for parts in messages(target, subject.cipher):
        iv = _bytes(f"iv {number} {parts[0][0]}", subject.iv_bytes)
        left = parts[0][0] == LEFT
        if subject.cipher.mode == Mode.COUNTER:  # a nonce and a counter, as protocols have it
            iv = iv[:4] + bytes(4) + iv[8:] if left else iv[:-4] + bytes(4)
        done = []
        if subject.cipher.mode != Mode.BLOCKS:
            host.iv(iv, "be32-left" if left else None)
            steps.append(Step(session.iv(iv, session.BE32_LEFT if left else 0)))
        for label, length in parts:
            data = _bytes(f"data {number} {label}", length)
            done.append((label, data, host.encrypt(data)))
            steps.append(Step(session.encrypt(label, data), done[-1][2]))
        if subject.cipher.mode in (Mode.DIRECTIONAL, Mode.BLOCKS):
            if subject.cipher.mode == Mode.DIRECTIONAL:
                steps.append(Step(session.iv(iv)))
            steps += [Step(session.decrypt(f"{label}_decrypt", output), data) for label, data, output in done]
    return steps


def script(target: Target, subject: Subject) -> list[Step]:
    different = [one_pass(target, subject, number) for number in range(min(_DIFFERENT, target.passes))]
    return [step for number in range(target.passes) for step in different[number % len(different)]]


def stack_script(target: Target, subject: Subject) -> list[Step]:
    """Two more passes for targets that cannot watch the stack pointer: painting disturbs caches, and in the first pass the
    dynamic linker takes stack too."""
    steps = one_pass(target, subject, 0)
    asked = Step(session.stack_used())
    return [*steps, Step(session.paint()), *(s for step in steps for s in (step, asked))]


@dataclass(frozen=True)
class Station:
    """A target with its runner made, and the simulator that counts for it, where the runner only measures time."""

    target: Target
    runner: Path
    machine: dict[str, Any]
    results: Path
    """The folder that rows go to."""
    counting: Station | None = None

    @property
    def file(self) -> Path:
        """Where its rows are."""
        return recording.file_of(self.results, self.target, str(self.machine["machine"]))


def station(target: Target, folder: Path, results: Path | None = None) -> Station:
    """Makes the runners in the folder; rows go to results, or where they are tried out. Raises Skipped."""
    target.require()
    counting = target.counting()
    if counting is not None:
        (folder / "counter").mkdir()
    return Station(
        target,
        runner := targets.build_runner(target, folder),
        target.describe_machine(runner),
        results or recording.scratch(target.tree),
        station(counting, folder / "counter", results) if counting else None,
    )


def measure(at: Station, subject: Subject) -> dict[str, Any]:
    """Builds, runs, compares, and gives the row. Raises LabError if a byte differs, DoesNotFit and Skipped as they
    say."""
    try:
        return _measure(at, at.target, subject)
    except DoesNotFit:
        smaller = at.target.smaller()
        if smaller is None:
            raise
        return _measure(at, smaller, subject)


def _measure(at: Station, target: Target, subject: Subject) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as scratch:
        elf = Path(scratch) / "bench.elf"
        firmware.build(target, subject, elf)
        base = firmware.empty_sizes(target, macs.PROGRAM if subject.cipher.mode == Mode.MAC else "bench.c")
        full = firmware.sizes(target, elf)
        target = _patient(target, subject, at.runner, elf)
        answers = _checked(target, subject, at.runner, elf, script(target, subject))
        paints = target.painted and subject.cipher.mode != Mode.MAC  # whose program does not paint
        painted = _checked(target, subject, at.runner, elf, stack_script(target, subject)) if paints else []
        ranked = None
        if (
            target.long
            and mca.available(target, subject.cipher.name)
            and len(objects.kernels(target, subject.cipher)) > 1
        ):
            kibibyte = replace(target, long=mca.BYTES, lengths=[])
            ranked = mca.ranking(target, at.runner, elf, [step.call for step in one_pass(kibibyte, subject, 0)])
    stack = _most(
        [a.cost.stack for a in answers]
        + [int.from_bytes(a.output, "little") for a in painted if a.call.label == "stack"]
    )
    if target.ram is not None and full.ram + (stack or 0) > target.ram:
        raise DoesNotFit(f"{full.ram} bytes of static RAM and {stack} of stack, the target has {target.ram}")
    outputs = [a.output for a in answers[: len(answers) // target.passes]]
    return (
        head(at, subject)
        | {
            "figures": _counted(at.counting, subject, figures(target, answers)),
            "cold": cold(answers),
            "rom": full.rom - base.rom,
            "rom_program": full.rom,
            "ram": {
                "context": firmware.context_bytes(target, subject),
                "static": full.ram - base.ram,
                "stack": stack,
                "program": full.ram - target.buffer + PACKET + stack if stack is not None else None,
            },
            "output_sha256": hashlib.sha256(b"".join(outputs)).hexdigest(),
        }
        | ({"mca": ranked} if ranked else {})
    )


def _patient(target: Target, subject: Subject, runner: Path, elf: Path) -> Target:
    """Returns the target, without long messages if the cipher is too slow for them there."""
    if target.patience is None:
        return target
    short = replace(target, long=0, lengths=[])
    packet = _by_label(_checked(target, subject, runner, elf, one_pass(short, subject, 0)))["packet"][0]
    return short if (packet.cost.instructions or 0) > target.patience else target


def _counted(
    counting: Station | None, subject: Subject, found: dict[str, dict[str, float]]
) -> dict[str, dict[str, float]]:
    """Adds what the simulator counts, unless it cannot run the kernel."""
    if counting is None:
        return found
    with tempfile.TemporaryDirectory() as scratch:
        elf = Path(scratch) / "bench.elf"
        firmware.build(counting.target, subject, elf)
        try:
            answers = _checked(counting.target, subject, counting.runner, elf, script(counting.target, subject))
        except Skipped:
            return found
    counts = figures(counting.target, answers)
    return {
        label: {n: v for n, v in counts.get(label, {}).items() if n != "cycles"} | figure
        for label, figure in found.items()
    }


def about(at: Station) -> dict[str, Any]:
    """What every row of a target says of itself."""
    return {
        "kind": at.target.kind,
        "compiler": at.target.compiler_version,
        "flags": [*at.target.flags],
        "simulator": at.target.simulator,
        **at.machine,
        "commit": _commit(at.target.tree),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
    }


@lru_cache
def _commit(tree: Path) -> str | None:
    """The commit that is checked out, -dirty if what is measured differs from it; None: it is no checkout."""
    try:
        return _git(tree, "rev-parse", "--short=12", "HEAD") + (
            "-dirty"
            if _git(
                tree, "status", "--porcelain", "--", ".", ":!lab/results", ":!lab/packets/results", ":!python", ":!docs"
            )
            else ""
        )
    except (OSError, subprocess.CalledProcessError):
        return None


def _git(tree: Path, *words: str) -> str:
    return subprocess.run(["git", "-C", str(tree), *words], text=True, capture_output=True, check=True).stdout.strip()


def head(at: Station, subject: Subject) -> dict[str, Any]:
    return {
        "cipher": subject.cipher.name,
        "kernel": subject.kernel,
        "key_bits": 8 * subject.key_bytes,
        "iv_bits": 8 * subject.iv_bytes,
        **(
            {}
            if subject.cipher.mode == Mode.MAC
            else {"constant_time": subjects.constant_time(at.target.tree, subject)}
        ),
        **about(at),
    }


def does_not_fit(at: Station, subject: Subject, reason: DoesNotFit) -> dict[str, Any]:
    context = firmware.context_bytes(at.target, subject)
    return head(at, subject) | {"does_not_fit": str(reason), "ram": {"context": context}}


def _checked(target: Target, subject: Subject, runner: Path, elf: Path, steps: list[Step]) -> list[session.Answer]:
    """Runs the script and compares. A kernel may have no decryption of raw blocks: those answers are left out."""
    name = f"{target.name} {subject}"
    try:
        answers = session.run(target, runner, elf, [step.call for step in steps])
    except DoesNotFit:
        raise
    except LabError as error:
        raise LabError(f"{name}: {error}") from None
    kept = []
    for step, answer in zip(steps, answers):
        label = answer.call.label
        if answer.status == _ERR_KERNEL and label == "key":
            raise Skipped(f"{name}: skipped, it does not take this key, or this processor cannot run it")
        if answer.status == _ERR_KERNEL and subject.cipher.mode == Mode.BLOCKS and label.endswith("_decrypt"):
            continue
        if answer.status != 0:
            raise LabError(f"{name}: {label} gave status {answer.status}; no figure is recorded")
        if label != "stack" and answer.output != step.expected:
            at = next(i for i, (a, b) in enumerate(zip(answer.output, step.expected)) if a != b)
            raise LabError(f"{name}: byte {at} of {label} differs from the host's; no figure is recorded")
        kept.append(answer)
    return kept


def _most(values: Iterable[int | None]) -> int | None:
    return max((v for v in values if v is not None), default=None)


def _by_label(answers: list[session.Answer]) -> dict[str, list[session.Answer]]:
    found: dict[str, list[session.Answer]] = {}
    for answer in answers:
        found.setdefault(answer.call.label, []).append(answer)
    return found


def _figure(answer: session.Answer) -> dict[str, float]:
    counted: dict[str, float] = {
        n: v for n in ("cycles", "instructions", "loads", "stores") if (v := getattr(answer.cost, n)) is not None
    }
    return counted | ({"bytes": answer.call.output} if answer.call.output else {})


def _quiet(target: Target, answers: list[session.Answer]) -> list[session.Answer]:
    """Returns the quarter of the passes that took the least time in all: a busy neighbour can only slow others down."""
    size = len(answers) // target.passes
    passes = [answers[i : i + size] for i in range(0, len(answers), size)]
    passes.sort(key=lambda one: sum(a.cost.cycles or 0 for a in one))
    return [answer for one in passes[: (len(passes) + 3) // 4] for answer in one]


def _middle(values: list[int]) -> float:
    """Returns the mean of the middle half: clocks tick in steps, which hide from a median what a short call takes."""
    values = sorted(values)
    return round(mean(values[len(values) // 4 : len(values) - len(values) // 4]), 1)


def figures(target: Target, answers: list[session.Answer]) -> dict[str, dict[str, float]]:
    """Returns cost by label: of the last pass on simulators (predictions are warm), the middle of quiet passes where a clock
    measures."""
    found = {}
    for label, same in _by_label(_quiet(target, answers) if target.measured else answers).items():
        found[label] = _figure(same[-1])
        if target.measured:
            for name in ("cycles", "instructions", "loads", "stores"):
                if known := [v for a in same if (v := getattr(a.cost, name)) is not None]:
                    found[label][name] = _middle(known)
    return found


def cold(answers: list[session.Answer]) -> dict[str, dict[str, float]]:
    """The same of the first pass: caches and branch predictions know nothing yet."""
    return {label: _figure(same[0]) for label, same in _by_label(answers).items()}
