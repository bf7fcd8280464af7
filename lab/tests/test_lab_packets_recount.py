# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cells of the packets' table counted again, by a firmware as a user writes it, a timer of the processor and a runner of its
own: none of the lab's programs and nothing of its Python."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
import runnel

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "tests" / "recount"
TOOLS = ["gcc", "avr-gcc"]
CELLS = [
    ("avr", "atmega128", "aes-128-ccm", "aes_ccm", 13, ["ciphers/aes", "modes/ccm"]),
    ("avr-328p", "atmega328p", "ascon-aead128", "ascon_aead128", 16, ["aead/ascon"]),
]


def recorded(target, aead):
    """Return the row of the kernels that are the fastest."""
    text = json.loads((ROOT / "lab" / "results" / f"{target}.json").read_text())
    return next(row for row in text["rows"] if row.get("aead") == aead)


def counted(empty, low, ticks):
    """Cycles from a count modulo 2^16 and one in ticks of 64."""
    about = 64 * ticks
    return about + (low - about + 2**15) % 2**16 - 2**15 - empty


def test_two_counts_make_one():
    assert counted(7, (100_000 + 7) % 2**16, 100_007 // 64) == 100_000
    assert counted(7, (65_530 + 7) % 2**16, 65_537 // 64) == 65_530


@pytest.mark.lab
@pytest.mark.skipif(any(shutil.which(tool) is None for tool in TOOLS), reason=f"needs {', '.join(TOOLS)}")
@pytest.mark.parametrize("target, mcu, aead, family, nonce_bytes, folders", CELLS, ids=[cell[2] for cell in CELLS])
def test_a_firmware_counts_the_same(tmp_path, target, mcu, aead, family, nonce_bytes, folders):
    row = recorded(target, aead)
    places = [ROOT / "src" / folder for folder in folders]
    sources = [file for place in places for pattern in ("*.c", "avr/*.[cS]") for file in sorted(place.glob(pattern))]
    core = [file for file in (ROOT / "src" / "core").glob("*.c") if file.name != "registry.c"]
    core.append(ROOT / "src" / "modes" / "cfb" / "cfb.c")
    knobs = [f"-DRUNNEL_{Path(f).name.upper()}_KERNEL={k.replace('-', '_')}" for f, k in row["kernels"].items()]
    include = [f"-I{place}" for place in (ROOT / "include", ROOT / "src", *places)]
    definitions = [f'-DHEADER="{places[0].name}.h"', f"-DFAMILY={family}", f"-DNONCE={nonce_bytes}"]
    options = [f"-mmcu={mcu}", "-O2", "-std=gnu11", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]
    files = [HERE / "firmware.c", *core, *sources, "-o", tmp_path / "node.elf"]
    subprocess.run(
        ["avr-gcc", *options, *knobs, "-DRUNNEL_AES_KEY_BITS=128", *include, *definitions, *files], check=True
    )
    subprocess.run(["gcc", "-O2", HERE / "runner.c", "-lsimavr", "-lelf", "-o", tmp_path / "runner"], check=True)
    done = subprocess.run(
        [tmp_path / "runner", mcu, tmp_path / "node.elf"], capture_output=True, check=True, timeout=120
    )
    assert len(done.stdout) == 6 + 32 + 8, done.stdout

    sealer = runnel.aead(aead, bytes(range(1, 17)), tag_bytes=8)
    nonce, header = bytes(range(40, 40 + nonce_bytes)), bytes(range(70, 84))
    assert done.stdout[6:] == sealer.seal(nonce, bytes(range(100, 132)), header)

    empty, low, ticks = (int.from_bytes(done.stdout[at : at + 2], "little") for at in (0, 2, 4))
    cycles = row["cycles"][f"nonce {nonce_bytes}, header 14, tag 8"]["32"][0]
    assert counted(empty, low, ticks) == pytest.approx(cycles, rel=0.002)
