# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The contract between a kernel and the library (src/core/kernel.h), as calls whose results are compared with the
specification: for all keys, nonces and data at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from .building import Subject
from .extent import Extent
from .induction import Work
from .memory import Region
from .processors.base import Argument, Processor
from .refusal import Refusal
from .words import Word, constant, cut, join, lanes


@dataclass
class Claim:
    """One call that was compared with the specification."""

    function: str
    about: str
    bytes: int
    instructions: int
    stack: int
    seconds: float
    """Of processor time."""


@dataclass
class Findings:
    """The results of the proofs of a kernel."""

    claims: list[Claim] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    stack: dict[str, int] = field(default_factory=dict)

    def note_stack(self, function: str, depth: int) -> None:
        """Keep the deepest stack of a function."""
        self.stack[function] = max(self.stack.get(function, 0), depth)


@dataclass(frozen=True)
class Part:
    """A part of a proof over a domain of its own, and leaves nothing behind."""

    key_bytes: int
    function: str
    rounds: int = 0
    """Of a cipher that has several numbers of them."""
    prefix: bool = False
    """Counter mode with prefix tables."""


class Prover:
    """Calls one kernel's functions on one machine."""

    block_bytes: int

    def __init__(self, subject: Subject, processor: Processor, findings: Findings) -> None:
        self.subject = subject
        self.processor = processor
        self.words = processor.words
        self.findings = findings
        self.functions: dict[str, int] = {}
        processor.machine.secret_indexed = processor.ask("proof_timing") == 1
        self.state_bytes = processor.ask("proof_state_bytes")
        self.state = processor.region("state", self.state_bytes)

    def parts(self, key_sizes: tuple[int, ...]) -> list[Part]:
        """Return what there is to prove for keys of these sizes."""
        raise NotImplementedError

    def prove(self, part: Part, extent: Extent) -> None:
        """Prove one part."""
        raise NotImplementedError

    def endless(self, part: Part) -> Work:
        """Set a key up, and return one part as a call of any number of blocks."""
        raise NotImplementedError

    def ask(self, name: str) -> int:
        """Return what the harness knows by a name, 0 if it does not know it."""
        return self.processor.ask(f"proof_{name}") if f"proof_{name}" in self.processor.image.symbols else 0

    def function(self, name: str) -> int:
        """Return the address of one of the kernel's functions, 0 if it has none."""
        if name not in self.functions:
            self.functions[name] = self.ask(name)
        return self.functions[name]

    def constant_region(self, name: str, word: Word, offset: int = 0) -> Region:
        """Add memory with content that may only be read."""
        region = self.processor.region(name, len(word) // 32, writable=False, offset=offset)
        region.fill(word)
        return region

    def fresh_state(self) -> None:
        """Forget the state: its bytes are undefined as before key set-up."""
        self.state.content[:] = b"\xff" * len(self.state.content)

    def set_key(self, key: Word, function: str = "key") -> None:
        """Have the kernel set a key up."""
        self.fresh_state()
        self.state.writable = True
        mark = self.processor.next_free
        region = self.constant_region("key", key)
        self.call(function, [Argument(self.state.base), Argument(region.base), Argument(region.size)])
        self.processor.machine.memory.remove(region)
        self.processor.next_free = mark
        self.state.writable = False

    def call(self, name: str, arguments: list[Argument]) -> int:
        """Call one of the kernel's functions."""
        try:
            depth = self.processor.call(self.function(name), arguments)
        except Refusal as refusal:
            where = self.processor.image.function_at(self.processor.machine.address)
            raise type(refusal)(f"{refusal} in {where}") from None
        self.findings.note_stack(name, depth)
        return depth

    @contextmanager
    def buffers(self, size: int, data: Word | None, offset: int, in_place: bool) -> Iterator[tuple[Region, int]]:
        """Give `out` of so many bytes and the address of `in`: 0 without data, or that of `out`."""
        memory = self.processor.machine.memory
        mark = self.processor.next_free
        out = self.processor.region("out", size, offset=offset)
        source = None
        if in_place and data is not None:
            out.fill(data)
        elif data is not None:
            source = self.constant_region("in", data, offset=(offset * 3) % 16)
        try:
            yield out, source.base if source else out.base if in_place else 0
        finally:
            memory.remove(out)
            if source:
                memory.remove(source)
            self.processor.next_free = mark

    def compare(
        self,
        name: str,
        about: str,
        size: int,
        want: Callable[[], Word],
        arguments: Callable[[int, int], list[Argument]],
        *,
        data: Word | None = None,
        offset: int = 0,
        in_place: bool = False,
    ) -> None:
        """Call a function that writes `size` bytes to `out`, and compare them; a refusal is kept, and the next is tried."""
        start = time.process_time()
        executed = self.processor.machine.executed
        before = executed.total()
        expected = want()
        try:
            with self.buffers(size, data, offset, in_place) as (out, source):
                depth = self.call(name, arguments(out.base, source))
                self.equal(out.word(), expected, name)
        except Refusal as refusal:
            self.findings.refusals.append(f"{name}, {about}: {type(refusal).__name__}: {refusal}")
            return
        self.findings.claims.append(
            Claim(name, about, size, executed.total() - before, depth, round(time.process_time() - start, 3))
        )

    def tails(
        self,
        name: str,
        about: str,
        head: list[Argument],
        stream: Callable[[int], Word],
        data: Word,
        lengths: Iterable[tuple[int, int]],
    ) -> None:
        """Prove a function that makes n whole blocks and a tail, and gives the tail's block of keystream: for each n and
        tail of `lengths`. `head` are its arguments before `out`."""
        size = self.block_bytes

        def run(n: int, tail: int) -> None:
            leftover = self.processor.region("leftover", size)
            total = n * size + tail
            what = f"{about}, {n} blocks and {tail} bytes"
            before = len(self.findings.refusals)
            self.compare(
                name,
                what,
                total,
                lambda: self.words.xor(cut(data, 0, 8 * total), cut(join(map(stream, range(n + 1))), 0, 8 * total)),
                lambda out, source: [*head, *(Argument(value) for value in (out, source, n, tail, leftover.base))],
                data=cut(data, 0, 8 * total),
                offset=tail % 16,
            )
            if len(self.findings.refusals) == before and leftover.word() != stream(n):
                self.findings.refusals.append(f"{name}, {what}: leftover")
            self.processor.machine.memory.remove(leftover)

        for n, tail in lengths:
            run(n, tail)

    def equal(self, got: Word, want: Word, name: str) -> None:
        """Refuse words that are not the same functions of the inputs."""
        if got != want:
            wrong = [i for i, (a, b) in enumerate(zip(lanes(got, 8), lanes(want, 8))) if a != b]
            how = "differ from" if self.words.differ(got, want) else "were not shown to be"
            raise Refusal(f"{len(wrong)} of {len(want) // 32} bytes {how} the specification's, the first is {wrong[0]}")


def octets(word: Word) -> list[Word]:
    """Return the bytes of a word."""
    return lanes(word, 8)


def counter_block(fixed: Word, at: int, number: int | Word, order: str) -> Word:
    """Return a counter block: `fixed` with a 32-bit number at a byte."""
    parts = lanes(fixed, 8)
    counter = lanes(constant(number, 32) if isinstance(number, int) else number, 8)
    parts[at : at + 4] = counter[::-1] if order == "big" else counter
    return join(parts)
