# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The row of a cipher's kernel or of a MAC on a target; no figure without the right bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from statistics import mean
from typing import Any

from runnel_lab import DoesNotFit, Skipped, subjects
from runnel_lab.building import code, programs
from runnel_lab.building.kernels import kernels
from runnel_lab.building.ninja import Built, build
from runnel_lab.building.tools import Sizes, sizes
from runnel_lab.running import macs, mca, reference, session
from runnel_lab.running.session import Answer, Step
from runnel_lab.running.target_run import TargetRun, about
from runnel_lab.subjects import Cipher, Mode, Subject
from runnel_lab.targets import Target

PACKET = 128

# The label of what is encrypted in the layout be32-left; all else is in the cipher's default layout.
LEFT = "left"

# Passes that differ in data and IV; more of them repeat these.
_DIFFERENT = 4

_NAMES = ("cycles", "instructions", "loads", "stores")


def sample_bytes(label: str, count: int) -> bytes:
    """Return data that look random and are the same every time."""
    return hashlib.shake_256(label.encode()).digest(count)


def messages(target: Target, cipher: Cipher) -> list[list[tuple[str, int]]]:
    """Return labels and lengths of what is encrypted, message by message: an IV is set before each, and the second of one
    length continues behind the first."""
    if cipher.mode == Mode.MAC:
        return [[("packet", PACKET)], *([[("long", target.long)]] if target.long else [])]
    more = [[(f"message_{n}", n), (f"more_{n}", n)] for n in target.lengths]
    long = [[("long", target.long), ("stream", target.long)]] if target.long else []
    left = [[(LEFT, target.long)]] if target.long and "be32-left" in cipher.layouts else []
    return [[("packet", PACKET)], *more, *long, *left]


def one_pass(target: Target, subject: Subject, number: int) -> list[Step]:
    """Return key set-up and all messages, forwards and, where that is something else, backwards."""
    what = tuple(map(tuple, messages(target, subject.cipher)))
    return list(_one_pass(subject.cipher, subject.key_bytes, subject.iv_bytes, what, number))


@lru_cache(64)  # all kernels of a cipher have the same bytes
def _one_pass(
    cipher: Cipher, key_bytes: int, iv_bytes: int, what: tuple[tuple[tuple[str, int], ...], ...], number: int
) -> list[Step]:
    if cipher.mode == Mode.MAC:
        return [
            step for ((label, length),) in what for step in _authenticated(cipher, key_bytes, label, length, number)
        ]
    key = sample_bytes("key", key_bytes)
    host = reference.host(cipher, key)
    steps = [Step(session.key(key))]
    for parts in what:
        iv = sample_bytes(f"iv {number} {parts[0][0]}", iv_bytes)
        left = parts[0][0] == LEFT
        if cipher.mode == Mode.COUNTER:  # a nonce and a counter, as protocols have it
            iv = iv[:4] + bytes(4) + iv[8:] if left else iv[:-4] + bytes(4)
        done = []
        if cipher.mode != Mode.BLOCKS:
            host.iv(iv, "be32-left" if left else None)
            steps.append(Step(session.iv(iv, session.BE32_LEFT if left else 0)))
        for label, length in parts:
            data = sample_bytes(f"data {number} {label}", length)
            done.append((label, data, host.encrypt(data)))
            steps.append(Step(session.encrypt(label, data), done[-1][2]))
        if cipher.mode in (Mode.DIRECTIONAL, Mode.BLOCKS):
            if cipher.mode == Mode.DIRECTIONAL:
                steps.append(Step(session.iv(iv)))
            steps += [Step(session.decrypt(f"{label}_decrypt", output), data) for label, data, output in done]
    return steps


def _authenticated(cipher: Cipher, key_bytes: int, label: str, length: int, number: int) -> list[Step]:
    """Return key set-up and a message."""
    secret, data = sample_bytes(f"key {number} {label}", key_bytes), sample_bytes(f"data {number} {label}", length)
    right = macs.tag(cipher.name, secret, data)
    return [Step(session.key(secret)), Step(session.authenticate(label, data), right + data[len(right) :])]


def script(target: Target, subject: Subject) -> list[Step]:
    different = [one_pass(target, subject, number) for number in range(min(_DIFFERENT, target.passes))]
    return [step for number in range(target.passes) for step in different[number % len(different)]]


def painted(target: Target, subject: Subject) -> list[Step]:
    """Return one more pass for targets that cannot watch the stack pointer. It comes last: painting disturbs caches, and in
    the first pass the dynamic linker takes stack too."""
    if not target.painted:
        return []
    asked = Step(session.stack_used())
    return [Step(session.paint()), *(s for step in one_pass(target, subject, 0) for s in (step, asked))]


