# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The simulator of RV32IM with the timing of a SiFive E31 (lab/targets/rv32/sim): it computes what QEMU computes, and
takes the cycles that the rules of docs/timing-models.md give. Each rule has a program of its own."""

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from runnel_lab import subjects, targets
from runnel_lab.building import programs
from runnel_lab.running import session

LAB = Path(__file__).resolve().parents[2] / "lab"
RV32 = LAB / "targets" / "rv32"
GCC, OBJDUMP = "riscv64-unknown-elf-gcc", "riscv64-unknown-elf-objdump"
TOOLS = ["cc", GCC, OBJDUMP]
pytestmark = pytest.mark.skipif(any(shutil.which(t) is None for t in TOOLS), reason=f"needs {', '.join(TOOLS)}")

PROGRAM = """
    .text
    .globl _start
_start:
    la sp, __stack_top - 256
    {before}
    slti x0, x0, 1
    {body}
    slti x0, x0, 2
    {after}
    li a0, 0
    li a7, 93
    ecall
"""


@pytest.fixture(scope="module")
def simulator(tmp_path_factory):
    program = tmp_path_factory.mktemp("rv32") / "rv32sim"
    run(["cc", "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, *sorted((RV32 / "sim").glob("*.c"))])
    return program


def run(command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, **options)
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-2000:]
    return done.stdout


def assemble(folder, body, before="", after=""):
    source, elf = folder / "program.S", folder / "program.elf"
    source.write_text(PROGRAM.format(before=before, body=body, after=after))
    # Relaxation would shorten addresses by gp, which these programs do not set.
    run([GCC, "-march=rv32im", "-mabi=ilp32", "-nostdlib", "-Wl,--no-relax", "-T", RV32 / "link.ld", source, "-o", elf])
    return elf


def marks(simulator, elf, *options):
    file = elf.with_suffix(".marks")
    run([simulator, "--marks", file, *options, elf])
    return [[int(word) for word in line.split()] for line in file.read_text().splitlines()]


def cycles(simulator, elf, *options):
    [(count, *_)] = marks(simulator, elf, *options)
    return count


# The first instruction issues in cycle 0; the count is the cycle in which the one after the second mark may issue.
RULES = {
    "the marks cost nothing": ("", 0),
    # five dependent instructions, one after the other
    "an ALU result is there in the next cycle": ("add a0, a0, a0\n" * 5, 5),
    # lw 0; add waits for 0 + 2; end 3
    "a word loaded is there after two cycles": ("lw a0, 0(sp)\n add a1, a0, a0", 3),
    # lw 0, addi 1, add 2 as soon as it may; end 3
    "an instruction between hides it": ("lw a0, 0(sp)\n addi a2, a2, 1\n add a1, a0, a0", 3),
    # lw 0, sw waits for the data until 2; end 3
    "a store waits for its data": ("lw a0, 0(sp)\n sw a0, 4(sp)", 3),
    # lw 0, lw waits for the address until 2, add waits until 4; end 5
    "a load waits for its address": ("lw a0, 4(sp)\n lw a1, 0(a0)\n add a1, a1, a1", 5),
    # load 0, add waits for 0 + 3; end 4
    "a byte is there after three cycles": ("lb a0, 0(sp)\n add a1, a0, a0", 4),
    "an unsigned byte as well": ("lbu a0, 0(sp)\n add a1, a0, a0", 4),
    "a half as well": ("lh a0, 0(sp)\n add a1, a0, a0", 4),
    "an unsigned half as well": ("lhu a0, 0(sp)\n add a1, a0, a0", 4),
    # seven loads in cycles 0 to 6, none of them waited for
    "loads follow one another": ("".join(f"lw t{i % 7}, {4 * (i % 4)}(sp)\n" for i in range(7)), 7),
    # mul 0, add waits for 0 + 5; end 6
    "a product is there after five cycles": ("mul a0, a1, a2\n add a1, a0, a0", 6),
    "the high half of a product as well": ("mulhu a0, a1, a2\n add a1, a0, a0", 6),
    "a product that nobody waits for takes one": ("mul a0, a1, a2\n addi a3, a3, 1", 2),
    # div 0, add waits for 0 + 33; end 34
    "a quotient is there after 33 cycles": ("div a0, a1, a2\n add a1, a0, a0", 34),
    "a remainder as well": ("remu a0, a1, a2\n add a1, a0, a0", 34),
    # lw 0, li waits until the load has written, 2; end 3
    "writing a register again waits": ("lw a0, 0(sp)\n li a0, 1", 3),
    # x0 is never waited for
    "what is written to x0 is not waited for": ("lw x0, 0(sp)\n add a1, x0, x0", 2),
    # branch 0, not in the BTB and not taken: predicted; end 2
    "an unknown branch is predicted not taken": ("bnez zero, 1f\n addi a0, a0, 1\n1:", 2),
    # branch 0 and 3 cycles lost, addi 4; end 5
    "a mispredicted branch costs three": ("beqz zero, 1f\n addi a0, a0, 1\n1: addi a0, a0, 1", 5),
    # ten turns of two instructions: 20; the first branch is unknown, the last one predicted taken: 3 + 3
    "a loop is mispredicted at both ends": ("li a0, 10\n 1: addi a0, a0, -1\n bnez a0, 1b", 1 + 20 + 6),
    # the counter stands at 3 when the first loop ends and at 2 afterwards, so the second one is known from its first
    # turn; the branch around both is unknown at the first and predicted taken at the second time
    "two steps of the counter outlive the end of a loop": (
        "li a1, 2\n 2: li a0, 10\n 1: addi a0, a0, -1\n bnez a0, 1b\n addi a1, a1, -1\n bnez a1, 2b",
        1 + 2 * (1 + 20 + 2) + (3 + 3) + (0 + 3) + (3 + 3),
    ),
    # six turns of four instructions, in three of them a nop; beqz is taken (unknown, counter 2), not taken (1), taken (2),
    # and so on, each time against the counter; bnez is mispredicted at both ends
    "a branch that alternates is mispredicted each time": (
        "li a0, 6\n 1: andi a1, a0, 1\n beqz a1, 2f\n nop\n 2: addi a0, a0, -1\n bnez a0, 1b",
        1 + 6 * 4 + 3 + 6 * 3 + (3 + 3),
    ),
    # j 0 and 2 cycles lost; end 3
    "the first sight of a direct jump costs two": ("j 1f\n nop\n 1:", 3),
    # two turns of j and the loop's two: 6; the jump 2, the loop's branch 3 + 3
    "a known jump costs nothing": ("li a0, 2\n 1: j 2f\n nop\n 2: addi a0, a0, -1\n bnez a0, 1b", 1 + 6 + 2 + 6),
    # jal 0 (2 lost), ret 3; end 4
    "a return is predicted": ("jal ra, 1f\n j 2f\n 1: ret\n 2:", 2 + 2 + 3),
    "a return through t0 as well": ("jal t0, 1f\n j 2f\n 1: jr t0\n 2:", 2 + 2 + 3),
    # as before; then la, two instructions, and an indirect jump that is no return: 3 lost
    "an unknown indirect jump costs three": ("la a0, 1f\n jr a0\n nop\n 1:", 2 + 1 + 3),
    # la outside; two turns of three instructions; the jump 3 and then nothing, the branch 3 + 3
    "a known indirect jump costs nothing": (
        "la a1, 2f\n li a0, 2\n 1: jr a1\n nop\n 2: addi a0, a0, -1\n bnez a0, 1b",
        3 + 6 + 3 + 6,
    ),
    # three calls within one another: 6 instructions and 3 moves, each jal 2; the stack of two has lost the outer return
    "the third return within returns is not predicted": (
        "j 4f\n 1: mv s0, ra\n jal ra, 2f\n mv ra, s0\n ret\n 2: mv s1, ra\n jal ra, 3f\n mv ra, s1\n ret\n 3: ret\n"
        "4: jal ra, 1b",
        1 + 4 + 4 + 1 + 1 + 4 * 2 + 3,
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_rule(simulator, tmp_path, rule):
    body, expected = RULES[rule]
    assert cycles(simulator, assemble(tmp_path, body, before="sw sp, 4(sp)\n li a1, 7\n li a2, 3")) == expected


@pytest.mark.parametrize(
    "jumps, lost",
    [
        # two turns of `jumps` jumps and the loop's two instructions; each jump is seen first once, the branch 3 + 3
        (39, 39 * 2 + 3 + 3),
        # one entry too many: whatever comes next is what was not used for longest and has just been replaced, so that the
        # jumps are unknown in both turns, and the branch is so too: taken 3, then predicted not taken
        (40, 2 * 40 * 2 + 3),
    ],
    ids=["40 entries", "41 entries"],
)
def test_btb_has_forty_entries(simulator, tmp_path, jumps, lost):
    body = "li a0, 2\n 1:\n" + "j 2f\n 2:\n" * jumps + "addi a0, a0, -1\n bnez a0, 1b"
    assert cycles(simulator, assemble(tmp_path, body)) == 1 + 2 * (jumps + 2) + lost


@pytest.mark.parametrize("latency", [2, 4, 5])
def test_latency_of_multiplication_is_a_switch(simulator, tmp_path, latency):
    elf = assemble(tmp_path, "mul a0, a1, a2\n add a1, a0, a0")
    assert cycles(simulator, elf, "--multiply", str(latency)) == latency + 1


def test_counts_what_the_program_does(simulator, tmp_path):
    elf = assemble(tmp_path, "addi sp, sp, -48\n lw a0, 0(sp)\n lbu a1, 0(sp)\n sw a0, 4(sp)\n addi sp, sp, 48")
    [(_, instructions, loads, stores, stack)] = marks(simulator, elf)
    assert (instructions, loads, stores, stack) == (5, 2, 1, 48)


@pytest.mark.parametrize(
    "body", ["lw a0, 1(sp)", "sh a0, 1(sp)", "lw a0, 0(zero)", "sw a0, 0(a3)", ".word 0", "ebreak"]
)
def test_stops_where_the_core_would_trap(simulator, tmp_path, body):
    elf = assemble(tmp_path, body, before="la a3, _start")
    done = subprocess.run([simulator, elf], capture_output=True)
    assert done.returncode == 125 and b"rv32sim: at 0x" in done.stderr


REGISTERS = [f"x{n}" for n in range(1, 32) if n != 2]
OPERATIONS = [
    "add", "sub", "sll", "slt", "sltu", "xor", "srl", "sra", "or", "and", "mul", "mulh", "mulhsu", "mulhu", "div", "divu",
    "rem", "remu",
]  # fmt: skip
IMMEDIATE = ["addi", "slti", "sltiu", "xori", "ori", "andi"]
SHIFTS = ["slli", "srli", "srai"]
LOADS, STORES = {"lb": 1, "lbu": 1, "lh": 2, "lhu": 2, "lw": 4}, {"sb": 1, "sh": 2, "sw": 4}
EDGES = [0, 1, 2, 31, 32, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF]


def random_program(rng, count):
    """Returns instructions of all kinds that leave sp alone, and the code that writes out registers and memory."""

    def register():
        return rng.choice(REGISTERS)

    lines = [f"li {r}, {rng.choice([*EDGES, rng.getrandbits(32)])}" for r in REGISTERS]
    for n in range(count):
        kind = rng.randrange(8)
        if kind < 3:
            lines.append(f"{rng.choice(OPERATIONS)} {register()}, {register()}, {register()}")
        elif kind == 3:
            lines.append(f"{rng.choice(IMMEDIATE)} {register()}, {register()}, {rng.randrange(-2048, 2048)}")
        elif kind == 4:
            lines.append(f"{rng.choice(SHIFTS)} {register()}, {register()}, {rng.randrange(32)}")
        elif kind == 5:
            name, size = rng.choice([*LOADS.items(), *STORES.items()])
            lines.append(f"{name} {register()}, {-256 + size * rng.randrange(128 // size)}(sp)")
        elif kind == 6:
            branch = rng.choice(["beq", "bne", "blt", "bge", "bltu", "bgeu"])
            lines += [
                f"{branch} {register()}, {register()}, skip{n}",
                f"auipc {register()}, {rng.randrange(1 << 20)}",
                f"skip{n}:",
            ]
        else:
            lines.append(f"lui {register()}, {rng.randrange(1 << 20)}")
    dump = [f"sw {r}, {-128 + 4 * n}(sp)" for n, r in enumerate(REGISTERS)]
    return "\n".join(lines), "\n".join([*dump, "li a0, 1", "addi a1, sp, -256", "li a2, 256", "li a7, 64", "ecall"])


@pytest.mark.skipif(shutil.which("qemu-riscv32") is None, reason="needs qemu-riscv32")
@pytest.mark.parametrize("seed", range(10))
def test_computes_what_qemu_computes(simulator, tmp_path, seed):
    body, after = random_program(random.Random(seed), 1000)
    elf = assemble(tmp_path, body, after=after)
    ours, theirs = run([simulator, elf]), run(["qemu-riscv32", elf])
    assert len(ours) == 256 and ours == theirs


# Our own kernel, in the measured program: a packet of eight blocks in its second pass.
@pytest.fixture(scope="module")
def packet(simulator, tmp_path_factory):
    """Returns the program, its input, and the packet's trace by QEMU."""
    if shutil.which("qemu-riscv32") is None:
        pytest.skip("needs qemu-riscv32")
    folder = tmp_path_factory.mktemp("packet")
    target = targets.load(LAB.parent, "rv32")
    elf, plugin, trace = folder / "bench.elf", folder / "plugin.so", folder / "trace"
    cipher = subjects.cipher("aes-128-ctr")
    packet_program = programs.program(target, subjects.Subject(cipher, "rv32-ttable", 16, 16))
    programs.build_one(target, packet_program, elf)
    run(["cc", "-O2", "-shared", "-fPIC", "-o", plugin, LAB / "qemu_plugin.c"])
    calls = [session.key(bytes(range(16))), session.iv(bytes(16)), session.encrypt("packet", bytes(128))] * 2
    script = b"".join(c.request for c in calls)
    theirs = run(["qemu-riscv32", "-plugin", f"{plugin},trace={trace}", elf], input=script)
    ours_trace, ours_marks = folder / "ours", folder / "marks"
    ours = run([simulator, "--trace", ours_trace, "--marks", ours_marks, elf], input=script)
    assert ours == theirs
    sections = [re.findall(r"^([0-9a-f]{8})", part, re.MULTILINE) for part in trace.read_text().split("begin\n")[1:]]
    sections = [[int(a, 16) for a in part] for part in sections]
    ours_sections = [[int(a, 16) for a in part.split()] for part in ours_trace.read_text().split("\n\n")[:-1]]
    assert len(sections) == 6 and sections == ours_sections
    costs = [[int(word) for word in line.split()] for line in ours_marks.read_text().splitlines()]
    return elf, sections[-1], costs[-1]


