# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One combination on one target: its kernels chosen, its packets sealed, opened and forged, every byte compared with the
host's, and only then a row of the results (runnel_lab/results.py)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from runnel_lab import DoesNotFit
from runnel_lab.building import code
from runnel_lab.building.ninja import Built, build
from runnel_lab.packets import frames, program, reference
from runnel_lab.packets.combinations import Combination
from runnel_lab.packets.frames import Setting
from runnel_lab.running import session
from runnel_lab.running.measure import memory, sample_bytes
from runnel_lab.running.session import Answer, Step
from runnel_lab.running.target_run import TargetRun, about
from runnel_lab.subjects import Mode
from runnel_lab.targets import Target

DIRECTIONS = ("seal", "open", "forged")
TRIED = Setting(13, 14, 8), 32
"""The packet by which kernels are chosen, sealed and opened: as near to it as the combination comes."""
PATIENCE = 250_000
"""Cycles to seal and open that packet, above which longer ones are not measured."""
_ERR_TAG = -13  # RUNNEL_ERR_TAG


@lru_cache(4096)  # all targets and kernels have the same packets
def packet(combination: Combination, setting: Setting, length: int, number: int) -> tuple[Step, ...]:
    """Return a packet sealed, opened, and opened once more with the last bit of its tag wrong. number: of the key."""
    label = f"{number} {setting} {length}"
    secret = sample_bytes(f"key {number}", combination.key)
    nonce, header = sample_bytes(f"nonce {label}", setting.nonce), sample_bytes(f"header {label}", setting.header)
    text = sample_bytes(f"text {label}", length)
    ciphertext, tag = reference.seal(combination, secret, nonce, header, text, setting.tag)
    forged = tag[:-1] + bytes([tag[-1] ^ 1])
    return (
        sealed(nonce, header, text, ciphertext, tag),
        opened(nonce, header, text, ciphertext, tag),
        refused(nonce, header, ciphertext, forged),
    )


def sealed(nonce: bytes, header: bytes, text: bytes, ciphertext: bytes, tag: bytes) -> Step:
    """Return a packet that is to be sealed as given."""
    return Step(session.Call("seal", _request(b"A", nonce, header, text, tag), len(text) + len(tag)), ciphertext + tag)


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
    return Step(session.key(sample_bytes(f"key {number}", combination.key)))


def run(at: TargetRun, combination: Combination, elf: Path, steps: Sequence[Step]) -> list[Answer]:
    return session.checked(at.target, f"{at.target.name} {combination.name}", at.runner, elf, steps)


def rooms(target: Target) -> list[Target]:
    """Return the target with room for the longest packet, for those of 128 bytes, and for its own longest if that is
    shorter."""
    lengths = [max(frames.LENGTHS), 128, *([target.buffer] if target.buffer < 128 else [])]
    return [replace(target, buffer=length) for length in lengths]


def tried(target: Target, combination: Combination) -> list[Built]:
    """Build the programs that the kernels are chosen by."""
    short = rooms(target)[-1]
    return build(short, [program.program(short, combination, each) for each in program.candidates(target, combination)])


def measure(at: TargetRun, combination: Combination) -> list[dict[str, Any]]:
    """Build, run, compare, and return the rows: of the kernels with which one packet, sealed and opened, takes the fewest
    cycles, and if these are not constant-time by their own words of the best of those that are. Raise LabError if a byte
    differs."""
    built = tried(at.target, combination)
    found = about(at)
    # Not the day, so that measuring again gives the same bytes.
    head = {"aead": combination.name} | {name: found[name] for name in ABOUT} | {"code": code_of(built)}
    try:
        chosen = choose(at, combination, built)
    except DoesNotFit as error:
        return [head | {"constant_time": None, "kernels": {}, "does_not_fit": str(error)}]
    return [head | measure_kernels(at, combination, kernels) for kernels in chosen]


ABOUT = ("kind", "compiler", "flags", "simulator", "machine", "commit")


def code_of(built: Sequence[Built]) -> str:
    """Return the hash of all code that was tried: where any of it changes, another kernel may be the best."""
    return code.hashed(map(code.code_hash, built))


def choose(at: TargetRun, combination: Combination, built: Sequence[Built]) -> list[dict[str, str]]:
    """Return the best kernels, and the best constant-time ones if those are others. Raise DoesNotFit if none has room."""
    found = program.candidates(at.target, combination)
    if len(found) == 1:
        return found
    costs: dict[int, int] = {}
    refused = DoesNotFit("there is no kernel for this target")
    for number, each in enumerate(built):
        try:
            costs[number] = _tried(at, combination, each.linked)
        except DoesNotFit as error:
            refused = error
    if not costs:
        raise refused
    ranked = [found[number] for number in sorted(costs, key=lambda number: (costs[number], number))]
    safe = [kernels for kernels in ranked if program.constant_time(at.target, kernels)]
    return ranked[:1] if not safe or safe[0] is ranked[0] else [ranked[0], safe[0]]


def _tried(at: TargetRun, combination: Combination, elf: Path) -> int:
    """Return the cycles of the packet by which kernels are chosen."""
    setting, length = TRIED
    near = Setting(combination.nonce(setting.nonce), setting.header, combination.tag(setting.tag))
    steps = [key(combination, 0), *packet(combination, near, length, 0)] * 2  # the second is warm
    return sum(a.cost.cycles or 0 for a in run(at, combination, elf, steps)[-3:-1])


def measure_kernels(at: TargetRun, combination: Combination, kernels: dict[str, str]) -> dict[str, Any]:
    """Return what a row says of these kernels."""
    row = {"constant_time": program.constant_time(at.target, kernels), "kernels": kernels}
    refused = DoesNotFit("")
    for target in rooms(at.target):
        (built,) = build(target, [program.program(target, combination, kernels)])
        try:
            return row | _figures(at, target, combination, built)
        except DoesNotFit as error:
            refused = error
    return row | {"does_not_fit": str(refused)}


def _figures(at: TargetRun, target: Target, combination: Combination, built: Built) -> dict[str, Any]:
    slow = _tried(at, combination, built.linked) > PATIENCE
    cells = frames.cells(combination, frames.frames(target.tree), TRIED[1] if slow else target.buffer)
    warming = [
        step for setting, length in cells if length == TRIED[1] for step in packet(combination, setting, length, 0)
    ]
    measured = [step for cell in cells for step in packet(combination, *cell, 1)]
    answers = run(at, combination, built.elf, [key(combination, 0), *warming, key(combination, 1), *measured])
    warm = answers[-(1 + 3 * len(cells)) :]
    stack = max((a.cost.stack for a in answers if a.cost.stack is not None), default=None)
    _, added = memory(target, built, Mode.PACKETS, stack)
    cycles: dict[str, dict[str, list[int | None]]] = {}
    for place, (setting, length) in enumerate(cells):
        three = [a.cost.cycles for a in warm[1 + 3 * place : 4 + 3 * place]]
        cycles.setdefault(str(setting), {})[str(length)] = three
    return {
        "key": warm[0].cost.cycles,
        "cycles": cycles,
        **added,
        "output_sha256": hashlib.sha256(b"".join(a.output for a in answers)).hexdigest(),
    }