def rooms(target: Target, subject: Subject) -> list[Target]:
    """Return the target with room for the cipher's longest message, and the same with room for a packet alone, where a
    cipher may leave no more."""
    whole = target.with_room(subject.cipher.name)
    return [room for room in (whole, whole.smaller()) if room is not None]


def building(target: Target, subject: Subject) -> list[Built]:
    """Build the subject's program with as much room for messages as fits; the last is the one to run."""
    found: list[Built] = []
    for room in rooms(target, subject):
        found += build(room, [programs.program(room, subject)])
        if not isinstance(found[-1].error, DoesNotFit):
            break
    return found


def measure(at: TargetRun, subject: Subject) -> dict[str, Any]:
    """Build, run, compare, and return the row. Raise LabError if a byte differs, and Skipped."""
    largest, *smaller = rooms(at.target, subject)
    row, reason = _measured(at, largest, subject)
    for room in smaller:
        if reason is not None:
            row, reason = _measured(at, room, subject)
    return row


def _measured(at: TargetRun, room: Target, subject: Subject) -> tuple[dict[str, Any], DoesNotFit | None]:
    """Return the row, and with one without figures why it has none."""
    (built,) = build(room, [programs.program(room, subject)])
    head = _head(at, subject, built)
    try:
        return head | _figures(at, room, subject, built), None
    except DoesNotFit as error:
        return head | {"does_not_fit": str(error), "ram": {"context": code.context_bytes(built)}}, error


def _head(at: TargetRun, subject: Subject, built: Built) -> dict[str, Any]:
    mac = subject.cipher.mode == Mode.MAC
    return {
        "cipher": subject.cipher.name,
        "kernel": subject.kernel,
        "key_bits": 8 * subject.key_bytes,
        "iv_bits": 8 * subject.iv_bytes,
        **({} if mac else {"constant_time": subjects.constant_time(at.target.tree, subject)}),
        **about(at),
        "code": code.code_hash(built),
    }


