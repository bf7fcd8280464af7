# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Published vectors through a kernel on its target. The first 512 bytes of each: simulators are slow."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runnel._processors import usable_processors

from runnel_lab import DoesNotFit, LabError, Skipped, subjects
from runnel_lab.building import programs
from runnel_lab.building.kernels import kernels as kernels_of
from runnel_lab.building.ninja import build
from runnel_lab.running import reference, session
from runnel_lab.running.station import Station
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
    """Where the text is fed back, only what zeros become is keystream."""
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


def script(
    cipher: Cipher, vectors: Sequence[Vector], limit: int, rng: random.Random
) -> list[tuple[session.Call, bytes]]:
    """Returns calls with the output they must have: each vector's keystream in pieces of at most limit bytes, checked against
    the vector on the host first."""
    calls: list[tuple[session.Call, bytes]] = []
    for vector in vectors:
        host = reference.host(cipher, vector.key)
        host.iv(vector.iv)
        keystream = host.encrypt(bytes(vector.bytes))
        for at, part in vector.parts:
            if keystream[at : at + len(part)] != part:
                raise LabError(f"{cipher.name}: the host's bytes are not those of {vector.name}")
        calls += [(session.key(vector.key), b""), (session.iv(vector.iv), b"")]
        at = 0
        while at < len(keystream):
            size = min(limit, len(keystream) - at, rng.choice((1, 3, 16, 60, 64, 65, 128, BYTES, BYTES)))
            calls.append((session.encrypt(vector.name, bytes(size), rng.randrange(16)), keystream[at : at + size]))
            at += size
    return calls


def check(target: Target, runner: Path, elf: Path, calls: Sequence[tuple[session.Call, bytes]]) -> int:
    """Runs the script; returns how many keys were taken. Raises LabError at the first byte that differs."""
    taken = 0
    refused = False
    answers = session.run(target, runner, elf, [call for call, _ in calls], quick=True)
    for answer, (call, expected) in zip(answers, calls):
        if call.label in ("key", "iv"):
            refused = answer.status in _REFUSED or (refused and call.label == "iv")
            taken += call.label == "iv" and not refused
        if refused:
            continue
        if answer.status != 0:
            raise LabError(f"{call.label}: status {answer.status}")
        if answer.output != expected:
            at = next(i for i, (a, b) in enumerate(zip(answer.output, expected)) if a != b)
            raise LabError(f"{call.label}: byte {at} of {len(expected)} differs")
    return taken


def verify(target: Target, runner: Path, cipher: Cipher, kernel: str, vectors: Sequence[Vector]) -> int:
    """Puts the vectors through a kernel, built for the longest key that a target without an operating system is likely to
    be given; returns how many it took. Raises DoesNotFit."""
    name = f"{target.name} {cipher.name} {kernel}"
    fitting = [v for v in vectors if max(len(v.key), len(v.iv)) <= target.argument]
    refused = DoesNotFit("")
    for room in filter(None, (target, target.smaller())):
        try:
            (built,) = build(room, [programs.program(room, _longest(target, cipher, kernel))])
            return check(room, runner, built.linked, script(cipher, fitting, room.buffer, random.Random(name)))
        except DoesNotFit as error:
            refused = error
        except LabError as error:
            raise LabError(f"{name}: {error}") from None
    raise refused


def _longest(target: Target, cipher: Cipher, kernel: str) -> Subject:
    keys = cipher.key_bytes if target.ram is None else [n for n in cipher.key_bytes if n <= 32]
    return Subject(cipher, kernel, keys[-1], cipher.iv_bytes[-1])


@dataclass(frozen=True)
class Verified:
    """What came of one kernel's vectors."""

    said: str
    vectors: int = 0
    failed: bool = False


def verify_all(
    at: Station, ciphers: Sequence[Cipher], kernels: Sequence[str], files: Sequence[Path]
) -> Iterator[Verified]:
    """Puts all vectors through the kernels of these ciphers, as many at a time as there are processors."""
    if at.target.packets_only:
        return
    wanted = [(c, k) for c in ciphers for k in kernels_of(at.target, c) if not kernels or k in kernels]
    build(at.target, [programs.program(at.target, _longest(at.target, *each)) for each in wanted])
    with ThreadPoolExecutor(usable_processors()) as pool:
        waiting = [pool.submit(_verify, at, cipher, kernel, read(files, cipher.name)) for cipher, kernel in wanted]
        for done in as_completed(waiting):
            yield done.result()


def _verify(at: Station, cipher: Cipher, kernel: str, vectors: Sequence[Vector]) -> Verified:
    name = f"{at.target.name} {cipher.name} {kernel}"
    try:
        taken = verify(at.target, at.runner, cipher, kernel, vectors)
        return Verified(f"{name}: {taken} vectors", taken, failed=taken == 0)
    except DoesNotFit as error:
        return Verified(f"{name}: does not fit: {error}")
    except Skipped as error:
        return Verified(str(error))
    except LabError as error:
        return Verified(str(error), failed=True)


def with_vectors() -> list[str]:
    """The ciphers whose vectors are stretches of keystream."""
    return [
        c.name
        for c in subjects.ciphers().values()
        if c.mode in (subjects.Mode.STREAM, subjects.Mode.DIRECTIONAL) and not c.block_bytes
    ]
