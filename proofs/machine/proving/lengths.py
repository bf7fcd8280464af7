# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Try to prove each function of a kernel for all numbers of blocks (induction.py), and record the reason where it fails."""

from __future__ import annotations

import time
from typing import Any

from .building import Subject
from .contract import Findings, Part, Prover
from .image import Image
from .induction import MANY, ConcreteWords, Induction, Loop, find
from .linear import LinearWords
from .processors.base import Argument
from .provers import options, processor_for, prover_for
from .refusal import Refusal
from .words import Words, constant

RAW = ("encrypt_blocks", "decrypt_blocks")
KINDS = ((True, False), (True, True), (False, False))
"""With an input or without, and whether it lies where the output goes."""


def of(subject: Subject, image: Image, key_bytes: tuple[int, ...] | None = None) -> list[dict[str, Any]]:
    """Return for each part of a kernel's proof without prefix tables and tails whether it is proved for all lengths."""
    first = _prover(subject, image, Words(), None)
    parts = [
        part
        for part in first.parts(key_bytes or subject.facts.key_bytes)
        if not part.prefix and not part.function.endswith("tail")
    ]
    rows = []
    for part in parts:
        start = time.process_time()
        row: dict[str, Any] = {"function": part.function, "key_bytes": part.key_bytes}
        if part.rounds:
            row["rounds"] = part.rounds
        try:
            loop = _loop(subject, image, first, part)
            row |= {"stride": loop.stride, "head": f"{image.function_at(loop.head)}+{_offset(image, loop.head):#x}"}
            kinds = KINDS[: 2 if part.function in RAW else 3]
            row["free"] = [_one(subject, image, first, part, loop, *kind) for kind in kinds]
            row["all"] = True
        except (Refusal, ValueError) as refusal:
            row |= {"all": False, "why": f"{type(refusal).__name__}: {refusal}"}
        row["seconds"] = round(time.process_time() - start, 1)
        rows.append(row)
    return rows


def stride_of(subject: Subject, image: Image) -> int | None:
    """Return how many blocks a kernel makes at once at most, None if the main loop of one of its functions is not found."""
    first = _prover(subject, image, Words(), None)
    parts = first.parts((max(subject.facts.key_bytes),))
    try:
        return max(_loop(subject, image, first, part).stride for part in parts if not part.function.endswith("tail"))
    except (Refusal, ValueError):
        return None


def _prover(subject: Subject, image: Image, words: Words, first: Prover | None) -> Prover:
    processor = processor_for(words, image, first.processor if first else None)
    return prover_for(subject)(subject, processor, Findings())


def _loop(subject: Subject, image: Image, first: Prover, part: Part) -> Loop:
    """Return the main loop of a function, found by a call with numbers."""
    prover = _prover(subject, image, ConcreteWords(), first)
    work, processor = prover.endless(part), prover.processor
    size = MANY * work.block_bytes
    out, source = processor.region("out", size, offset=5), processor.region("in", size, writable=False, offset=3)
    source.fill(constant(0, 8 * size))
    arguments = work.arguments(0, Argument(out.base), Argument(source.base), Argument(MANY))
    entry = processor.begin(prover.function(work.function), arguments)
    return find(processor.machine, entry, processor.return_address(), out, work.block_bytes)


def _one(subject: Subject, image: Image, first: Prover, part: Part, loop: Loop, plain: bool, in_place: bool) -> int:
    """Prove one kind of call; return how many bytes of the machine's state are free at the loop's head."""
    words = LinearWords(**options(subject))
    prover = _prover(subject, image, words, first)
    work = prover.endless(part)
    induction = Induction(
        prover.processor, words, work, prover.function(work.function), loop, in_place=in_place, plain=plain
    )
    induction.prove()
    return sum(map(len, induction.free.values()))


def _offset(image: Image, address: int) -> int:
    return address - max(start for start, _, _ in image.functions if start <= address)
