# SPDX-License-Identifier: Apache-2.0 OR MIT
"""All numbers of blocks, by induction over the iterations of a kernel's main loop.

Be n the number of blocks, S the stride of the loop, and H its head: an instruction that each iteration passes once. For n of
each remainder by S, with buffers anywhere and any counter:

1. An iteration. With n = S k + r, k unknown but large enough, the code is executed from its entry to H, and from there to H
   again: S blocks have been written, all right, and the machine is as it is at H in another call, for the n - S blocks that
   remain, with buffers and counter S blocks further on. What differs of registers and stack is set free at H, and the
   iteration has the same outcome all the same: nothing depends on it.
2. The end. With the smallest such n, the code is executed from H to its return, with the same parts of the machine free.
3. Smaller n, from entry to return.

So a call is right from H on if it is for n - S blocks, and every call comes to H."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

from .linear import Form, LinearWords
from .machine import Machine
from .memory import Region
from .processors.base import Argument, Processor
from .refusal import Refusal, SecretError
from .words import Word, Words, constant, cut, join

BYTE = 32
ROUNDS_MOST = 24
"""How often more of the state may be set free."""
LEAST_MOST = 3
"""So many iterations at most are before the first one of which all are alike."""
MANY = 96
"""Blocks of the call by which a loop is found."""


@dataclass(frozen=True)
class Work:
    """One function of a kernel, as a call of any number of blocks."""

    function: str
    about: str
    block_bytes: int
    stream: Callable[[int], Word] | None
    """A block of keystream, counted from the call's first."""
    raw: Callable[[Word], Word] | None
    """The output block of raw encryption or decryption."""
    arguments: Callable[[int, Argument, Argument, Argument], list[Argument]]
    """Of a call that begins so many blocks later, given out, in and the number of blocks."""

    def wanted(self, words: Words, data: Word | None, number: int) -> Word:
        """Return a block of output."""
        size = 8 * self.block_bytes
        own = cut(data, size * number, size) if data is not None else None
        if self.raw and own is not None:
            return self.raw(own)
        assert self.stream is not None
        stream = self.stream(number)
        return words.xor(own, stream) if own is not None else stream


@dataclass(frozen=True)
class Loop:
    """The main loop of a function."""

    head: int
    stride: int


class ConcreteWords(Words):
    """Words of numbers alone: inputs are random."""

    def __init__(self) -> None:
        super().__init__()
        chance = Random(1)
        self.fresh = lambda bits, /: constant(chance.getrandbits(bits), bits)


State = dict[str, bytes]


