# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Timing of a Cortex-M3, M4 or M0+ without wait states: rules of the processor's manual over a trace of what was executed.

    model.py [--core m3] PLUGIN ELF MARKS [QEMU …]

runs the program under QEMU, by a command that ends before the plugin and the program, with lab/qemu_plugin.c as PLUGIN;
standard input and output are the program's. MARKS gets a line for each pair of marks: cycles, instructions, loads,
stores, bytes of stack. Without a command, its user mode stands for an application core, since that has none of the M
profile: the same instructions, the same trace.

The rules (docs/timing-models.md tells how well they fit published figures):
    one cycle       everything that is not named below
    LDR, LDRB, …    2; 1 if the instruction before was one of these or an STR and loaded no register of the address
    STR, STRB, …    1; 2 if the offset is a register
    LDM, STM, PUSH, POP, LDRD, STRD   1 + number of registers
    SDIV, UDIV      12, the most they take
    MLA, MLS        1, on the M3 2
    SMULL, UMULL    1, on the M3 5, the most they take
    SMLAL, UMLAL    1, on the M3 7, the most they take
    a jump that is taken, in whatever form    1 more, to fill the pipeline

and on the M0+, which has few of these instructions:
    LDR, STR, …     2
    BL, a POP that returns   1 more, besides what a jump takes
    MUL             1; on the M0 too, which may also be built with one that takes 32
    a jump that is taken     1 more, on the M0 2
