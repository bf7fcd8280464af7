# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The timing of a Cortex-M4 (lab/targets/cortex-m4/model.py): a program for each rule, whose cycles are worked out from
the rule, executed under QEMU."""

import importlib.util
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

LAB = Path(__file__).resolve().parents[2] / "lab"
M4 = LAB / "targets" / "cortex-m4"
TOOLS = ["cc", "arm-none-eabi-gcc", "arm-none-eabi-objdump", "qemu-arm"]
pytestmark = pytest.mark.skipif(any(shutil.which(t) is None for t in TOOLS), reason=f"needs {', '.join(TOOLS)}")

specification = importlib.util.spec_from_file_location("m4_model", M4 / "model.py")
model = sys.modules[specification.name] = importlib.util.module_from_spec(specification)
specification.loader.exec_module(model)

# Name: (code, cycles, bytes of stack). r0 points to memory, r1 is 4, r2 is 0, as at the start of each.
RULES = {
    "one cycle each": (
        "adds r3, r1, r2; eor r3, r1, r2, ror #7; mul r3, r1, r1; umull r3, r4, r1, r1; "
        "ubfx r3, r1, #1, #8; mov.w r3, #0x0f0f0f0f; nop",
        7,
        0,
    ),
    "load": ("ldr r3, [r0]", 2, 0),
    "loads of bytes and halves": ("ldrb r3, [r0]; nop; ldrh r3, [r0, r1]; nop; ldrsb r3, [r0]", 2 + 1 + 2 + 1 + 2, 0),
    "load behind a load": (
        "ldr r3, [r0]; ldr r4, [r0, #4]; ldrb r5, [r0, r1]; ldr r6, [r0, r1, lsl #2]",
        2 + 1 + 1 + 1,
        0,
    ),
    "load behind a store": ("str r1, [r0]; ldr r3, [r0, #4]", 1 + 1, 0),
    "load whose address was loaded": (
        "str r2, [r0]; ldr r3, [r0]; ldrb r4, [r0, r3]; ldr r5, [r0, r4]",
        1 + 1 + 2 + 2,
        0,
    ),
    "load behind something else": ("ldr r3, [r0]; nop; ldr r4, [r0]", 2 + 1 + 2, 0),
    "load behind a list": ("ldm r0, {r3, r4}; ldr r5, [r0]", 3 + 2, 0),
    "literal": ("ldr r3, constant; b 1f; .balign 4; constant: .word 1; 1: nop", 2 + 2 + 1, 0),
    "store": ("str r1, [r0]; strb r1, [r0, #1]; strh r1, [r0], #2", 3, 0),
    "store by register offset": ("str r2, [r0, r1]; strb r2, [r0, r1]; str r2, [r0, r1, lsl #1]", 6, 0),
    "lists": ("ldm r0, {r3-r6}; stm r0, {r3, r5, r7}; ldmia r0!, {r3, r8, r12}", 5 + 4 + 4, 0),
    "pairs": ("ldrd r4, r5, [r0]; strd r4, r5, [r0, #8]", 3 + 3, 0),
    "push and pop": ("push {r3-r5, lr}; push {r4}; pop {r4}; pop {r3-r5, lr}", 5 + 2 + 2 + 5, 20),
    "stack by subtraction": ("sub sp, #40; str r1, [sp, #-8]!; ldr r1, [sp], #8; add sp, #40", 1 + 1 + 1 + 1, 48),
    "long list on the stack": ("stmdb sp!, {r3-r11, lr}; ldmia sp!, {r3-r11, lr}", 11 + 11, 40),
    "division": ("mov r3, #7; udiv r3, r3, r1", 1 + 12, 0),
    "jump": ("b 1f; nop; 1: nop", 2 + 1, 0),
    "branch not taken": ("cmp r1, #4; bne 1f; nop; 1:", 3, 0),
    "branch taken": ("cmp r1, #4; beq 1f; nop; 1: nop", 1 + 2 + 1, 0),
    "compare and branch": ("cbz r1, 1f; cbz r2, 1f; nop; 1: nop", 1 + 2 + 1, 0),
    "loop": ("movs r3, #5; 1: subs r3, #1; bne 1b", 1 + 5 + 4 * 2 + 1, 0),
    "call and return": ("bl 1f; b 2f; 1: bx lr; 2: nop", 2 + 2 + 2 + 1, 0),
    "return by pop": ("bl 1f; b 2f; 1: push {r4, lr}; pop {r4, pc}; 2: nop", 2 + 3 + 4 + 2 + 1, 8),
    "conditional instructions": ("cmp r1, #4; ite eq; moveq r3, #1; movne r3, #2", 4, 0),
}


# Multiplications that take longer on a Cortex-M3.
OF_M3 = {"mul": 1, "mla": 2, "mls": 2, "umull": 5, "smull": 5, "umlal": 7, "smlal": 7, "eor": 1, "ldr": 2}


@pytest.mark.parametrize("mnemonic", OF_M3)
def test_multiplications_of_m3(mnemonic):
    operands = "r3, [r0]" if mnemonic == "ldr" else "r3, r4, r1, r1"
    assert model.decode(mnemonic, operands, 4, model.M3).cycles == OF_M3[mnemonic]
    assert model.decode(mnemonic, operands, 4).cycles == (2 if mnemonic == "ldr" else 1)


# Name: (instructions, as the disassembler writes them, by the addresses they are executed in; cycles on the M0+, on the M0).
OF_M0 = {
    "one cycle each": (
        ["adds r3, r1, r2", "muls r3, r1", "rors r3, r1", "mov r3, r9", "cmp r3, r12"],
        [0, 2, 4, 6, 8],
        5,
        5,
    ),
    "loads and stores": (
        ["ldr r3, [r0, r1]", "ldrb r4, [r0, #1]", "str r3, [r0, r1]", "strb r3, [r0]"],
        [0, 2, 4, 6],
        8,
        8,
    ),
    "lists": (["ldmia r0!, {r3, r4, r5}", "stmia r0!, {r3}", "push {r4, lr}", "pop {r4}"], [0, 2, 4, 6], 11, 11),
    "branch not taken": (["beq.n 6 <x>", "nop", "nop", "nop"], [0, 2], 2, 2),
    "branch taken": (["b.n 6 <x>", "nop", "nop", "nop"], [0, 6], 2 + 1, 3 + 1),
    "call": (["bl 6 <x>", "nop", "nop", "nop"], [0, 6], 3 + 1, 4 + 1),
    "return": (["bx lr", "nop", "nop", "nop"], [0, 6], 2 + 1, 3 + 1),
    "return by pop": (["pop {r4, r5, pc}", "nop", "nop", "nop"], [0, 6], 3 + 3 + 1, 4 + 3 + 1),
}


@pytest.mark.parametrize("rule", OF_M0)
@pytest.mark.parametrize("core", ["m0plus", "m0"])
def test_rules_of_m0(rule, core):
    """As in the manuals of both cores, 3.3."""
    code, trace, plus, older = OF_M0[rule]
    chosen = model.CORES[core]
    program = {
        2 * at: model.decode(*line.split(" ", 1), 2, chosen) if " " in line else model.decode(line, "", 2, chosen)
        for at, line in enumerate(code)
    }
    assert model.cycles(trace, program, chosen) == (plus if core == "m0plus" else older)


def assembled_for_m3(path, out):
    places = [f"-I{LAB.parent / name}" for name in ("src", "include")]
    command = ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", *places, "-c", path, "-o", out]
    return subprocess.run(command, text=True, capture_output=True)


def test_assembly_keeps_to_the_instructions_of_m3(tmp_path):
    """It has no DSP extension; M4, M7 and M33 have all of its instructions. The assembler knows which."""
    files = sorted((LAB.parent / "src").glob("**/thumb2/*.S"))
    assert len(files) > 10
    with ThreadPoolExecutor(2) as pool:
        messages = [done.stderr for done in pool.map(lambda f: assembled_for_m3(f, tmp_path / f"{f.stem}.o"), files)]
    assert not any(messages), "".join(messages)
    (tmp_path / "dsp.S").write_text(".syntax unified\n.thumb\nuadd8 r0, r1, r2\n")
    assert "does not support" in assembled_for_m3(tmp_path / "dsp.S", tmp_path / "dsp.o").stderr


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    folder = tmp_path_factory.mktemp("m4")
    plugin, source, elf, marks = (folder / n for n in ("plugin.so", "programs.S", "programs.elf", "marks"))
    lines = [".syntax unified", ".thumb", ".globl main", ".thumb_func", "main: push {r4-r11, lr}", "sub sp, #512"]
    for number, (code, _, _) in enumerate(RULES.values()):
        code = re.sub(r"\bconstant\b", f"constant_{number}", code)
        lines += ["add r0, sp, #256", "movs r1, #4", "movs r2, #0"]
        lines += [".inst.w 0xf3af8041", *code.split(";"), ".inst.w 0xf3af8042"]
    lines += ["movs r0, #0", "add sp, #512", "pop {r4-r11, pc}", ""]
    source.write_text("\n".join(lines))
    command = ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-nostdlib", "-static", "-Wl,-Ttext-segment=0x10000"]
    subprocess.run([*command, M4 / "start.S", source, "-o", elf], check=True)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", LAB / "qemu_plugin.c", "-o", plugin], check=True)
    subprocess.run(["python3", M4 / "model.py", plugin, elf, marks], check=True)
    return dict(zip(RULES, marks.read_text().splitlines(), strict=True))


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_gives_its_cycles(measured, rule):
    cycles, _, _, _, stack = (int(word) for word in measured[rule].split())
    assert (cycles, stack) == RULES[rule][1:]


def test_instructions_and_accesses_are_counted(measured):
    assert [int(word) for word in measured["lists"].split()][1:4] == [3, 4 + 3, 3]
    assert [int(word) for word in measured["loop"].split()][1:4] == [11, 0, 0]


@pytest.mark.parametrize(
    "mnemonic, operands", [("mov", "sp, r7"), ("add", "sp, r3"), ("sub.w", "sp, sp, r3"), ("bic", "sp, sp, #7")]
)
def test_a_stack_that_is_not_written_in_the_code_is_unknown(mnemonic, operands):
    program = {0: model.decode("push", "{r4, lr}", 2), 2: model.decode(mnemonic, operands, 2)}
    assert model.stack([0], program) == 8
    assert model.stack([0, 2], program) is None


def test_sections_are_what_lies_between_marks():
    lines = ["begin\n", "10000 00bf\n", "10002 7047\n", "end\n", "begin\n", "10000\n", "end\n"]
    assert list(model.sections(lines)) == [[0x10000, 0x10002], [0x10000]]
