# SPDX-License-Identifier: Apache-2.0 OR MIT
"""No instruction of the legacy SSE encoding meets vector registers with bits above 127: it would wait for them, the SHA
extensions for hundreds of cycles each. And no kernel leaves such bits to its caller.

The library as gcc made it is disassembled, and from each function on all paths are followed, also into functions that are
called by name. Contents of zmm16 to zmm31 do no harm: no legacy instruction can name them."""

import platform
import re
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest
from c_programs import BUILD, build

PREFIX = r"bnd|notrack|rep|repz|repnz|lock|cs|ds|data16|\{e?vex\d?\}"
INSTRUCTION = re.compile(rf"^\s+([0-9a-f]+):\s+(?:(?:{PREFIX}) )*(\S+)\s*(.*)")
FUNCTION = re.compile(r"^([0-9a-f]+) <(.+)>:$")
WIDE = re.compile(r"%[yz]mm(\d|1[0-5])(\{|$)")


def last_operand(operands: str) -> str:
    return re.split(r",(?![^(]*\))", operands.partition("#")[0].strip())[-1].strip()


class Program:
    """Functions of a disassembled file: for each instruction what it does, and where control continues."""

    def __init__(self, listing: str):
        self.code: dict[int, tuple[str, str]] = {}
        self.function: dict[int, int] = {}  # its entry
        self.entries: dict[int, str] = {}
        self.following: dict[int, int] = {}
        entry, before = 0, None
        for line in listing.splitlines():
            if found := FUNCTION.match(line):
                entry, before = int(found[1], 16), None
                self.entries[entry] = found[2]
            elif found := INSTRUCTION.match(line):
                address = int(found[1], 16)
                self.code[address] = found[2], found[3]
                self.function[address] = entry
                if before is not None:
                    self.following[before] = address
                before = address
        self.jump_tables = self._jump_tables()

    def target(self, address: int) -> int | None:
        found = re.match(r"([0-9a-f]+) <", self.code[address][1])
        return int(found[1], 16) if found else None

    def _jump_tables(self) -> dict[int, list[int]]:
        """Return for each function the places where nothing leads by name: an indirect jump may."""
        led = {self.target(a) for a, (mnemonic, _) in self.code.items() if mnemonic.startswith("j")}
        led |= {self.following[a] for a, (m, _) in self.code.items() if a in self.following and not ends(m)}
        places = defaultdict(list)
        for address, entry in self.function.items():
            if address not in led and address not in self.entries and not self.code[address][0].startswith("nop"):
                places[entry].append(address)
        return places


def ends(mnemonic: str) -> bool:
    return mnemonic in ("ret", "retq", "jmp", "jmpq", "ud2", "hlt")


def is_legacy(mnemonic: str, operands: str) -> bool:
    return "%xmm" in operands and not mnemonic.startswith("v")


class Search:
    """Follows all paths of a program with one bit of state: 0, upper halves are clear, or 1, perhaps not."""

    def __init__(self, program: Program):
        self.program = program
        self.reached: dict[int, int] = {}
        self.work = [(entry, 0) for entry in program.entries]
        self.callers = defaultdict(set)  # of a function: the calls of it, and jumps to it
        self.leaving: set[int] = set()  # functions that may return with 1
        self.faults: set[str] = set()
        while self.work:
            self._step(*self.work.pop())
        for entry in self.leaving:
            if not self.callers[entry]:
                self.faults.add(f"{program.entries[entry]} returns with upper halves in use")

    def _step(self, address: int, state: int) -> None:
        program = self.program
        if address not in program.code or self.reached.get(address, -1) >= state:
            return
        self.reached[address] = state
        mnemonic, operands = program.code[address]
        entry, target = program.function[address], program.target(address)
        if state and is_legacy(mnemonic, operands):
            self.faults.add(f"{program.entries[entry]}: {address:x} {mnemonic} {operands}")
        if mnemonic.startswith("vzero"):
            state = 0
        elif mnemonic.startswith("v") and WIDE.search(last_operand(operands)):
            state = 1
        elif mnemonic.startswith(("call", "j")) and target in program.entries and target != entry:
            self.work.append((target, state))
            self.callers[target].add(address)
            if target in self.leaving:
                self._comes_back(address)
        elif mnemonic.startswith("j"):
            self.work += [(place, state) for place in (program.jump_tables[entry] if target is None else [target])]
        elif mnemonic.startswith("ret") and state:
            self._leaves(entry)
        if not ends(mnemonic) and address in program.following:
            self.work.append((program.following[address], state))

    def _leaves(self, entry: int) -> None:
        if entry not in self.leaving:
            self.leaving.add(entry)
            for call in self.callers[entry]:
                self._comes_back(call)

    def _comes_back(self, call: int) -> None:
        """Tell whether its function returned with 1."""
        if not self.program.code[call][0].startswith("call"):
            self._leaves(self.program.function[call])
        elif call in self.program.following:
            self.work.append((self.program.following[call], 1))


