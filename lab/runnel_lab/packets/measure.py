# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One combination on one target: its kernels chosen, its packets sealed, opened and forged, every byte compared with the
host's, and only then a row of the results.

lab/packets/results/<target>.json: {"target", "title", "rows": [row, …]}, a row a line, sorted by name. A row:
    aead        the combination's name
    kernels     by folder of src/ the kernel that was the best of those that were tried; other folders are linked whole
    constant_time   what the kernels say of themselves; a combination whose best kernels are not also has a row of the best of
                those that are
    kind, compiler, flags, simulator, machine, commit    as in runnel_lab/results.py
    key         cycles of key set-up
    cycles      by setting ("nonce 13, header 14, tag 8", bytes) and bytes of payload: [seal, open, open a forged packet], key
                kept; missing: lengths that the memory has no room for, and all above 32 where that takes over PATIENCE
    rom         bytes of code and constants that the combination adds to an empty program
    ram         context: its size; static: what it adds to an empty program; stack: the most that one call used
    output_sha256   of all bytes that came back
A row of what does not fit has does_not_fit, the linker's own words, instead of figures."""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from runnel_lab import DoesNotFit, LabError
from runnel_lab.building import firmware
from runnel_lab.packets import frames, program, reference
from runnel_lab.packets.combinations import Combination
from runnel_lab.packets.frames import Setting
from runnel_lab.running import measure, session
from runnel_lab.running.measure import Station
from runnel_lab.targets import Target

DIRECTIONS = ("seal", "open", "forged")
TRIED = Setting(13, 14, 8), 32
"""The packet by which kernels are chosen, sealed and opened: as near to it as the combination comes."""
PATIENCE = 250_000
"""Cycles to seal and open that packet, above which longer ones are not measured."""
_ERR_TAG = -13  # RUNNEL_ERR_TAG


@dataclass(frozen=True)
class Step:
    """A call of the script, and the status and output that it must have."""

    call: session.Call
    expected: bytes = b""
    status: int = 0


def _bytes(label: str, count: int) -> bytes:
    return hashlib.shake_256(label.encode()).digest(count)


def packet(combination: Combination, setting: Setting, length: int, number: int) -> list[Step]:
    """Returns a packet sealed, opened, and opened once more with the last bit of its tag wrong. number: of the key."""
    label = f"{number} {setting} {length}"
    key = _bytes(f"key {number}", combination.key)
    nonce, header = _bytes(f"nonce {label}", setting.nonce), _bytes(f"header {label}", setting.header)
    text = _bytes(f"text {label}", length)
    ciphertext, tag = reference.seal(combination, key, nonce, header, text, setting.tag)
    forged = tag[:-1] + bytes([tag[-1] ^ 1])
    return [
        sealed(nonce, header, text, ciphertext, tag),
        opened(nonce, header, text, ciphertext, tag),
        refused(nonce, header, ciphertext, forged),
    ]


def sealed(nonce: bytes, header: bytes, text: bytes, ciphertext: bytes, tag: bytes) -> Step:
    """Return a packet that is to be sealed as given."""
    return Step(session.Call("seal", _request(b"S", nonce, header, text, tag), len(text) + len(tag)), ciphertext + tag)


def opened(nonce: bytes, header: bytes, text: bytes, ciphertext: bytes, tag: bytes) -> Step:
    """Return a packet that is to be opened."""
    return Step(session.Call("open", _request(b"O", nonce, header, ciphertext, tag) + tag, len(text)), text)


def refused(nonce: bytes, header: bytes, ciphertext: bytes, tag: bytes) -> Step:
    """Return a packet whose tag does not fit."""
    call = session.Call("forged", _request(b"O", nonce, header, ciphertext, tag) + tag, len(ciphertext))
    return Step(call, status=_ERR_TAG)


def _request(operation: bytes, nonce: bytes, header: bytes, text: bytes, tag: bytes) -> bytes:
    """Return what both directions begin with."""
    lengths = b"".join(len(part).to_bytes(2, "little") for part in (nonce, header, text, tag))
    return operation + lengths + nonce + header + text


def key(combination: Combination, number: int) -> Step:
    return Step(session.key(_bytes(f"key {number}", combination.key)))


def run(at: Station, target: Target, combination: Combination, elf: Path, steps: list[Step]) -> list[session.Answer]:
    """Runs the script and compares every byte."""
    name = f"{target.name} {combination.name}"
    try:
        answers = session.run(target, at.runner, elf, [step.call for step in steps])
    except DoesNotFit:
        raise
    except LabError as error:
        raise LabError(f"{name}: {error}") from None
    for step, answer in zip(steps, answers):
        if answer.status != step.status:
            raise LabError(f"{name}: {answer.call.label} gave status {answer.status}; no figure is recorded")
        if answer.output != step.expected:
            differs = next(i for i, (a, b) in enumerate(zip(answer.output, step.expected)) if a != b)
            raise LabError(
                f"{name}: byte {differs} of {answer.call.label} differs from the host's; no figure is recorded"
            )
    return answers


