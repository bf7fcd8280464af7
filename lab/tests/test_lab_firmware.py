# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every file of every cipher compiles for every target whatever kernel is configured, and the example firmware is built."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import selection
from lab_programs import ROOT, require, target
from runnel_lab import subjects, targets
from runnel_lab.building import ninja
from runnel_lab.building.kernels import kernels as kernels_of

EXAMPLES = sorted(p.parent for p in (ROOT / "examples" / "firmware").glob("*/Makefile"))


# A cipher of each folder.
CIPHERS = {subjects.folder_of(ROOT, c): c for c in subjects.ciphers().values()}


# Folders of files that are for a target's processor; those of others are empty there, whatever is configured.
PROCESSORS = {path.name for path in (ROOT / "src" / "arch").iterdir() if path.is_dir()} - {"common"}
OWN = (
    {"host": "x86", "avr-1284p": "avr", "rv32-zk": "rv32"}
    | {f"cortex-m{n}": "thumb2" for n in (3, 4, 7, 33)}
    | {"cortex-m0plus": "thumb1"}
)


NAMES = [n for n in targets.find(ROOT) if n != "host" and not target(n).packets_only]


@pytest.mark.every_cipher
# The host's files are compiled by the library's own builds.
@pytest.mark.parametrize(
    "name",
    selection.one_in(9, [n for n in NAMES if not target(n).like])
    + [pytest.param(n, marks=pytest.mark.campaign) for n in NAMES if target(n).like],
)
@pytest.mark.parametrize("prefix", ["0", pytest.param("1", marks=pytest.mark.campaign)])
def test_every_file_compiles_with_one_kernel_configured(name, prefix):
    """The first kernel without prefix tables, the last one with them."""
    chosen = require(name)
    if prefix == "1" and chosen.beside:
        pytest.skip("it differs from another target in its memory alone")

    def compile_all(configuration: tuple[Path, str]) -> str:
        folder, kernel = configuration
        knob = folder.name.upper()
        files = [
            path
            for path in sorted(folder.rglob("*.[cS]"))
            if prefix == "0" or path.parent.name not in PROCESSORS - {OWN.get(name, name)}
        ]
        done = subprocess.run(
            [
                chosen.compiler,
                "-std=c11",
                *chosen.expand(chosen.flags),
                "-fsyntax-only",
                "-Wall",
                "-Wextra",
                "-Wundef",
                "-Wno-unknown-pragmas",
                f"-DRUNNEL_{knob}_KERNEL={kernel.replace('-', '_')}",
                f"-DRUNNEL_{knob}_KEY_BITS=128",
                f"-DRUNNEL_PREFIX={prefix}",
                *ninja.includes(ROOT, folder),
                *map(str, files),
            ],
            text=True,
            capture_output=True,
        )
        return f"{folder.name}, {kernel}: {done.stderr}" if done.returncode or "warning" in done.stderr else ""

    configurations = []
    for folder, cipher in CIPHERS.items():
        kernels = kernels_of(chosen, cipher)  # a target may measure some of its kernels alone
        if kernels and selection.takes_file(folder / "vectors.txt"):
            configurations.append((folder, kernels[0] if prefix == "0" else kernels[-1]))
    with ThreadPoolExecutor(2) as pool:
        messages = list(filter(None, pool.map(compile_all, configurations)))
    assert not messages, "\n".join(messages)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda p: p.name)
def test_clean_removes_its_own_folder(example):
    """Not one that the environment calls OUT, as Android's does; only who says make OUT=… means it."""
    for option, removed in (("SAY=hello", "build"), ("OUT=mine", "mine")):
        words = ["make", "--no-print-directory", "-n", "-C", example, "clean", option]
        done = subprocess.run(words, env=os.environ | {"OUT": "/theirs"}, check=True, text=True, capture_output=True)
        assert done.stdout == f"rm -rf {removed}\n"


def test_avr_keeps_descriptors_in_flash(tmp_path):
    """Constants of the library take no SRAM: all that lies there is the example's own."""
    if shutil.which("avr-gcc") is None:
        pytest.skip("avr-gcc is not installed")
    example = ROOT / "examples" / "firmware" / "avr"
    subprocess.run(["make", "-B", "-s", "-C", example, f"OUT={tmp_path}"], check=True, capture_output=True)
    for name in ("fast", "small"):
        listed = subprocess.run(["avr-nm", tmp_path / f"{name}.elf"], text=True, capture_output=True, check=True).stdout
        symbols = {place: set(re.findall(rf" [{place}{place.upper()}] (\S+)", listed)) for place in "tdbr"}
        assert {
            "aes_ccm_128",
            "aes_ctr_128",
            "aes_kernels",
            f"runnel_aes_avr_{'sram' if name == 'fast' else 'small'}",
        } <= symbols["t"]
        assert {symbol for symbol in symbols["d"] if not symbol.startswith("_")} == {"settings"}
