# SPDX-License-Identifier: Apache-2.0 OR MIT
"""AVR: p-code of SLEIGH, with own semantics for additions with carry, for calls, returns and skips, which SLEIGH has
otherwise than the processor (README.md), and for multiplication."""

from __future__ import annotations

from typing import Any, ClassVar

from ..machine import Instruction, Machine, Step, look_up
from ..pcode import Lifter, Reader, Writer
from ..refusal import Refusal, UnknownInstructionError
from ..words import ONE, ZERO, Word, constant, cut, value_of, zero_extended
from .base import Argument, Processor

FILE, FILE_BYTES = 256, 96
"""Where the register file and the ports are kept: in SLEIGH they are memory."""

RETURN_WORD = 0x7FF0
"""Where calls return to, in words."""

CARRY, ZERO_FLAG, NEGATIVE, OVERFLOW, SIGN, HALF = "Cflg", "Zflg", "Nflg", "Vflg", "Sflg", "Hflg"


def _flag(bit: Word) -> Word:
    return zero_extended(bit, 8)


def _in_flash(address: int) -> bool:
    """Tell that a byte of flash is the same in every call."""
    return True


class AvrLifter(Lifter):
    """Decodes AVR with 22-bit program counters or less."""

    stack_register = "SP"

    def __init__(self) -> None:
        super().__init__("avr8:LE:16:default")
        for name, node in self.context.registers.items():
            if node.space.name == "mem" and node.offset < FILE_BYTES:
                self.places[name] = FILE + node.offset, node.size
        self.places |= {f"R{i}": (FILE + i, 1) for i in range(32)}
        self.register_bytes = FILE + FILE_BYTES

    def reader(self, node: Any) -> Reader:
        """Read the register file apart from memory."""
        if node.space.name == "mem" and node.offset < FILE_BYTES:
            at, size = FILE + node.offset, node.size
            return lambda m: m.get(at, size)
        return super().reader(node)

    def writer(self, node: Any) -> Writer:
        """Write the register file apart from memory."""
        if node.space.name == "mem" and node.offset < FILE_BYTES:
            at = FILE + node.offset
            return lambda m, word: m.put(at, word)
        return super().writer(node)

    def decode(self, code: bytes, address: int) -> Instruction:
        """Decode the first instruction of the code; addresses are those of bytes."""
        word = int.from_bytes(code[:2], "little")
        second = int.from_bytes(code[2:4], "little")
        own = self.own(word, second, address)
        if own is not None:
            form, length, step = own
            return Instruction(form, length, (step,), code[:length])
        return super().decode(code, address)

    def own(self, word: int, second: int, address: int) -> tuple[str, int, Step] | None:
        """Return the form, length and function of instructions that SLEIGH does not have as we need them."""
        to, source = FILE + (word >> 4 & 31), FILE + (word & 15 | word >> 5 & 16)
        if word & 0xEC00 == 0x0C00:
            name = "adc" if word & 0x1000 else "add"
            return name, 2, lambda m: self.add(m, to, m.get(source, 1), name == "adc")
        if word & 0xEC00 == 0x0800 or word & 0xFC00 == 0x1400:
            name = {0x1800: "sub", 0x0800: "sbc", 0x1400: "cp"}[word & 0xFC00]
            return name, 2, lambda m: self.subtract(m, to, m.get(source, 1), name)
        if word & 0xFC00 == 0x0400:
            return "cpc", 2, lambda m: self.subtract(m, to, m.get(source, 1), "cpc")
        if word & 0xF000 in (0x3000, 0x4000, 0x5000):
            name = {0x3000: "cpi", 0x4000: "sbci", 0x5000: "subi"}[word & 0xF000]
            number = constant(word & 15 | word >> 4 & 0xF0, 8)
            return name, 2, lambda m: self.subtract(m, FILE + 16 + (word >> 4 & 15), number, name)
        if word & 0xFC00 == 0x9C00:
            return "mul", 2, lambda m: self.multiply(m, to, source)
        if word & 0xFC00 == 0x1000:
            return "cpse", 2, lambda m: self.skip(m, m.words.equal(m.get(to, 1), m.get(source, 1)), address)
        if word & 0xFC08 == 0xFC00:
            bit, wanted = word & 7, ONE if word & 0x200 else ZERO
            return (
                "sbrs" if word & 0x200 else "sbrc",
                2,
                lambda m: self.skip(m, m.words.not_(m.words.xor(cut(m.get(to, 1), bit, 1), wanted)), address),
            )
        if word == 0x9508:
            return "ret", 2, self.return_
        if word in (0x9509, 0x9409):
            call = word == 0x9509
            return "icall" if call else "ijmp", 2, lambda m: self.indirect(m, address, call)
        if word & 0xF000 == 0xD000:
            target = (address + 2 + 2 * ((word & 0xFFF) - 0x1000 * (word >> 11 & 1))) & 0x1FFFF
            return "rcall", 2, lambda m: self.call(m, address + 2, target)
        if word & 0xFE0E == 0x940E:
            return "call", 4, lambda m: self.call(m, address + 4, 2 * second)
        if word & 0xFE0E == 0x940C:
            return "jmp", 4, lambda m: 2 * second
        if word & 0xFE0F in (0x9004, 0x9005) or word == 0x95C8:
            return (
                "lpm",
                2,
                lambda m: self.load_program(m, FILE if word == 0x95C8 else to, word & 1 == 1 and word != 0x95C8),
            )
        return None

    def set_flags(self, m: Machine, result: Word, carry: Word, keep_zero: bool = False) -> None:
        """Set the flags of a sum: those of which nobody makes data are unknown unless all is known."""
        value = value_of(result)
        old = m.get(self.places[ZERO_FLAG][0], 1)
        zero = constant(int(value == 0), 8) if value is not None else _flag(m.unknown(1))
        if keep_zero:
            zero = _flag(m.words.and_(zero[:4], old[:4])) if value != 0 else old
        m.put(self.places[ZERO_FLAG][0], zero)
        m.put(self.places[CARRY][0], _flag(carry))
        m.put(self.places[NEGATIVE][0], _flag(result[-4:]))
        m.put(self.places[HALF][0], _flag(m.unknown(1)))

    def set_overflow(self, m: Machine, x: Word, y: Word, result: Word) -> None:
        """Set the flags of signed overflow of x + y."""
        w = m.words
        top = w.and_(w.xor(x[-4:], result[-4:]), w.xor(y[-4:], result[-4:]))
        if value_of(result) is None:
            top = m.unknown(1)
        m.put(self.places[OVERFLOW][0], _flag(top))
        m.put(self.places[SIGN][0], _flag(w.xor(top, result[-4:])))

    def carry(self, m: Machine) -> Word:
        """Return the carry."""
        return cut(m.get(self.places[CARRY][0], 1), 0, 1)

    def add(self, m: Machine, to: int, y: Word, with_carry: bool) -> None:
        """ADD and ADC."""
        x = m.get(to, 1)
        total = self.sum(m, x, y, self.carry(m) if with_carry else ZERO)
        m.put(to, total[:32])
        self.set_overflow(m, x, y, total[:32])
        self.set_flags(m, total[:32], total[32:])

    def sum(self, m: Machine, x: Word, y: Word, carry: Word) -> Word:
        """Return a sum of nine bits. In a cipher that adds nothing, a byte plus a number is a function of the byte, so
        that an address is one too."""
        number, more = value_of(y), value_of(carry)
        if m.words.short_sums and number is not None and more is not None and value_of(x) is None:
            entries = b"".join((octet + number + more).to_bytes(2, "little") for octet in range(256))
            return cut(m.words.table(x, entries, 16), 0, 9)
        return m.words.add_with_carry(x, y, carry)

    def subtract(self, m: Machine, to: int, y: Word, name: str) -> None:
        """SUB, SBC, CP, CPC and their like with a number."""
        w, x = m.words, m.get(to, 1)
        with_carry = name in ("sbc", "sbci", "cpc")
        borrow = self.carry(m) if with_carry else ZERO
        same = x == y and not with_carry
        total = constant(256, 9) if same else self.sum(m, x, w.not_(y), w.not_(borrow))
        if name not in ("cp", "cpc", "cpi"):
            m.put(to, total[:32])
        self.set_overflow(m, x, w.not_(y), total[:32])
        self.set_flags(m, total[:32], w.not_(total[32:]), with_carry)

    def multiply(self, m: Machine, x: int, y: int) -> None:
        """MUL."""
        product = m.words.multiply(zero_extended(m.get(x, 1), 16), zero_extended(m.get(y, 1), 16))
        m.put(FILE, product)
        m.put(self.places[CARRY][0], _flag(product[-4:]))
        value = value_of(product)
        m.put(self.places[ZERO_FLAG][0], _flag(m.unknown(1)) if value is None else constant(int(value == 0), 8))

    def skip(self, m: Machine, condition: Word, address: int) -> int:
        """Skip the next instruction, which may have two words."""
        if not m.concrete(condition, "a skip"):
            return address + 2
        following = int.from_bytes(m.code_bytes[address + 2 - m.code_base : address + 4 - m.code_base], "little")
        return address + (6 if following & 0xFC0F == 0x9000 or following & 0xFE0C == 0x940C else 4)

    def pointer(self, m: Machine, value: int | None = None) -> int:
        """Return the stack pointer, or set it."""
        at, size = self.places["SP"]
        if value is not None:
            m.put(at, constant(value, 8 * size))
            m.lowest_stack = min(m.lowest_stack, value)
            return value
        return m.concrete(m.get(at, size), "the stack pointer")

    def call(self, m: Machine, back: int, target: int) -> int:
        """Push a return address, its low byte first, and go."""
        pointer = self.pointer(m)
        m.memory.store(pointer, constant(back // 2 & 255, 8))
        m.memory.store(pointer - 1, constant(back // 2 >> 8, 8))
        self.pointer(m, pointer - 2)
        return target

    def return_(self, m: Machine) -> int:
        """RET."""
        pointer = self.pointer(m)
        high = m.concrete(m.memory.load(pointer + 1, 1), "a return address")
        low = m.concrete(m.memory.load(pointer + 2, 1), "a return address")
        self.pointer(m, pointer + 2)
        return 2 * (high << 8 | low)

    def indirect(self, m: Machine, address: int, call: bool) -> int:
        """ICALL and IJMP."""
        target = 2 * m.concrete(m.get(FILE + 30, 2), "the target of a jump")
        return self.call(m, address + 2, target) if call else target

    def load_program(self, m: Machine, to: int, increment: bool) -> None:
        """LPM: a byte of flash, which may be at a secret place of a table."""
        pointer = m.get(FILE + 30, 2)
        at = value_of(pointer)

        def octet(address: int) -> Word:
            place = address - m.code_base
            if not 0 <= place < len(m.code_bytes):
                raise Refusal(f"flash is read at {address:#x}, where there is nothing")
            return constant(m.code_bytes[place], 8)

        if at is not None:
            m.put(to, octet(at))
        elif not m.secret_indexed:
            raise Refusal(f"an address in flash depends on a secret, at {m.address:#x}")
        else:
            m.put(to, look_up(m, pointer, octet, _in_flash, 8))
        if increment:
            m.put(FILE + 30, m.words.add(pointer, constant(1, 16)))


class Avr(Processor):
    """An AVR with registers at address 0 and SRAM behind them."""

    stack_base, stack_bytes = 0xE000, 0x1000
    data_base = 0x8000
    stack_register = "SP"
    callee_saved = (*(f"R{i}" for i in range(2, 18)), "R28", "R29")
    fixed_registers: ClassVar[dict[str, int]] = {"R1": 0}

    def new_decoder(self) -> Lifter:
        """Return what decodes its instructions."""
        return AvrLifter()

    @property
    def pointer_bytes(self) -> int:
        """Return the size of an address."""
        return 2

    def load_image(self) -> None:
        """Put flash where code is read, and initialised data where the start-up code copies it."""
        machine = self.machine
        flash = bytearray()
        for segment in self.image.segments:
            if segment.load_address < 0x800000:
                end = segment.load_address + len(segment.octets)
                flash.extend(b"\xff" * (end - len(flash)))
                flash[segment.load_address : end] = segment.octets
        machine.code_bytes = bytes(flash)
        for number, segment in enumerate(self.image.segments):
            if segment.address >= 0x800000:
                machine.memory.add(
                    f"segment {number}",
                    segment.address - 0x800000,
                    segment.size,
                    octets=segment.octets,
                    writable=False,
                    constant=True,
                )

    def pass_arguments(self, arguments: list[Argument], stack: int) -> None:
        """Pass numbers in pairs of registers from R25 downwards."""
        at = 26
        for argument in arguments:
            size = argument.size or 2
            at -= size + size % 2
            if at < 8:
                raise UnknownInstructionError("an argument on the stack")
            self.machine.put(FILE + at, argument.word(8 * size))

    def set_return_address(self, stack: int) -> int:
        """Push the return address."""
        self.machine.memory.store(stack, constant(RETURN_WORD & 255, 8))
        self.machine.memory.store(stack - 1, constant(RETURN_WORD >> 8, 8))
        return stack - 2

    def return_address(self) -> int:
        """Return where calls return to."""
        return 2 * RETURN_WORD

    def entry(self, address: int) -> int:
        """Pointers to functions count words; symbols count bytes."""
        return address

    def ask(self, name: str) -> int:
        """Return what one of the harness's functions returns; pointers as addresses of bytes."""
        value = super().ask(name)
        return value if name.endswith(("_bytes", "_timing", "_sizes", "_bits")) else 2 * value

    def result(self) -> int:
        """Return r25:r24."""
        return self.machine.concrete(self.machine.get(FILE + 24, 2), "a result")
