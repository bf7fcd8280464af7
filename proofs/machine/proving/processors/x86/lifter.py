# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Decodes x86-64: vectors and masks by the tables of vectors.py, all else by SLEIGH."""

from __future__ import annotations

import re
from collections.abc import Callable

import capstone

from ...machine import Instruction, Machine, Step
from ...pcode import Lifter
from ...refusal import UnknownInstructionError
from ...words import Word, cut, join, lanes, sign_extended, zero_extended
from . import vectors
from .operands import Operand, masked_reader, parse, reader, split, writer

Read = Callable[[Machine], Word]

_VECTOR_TEXT = re.compile(r"\b[xyz]mm\d|\bk[0-7]\b")
_DOES_NOTHING = re.compile(r"(data16 )*(cs )?(nop|endbr64|sfence|prefetch)")
_MOVES = re.compile(r"(mov[au]p[sd]|movdq[au](8|16|32|64)?|lddqu|movnt(dq|dqa|ps|pd))$")
_BLOCKS = {"128": 16, "32x4": 16, "64x2": 16, "64x4": 32, "32x8": 32, "32x2": 8}
_COMPARISON = re.compile(r"pcmp(eq|lt|le|neq|nlt|nle|gt)(u?)([bwdq])$")


def element_bits(name: str) -> int:
    """Return the width of the elements that a mask of the instruction chooses among."""
    if found := re.search(r"(32|64)x\d$", name):
        return int(found[1])
    if found := re.search(r"(8|16|32|64)$", name):
        return int(found[1])
    if name.startswith("gf2p8") or name.endswith("b"):
        return 8
    return vectors.BITS.get(name[-1], 32)


def _form(ins: capstone.CsInsn, operands: list[Operand]) -> str:
    kinds = []
    for operand in operands:
        kind = f"{operand.text[0]}mm" if operand.kind == "vector" else operand.kind
        if operand.kind == "memory":
            kind += f"{operand.size}x{operand.broadcast}" if operand.broadcast else str(operand.size)
        if operand.kind == "number":
            kind = str(operand.value)
        if operand.mask is not None:
            kind += "{kz}" if operand.zeroing else "{k}"
        kinds.append(kind)
    return f"{ins.mnemonic} {', '.join(kinds)}".strip()


