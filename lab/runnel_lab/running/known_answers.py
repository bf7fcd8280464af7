# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Published vectors through a kernel on its target. The first 512 bytes of each: simulators are slow."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from runnel_lab import DoesNotFit, LabError, subjects
from runnel_lab.building import programs
from runnel_lab.building.kernels import kernels as kernels_of
from runnel_lab.building.ninja import build
from runnel_lab.running import reference, session
from runnel_lab.running.session import Step
from runnel_lab.running.target_run import Outcome, TargetRun
from runnel_lab.source import source_tool
from runnel_lab.subjects import Cipher, Subject
from runnel_lab.targets import Target

BYTES = 512

_REFUSED = (-2, -3, -10)  # lengths that firmware has no room for; a kernel that does not take this key


@dataclass(frozen=True)
class Vector:
    """A stretch of keystream from the start."""

    name: str
    key: bytes
    iv: bytes
    parts: tuple[tuple[int, bytes], ...]
    """Positions, and the keystream there."""

    @property
    def bytes(self) -> int:
        return max(at + len(part) for at, part in self.parts)


def paragraphs(text: str) -> Iterator[dict[str, Any]]:
    """Returns the fields of each vector of a text in the format of tests/vectors/README.md; keystream: a list."""
    kept: dict[str, str] = {}
    for paragraph in text.split("\n\n"):
        fields: dict[str, Any] = {}
        for line in paragraph.splitlines():
            name, colon, value = line.partition(":")
            if not colon or line.startswith("#"):
                continue
            if name in ("source", "cipher"):
                kept[name] = value.strip()
            elif name == "keystream":
                fields.setdefault(name, []).append(value.split())
            else:
                fields[name] = value.strip()
        if "name" in fields:
            yield kept | fields


def _parts(fields: dict[str, Any], directional: bool) -> Iterator[tuple[int, bytes]]:
    """Return the pieces of a vector: where the text is fed back, only what zeros become is keystream."""
    for at, part in fields.get("keystream", []):
        if int(at) < BYTES:
            yield int(at), bytes.fromhex(part)[: BYTES - int(at)]
    if "output" in fields and "offset" not in fields and (not directional or fields["input"].startswith("zeros ")):
        output = bytes.fromhex(fields["output"])[:BYTES]
        text = b"" if fields["input"].startswith("zeros ") else bytes.fromhex(fields["input"])[:BYTES]
        if output:
            yield 0, bytes(a ^ b for a, b in zip(output, text)) if text else output


def read(files: Iterable[Path], cipher: str) -> list[Vector]:
    """Returns the cipher's vectors with keystream in the first 512 bytes, each once."""
    found = {}
    directional = subjects.cipher(cipher).mode == subjects.Mode.DIRECTIONAL
    for file in files:
        for fields in paragraphs(file.read_text(encoding="utf-8")):
            parts = tuple(_parts(fields, directional))
            if fields.get("cipher") == cipher and parts:  # a MAC has vectors too
                found[fields["key"].lower(), fields["iv"].lower(), parts] = Vector(
                    fields["name"], bytes.fromhex(fields["key"]), bytes.fromhex(fields["iv"]), parts
                )
    return list(found.values())


def selection(tree: Path) -> list[Path]:
    """Returns the ciphers' own vectors."""
    return sorted((tree / "src").glob("*/*/vectors.txt"))


def files(tree: Path, scratch: Path) -> list[Path]:
    """Returns the ciphers' own vectors and, where it lies beside the tree, the complete collection, turned into text."""
    found = selection(tree)
    tool = source_tool(tree, "vectors")
    base = tool.directory(None)
    if base.is_dir():
        for folder, vectors in tool.by_folder(tool.everything(base)).items():
            tool.write(scratch / f"{folder.name}.txt", vectors)
        found += sorted(scratch.glob("*.txt"))
    return found


def script(cipher: Cipher, vectors: Sequence[Vector], limit: int, rng: random.Random) -> list[Step]:
    """Return each vector's keystream in pieces of at most limit bytes, checked against the vector on the host first."""
    steps: list[Step] = []
    for vector in vectors:
        host = reference.host(cipher, vector.key)
        host.iv(vector.iv)
        keystream = host.encrypt(bytes(vector.bytes))
        for at, part in vector.parts:
            if keystream[at : at + len(part)] != part:
                raise LabError(f"{cipher.name}: the host's bytes are not those of {vector.name}")
        steps += [Step(session.key(vector.key)), Step(session.iv(vector.iv))]
        at = 0
        while at < len(keystream):
            size = min(limit, len(keystream) - at, rng.choice((1, 3, 16, 60, 64, 65, 128, BYTES, BYTES)))
            call = session.encrypt(vector.name, bytes(size), rng.randrange(16))
            steps.append(Step(call, keystream[at : at + size]))
            at += size
    return steps


def verify(at: TargetRun, subject: Subject, vectors: Sequence[Vector]) -> int:
    """Put the vectors through a kernel and return how many it took. Raise DoesNotFit."""
    target, name = at.target, f"{at.target.name} {subject.cipher.name} {subject.kernel}"
    fitting = [v for v in vectors if max(len(v.key), len(v.iv)) <= target.argument]
    refused = DoesNotFit("")
    for room in filter(None, (target, target.smaller())):
        try:
            (built,) = build(room, [programs.program(room, subject)])
            steps = script(subject.cipher, fitting, room.buffer, random.Random(name))
            answers = session.run(room, at.runner, built.linked, [step.call for step in steps], quick=True)
            return sum(answer.call.label == "iv" for answer in session.taken(steps, answers, _REFUSED))
        except DoesNotFit as error:
            refused = error
    raise refused


def jobs(
    at: TargetRun, ciphers: Sequence[Cipher], kernels: Sequence[str], files: Sequence[Path]
) -> list[Callable[[], Outcome]]:
    """Return what puts all vectors through the kernels of these ciphers, each built for the longest key that a target
    without an operating system is likely to be given. An outcome counts the vectors that were taken."""
    if at.target.packets_only:
        return []
    found = [
        Subject(cipher, kernel, _longest(at.target, cipher), cipher.iv_bytes[-1])
        for cipher in ciphers
        for kernel in kernels_of(at.target, cipher)
        if not kernels or kernel in kernels
    ]
    build(at.target, [programs.program(at.target, subject) for subject in found])
    return [partial(_verified, at, subject, read(files, subject.cipher.name)) for subject in found]


def _longest(target: Target, cipher: Cipher) -> int:
    return max(n for n in cipher.key_bytes if target.ram is None or n <= 32)


def _verified(at: TargetRun, subject: Subject, vectors: Sequence[Vector]) -> Outcome:
    name = f"{at.target.name} {subject.cipher.name} {subject.kernel}"
    try:
        taken = verify(at, subject, vectors)
        return Outcome(name, taken, f"{name}: {taken} vectors", failed=taken == 0)
    except DoesNotFit as error:
        return Outcome(name, 0, f"{name}: does not fit: {error}")
    except LabError as error:
        return Outcome(name, 0, f"{name}: {error}", failed=True)


def with_vectors() -> list[str]:
    """Return the ciphers whose vectors are stretches of keystream."""
    return [
        c.name
        for c in subjects.ciphers().values()
        if c.mode in (subjects.Mode.STREAM, subjects.Mode.DIRECTIONAL) and not c.block_bytes
    ]
