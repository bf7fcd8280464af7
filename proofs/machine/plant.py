# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Turns random bits in instructions that a proof executed, and counts how many of these faults the same proof sees: first a
short one, then the whole one. Where the whole proof still succeeds, the code with that bit has been proved too."""

from __future__ import annotations

import argparse
import dataclasses
import json
import random
import sys
import tempfile
from pathlib import Path

import prove  # sets the path of modules
from proving import building, proof
from proving.extent import Extent
from proving.image import Image
from proving.machine import Machine


def broken(image: Image, address: int, bit: int) -> None:
    """Turn one bit of an image's code."""
    for number, segment in enumerate(image.segments):
        start = segment.load_address if image.machine == "EM_AVR" else segment.address
        if segment.executable and start <= address < start + len(segment.octets):
            octets = bytearray(segment.octets)
            octets[address - start] ^= 1 << bit
            image.segments[number] = dataclasses.replace(segment, octets=bytes(octets))


def refused(subject: building.Subject, image: Image, extent: Extent, limit: int = Machine.limit) -> str:
    """Return why a proof of an image is refused, "" if it is not. A call may execute so many instructions."""
    Machine.limit = limit
    try:
        findings, _ = proof.run(subject, image, extent)
    except Exception as error:  # whatever a broken instruction does to the prover is seen
        return f"{type(error).__name__}: {error}"
    return findings.refusals[0].split(": ", 1)[1] if findings.refusals else ""


def write(arguments: argparse.Namespace, faults: int, seen: dict[str, int], equivalent: list[str]) -> None:
    """Write what came of the faults so far: a run that is stopped leaves these."""
    record = {"kernel": arguments.kernel, "target": arguments.target, "faults": faults, "seed": arguments.seed,
            "seen": seen, "equivalent": equivalent}  # fmt: skip
    name = f"planted-{arguments.kernel.replace('/', '-')}-{arguments.target}.json"
    (arguments.results / name).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def main() -> int:
    """Plant faults, and print how many were seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kernel", help="aes/vaes512")
    parser.add_argument("--target", required=True, choices=building.TARGETS)
    parser.add_argument("--faults", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, default=prove.ROOT / "results" / "proofs")
    arguments = parser.parse_args()
    folder, _, kernel = arguments.kernel.partition("/")
    subject = building.Subject(folder, kernel, arguments.target)
    short = Extent((1, 2), (1, 2, 5), (max(subject.facts.key_bytes),))
    chance = random.Random(arguments.seed)
    seen: dict[str, int] = {}
    equivalent: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        elf = building.build(subject, Path(scratch), prove.ROOT / "build" / "librunnel.a").elf
        findings, processor = proof.run(subject, Image(elf), short)
        if findings.refusals:
            print(f"{subject} is not proved: {findings.refusals[0]}")
            return 1
        covered = [
            (address, each.length)
            for address, each in sorted(processor.machine.instructions.items())
            if not processor.image.function_at(address).startswith("proof_")
        ]
        whole = proof.own_extent(subject, Image(elf))
        limit = 2 * processor.machine.executed.total()
        for number in range(arguments.faults):
            start, length = chance.choice(covered)
            address, bit = start + chance.randrange(length), chance.randrange(8)
            image = Image(elf)
            broken(image, address, bit)
            why = refused(subject, image, short, limit)
            place = f"{image.function_at(start)}, {start:#x}+{address - start} bit {bit}"
            why = why or refused(subject, image, whole)
            if why:
                kind = why.partition(":")[0]
                seen[kind] = seen.get(kind, 0) + 1
            else:
                equivalent.append(place)
            write(arguments, number + 1, seen, equivalent)
    print(f"{subject}: {sum(seen.values())} of {arguments.faults} faults seen: {seen}")
    for place in equivalent:
        print(f"    proved with it: {place}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
