# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The lab's AVR runner takes the cycles that the ATmega128's datasheet gives, and counts instructions, loads, stores
and stack as written; the kernels leave no trace of a key in SRAM."""

import shutil
import subprocess
from pathlib import Path

import pytest
from lab_programs import built
from runnel_lab import targets

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ["avr-gcc", "gcc"]
pytestmark = [
    pytest.mark.of("aes"),
    pytest.mark.skipif(any(shutil.which(t) is None for t in TOOLS), reason=f"needs {', '.join(TOOLS)}"),
]

# What is between the marks: cycles by the datasheet's instruction set summary, instructions, loads, stores, stack.
SEQUENCES = {
    "nothing": ("", 0, 0, 0, 0, 0),
    "arithmetic": (
        "add r2, r3\n eor r2, r3\n lsl r2\n sbc r2, r2\n andi r20, 0x1b\n swap r2\n movw r2, r4",
        7,
        7,
        0,
        0,
        0,
    ),
    "words": ("adiw r26, 5\n sbiw r28, 3\n ldi r26, 0\n ldi r27, 2", 6, 4, 0, 0, 0),
    "products": ("mul r2, r3\n muls r20, r21\n mulsu r20, r21\n fmul r20, r21", 8, 4, 0, 0, 0),
    "loads": ("ld r2, X\n ld r2, X+\n ld r2, -X\n ldd r2, Y+5\n ldd r2, Z+63\n lds r2, 0x200", 12, 6, 6, 0, 0),
    "stores": ("st X, r2\n st X+, r2\n st -X, r2\n std Y+5, r2\n std Z+63, r2\n sts 0x200, r2", 12, 6, 0, 6, 0),
    "flash": ("lpm\n lpm r2, Z\n lpm r2, Z+\n elpm r2, Z", 12, 4, 4, 0, 0),
    "stack": ("push r2\n push r3\n pop r3\n pop r2", 8, 4, 2, 2, 2),
    "taken branch": ("sez\n breq 1f\n nop\n1:", 3, 2, 0, 0, 0),
    "branch not taken": ("clz\n breq 1f\n nop\n1:", 3, 3, 0, 0, 0),
    "skips": ("clr r2\n sbrs r2, 0\n nop\n sbrc r2, 0\n nop\n sbrc r2, 0\n jmp 1f\n1:", 1 + 1 + 1 + 2 + 3, 5, 0, 0, 0),
    "jumps": ("rjmp 1f\n1: jmp 2f\n2:", 5, 2, 0, 0, 0),
    "subroutines": ("rcall 3f\n call 3f\n rjmp 4f\n3: ret\n4:", 3 + 4 + 4 + 4 + 2, 5, 0, 0, 2),
    "input and output": ("in r2, 0x3f\n out 0x3f, r2\n sbi 0x18, 1\n cbi 0x18, 1", 6, 4, 0, 0, 0),
    "stack pointer in two halves": (
        "in r28, 0x3d\n in r29, 0x3e\n subi r28, 0x80\n sbci r29, 0\n out 0x3e, r29\n out 0x3d, r28\n"
        " subi r28, 0x80\n sbci r29, 0xff\n out 0x3e, r29\n out 0x3d, r28",
        10,
        10,
        0,
        0,
        128,
    ),
    "loop": ("ldi r20, 10\n1: dec r20\n brne 1b", 1 + 10 * 3 - 1, 21, 0, 0, 0),
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
    return done, [line.split() for line in marks.read_text().splitlines()]


def test_cycles_are_those_of_the_datasheet(runner, tmp_path):
    body = "".join(
        f"    ldi r18, 1\n    out 0x22, r18\n {code}\n    ldi r18, 2\n    out 0x22, r18\n"
        for code, *_ in SEQUENCES.values()
    )
    done, lines = execute(runner, tmp_path, START + body + "    lds r20, 0xf0\n    rjmp .-2\n")
    assert done.returncode == 0, done.stderr
    found = dict(zip(SEQUENCES, (tuple(map(int, line)) for line in lines), strict=True))
    assert found == {name: counts for name, (_, *counts) in SEQUENCES.items() for counts in [tuple(counts)]}


def test_the_channel_is_standard_input_and_output(runner, tmp_path):
    done, lines = execute(
        runner, tmp_path, START + "1:  lds r20, 0xf0\n    inc r20\n    sts 0xf1, r20\n    rjmp 1b\n", bytes(range(256))
    )
    assert (done.returncode, done.stdout, lines) == (0, bytes((i + 1) % 256 for i in range(256)), [])


@pytest.mark.parametrize("last, said", [("rjmp .-2", "the program ended"), (".word 0xffff", "the program crashed")])
def test_a_program_that_stops_by_itself_is_reported(runner, tmp_path, last, said):
    done, _ = execute(runner, tmp_path, START + f"    {last}\n")
    assert done.returncode == 1 and said in done.stderr.decode()


ONCE = """
#include "aes.h"
#include "channel.h"
int main(void)
{
    static uint8_t key[32], iv[16], out[100];
    lab_read(key, sizeof key);
    int error = runnel_aes_ctr_once(out, NULL, sizeof out, key, sizeof key, iv, sizeof iv, 0);
    lab_write((const uint8_t *)0x600, 0x1100 - 0x600); /* from above the static data up */
    return error;
}
"""


@pytest.mark.parametrize("prefix", [0, 1])
@pytest.mark.parametrize("kernel", ["avr_sram", "avr_sram_512", "avr_flash", "avr_small"])
def test_nothing_of_a_key_stays_on_the_stack(runner, tmp_path, kernel, prefix):
    """Whatever the key, the SRAM above the static data holds the same bytes after the call."""
    source = tmp_path / "once.c"
    source.write_text(ONCE)
    knobs = (f"-DRUNNEL_AES_KERNEL={kernel}", f"-DRUNNEL_PREFIX={prefix}")
    elf = built("avr", source, tmp_path / "once.elf", ("ciphers/aes",), knobs=knobs)
    left = {
        subprocess.run(
            [runner, "atmega128", elf, tmp_path / "marks"], input=key, capture_output=True, timeout=60
        ).stdout
        for key in (bytes(32), bytes(range(32)), bytes(range(100, 132)))
    }
    assert len(left) == 1 and len(left.pop()) == 0xB00