def test_counts_what_qemu_executes(packet):
    _, addresses, (_, instructions, *_) = packet
    assert len(addresses) == instructions > 5000


@pytest.mark.skipif(shutil.which("llvm-mca-19") is None, reason="needs llvm-mca-19")
def test_agrees_with_llvm(packet):
    """LLVM's model of the E31 has the same latencies; it knows neither branches nor what they cost."""
    elf, addresses, (count, *_) = packet
    text = {}
    for line in run([OBJDUMP, "-d", "-M", "no-aliases,numeric", elf]).decode().splitlines():
        if found := re.match(r"\s*([0-9a-f]+):\s+[0-9a-f]{8}\s+(\S.*)", line):
            instruction = re.sub(r"\s*#.*", "", found[2])
            text[int(found[1], 16)] = re.sub(r"\b[0-9a-f]{8} <[^>]*>$", ".", instruction)
    assembly = "\n".join(text[a] for a in addresses) + "\n"
    report = run(
        ["llvm-mca-19", "-mtriple=riscv32", "-mattr=+m", "-mcpu=sifive-e31", "-iterations=1", "-call-latency=1"],
        input=assembly.encode(),
    ).decode()
    total = int(re.search(r"Total Cycles:\s+(\d+)", report)[1])
    print(f"model {count}, llvm-mca {total}, {len(addresses)} instructions")
    assert abs(count - total) <= 0.01 * total