"""

from __future__ import annotations

import argparse
import itertools
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

DIVISION = 12
USER_MODE = ("qemu-arm", "-cpu", "cortex-a15")


@dataclass(frozen=True)
class Instruction:
    """Properties of an instruction that the rules ask about. stack is by how much it moves sp down, None: nobody knows."""

    size: int
    cycles: int
    is_load: bool = False
    is_store: bool = False
    loaded: str = ""
    address: frozenset[str] = frozenset()
    stack: int | None = 0


@dataclass(frozen=True)
class Core:
    """The cycles in which cores differ."""

    fill: int = 1
    """To fill the pipeline again after a jump; the manual of the M4 says 1 to 3."""
    store: int = 1
    store_by_register: int = 2
    loads_overlap: bool = True
    """A load right behind a load or store takes one cycle."""
    linked_jump: int = 0
    """Added for BL and for a POP that returns."""
    multiplications: Mapping[str, int] = field(default_factory=dict)
    """Cycles of those multiplications that take more than 1."""


M4 = Core()
M3 = Core(multiplications={"mla": 2, "mls": 2, "smull": 5, "umull": 5, "smlal": 7, "umlal": 7})
M0PLUS = Core(store=2, loads_overlap=False, linked_jump=1)
M0 = Core(fill=2, store=2, loads_overlap=False, linked_jump=1)
CORES = {"m4": M4, "m3": M3, "m0plus": M0PLUS, "m0": M0}

LINE = re.compile(r"^\s*([0-9a-f]+):\t((?:[0-9a-f]{4} ?)+)\s*\t(\S+)\s*(.*)$")
MULTIPLE = re.compile(r"(ldm|stm|push|pop|vpush|vpop)")
PAIR = re.compile(r"(ldrd|strd)")
LOAD = re.compile(r"ldr(?!ex)|tb[bh]")
STORE = re.compile(r"str(?!ex)")
DIVIDE = re.compile(r"[su]div")
MULTIPLY = re.compile(r"ml[as]|[su]m(?:ul|la)l")


def listing(elf: Path, core: Core = M4) -> dict[int, Instruction]:
    """Returns all instructions of a program by their address."""
    text = subprocess.run(["arm-none-eabi-objdump", "-d", "-z", str(elf)], text=True, capture_output=True, check=True)
    found = (LINE.match(line) for line in text.stdout.splitlines())
    return {int(m[1], 16): decode(m[3], re.split(r"\s*[@;]", m[4])[0], 2 * len(m[2].split()), core) for m in found if m}


def decode(mnemonic: str, operands: str, size: int, core: Core = M4) -> Instruction:
    """Takes an instruction as the disassembler writes it."""
    stack = _stack(mnemonic, operands)
    if MULTIPLE.match(mnemonic):
        linked = core.linked_jump if mnemonic == "pop" and "pc" in operands else 0
        return Instruction(size, 1 + _list_length(operands) + linked, stack=stack)
    if PAIR.match(mnemonic):
        return Instruction(size, 3, stack=stack)
    if LOAD.match(mnemonic) or STORE.match(mnemonic):
        inside = re.search(r"\[([^\]]*)\]", operands)
        address = frozenset(re.findall(r"\b(?:r\d+|sb|sl|sp|fp|ip|lr|pc)\b", inside[1] if inside else ""))
        if STORE.match(mnemonic):
            taken = core.store_by_register if len(address) > 1 else core.store
            return Instruction(size, taken, is_store=True, address=address, stack=stack)
        return Instruction(size, 2, is_load=True, loaded=operands.split(",")[0], address=address, stack=stack)
    if DIVIDE.match(mnemonic):
        return Instruction(size, DIVISION, stack=stack)
    if multiplied := MULTIPLY.match(mnemonic):
        return Instruction(size, core.multiplications.get(multiplied[0], 1), stack=stack)
    if mnemonic == "bl":
        return Instruction(size, 1 + core.linked_jump, stack=stack)
    return Instruction(size, 1, stack=stack)


def _list_length(operands: str) -> int:
    names = operands[operands.index("{") + 1 : operands.index("}")]
    length = 0
    for name in names.split(","):
        first, _, last = name.strip().partition("-")
        length += int(last[1:]) - int(first[1:]) + 1 if last else 1
    return length


def _stack(mnemonic: str, operands: str) -> int | None:
    """Return by how many bytes the instruction moves sp down; None if that is not written in it."""
    if mnemonic.startswith("push"):
        return 4 * _list_length(operands)
    if mnemonic.startswith("pop"):
        return -4 * _list_length(operands)
    if mnemonic.startswith(("stm", "ldm")):
        if not operands.startswith("sp!"):
            return 0
        return (4 if mnemonic.startswith("stm") else -4) * _list_length(operands)
    if moved := re.search(r"\[sp, #(-?\d+)\]!|\[sp\], #(-?\d+)", operands):
        return -int(moved[1] or moved[2])
    if not re.match(r"sp\b", operands) or mnemonic.startswith(("cmp", "cmn", "tst", "str")):
        return 0
    by = re.fullmatch(r"sp, (?:sp, )?#(\d+)", operands)
    if by and mnemonic.startswith(("add", "sub")):
        return int(by[1]) if mnemonic.startswith("sub") else -int(by[1])
    return None


def cycles(trace: list[int], program: dict[int, Instruction], core: Core = M4) -> int:
    """Sums what the instructions cost, each seen beside the one before it. A jump to the mark itself is not seen."""
    total = program[trace[0]].cycles if trace else 0
    for (before, now), times in Counter(itertools.pairwise(trace)).items():
        total += times * _cost(program[before], program[now], now != before + program[before].size, core)
    return total


def _cost(before: Instruction, now: Instruction, jumped: bool, core: Core) -> int:
    cost = now.cycles + core.fill * jumped
    if core.loads_overlap and now.is_load and (before.is_load or before.is_store) and before.loaded not in now.address:
        cost -= 1
    return cost


def stack(trace: list[int], program: dict[int, Instruction]) -> int | None:
    """Returns how far sp went below its first value, or None."""
    moves = {address: program[address].stack for address in set(trace)}
    if None in moves.values():
        return None
    return max(0, max(itertools.accumulate(map(moves.__getitem__, trace)), default=0))


def sections(lines: Iterable[str]) -> Iterator[list[int]]:
    """Returns the addresses between each pair of marks."""
    trace: list[int] = []
    places: dict[str, int] = {}  # an instruction's lines are all the same
    for line in lines:
        if line.startswith("begin"):
            trace = []
        elif line.startswith("end"):
            yield trace
        else:
            if (place := places.get(line)) is None:
                place = places[line] = int(line.split()[0], 16) & ~1
            trace.append(place)


def main(plugin: str, elf: str, marks: str, core: Core, emulator: Sequence[str]) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        counts, trace = Path(scratch) / "counts", Path(scratch) / "trace"
        watched = ["-plugin", f"{Path(plugin).resolve()},marks={counts},trace={trace}"]
        boot = ["-kernel"] if "system" in emulator[0] else []
        status = subprocess.call([*emulator, *watched, *boot, elf])
        program = listing(Path(elf), core)
        with trace.open() as lines, Path(marks).open("w") as out:
            for addresses, counted in zip(sections(lines), counts.read_text().splitlines()):
                _, instructions, loads, stores, _ = counted.split()
                deepest = stack(addresses, program)
                print(
                    cycles(addresses, program, core),
                    instructions,
                    loads,
                    stores,
                    "-" if deepest is None else deepest,
                    file=out,
                )
    return status


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Timing of a Cortex-M3, M4 or M0+.")
    for name in ("plugin", "elf", "marks"):
        parser.add_argument(name)
    parser.add_argument("--core", choices=CORES, default="m4")
    parser.add_argument("emulator", nargs=argparse.REMAINDER)
    return parser.parse_args()


if __name__ == "__main__":
    given = _arguments()
    sys.exit(main(given.plugin, given.elf, given.marks, CORES[given.core], given.emulator or USER_MODE))
