# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A processor's calling convention, beside its instructions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..image import Image
from ..machine import Machine
from ..memory import Region
from ..pcode import Lifter
from ..refusal import Refusal
from ..words import Word, Words, constant, cut, zero_extended

RETURN_ADDRESS = 0x0FFF_0000
"""Where a call returns to: no code lies there."""


@dataclass(frozen=True)
class Argument:
    """A number or an address that a function is given."""

    value: int | Word
    size: int = 0
    """In bytes; 0: as an address."""

    def word(self, bits: int, low: int = 0) -> Word:
        """Return so many bits of it, from a bit on."""
        if isinstance(self.value, int):
            return constant(self.value >> low, bits)
        return zero_extended(cut(self.value, low, bits), bits)


class Processor:
    """A machine with a program in it, and how its functions are called."""

    stack_base: ClassVar[int] = 0x7000_0000
    stack_bytes: ClassVar[int] = 0x2000
    stack_align: ClassVar[int] = 16
    data_base: ClassVar[int] = 0x6000_0000
    stack_register: ClassVar[str] = "sp"
    callee_saved: ClassVar[tuple[str, ...]] = ()
    fixed_registers: ClassVar[dict[str, int]] = {}
    """Registers that hold known values whenever a function is called."""

    def __init__(self, words: Words, image: Image, before: Processor | None = None) -> None:
        """Put a program into a new machine; with one from before, take over what that has decoded, and count on."""
        self.fixed = getattr(self, "fixed", self.fixed_registers)
        self.words = words
        self.image = image
        self.decoder: Lifter = before.decoder if before else self.new_decoder()
        self.machine = self.new_machine()
        if before:
            self.machine.instructions = before.machine.instructions
            self.machine.executed = before.machine.executed
            self.machine.forms = before.machine.forms
        self.places = self.decoder.places
        self.load_image()
        self.machine.temporaries = bytearray(32 * 4096)
        self.stack = self.machine.memory.add("stack", self.stack_base, self.stack_bytes)
        self.arbitrary = self.words.fresh(8 * self.decoder.register_bytes)
        """The contents of registers before a call, on which nothing may depend."""
        self.left_on_stack = self.words.fresh(8 * self.stack_bytes)
        self.next_free = self.data_base
        self.saved: dict[str, Word] = {}
        """Callee-saved registers as they were before a call."""
        self.top = 0

    def new_decoder(self) -> Lifter:
        """Return what decodes this processor's instructions."""
        raise NotImplementedError

    @property
    def pointer_bytes(self) -> int:
        """Return the size of an address."""
        return self.image.bits // 8

    def new_machine(self) -> Machine:
        """Return a machine of this processor."""
        return Machine(self.words, self.decoder, self.decoder.register_bytes)

    def load_image(self) -> None:
        """Put the program into memory."""
        machine = self.machine
        for number, segment in enumerate(self.image.segments):
            machine.memory.add(
                f"segment {number}", segment.address, segment.size, octets=segment.octets, writable=False, constant=True
            )
            if segment.executable:
                machine.code_base, machine.code_bytes = segment.address, segment.octets

    def region(self, name: str, size: int, *, align: int = 64, offset: int = 0, writable: bool = True) -> Region:
        """Add memory of the caller's; nothing of the contract lies beside it."""
        base = (self.next_free + 255) // align * align + offset
        self.next_free = base + size + 64
        return self.machine.memory.add(name, base, size, writable=writable)

    def register(self, name: str) -> Word:
        """Return a register's content, whatever it is."""
        at, size = self.places[name]
        return bytes(self.machine.registers[32 * at : 32 * (at + size)])

    def set_register(self, name: str, value: int | Word) -> None:
        """Set a register."""
        at, size = self.places[name]
        self.machine.put(at, constant(value, 8 * size) if isinstance(value, int) else value)

    def pass_arguments(self, arguments: list[Argument], stack: int) -> None:
        """Put arguments where the convention says."""
        raise NotImplementedError

    def set_return_address(self, stack: int) -> int:
        """Say where to return to; return the stack pointer at the function's first instruction."""
        raise NotImplementedError

    def result(self) -> int:
        """Return what a function of concrete arguments returned."""
        raise NotImplementedError

    def entry(self, address: int) -> int:
        """Return where a function's first instruction is, given its address in C."""
        return address

    def call(self, address: int, arguments: list[Argument]) -> int:
        """Call a function, see that it kept to the convention, and return how many bytes of stack it took."""
        self.machine.run(self.begin(address, arguments), self.return_address())
        return self.finish()

    def begin(self, address: int, arguments: list[Argument]) -> int:
        """Put a machine at the beginning of a call; return the address of the first instruction."""
        machine = self.machine
        machine.registers[: len(self.arbitrary)] = self.arbitrary
        for name, value in self.fixed.items():
            self.set_register(name, value)
        self.stack.content[:] = self.left_on_stack
        self.stack.lowest_write = self.stack.size
        top = self.stack.end - 256
        self.pass_arguments(arguments, top)
        pointer = self.set_return_address(top)
        self.set_register(self.stack_register, pointer)
        self.saved = {name: self.register(name) for name in self.callee_saved}
        self.top = top
        machine.lowest_stack = pointer
        return self.entry(address)

    def finish(self) -> int:
        """See that a call that has returned kept to the convention; return how many bytes of stack it took."""
        for name, word in self.saved.items():
            if self.register(name) != word:
                raise Refusal(f"callee-saved register {name} is not restored")
        self.check_return(self.top)
        lowest = min(self.machine.lowest_stack, self.stack.base + self.stack.lowest_write)
        return self.top - lowest

    def return_address(self) -> int:
        """Return where calls return to."""
        return RETURN_ADDRESS

    def check_return(self, stack: int) -> None:
        """Refuse what the convention forbids beside callee-saved registers."""
        if self.machine.concrete(self.register(self.stack_register), "the stack pointer") != stack:
            raise Refusal("the stack pointer is not restored")

    def length_at(self, address: int) -> int:
        """Return the length of an instruction that nobody has executed."""
        machine = self.machine
        at = address - machine.code_base
        return machine.decoder.decode(machine.code_bytes[at : at + 16], address).length

    def ask(self, name: str) -> int:
        """Return what one of the harness's functions returns."""
        self.call(self.image.symbols[name], [])
        return self.result()


def store_arguments(processor: Processor, arguments: list[Argument], stack: int, slot: int) -> None:
    """Put arguments on the stack, each in a slot."""
    at = stack
    for argument in arguments:
        processor.machine.memory.store(at, argument.word(8 * max(slot, argument.size)))
        at += max(slot, argument.size)