def _figures(at: TargetRun, target: Target, subject: Subject, built: Built) -> dict[str, Any]:
    elf, name = built.linked, f"{at.target.name} {subject}"
    target = _patient(target, subject, name, at.runner, elf)
    steps = script(target, subject)
    answers = session.checked(target, name, at.runner, elf, [*steps, *painted(target, subject)])
    stacks = [a.cost.stack for a in answers]
    stacks += [int.from_bytes(a.output, "little") for a in answers if a.call.label == "stack"]
    stack = max((n for n in stacks if n is not None), default=None)
    full, added = memory(target, built, subject.cipher.mode, stack)
    end = next((n for n, a in enumerate(answers) if a.call.label == "paint"), len(answers))
    answers = answers[:end]
    warm = figures(target, answers)
    if target.measured:
        warm = _settled(warm, lambda: figures(target, session.checked(target, name, at.runner, elf, steps)))
    if far := target.for_curves(subject.cipher.name):
        found = figures(far, session.checked(far, name, at.runner, elf, script(far, subject)))
        warm |= {label: figure for label, figure in found.items() if label not in warm}
    row: dict[str, Any] = {
        "figures": _counted(at.counting, subject, warm),
        "cold": cold(answers),
        "rom": added["rom"],
        "rom_program": full.rom,
        "ram": added["ram"] | {"program": full.ram - target.buffer + PACKET + stack if stack is not None else None},
        "output_sha256": hashlib.sha256(b"".join(a.output for a in answers[: end // target.passes])).hexdigest(),
    }
    ranks = target.long and mca.available(target, subject.cipher.name)
    if ranks and len(kernels(target, subject.cipher)) > 1:
        kibibyte = replace(target, long=mca.BYTES, lengths=[])
        row["mca"] = mca.ranking(target, at.runner, elf, [step.call for step in one_pass(kibibyte, subject, 0)])
    return row


def memory(target: Target, built: Built, mode: Mode, stack: int | None) -> tuple[Sizes, dict[str, Any]]:
    """Return the program's size, and what the subject adds to an empty one. Raise DoesNotFit if the stack has no room."""
    base, full = empty_sizes(target, mode), sizes(target, built.elf)
    if target.ram is not None and full.ram + (stack or 0) > target.ram:
        raise DoesNotFit(f"{full.ram} bytes of static RAM and {stack} of stack, the target has {target.ram}")
    ram = {"context": code.context_bytes(built), "static": full.ram - base.ram, "stack": stack}
    return full, {"rom": full.rom - base.rom, "ram": ram}


@lru_cache
def empty_sizes(target: Target, mode: Mode) -> Sizes:
    """Return the size of the program without a subject."""
    (built,) = build(target, [programs.empty(target, mode)])
    return sizes(target, built.linked)


def _patient(target: Target, subject: Subject, name: str, runner: Path, elf: Path) -> Target:
    """Return the target, without long messages if the cipher is too slow for them there."""
    if target.patience is None:
        return target
    short = replace(target, long=0, lengths=[])
    answers = session.checked(target, name, runner, elf, one_pass(short, subject, 0))
    packet = next(a for a in answers if a.call.label == "packet")
    return short if (packet.cost.instructions or 0) > target.patience else target


CLOSE, TICK, RUNS = 0.03, 4, 12
"""Two values of a figure agree if they differ by no more than 3 %, or by what a clock's step hides; the most runs."""

Figures = dict[str, dict[str, float]]


def _settled(first: Figures, again: Callable[[], Figures]) -> Figures:
    """Run until the two lowest values of each figure agree, and return the lowest, since others on the machine only slow it
    down; noisy where they do not."""
    runs, open_ = [first], set(first)
    while open_ and len(runs) < RUNS:
        runs.append(again())
        open_ = _unsettled(runs)
    return {label: figure | ({"noisy": True} if label in open_ else {}) for label, figure in _lowest(runs).items()}


def _unsettled(runs: list[Figures]) -> set[str]:
    return {label for label in runs[0] if not _are_close(sorted(run[label]["cycles"] for run in runs))}


def _are_close(cycles: list[float]) -> bool:
    """Tell whether a figure's two lowest values agree."""
    return cycles[1] - cycles[0] <= max(CLOSE * cycles[0], TICK)


def _lowest(runs: list[Figures]) -> Figures:
    return {label: min((run[label] for run in runs), key=lambda each: each["cycles"]) for label in runs[0]}


def _counted(counting: TargetRun | None, subject: Subject, found: Figures) -> Figures:
    """Add what the simulator counts, unless it cannot run the kernel."""
    if counting is None:
        return found
    target = counting.target
    (built,) = build(target, [programs.program(target, subject)])
    name = f"{target.name} {subject}"
    try:
        answers = session.checked(target, name, counting.runner, built.linked, script(target, subject))
    except Skipped:
        return found
    counts = figures(target, answers)
    return {
        label: {n: v for n, v in counts.get(label, {}).items() if n != "cycles"} | figure
        for label, figure in found.items()
    }


def _by_label(answers: Iterable[Answer]) -> dict[str, list[Answer]]:
    found: dict[str, list[Answer]] = {}
    for answer in answers:
        found.setdefault(answer.call.label, []).append(answer)
    return found


def _figure(answer: Answer) -> dict[str, float]:
    counted: dict[str, float] = {n: v for n in _NAMES if (v := getattr(answer.cost, n)) is not None}
    return counted | ({"bytes": answer.call.output} if answer.call.output else {})


def _quiet(target: Target, answers: Sequence[Answer]) -> list[Answer]:
    """Return the quarter of the passes that took the least time in all: a busy neighbour can only slow others down."""
    size = len(answers) // target.passes
    passes = [answers[i : i + size] for i in range(0, len(answers), size)]
    passes.sort(key=lambda one: sum(a.cost.cycles or 0 for a in one))
    return [answer for one in passes[: (len(passes) + 3) // 4] for answer in one]


def _middle(values: list[int]) -> float:
    """Return the mean of the middle half: clocks tick in steps, which hide from a median what a short call takes."""
    values = sorted(values)
    return round(mean(values[len(values) // 4 : len(values) - len(values) // 4]), 1)


def figures(target: Target, answers: Sequence[Answer]) -> Figures:
    """Return cost by label: of the last pass on simulators (predictions are warm), the middle of quiet passes where a clock
    measures."""
    found = {}
    for label, same in _by_label(_quiet(target, answers) if target.measured else answers).items():
        found[label] = _figure(same[-1])
        if target.measured:
            for name in _NAMES:
                if known := [v for a in same if (v := getattr(a.cost, name)) is not None]:
                    found[label][name] = _middle(known)
    return found


def cold(answers: Sequence[Answer]) -> Figures:
    """Return the same of the first pass: caches and branch predictions know nothing yet."""
    return {label: _figure(same[0]) for label, same in _by_label(answers).items()}
