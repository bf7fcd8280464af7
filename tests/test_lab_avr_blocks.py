# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The assembly kernels of SEED, ARIA, LEA and HIGHT on the ATmega128: cycles do not depend on secrets, since memory is
equally fast everywhere, nothing of a key stays in SRAM, and a call may be longer than a run of the counter's last byte."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
import runnel
from lab_programs import built as built_program
from lab_programs import program, runner
from runnel_lab import subjects
from runnel_lab.running import session

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ["avr-gcc", "avr-size", "gcc"]
pytestmark = pytest.mark.skipif(any(shutil.which(t) is None for t in TOOLS), reason=f"needs {', '.join(TOOLS)}")
LONGEST = {"seed": 128, "aria": 256, "lea": 256, "hight": 128}
KERNELS = [
    ("seed", "avr"),
    ("seed", "avr-small"),
    ("aria", "avr"),
    ("lea", "avr"),
    ("lea", "avr-small"),
    ("hight", "avr"),
    ("hight", "avr-small"),
]
SECRETS = 3


def name_of(cipher: str) -> str:
    return f"{cipher}-{LONGEST[cipher]}-ctr" if cipher in ("aria", "lea") else f"{cipher}-ctr"


@pytest.mark.parametrize("cipher, kernel", KERNELS)
def test_secrets_take_no_time(cipher, kernel, tmp_path):
    """The same calls with other keys and messages take the same cycles, through a carry of the counter too."""
    chosen = subjects.cipher(name_of(cipher))
    run = program("avr", chosen.name, kernel, tmp_path)
    rng = random.Random(5)
    iv = bytes(chosen.block_bytes - 1) + b"\xfa"
    for key_bytes in sorted({chosen.key_bytes[-1], 16}):
        costs = set()
        for _ in range(SECRETS):
            calls = [
                session.key(rng.randbytes(key_bytes)),
                session.iv(iv),
                session.encrypt("packet", rng.randbytes(128)),
                session.encrypt("rest", rng.randbytes(45)),
            ]
            answers = session.run(run.target, run.runner, run.elf, calls)
            assert all(answer.status == 0 for answer in answers)
            costs.add(tuple(answer.cost for answer in answers))
        assert len(costs) == 1, costs


ONCE = """
#include "{cipher}.h"
#include "channel.h"
int main(void)
{{
    static uint8_t key[{key_bytes}], iv[16], out[100];
    lab_read(key, sizeof key);
    int error = runnel_{cipher}_ctr_once(out, NULL, sizeof out, key, sizeof key, iv, {iv_bytes}, 0);
    lab_write((const uint8_t *)0x600, 0x1100 - 0x600); /* from above the static data up */
    return error;
}}
"""


def built(text: str, cipher: str, kernel: str, folder: Path) -> tuple[Path, Path]:
    """A program with this kernel alone, and what runs it."""
    source = folder / "once.c"
    source.write_text(text)
    knob = f"-DRUNNEL_{cipher.upper()}_KERNEL={kernel.replace('-', '_')}"
    elf = built_program("avr", source, folder / "once.elf", (f"ciphers/{cipher}",), knobs=[knob])
    return elf, runner("avr")


@pytest.mark.parametrize("cipher, kernel", KERNELS)
def test_nothing_of_a_key_stays_on_the_stack(cipher, kernel, tmp_path):
    """Whatever the key, the SRAM above the static data holds the same bytes after the call."""
    key_bytes = LONGEST[cipher] // 8
    text = ONCE.format(cipher=cipher, key_bytes=key_bytes, iv_bytes=8 if cipher == "hight" else 16)
    elf, runner = built(text, cipher, kernel, tmp_path)
    rng = random.Random(6)
    left = {
        subprocess.run(
            [runner, "atmega128", elf, tmp_path / "marks"],
            input=rng.randbytes(key_bytes),
            capture_output=True,
            timeout=60,
        ).stdout
        for _ in range(SECRETS)
    }
    assert len(left) == 1 and len(left.pop()) == 0xB00


LONG = """
#include "hight.h"
#include "channel.h"
int main(void)
{
    static uint8_t key[16], iv[8], out[2400];
    lab_read(key, sizeof key);
    int error = runnel_hight_ctr_once(out, NULL, sizeof out, key, sizeof key, iv, sizeof iv, 0);
    lab_write(out, sizeof out);
    return error;
}
"""


@pytest.mark.of("hight")
@pytest.mark.parametrize("kernel", ["avr", "avr-small"])
def test_a_call_of_more_than_256_blocks(kernel, tmp_path):
    """What 256 blocks share is made anew for the next ones, and the first run may be a whole one."""
    elf, runner = built(LONG, "hight", kernel, tmp_path)
    key = bytes(range(16))
    done = subprocess.run([runner, "atmega128", elf, tmp_path / "marks"], input=key, capture_output=True, timeout=60)
    assert done.stdout == runnel.new("hight-ctr", key, bytes(8)).xor(bytes(2400))
