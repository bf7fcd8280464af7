# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A machine: registers and memory of words, and the loop that executes instructions.

Control flow and addresses are concrete; a secret in either is refused, which is what constant time means here. What
instructions do comes from a decoder, one for each processor (processors/)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from .memory import Memory
from .refusal import Refusal, SecretError
from .words import ONE, Word, Words, cut, is_defined, join, lanes, value_of, width

Step = Callable[["Machine"], "int | None"]
"""Do a part of an instruction; return where it jumps to, None if it continues, ~i to continue with part i."""


ADDRESSES = ("an address", "the address of a store")


@dataclass(frozen=True)
class Instruction:
    """An instruction at an address: what it does, and by which name its semantics are tested."""

    form: str
    length: int
    steps: tuple[Step, ...]
    code: bytes


class Decoder(Protocol):
    """Finds out what the instruction at an address does."""

    def decode(self, code: bytes, address: int) -> Instruction:
        """Decode the first instruction of the code."""
        ...


class Machine:
    """The state of a processor, and how it continues."""

    limit = 5_000_000
    memory_limit = 3 << 30

    def __init__(self, words: Words, decoder: Decoder, register_bytes: int) -> None:
        self.words = words
        self.decoder = decoder
        self.memory = Memory()
        self.registers = bytearray(b"\xff" * 32 * register_bytes)
        self.temporaries = bytearray()
        self.code: dict[int, bytes] = {}
        self.code_base = 0
        self.code_bytes = b""
        self.instructions: dict[int, Instruction] = {}
        self.executed: Counter[int] = Counter()
        self.forms: dict[str, set[bytes]] = {}
        self.address = 0
        self.next = 0
        self.lowest_stack = 0
        self.secret_indexed = False
        self.tables: dict[tuple[object, ...], bytes] = {}
        """Tables in memory that is never written, by where their entries lie."""

    # Registers are addressed by bytes, as in SLEIGH.
    def get(self, at: int, size: int) -> Word:
        """Return the content of a register's bytes; refused if they are undefined."""
        word = bytes(self.registers[32 * at : 32 * (at + size)])
        if not is_defined(word):
            raise Refusal(f"register byte {at:#x} is used before it is set, at {self.address:#x}")
        return word

    def put(self, at: int, word: Word) -> None:
        """Set a register's bytes."""
        self.registers[32 * at : 32 * at + len(word)] = word

    def concrete(self, word: Word, what: str) -> int:
        """Return a word's value; refused if it depends on inputs."""
        value = value_of(word)
        if value is None and what in ADDRESSES:
            value = self.words.address_of(word)
        if value is None:
            raise SecretError(f"{what} depends on a secret, at {self.address:#x}")
        return value

    def load(self, address: Word, size: int) -> Word:
        """Read memory."""
        value = value_of(address)
        if value is None:
            value = self.words.address_of(address)
        if value is None:
            return self.look_up(address, size)
        return self.memory.load(value, size)

    def look_up(self, address: Word, size: int) -> Word:
        """Read a table at a secret address, which only a kernel may do that says so."""
        if not self.secret_indexed:
            raise SecretError(f"an address depends on a secret, at {self.address:#x}")
        return look_up(self, address, lambda at: self.memory.load(at, size), self.memory.is_constant, 8 * size)

    def unknown(self, bits: int) -> Word:
        """Return what nobody may rely on: it may have any value."""
        return self.words.fresh(bits)

    def fetch(self, address: int) -> Instruction:
        """Return the instruction at an address."""
        found = self.instructions.get(address)
        if found is None:
            at = address - self.code_base
            if not 0 <= at < len(self.code_bytes):
                raise Refusal(f"a jump to {address:#x}, where there is no code, from {self.address:#x}")
            found = self.instructions[address] = self.decoder.decode(self.code_bytes[at : at + 16], address)
            self.forms.setdefault(found.form, set()).add(found.code)
        return found

    def run(self, entry: int, stop: int) -> None:
        """Execute from an address until another is reached."""
        self.run_to(entry, {stop})

    def run_to(self, entry: int, stops: Set[int]) -> int:
        """Execute from an address until one of several is reached, and return that."""
        count = 0
        address = entry
        executed = self.executed
        while address not in stops:
            self.address = address
            instruction = self.instructions.get(address) or self.fetch(address)
            executed[address] += 1
            self.next = address + instruction.length
            target = self.execute(instruction)
            address = self.next if target is None else target
            count += 1
            if count % 512 == 0:
                self.within_limits(count)
        return address

    def within_limits(self, count: int) -> None:
        """Refuse what does not end, or needs more memory than a proof may take."""
        if count > self.limit:
            raise Refusal("it does not end")
        if self.words.domain.memory() > self.memory_limit:
            raise Refusal(f"the proof needs more than {self.memory_limit >> 20} MB")

    def execute(self, instruction: Instruction) -> int | None:
        """Execute one instruction; return where it jumps to, None if it continues."""
        steps = instruction.steps
        i = 0
        while i < len(steps):
            result = steps[i](self)
            if result is None:
                i += 1
            elif result < 0:
                i = ~result
            else:
                return result
        return None


TABLE_BITS_MOST = 12


def look_up(
    m: Machine, address: Word, load: Callable[[int], Word], is_constant: Callable[[int], bool], bits: int
) -> Word:
    """Return the entry of a table of constants at a secret address: every address that it may be is read. Where a table
    lies in memory that is never written, it is read once."""
    index, base = m.words.offsets.get(address, (address, 0))
    secret = [i for i, bit in enumerate(lanes(index, 1)) if value_of(bit) is None]
    fixed = base + sum(1 << i for i, bit in enumerate(lanes(index, 1)) if bit == ONE)
    if len(secret) > TABLE_BITS_MOST:
        raise SecretError(f"an address depends on {len(secret)} secret bits, at {m.address:#x}")
    key = fixed, tuple(secret), width(address), bits, is_constant
    entries = m.tables.get(key)
    if entries is None:
        places = [fixed]
        for place in secret:
            places += [at + (1 << place) for at in places]
        places = [at % (1 << width(address)) for at in places]
        entries = join(_entry(m, load(at), bits) for at in places)
        if all(map(is_constant, places)):
            m.tables[key] = entries
    try:
        return m.words.table(join(cut(index, place, 1) for place in secret), entries, bits)
    except ValueError as error:
        raise SecretError(f"{error}, at {m.address:#x}") from None


def _entry(m: Machine, entry: Word, bits: int) -> bytes:
    """Return an entry of a table as it lies in memory."""
    value = value_of(entry)
    if value is None:
        raise SecretError(f"a table of secrets is read at a secret address, at {m.address:#x}")
    return value.to_bytes(bits // 8, "little")


def entry_at(m: Machine, entries: Sequence[Word], index: Word) -> Word:
    """Return the entry that a secret index of so many bits chooses in a register. Entries may be secret too; those that are
    one word XORed with numbers are that word XORed with an entry of a table of numbers."""
    bits = width(entries[0])
    common = join(bytes([bit[0] & 0xFE]) + bit[1:] for bit in lanes(entries[0], 1))
    numbers = [value_of(m.words.xor(entry, common)) for entry in entries]
    if None not in numbers:
        table = b"".join((number or 0).to_bytes(bits // 8, "little") for number in numbers)
        return m.words.xor(common, m.words.table(index, table, bits))
    rows = list(entries)
    for bit in lanes(index, 1):
        rows = [m.words.mux(bit, rows[i + 1], rows[i]) for i in range(0, len(rows), 2)]
    return rows[0]
