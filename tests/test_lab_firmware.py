# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every file of AES compiles for every target whatever kernel is configured, and the example firmware is built."""

from __future__ import annotations

import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from lab_programs import ROOT, target
from runnel.lab import Skipped, objects, subjects, targets

EXAMPLES = sorted(p.parent for p in (ROOT / "examples" / "firmware").glob("*/Makefile"))


@pytest.mark.parametrize("name", targets.find(ROOT))
def test_every_file_compiles_with_one_kernel_configured(name):
    chosen = target(name)
    try:
        chosen.require()
    except Skipped as why:
        pytest.skip(str(why))
    cipher = subjects.cipher("aes-128-ctr")
    folder = subjects.folder_of(ROOT, cipher)
    kernels = objects.kernels(chosen, cipher)
    files = sorted([*folder.glob("*.c"), *folder.glob("*.S")])

    def compile_all(configuration: tuple[str, str]) -> str:
        kernel, prefix = configuration
        done = subprocess.run([chosen.compiler, "-std=c11", *chosen.expand(chosen.flags), "-fsyntax-only", "-Wall", "-Wextra",
                               f"-DRUNNEL_AES_KERNEL={kernel.replace('-', '_')}", "-DRUNNEL_AES_KEY_BITS=128",
                               f"-DRUNNEL_PREFIX={prefix}", *objects.includes(ROOT, folder), *map(str, files)],
                              text=True, capture_output=True)
        return f"{kernel}: {done.stderr}" if done.returncode else ""

    with ThreadPoolExecutor(2) as pool:
        said = list(filter(None, pool.map(compile_all, [(kernels[0], "0"), (kernels[-1], "1")])))
    assert not said, "\n".join(said)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda p: p.name)
def test_example(example, tmp_path):
    compiler = target(example.name).compiler
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    done = subprocess.run(["make", "-B", "-C", example, f"OUT={tmp_path}", f"BUILD={tmp_path}"], text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in done.stderr
    printed = [line for line in done.stdout.splitlines() if re.search(r"ROM +\d+ bytes", line) and "RAM" in line]
    assert printed, done.stdout
