# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The lab's AVR runner takes the cycles that the ATmega128's datasheet gives, and counts instructions, loads, stores
and stack as written."""

import shutil
import subprocess
from pathlib import Path

import pytest
from runnel_lab import targets

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ["avr-gcc", "gcc"]
pytestmark = [
    pytest.mark.of("aes"),
    pytest.mark.skipif(any(shutil.which(t) is None for t in TOOLS), reason=f"needs {', '.join(TOOLS)}"),
]

# The cost between the marks: cycles by the datasheet's instruction set summary, instructions, loads, stores, stack.
SEQUENCES = {
    "nothing": ("", "0 0 0 0 0"),
    "arithmetic": (
        "add r2, r3\n eor r2, r3\n lsl r2\n sbc r2, r2\n andi r20, 0x1b\n swap r2\n movw r2, r4",
        "7 7 0 0 0",
    ),
    "words": ("adiw r26, 5\n sbiw r28, 3\n ldi r26, 0\n ldi r27, 2", "6 4 0 0 0"),
    "products": ("mul r2, r3\n muls r20, r21\n mulsu r20, r21\n fmul r20, r21", "8 4 0 0 0"),
    "loads": ("ld r2, X\n ld r2, X+\n ld r2, -X\n ldd r2, Y+5\n ldd r2, Z+63\n lds r2, 0x200", "12 6 6 0 0"),
    "stores": ("st X, r2\n st X+, r2\n st -X, r2\n std Y+5, r2\n std Z+63, r2\n sts 0x200, r2", "12 6 0 6 0"),
    "flash": ("lpm\n lpm r2, Z\n lpm r2, Z+\n elpm r2, Z", "12 4 4 0 0"),
    "stack": ("push r2\n push r3\n pop r3\n pop r2", "8 4 2 2 2"),
    "taken branch": ("sez\n breq 1f\n nop\n1:", "3 2 0 0 0"),
    "branch not taken": ("clz\n breq 1f\n nop\n1:", "3 3 0 0 0"),
    "skips": ("clr r2\n sbrs r2, 0\n nop\n sbrc r2, 0\n nop\n sbrc r2, 0\n jmp 1f\n1:", f"{1 + 1 + 1 + 2 + 3} 5 0 0 0"),
    "jumps": ("rjmp 1f\n1: jmp 2f\n2:", "5 2 0 0 0"),
    "subroutines": ("rcall 3f\n call 3f\n rjmp 4f\n3: ret\n4:", f"{3 + 4 + 4 + 4 + 2} 5 0 0 2"),
    "input and output": ("in r2, 0x3f\n out 0x3f, r2\n sbi 0x18, 1\n cbi 0x18, 1", "6 4 0 0 0"),
    "stack pointer in two halves": (
        "in r28, 0x3d\n in r29, 0x3e\n subi r28, 0x80\n sbci r29, 0\n out 0x3e, r29\n out 0x3d, r28\n"
        " subi r28, 0x80\n sbci r29, 0xff\n out 0x3e, r29\n out 0x3d, r28",
        "10 10 0 0 128",
    ),
    "loop": ("ldi r20, 10\n1: dec r20\n brne 1b", f"{1 + 10 * 3 - 1} 21 0 0 0"),
}

START = """
    .global main
main:
    ldi r20, 0x10
    out 0x3e, r20
    ldi r20, 0x3f
    out 0x3d, r20
    ldi r27, 2
    ldi r29, 2
    ldi r31, 2
"""


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    target = targets.load(ROOT, "avr")
    target.require()
    return targets.build_runner(target, tmp_path_factory.mktemp("avr"))


def execute(runner, folder, text, data=b""):
    source, elf, marks = folder / "program.S", folder / "program.elf", folder / "marks"
    source.write_text(text)
    subprocess.run(["avr-gcc", "-mmcu=atmega128", "-nostartfiles", source, "-o", elf], check=True)
    done = subprocess.run([runner, "atmega128", elf, marks], input=data, capture_output=True, timeout=60)
    return done, marks.read_text().splitlines()


def test_cycles_are_those_of_the_datasheet(runner, tmp_path):
    body = "".join(
        f"    ldi r18, 1\n    out 0x22, r18\n {code}\n    ldi r18, 2\n    out 0x22, r18\n"
        for code, _ in SEQUENCES.values()
    )
    done, lines = execute(runner, tmp_path, START + body + "    lds r20, 0xf0\n    rjmp .-2\n")
    assert done.returncode == 0, done.stderr
    assert dict(zip(SEQUENCES, lines, strict=True)) == {name: counts for name, (_, counts) in SEQUENCES.items()}


def test_the_channel_is_standard_input_and_output(runner, tmp_path):
    done, lines = execute(
        runner, tmp_path, START + "1:  lds r20, 0xf0\n    inc r20\n    sts 0xf1, r20\n    rjmp 1b\n", bytes(range(256))
    )
    assert (done.returncode, done.stdout, lines) == (0, bytes((i + 1) % 256 for i in range(256)), [])


@pytest.mark.parametrize("last, message", [("rjmp .-2", "the program ended"), (".word 0xffff", "the program crashed")])
def test_a_program_that_stops_by_itself_is_reported(runner, tmp_path, last, message):
    done, _ = execute(runner, tmp_path, START + f"    {last}\n")
    assert done.returncode == 1 and message in done.stderr.decode()
