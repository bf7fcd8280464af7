# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compares the semantics of instructions with a processor.

An instruction is executed once on a machine whose registers and memory are free, which is how proofs use it; what comes
out is evaluated for random inputs, and the processor executes the same instruction on the same inputs. Registers that form
addresses are known. Where the semantics need known operands (shift counts, permutations, masks of memory), all are known, and
every trial is an execution of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from ..machine import Machine
from ..pcode import Lifter
from ..refusal import Refusal, SecretError
from ..words import Word, Words, constant, cut, of_octets, zero_extended

BATCH = 8192
"""States that are in memory at once."""


@dataclass(frozen=True)
class Tested:
    """The result of a test."""

    form: str
    encodings: int
    operands: int
    wrong: str = ""


@dataclass(frozen=True)
class Layout:
    """Where a state has what: bytes of registers, bits of flags; memory for operands lies after it."""

    registers: dict[str, tuple[int, int]]
    flags: dict[str, int]
    """Each with its bit of the whole state."""
    state: int
    memory: int = 512
    known: dict[str, int] = field(default_factory=dict)
    """Registers that always hold these values, by their names in the lifter."""


class Executor(Protocol):
    """Executes an instruction on states."""

    @property
    def memory(self) -> int:
        """Return where operands in memory lie."""
        ...

    @property
    def slot(self) -> int:
        """Return where the instruction lies."""
        ...

    def run(self, code: bytes, states: np.ndarray) -> np.ndarray:
        """Return the states after the instruction."""
        ...


def fills(unknown: int) -> list[bytes]:
    """Return values for so many unknown bits, zeros first: what differs between these is not compared. Each bit differs in
    some of them, and so does the XOR of any two bits, from which SLEIGH computes the overflow of a sum with a carry."""
    if unknown == 0:
        return [b""]
    codes = (bytes(255 * (i + 1 >> bit & 1) for i in range(unknown)) for bit in range(unknown.bit_length()))
    return [bytes(unknown), b"\xff" * unknown, *codes]