class X86Lifter(Lifter):
    """Decodes x86-64."""

    stack_register = "RSP"

    def __init__(self) -> None:
        super().__init__("x86:LE:64:default")
        self.disassembler = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)

    def decode(self, code: bytes, address: int) -> Instruction:
        """Find out what an instruction does."""
        ins = next(self.disassembler.disasm(code, address, 1), None)
        if ins is None:
            raise UnknownInstructionError(f"{code.hex()} at {address:#x}")
        text = code[: ins.size]
        if _DOES_NOTHING.match(ins.mnemonic) or ins.mnemonic.endswith("nop"):
            return Instruction(ins.mnemonic, ins.size, (), text)
        if ins.mnemonic == "vzeroupper":
            return Instruction(ins.mnemonic, ins.size, (self.zero_upper,), text)
        if not _VECTOR_TEXT.search(ins.op_str):
            scalar = super().decode(code, address)
            form = f"{ins.mnemonic} {', '.join(_scalar_kind(part) for part in split(ins.op_str))}".strip()
            return Instruction(form, scalar.length, scalar.steps, scalar.code)
        operands = [parse(part, self.places, address + ins.size) for part in split(ins.op_str)]
        try:
            step = self.vector(ins.mnemonic, operands)
        except UnknownInstructionError as error:
            raise UnknownInstructionError(f"{ins.mnemonic} {ins.op_str} at {address:#x}: {error}") from error
        return Instruction(_form(ins, operands), ins.size, (step,), text)

    def zero_upper(self, m: Machine) -> None:
        """VZEROUPPER."""
        for i in range(16):
            m.put(self.places[f"ZMM{i}"][0] + 16, bytes(4 * 384))

    def vector(self, mnemonic: str, operands: list[Operand]) -> Step:
        """Return what a vector instruction does."""
        if mnemonic.startswith("k"):
            return self.mask_instruction(mnemonic, operands)
        legacy = not mnemonic.startswith("v")
        name = mnemonic if legacy else mnemonic[1:]
        to = operands[0]
        size = max((each.size for each in operands if each.kind == "vector"), default=16)
        element = element_bits(name)
        write = writer(to, element, legacy)
        number = operands[-1].value if operands[-1].kind == "number" else 0
        sources = [each for each in operands[1:] if each.kind != "number"]
        moved = self.movement(name, to, sources, size, number, legacy)
        if moved is not None:
            make = moved
            return lambda m: write(m, make(m))
        if legacy and len(sources) < 2 and name not in vectors.UNARIES and name not in _NEW_DESTINATION:
            sources = [to, *sources]

        def read(operand: Operand) -> Read:
            if operand.kind == "memory" and to.mask is not None and to.kind == "vector":
                return masked_reader(operand, size, to.mask, element)
            return reader(operand, size)

        found = _COMPARISON.match(name)
        if found and to.kind == "mask":
            compared = vectors.compare(found[1], not found[2])
            bits, x, y = vectors.BITS[found[3]], reader(sources[0], size), reader(sources[1], size)
            return lambda m: write(m, join(compared(m, a, b) for a, b in zip(lanes(x(m), bits), lanes(y(m), bits))))
        if (found := re.match(r"ptest(n?)m([bwdq])$", name)) and to.kind == "mask":
            none, bits = bool(found[1]), vectors.BITS[found[2]]
            x, y = reader(sources[0], size), reader(sources[1], size)
            return lambda m: write(m, vectors.common_bits(m, x(m), y(m), bits, none))
        if name.startswith("pmov") and name.endswith("2m"):
            of_signs, x = vectors.signs(vectors.BITS[name[4]]), reader(sources[0], size)
            return lambda m: write(m, of_signs(m, x(m)))
        if name.startswith("pmovm2"):
            bits, x, size = vectors.BITS[name[-1]], reader(sources[0]), to.size
            return lambda m: write(m, join(bit * bits for bit in lanes(cut(x(m), 0, 8 * size // bits), 1)))
        if name.startswith("pblendm"):
            return self.masked_blend(to, sources, size, element, legacy)
        if name.startswith("pternlog"):
            x, y, z = reader(to, size), read(sources[0]), read(sources[1])
            return lambda m: write(m, vectors.ternary_logic(m, x(m), y(m), z(m), number))
        if name.startswith(("permt2", "permi2")):
            bits, own, x, y = vectors.BITS[name[-1]], reader(to, size), read(sources[0]), read(sources[1])
            if name[4] == "t":
                return lambda m: write(m, vectors.permute_two(bits, m, x(m), own(m), y(m)))
            return lambda m: write(m, vectors.permute_two(bits, m, own(m), x(m), y(m)))
        if name == "pblendvb":
            chosen = [to, operands[1], parse("xmm0", self.places, 0)] if legacy else sources
            x, y, z = (reader(each, size) for each in chosen)
            return lambda m: write(m, vectors.blend_by_signs(m, x(m), y(m), z(m)))
        return self.by_table(name, operands, sources, read, write, number, size)

    def by_table(
        self,
        name: str,
        operands: list[Operand],
        sources: list[Operand],
        read: Callable[[Operand], Read],
        write: Callable[[Machine, Word], None],
        number: int,
        size: int,
    ) -> Step:
        """Return what an instruction of vectors.py does."""
        with_number = operands[-1].kind == "number"
        if with_number and name in vectors.BINARIES_WITH_NUMBER:
            both, x, y = vectors.BINARIES_WITH_NUMBER[name], read(sources[0]), read(sources[1])
            return lambda m: write(m, both(m, x(m), y(m), number))
        if with_number and name in vectors.WITH_NUMBER:
            one, x = vectors.WITH_NUMBER[name], read(sources[-1])
            return lambda m: write(m, one(m, x(m), number))
        if not with_number and name in vectors.BINARIES:
            binary, x, y = vectors.BINARIES[name], read(sources[0]), read(sources[1])
            return lambda m: write(m, binary(m, x(m), y(m)))
        if not with_number and name in vectors.UNARIES:
            unary, x = vectors.UNARIES[name], read(sources[0])
            return lambda m: write(m, unary(m, x(m)))
        if not with_number and name in vectors.WITH_NUMBER and len(sources) == 2:  # a count in a register
            one, x, count = vectors.WITH_NUMBER[name], read(sources[0]), reader(sources[1], 8)
            return lambda m: write(m, one(m, x(m), min(m.concrete(cut(count(m), 0, 64), "a shift count"), 255)))
        raise UnknownInstructionError("no semantics")

    def masked_blend(self, to: Operand, sources: list[Operand], size: int, element: int, legacy: bool) -> Step:
        """VPBLENDM…: the mask chooses between two sources."""
        if to.mask is None:
            raise UnknownInstructionError("a blend without a mask")
        mask, zeroing = to.mask, to.zeroing
        write = writer(Operand(to.text, "vector", to.size, to.place), element, legacy)
        x, y = reader(sources[0], size), masked_reader(sources[1], size, mask, element)

        def step(m: Machine) -> None:
            no, yes = lanes(x(m), element), lanes(y(m), element)
            bits = lanes(m.get(mask, 8), 1)
            write(m, join(m.words.mux(bit, b, bytes(len(a)) if zeroing else a) for a, b, bit in zip(no, yes, bits)))

        return step

    def movement(
        self, name: str, to: Operand, sources: list[Operand], size: int, number: int, legacy: bool
    ) -> Read | None:
        """Return what instructions that only move bits make; None for others."""
        if _MOVES.match(name):
            if to.mask is not None and to.kind == "vector":
                return masked_reader(sources[0], size, to.mask, element_bits(name))
            return reader(sources[0], size)
        if name in ("movd", "movq"):
            bits = 32 if name == "movd" else 64
            if to.kind == "general":
                bits = 8 * to.size
            elif sources[0].kind == "general":
                bits = 8 * sources[0].size
            read = reader(sources[0], bits // 8)
            wide = 128 if to.kind == "vector" else bits
            return lambda m: zero_extended(cut(read(m), 0, bits), wide)
        if name in ("movss", "movsd") and len(sources) == 1 and "memory" in (to.kind, sources[0].kind):
            bits = 32 if name == "movss" else 64
            read = reader(sources[0], bits // 8)
            wide = 128 if to.kind == "vector" else bits
            return lambda m: zero_extended(cut(read(m), 0, bits), wide)
        if name in ("movlps", "movlpd", "movhps", "movhpd"):
            return self.half(name, to, sources, legacy)
        if name.startswith(("broadcast", "pbroadcast")):
            part = name.replace("pbroadcast", "").replace("broadcasti", "").replace("broadcastf", "")
            each = _BLOCKS.get(part) or vectors.BITS[part] // 8
            read = reader(sources[0], each)
            return lambda m: cut(read(m), 0, 8 * each) * (to.size // each)
        if found := re.match(r"pmov([sz])x([bwd])([wdq])$", name):
            narrow, wide = vectors.BITS[found[2]], vectors.BITS[found[3]]
            extended = sign_extended if found[1] == "s" else zero_extended
            bits = 8 * to.size // wide * narrow
            read = reader(sources[0], bits // 8)
            return lambda m: join(extended(each, wide) for each in lanes(cut(read(m), 0, bits), narrow))
        if found := re.match(r"(insert|extract)[if](128|\d\dx\d)$", name):
            each = _BLOCKS[found[2]]
            if found[1] == "extract":
                read = reader(sources[0])
                return lambda m: (parts := lanes(read(m), 8 * each))[number % len(parts)]
            base, part_reader = reader(sources[0], size), reader(sources[1], each)
            return lambda m: _replaced(base(m), cut(part_reader(m), 0, 8 * each), number)
        if name in ("pinsrb", "pinsrw", "pinsrd", "pinsrq"):
            bits = vectors.BITS[name[-1]]
            base, part_reader = reader(to if legacy else sources[0], 16), reader(sources[-1], bits // 8)
            return lambda m: _replaced(base(m), cut(part_reader(m), 0, bits), number)
        if name in ("pextrb", "pextrw", "pextrd", "pextrq"):
            bits, read = vectors.BITS[name[-1]], reader(sources[0], 16)
            wide = 8 * to.size if to.kind == "general" else bits
            return lambda m: zero_extended(lanes(read(m), bits)[number % (128 // bits)], wide)
        return None

    def half(self, name: str, to: Operand, sources: list[Operand], legacy: bool) -> Read:
        """MOVLPS, MOVHPS and their like."""
        high = name[3] == "h"
        if to.kind == "memory":
            read = reader(sources[0], 16)
            return lambda m: cut(read(m), 64 if high else 0, 64)
        base, part = reader(to if legacy else sources[0], 16), reader(sources[-1], 8)
        return lambda m: _replaced(base(m), cut(part(m), 0, 64), int(high))

    def mask_instruction(self, mnemonic: str, operands: list[Operand]) -> Step:
        """Return what an instruction of mask registers does."""
        bits = {"b": 8, "w": 16, "d": 32, "q": 64}[mnemonic[-1]]
        name, to, sources = mnemonic[1:-1], operands[0], operands[1:]
        write = writer(to, 8, False)
        reads = [reader(each, bits // 8) for each in sources if each.kind != "number"]

        def get(m: Machine, i: int) -> Word:
            return cut(reads[i](m), 0, bits)

        if name == "mov":
            wide = 8 * to.size if to.kind == "general" else bits
            return lambda m: write(m, zero_extended(get(m, 0), wide))
        if name in ("shiftl", "shiftr"):
            count = sources[-1].value
            if name == "shiftl":
                return lambda m: write(m, bytes(4 * min(count, bits)) + get(m, 0)[: 4 * max(0, bits - count)])
            return lambda m: write(m, zero_extended(get(m, 0)[4 * count :], bits))
        functions: dict[str, Callable[[Machine], Word]] = {
            "xnor": lambda m: m.words.not_(m.words.xor(get(m, 0), get(m, 1))),
            "xor": lambda m: m.words.xor(get(m, 0), get(m, 1)),
            "and": lambda m: m.words.and_(get(m, 0), get(m, 1)),
            "or": lambda m: m.words.or_(get(m, 0), get(m, 1)),
            "andn": lambda m: m.words.and_(m.words.not_(get(m, 0)), get(m, 1)),
            "not": lambda m: m.words.not_(get(m, 0)),
        }
        if name not in functions:
            raise UnknownInstructionError("no semantics")
        function = functions[name]
        return lambda m: write(m, function(m))


def _replaced(word: Word, part: Word, number: int) -> Word:
    parts = lanes(word, len(part) // 4)
    parts[number % len(parts)] = part
    return join(parts)


_NEW_DESTINATION = {"pshufd", "pshuflw", "pshufhw", "aeskeygenassist", "pabsd"}


def _scalar_kind(text: str) -> str:
    if "[" in text:
        segment = " fs" if "fs:" in text else ""
        return f"memory {text.split()[0]}{segment}" if "ptr" in text else "memory"
    if re.match(r"-?(0x)?[0-9a-f]+$", text) and not re.match(r"[a-d][lhx]$", text):
        return "number"
    if re.match(r"(r(\d+|[a-ds][xip]|bp|sp)|r[sd]i)$", text):
        return "64"
    if re.match(r"(e[a-ds][xip]|e[bs]p|e[sd]i|r\d+d)$", text):
        return "32"
    return "16" if re.match(r"([a-d]x|[sd]i|[sb]p|r\d+w)$", text) else "8"