@dataclass
class Induction:
    """The proof of one function for all numbers of blocks."""

    processor: Processor
    words: LinearWords
    work: Work
    address: int
    loop: Loop
    in_place: bool = False
    plain: bool = True
    """There is an input."""
    least: int = 1
    """k of the smallest call that comes to the head."""
    free: dict[str, set[int]] = field(default_factory=lambda: {"registers": set(), "stack": set(), "out": set()})
    """Bytes of the machine's state at the head that may have any value."""
    drifts: dict[str, dict[int, int]] = field(default_factory=lambda: {"registers": {}, "stack": {}, "out": {}})
    """Words that do not move with the loop, by their place, and how much less they would be in a call for what remains."""
    stack: int = 0

    def __post_init__(self) -> None:
        """Make room for the largest calls."""
        size, most = self.work.block_bytes, self.loop.stride * (LEAST_MOST + 3)
        self.data = self.words.fresh(8 * size * most) if self.plain else None
        self.out = self.processor.region("out", size * most, offset=5)
        self.source: Region | None = None
        if self.plain and not self.in_place:
            self.source = self.processor.region("in", size * most, writable=False, offset=3)
        self.words.bases = self.out.base, self.source.base if self.source else 0
        self.words.bits = 8 * self.processor.pointer_bytes
        self.words.count_most = size * self.loop.stride

    def prove(self) -> None:
        """Prove it; refused if that does not succeed."""
        while True:
            try:
                self.iterations()
                self.ends()
                return
            except (NotReachedError, SecretError):
                self.least += 1
                if self.least > LEAST_MOST:
                    raise

    def iterations(self) -> None:
        """Prove an iteration for every remainder, until nothing more is set free."""
        self.words.least = self.least + 1
        for _ in range(ROUNDS_MOST):
            before = self.freedom
            for remainder in range(self.loop.stride):
                self.iteration(remainder)
            if self.freedom == before:
                return
        raise Refusal("the state at the loop's head is not found")

    def iteration(self, remainder: int) -> None:
        """Prove an iteration."""
        stride, bits = self.loop.stride, 8 * self.processor.pointer_bytes
        count = Form(bits, count=stride, number=remainder)
        fewer = Form(bits, count=stride, number=remainder - stride)
        room = stride * (self.least + 1) + remainder
        size = stride * self.work.block_bytes
        expected = join(self.work.wanted(self.words, self.data, i) for i in range(stride))
        for _ in range(ROUNDS_MOST):
            self.begin(0, self.words.word_of(count), room)
            self.to_head(self.entry)
            self.set_free()
            self.to_head(None)
            after = self.state(size)
            got = self.out.word(0, size)
            self.begin(stride, self.words.word_of(fewer), room)
            self.to_head(self.entry)
            other = self.state(size)
            before = self.freedom
            for name in after:
                self.compare(name, after[name], other[name])
            if self.freedom == before:
                break
        else:
            raise Refusal("the state at the loop's head is not found")
        self.equal(got, expected, f"an iteration, {remainder} more than a multiple of {stride} blocks")

    def ends(self) -> None:
        """Prove the shortest calls with the loop from its head on, and calls without the loop."""
        smallest = self.loop.stride * self.least
        for count in range(1, smallest + self.loop.stride):
            size = count * self.work.block_bytes
            expected = join(self.work.wanted(self.words, self.data, i) for i in range(count))
            self.begin(0, constant(count, 8 * self.processor.pointer_bytes), count)
            start = self.entry
            if count >= smallest:
                self.to_head(start)
                self.set_free()
                start = self.loop.head
            self.processor.machine.run(start, self.processor.return_address())
            self.stack = max(self.stack, self.processor.finish())
            self.equal(self.out.word(0, size), expected, f"{count} blocks")

    def begin(self, before: int, count: Word, room: int) -> None:
        """Begin a call that is so many blocks further on, with room for so many in all."""
        size, bits = self.work.block_bytes, 8 * self.processor.pointer_bytes
        self.out.content[:] = b"\xff" * (BYTE * size * room)
        if self.in_place and self.data is not None:
            self.out.content[:] = self.data[: BYTE * size * room]
        if self.source and self.data is not None:
            self.source.content[:] = self.data[: BYTE * size * room]
        out = self.words.word_of(Form(bits, out=1, number=before * size))
        source = out if self.in_place else constant(0, bits)
        if self.source:
            source = self.words.word_of(Form(bits, source=1, number=before * size))
        arguments = self.work.arguments(before, Argument(out), Argument(source), Argument(count))
        self.entry = self.processor.begin(self.address, arguments)

    def to_head(self, start: int | None) -> None:
        """Execute until the loop's head, from an address or from there."""
        machine, head = self.processor.machine, self.loop.head
        if start is None:
            machine.address = head
            instruction = machine.fetch(head)
            machine.executed[head] += 1
            machine.next = head + instruction.length
            target = machine.execute(instruction)
            start = machine.next if target is None else target
        if not machine.run_to(start, {head, self.processor.return_address()}) == head:
            raise NotReachedError("the loop's head is not reached")

    def state(self, written: int) -> State:
        """Return the machine's state, without output that is right already."""
        machine = self.processor.machine
        return {
            "registers": bytes(machine.registers),
            "stack": bytes(self.processor.stack.content),
            "out": bytes(self.out.content[BYTE * written :]),
        }

    @property
    def freedom(self) -> int:
        """Return how much may have any value."""
        return 256 * sum(map(len, self.free.values())) + sum(map(len, self.drifts.values()))

    def compare(self, name: str, after: bytes, other: bytes) -> None:
        """Set free what differs between the states after an iteration and at the head of another call; of addresses and
        counts that are of the call's beginning, it is known by how much."""
        size = self.processor.pointer_bytes
        known = self.drifts[name]
        for place in sorted({i // size * size for i in differing(after, other)} | known.keys()):
            one, two = after[BYTE * place : BYTE * (place + size)], other[BYTE * place : BYTE * (place + size)]
            if place in known:
                if one == self.words.with_drift(two, known[place], known[place]):
                    continue
                del known[place]
                self.free[name] |= set(range(place, place + size))
            elif not self.free[name] & set(range(place, place + size)):
                drift = self.words.drift(one, two)
                if drift is not None:
                    known[place] = drift
                    continue
            self.free[name] |= {place + i for i in differing(one, two)}

    def set_free(self) -> None:
        """Give parts of the machine any value."""
        for name, content in (("registers", self.processor.machine.registers), ("stack", self.processor.stack.content)):
            for place, drift in self.drifts[name].items():
                at = slice(BYTE * place, BYTE * (place + self.processor.pointer_bytes))
                word = self.words.with_drift(bytes(content[at]), drift)
                if word is None:
                    raise Refusal("an address or a count at the loop's head is neither")
                content[at] = word
            for cell in self.free[name]:
                content[BYTE * cell : BYTE * (cell + 1)] = self.words.fresh(8)
        if self.free["out"]:
            raise Refusal("output that is written ahead is not the same")

    def equal(self, got: Word, want: Word, what: str) -> None:
        """Refuse output that is not the specification's."""
        if got != want:
            wrong = differing(got, want)
            raise Refusal(
                f"{what}: {len(wrong)} bytes are not shown to be the specification's, the first is {wrong[0]}"
            )


class NotReachedError(Refusal):
    """A call is too short for its loop."""


def differing(x: bytes, y: bytes) -> list[int]:
    """Return the bytes of two words that are not the same."""
    return [i for i in range(len(x) // BYTE) if x[BYTE * i : BYTE * (i + 1)] != y[BYTE * i : BYTE * (i + 1)]]


def find(machine: Machine, entry: int, stop: int, out: Region, block_bytes: int) -> Loop:
    """Execute a call, and return the loop that writes most of its output: its head is passed again for so many blocks."""
    written: dict[int, list[int]] = {}
    address = entry
    while address != stop:
        written.setdefault(address, []).append(max(0, out.highest_write))
        machine.address = address
        instruction = machine.fetch(address)
        machine.next = address + instruction.length
        target = machine.execute(instruction)
        address = machine.next if target is None else target
    best, most = None, 0
    for at, places in written.items():
        steps = {after - before for before, after in pairwise(places[:-1])}
        if len(places) >= 3 and len(steps) == 1 and (step := steps.pop()) and step % block_bytes == 0:
            reach = step * (len(places) - 1)
            if reach > most:
                best, most = Loop(at, step // block_bytes), reach
    if best is None:
        raise Refusal("no loop is found whose iterations write equally much")
    return best