def choose(at: Station, combination: Combination, folder: Path) -> list[dict[str, str]]:
    """Returns the kernels with which one packet, sealed and opened, takes the fewest cycles, and if these are not
    constant-time by their own words the best of those that are. Raises DoesNotFit if none has room."""
    target = _short(at.target)
    found = list(program.candidates(target, combination))
    if len(found) == 1:
        return found
    costs: dict[int, int] = {}
    refused = DoesNotFit("there is no kernel for this target")
    for number, kernels in enumerate(found):
        elf = folder / f"try-{number}.elf"
        try:
            program.build(target, combination, kernels, elf)
            costs[number] = _tried(at, target, combination, elf)
        except DoesNotFit as error:
            refused = error
    if not costs:
        raise refused
    ranked = [found[number] for number in sorted(costs, key=lambda number: (costs[number], number))]
    safe = [kernels for kernels in ranked if program.constant_time(target, kernels)]
    return ranked[:1] if not safe or safe[0] is ranked[0] else [ranked[0], safe[0]]


def _tried(at: Station, target: Target, combination: Combination, elf: Path) -> int:
    """Returns the cycles of the packet by which kernels are chosen."""
    setting, length = TRIED
    near = Setting(combination.nonce(setting.nonce), setting.header, combination.tag(setting.tag))
    steps = [key(combination, 0), *packet(combination, near, length, 0)] * 2  # the second is warm
    return sum(a.cost.cycles or 0 for a in run(at, target, combination, elf, steps)[-3:-1])


def _short(target: Target) -> Target:
    """The same with room for packets alone."""
    return replace(target, buffer=128)


def measure_packets(at: Station, combination: Combination) -> list[dict[str, Any]]:
    """Builds, runs, compares, and gives the rows. Raises LabError if a byte differs."""
    head = {"aead": combination.name} | _about(at)
    with tempfile.TemporaryDirectory() as scratch:
        try:
            chosen = choose(at, combination, Path(scratch))
        except DoesNotFit as error:
            return [head | {"constant_time": None, "kernels": {}, "does_not_fit": str(error)}]
        return [head | measure_kernels(at, combination, kernels, Path(scratch)) for kernels in chosen]


def measure_kernels(at: Station, combination: Combination, kernels: dict[str, str], folder: Path) -> dict[str, Any]:
    """The same with these kernels, without what a row says of where it comes from."""
    about = {"constant_time": program.constant_time(at.target, kernels), "kernels": kernels}
    refused = DoesNotFit("")
    for target in (replace(at.target, buffer=max(frames.LENGTHS)), _short(at.target)):
        try:
            return about | _figures(at, target, combination, kernels, folder / "packet.elf")
        except DoesNotFit as error:
            refused = error
    return about | {"does_not_fit": str(refused)}


def _about(at: Station) -> dict[str, Any]:
    """What a row says of where it comes from; not the day, so that measuring again gives the same bytes."""
    found = measure.about(at)
    return {name: found[name] for name in ("kind", "compiler", "flags", "simulator", "machine", "commit")}


def _figures(
    at: Station, target: Target, combination: Combination, kernels: dict[str, str], elf: Path
) -> dict[str, Any]:
    program.build(target, combination, kernels, elf)
    full, base = firmware.sizes(target, elf), empty_sizes(target)
    slow = _tried(at, target, combination, elf) > PATIENCE
    cells = frames.cells(combination, frames.frames(target.tree), TRIED[1] if slow else target.buffer)
    warming = [
        step for setting, length in cells if length == TRIED[1] for step in packet(combination, setting, length, 0)
    ]
    measured = [step for cell in cells for step in packet(combination, *cell, 1)]
    steps = [key(combination, 0), *warming, key(combination, 1), *measured]
    answers = run(at, target, combination, elf, steps)
    warm = answers[-(1 + 3 * len(cells)) :]
    stack = max((a.cost.stack for a in answers if a.cost.stack is not None), default=None)
    if target.ram is not None and full.ram + (stack or 0) > target.ram:
        raise DoesNotFit(f"{full.ram} bytes of static RAM and {stack} of stack, the target has {target.ram}")
    cycles: dict[str, dict[str, list[int | None]]] = {}
    for place, (setting, length) in enumerate(cells):
        three = [a.cost.cycles for a in warm[1 + 3 * place : 4 + 3 * place]]
        cycles.setdefault(str(setting), {})[str(length)] = three
    return {
        "key": warm[0].cost.cycles,
        "cycles": cycles,
        "rom": full.rom - base.rom,
        "ram": {
            "context": program.context_bytes(target, combination, kernels),
            "static": full.ram - base.ram,
            "stack": stack,
        },
        "output_sha256": hashlib.sha256(b"".join(a.output for a in answers)).hexdigest(),
    }


@lru_cache
def empty_sizes(target: Target) -> firmware.Sizes:
    """Returns the size of the program without a combination."""
    with tempfile.TemporaryDirectory() as scratch:
        elf = Path(scratch) / "empty.elf"
        program.build(target, None, {}, elf)
        return firmware.sizes(target, elf)