class Tester:
    """Tests encodings of instructions."""

    layout: Layout

    def __init__(self, executor: Executor, lifter: Lifter, seed: int = 1) -> None:
        self.executor = executor
        self.lifter = lifter
        self.random = np.random.default_rng(seed)

    def is_control(self, form: str) -> bool:
        """Tell whether a form is not executed here: a wrong branch or call makes a proof fail, a hint does nothing."""
        raise NotImplementedError

    def can_run(self, form: str, code: bytes) -> bool:
        """Tell whether the processor has an instruction."""
        return True

    def by(self, form: str, codes: list[bytes]) -> str:
        """Return the name of an emulator where most of the set is compared with a processor; "" for what all others are."""
        return ""

    def with_addresses(self, code: bytes) -> tuple[bytes, dict[str, int]]:
        """Return the code, and values of registers with which its operand in memory lies in ours."""
        raise NotImplementedError

    def is_skipped(self, code: bytes) -> bool:
        """Tell whether an encoding reads what lies beside it, where the processor has other code."""
        return False

    def compared_flags(self, form: str) -> Iterable[str]:
        """Return which flags are compared."""
        return self.layout.flags

    def prepare(self, states: np.ndarray) -> None:
        """Change random states where the processor allows only some."""

    def test(self, form: str, codes: list[bytes], operands: int) -> Tested:
        """Test some encodings of a form, with so many operands for all together."""
        if self.is_control(form):
            return Tested(form, 0, 0)
        codes = [code for code in codes if not self.is_skipped(code)]
        total = 0
        each = max(64, operands // max(1, len(codes)) // 64 * 64)
        for code in codes:
            count, wrong = self.encoding(code, each)
            total += count
            if wrong:
                return Tested(form, len(codes), total, f"{code.hex()}: {wrong}")
        return Tested(form, len(codes), total)

    def encoding(self, code: bytes, count: int) -> tuple[int, str]:
        """Test one encoding; return how many operands, and what is wrong."""
        code, fixed = self.with_addresses(code)
        try:
            for done in range(0, count, BATCH):
                if wrong := self.compare(code, fixed, min(BATCH, count - done), free=True):
                    return done, wrong
            return count, ""
        except SecretError:
            trials = min(count, 64)
            for _ in range(trials):
                try:
                    if wrong := self.compare(code, fixed, 1, free=False):
                        return trials, wrong
                except Refusal as refusal:
                    return 0, str(refusal)
            return trials, ""
        except Refusal as refusal:
            return 0, str(refusal)

    def new_machine(self, words: Words) -> Machine:
        """Return a machine with registers of known bits."""
        machine = Machine(words, self.lifter, self.lifter.register_bytes)
        machine.registers[:] = bytes(len(machine.registers))
        machine.temporaries = bytearray(32 * 4096)
        for name, value in self.layout.known.items():
            at, size = self.lifter.places[name]
            machine.put(at, constant(value, 8 * size))
        return machine

    def compare(self, code: bytes, fixed: dict[str, int], count: int, free: bool) -> str:
        """Execute an encoding here and there; return where they differ."""
        layout = self.layout
        bits = 8 * (layout.state + layout.memory)
        states = self.random.integers(0, 256, (count, bits // 8), dtype=np.uint8)
        self.prepare(states)
        for name, value in fixed.items():
            at, size = layout.registers[name]
            states[:, at : at + size] = np.frombuffer(value.to_bytes(size, "little"), np.uint8)
        words = Words()
        machine = self.new_machine(words)
        region = machine.memory.add("memory", self.executor.memory, layout.memory)
        inputs = words.fresh(bits) if free else of_octets(states[0].tobytes())
        for name, value in fixed.items():
            at, size = layout.registers[name]
            inputs = inputs[: 32 * at] + of_octets(value.to_bytes(size, "little")) + inputs[32 * (at + size) :]
        self.put(machine, inputs)
        region.fill(cut(inputs, 8 * layout.state, 8 * layout.memory))
        known = words.domain.sizes()[4]
        machine.address = self.executor.slot
        instruction = self.lifter.decode(code, self.executor.slot)
        machine.execute(instruction)
        outputs = self.got(machine, inputs) + region.word()
        after = self.executor.run(code, states)
        unknown = words.domain.sizes()[4] - known
        mine, *others = (self.simulated(words, outputs, states, known, fill) for fill in fills(unknown))
        wrong = mine ^ after
        for other in others:
            wrong &= ~(mine ^ other)
        return self.difference(instruction.form, wrong)

    def put(self, machine: Machine, inputs: Word) -> None:
        """Load the state into the machine."""
        places = self.lifter.places
        for name, (at, size) in self.layout.registers.items():
            machine.put(places[name][0], cut(inputs, 8 * at, 8 * size))
        for name, bit in self.layout.flags.items():
            machine.put(places[name][0], zero_extended(cut(inputs, bit, 1), 8))

    def got(self, machine: Machine, inputs: Word) -> Word:
        """Return the state of the machine; what has no place in it as it was."""
        places = self.lifter.places
        state = bytearray(cut(inputs, 0, 8 * self.layout.state))
        for name, (at, size) in self.layout.registers.items():
            state[32 * at : 32 * (at + size)] = machine.get(places[name][0], size)
        for name, bit in self.layout.flags.items():
            state[4 * bit : 4 * bit + 4] = machine.get(places[name][0], 1)[:4]
        return bytes(state)

    def simulated(self, words: Words, outputs: Word, states: np.ndarray, known: int, fill: bytes) -> np.ndarray:
        """Return the machine's state after the instruction, for each of the states before. Unknown values, which are the
        inputs made after `known` others, are each a byte of `fill`, for all states."""
        count = len(states)
        bits = np.unpackbits(states, axis=1, bitorder="little").T[
            :known
        ]  # of every input, in the order of their making
        values = np.packbits(bits, axis=1, bitorder="little")
        values = np.pad(values, ((0, 0), (0, -values.shape[1] % 8)))
        unknown = np.frombuffer(fill, np.uint8)[:, None]
        values = np.vstack([values, np.broadcast_to(unknown, (len(fill), values.shape[1]))])
        outcome = words.domain.simulate(outputs, values.tobytes(), values.shape[1] // 8)
        result = np.frombuffer(outcome, np.uint8).reshape(len(outputs) // 4, -1)
        lanes_of_bits = np.unpackbits(result, axis=1, bitorder="little")[:, :count].T
        return np.packbits(lanes_of_bits, axis=1, bitorder="little")

    def difference(self, form: str, states: np.ndarray) -> str:
        """Return where two sets of states differ, given their XOR, "" if nowhere."""
        wrong = np.asarray(np.unpackbits(states, axis=1, bitorder="little").any(axis=0))
        held = np.zeros(8 * self.layout.state, bool)
        for at, size in self.layout.registers.values():
            held[8 * at : 8 * (at + size)] = True
        held[[self.layout.flags[name] for name in self.compared_flags(form)]] = True
        wrong[: 8 * self.layout.state] &= held
        for place in np.flatnonzero(wrong):
            return f"bit {place % 8} of byte {place // 8} of the state"
        return ""