def disassembled(file: Path) -> Program:
    command = ["objdump", "-d", "--no-show-raw-insn", str(file)]
    return Program(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


@pytest.fixture(scope="module")
def library() -> Program:
    if platform.machine() != "x86_64":
        pytest.skip("x86-64 only")
    build(BUILD, target="runnel_shared")
    return disassembled(BUILD / "librunnel.so")


def test_no_legacy_instruction_meets_upper_halves(library):
    assert any(m.startswith("vpaddd") for m, _ in library.code.values())
    assert not Search(library).faults


def test_sha_instructions_come_after_vzeroupper(library):
    """Whatever the caller left there."""
    cleared = set()
    functions = set()
    for address, (mnemonic, _) in sorted(library.code.items()):
        entry = library.function[address]
        if mnemonic == "vzeroupper":
            cleared.add(entry)
        elif mnemonic.startswith("sha"):
            functions.add(entry)
            assert entry in cleared, f"{library.entries[entry]}: {address:x} {mnemonic}"
    assert len(functions) >= 3


CLEAN = """
f: vpaddd %ymm1, %ymm2, %ymm3
   vzeroupper
   paddd %xmm1, %xmm2
   vpaddd %zmm17, %zmm18, %zmm19
   sha256rnds2 %xmm1, %xmm2
   ret
"""
MEANT = {"WRITE": "vpxor %ymm1, %ymm1, %ymm1", "READ": "pxor %xmm0, %xmm0", "G:": ".type g, @function\ng:"}
FAULTS = {
    "at once": "f: WRITE; paddd %xmm1, %xmm2; vzeroupper; ret",
    "wide memory": "f: vmovdqu (%rdi), %ymm0; vmovdqu %ymm0, (%rsi); sha256rnds2 %xmm1, %xmm2; vzeroupper; ret",
    "masked": "f: vmovdqu8 (%rdi), %zmm0{%k1}{z}; aesenc %xmm1, %xmm2; vzeroupper; ret",
    "on one of two paths": "f: test %rdi, %rdi; je 1f; WRITE\n1: READ; vzeroupper; ret",
    "in a loop, from its end": "f: nop\n1: READ; WRITE; dec %rdi; jne 1b; vzeroupper; ret",
    "in what is called": "f: WRITE; call g; vzeroupper; ret; G: READ; ret",
    "by what was called": "f: call g; READ; vzeroupper; ret; G: WRITE; ret",
    "in a jump table": "f: WRITE; jmp *%rax; READ; vzeroupper; ret",
    "on return": "f: WRITE; ret",
}


@pytest.mark.parametrize(
    "text, faults",
    [pytest.param(text, 1, id=name) for name, text in FAULTS.items()] + [pytest.param(CLEAN, 0, id="none")],
)
def test_planted_faults_are_found(tmp_path, text, faults):
    source, object_file = tmp_path / "planted.s", tmp_path / "planted.o"
    for word, meant in MEANT.items():
        text = text.replace(word, meant)
    source.write_text(f".globl f\n.type f, @function\n{text}\n")
    subprocess.run(["cc", "-c", source, "-o", object_file], check=True)
    assert len(Search(disassembled(object_file)).faults) == faults
