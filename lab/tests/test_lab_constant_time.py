# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Kernels that claim constant time execute the same instructions and touch the same addresses whatever the secrets are,
on every target that QEMU runs. Keys and data are secret; IVs, counters and lengths are not."""

from __future__ import annotations

import dataclasses
import random
import shutil
import subprocess
from pathlib import Path

import pytest
import runnel
import selection
from lab_programs import BLOCK_CIPHERS, LAYOUTS, ROOT, claims_constant_time, pairs, program, target
from runnel_lab import subjects
from runnel_lab.running import known_answers, session

SEMIHOSTING = ["-semihosting-config", "enable=on,target=native"]
QEMU = {
    "aarch64": ["qemu-aarch64"],
    "armv7": ["qemu-arm", "-cpu", "cortex-a8"],
    "cortex-m0plus": ["qemu-system-arm", "-M", "microbit", "-nodefaults", "-nographic", *SEMIHOSTING],
    "cortex-m4": ["qemu-arm", "-cpu", "cortex-a15"],
    "rv32": ["qemu-riscv32"],
    "rv32-zk": ["qemu-riscv32", "-cpu", "rv32,zbkb=true,zkne=true"],
    "rv64-zk": ["qemu-riscv64", "-cpu", "rv64,zbkb=true,zkne=true"],
}
# Tables indexed by secrets. One a target that has any shows that the test sees such a thing; a kernel that is not named
# here must run in constant time.
SECRET_INDEXED = {"ttable", "ttable-bytes", "ctr-c", "ctr-c-1", "ctr-c-2", "ctr-c-b14", "ctr-c-wu"} | {
    "thumb1-table",
    "thumb2-table",
    "thumb2-small",
    "rv32-ttable",
    "rv32-small",
}
CONTROLS = {
    "aarch64": "ttable",
    "armv7": "ttable",
    "cortex-m0plus": "thumb1-table",
    "cortex-m4": "thumb2-table",
    "rv32": "rv32-ttable",
}

KERNELS = [p for p in pairs(("aes-256-ctr",), hosted=True) if p.values[0] in QEMU]
# Of other ciphers those made for the processor: what a compiler makes of portable C is its own affair.
OTHERS = (*(f"{c}-ctr" for c in BLOCK_CIPHERS if not c.startswith("aes")), *known_answers.with_vectors())
OTHER_KERNELS = [
    p
    for p in pairs(OTHERS, hosted=True)
    if p.values[0] in QEMU
    and p.values[2].startswith(("aarch64", "armv7", "neon", "thumb1", "thumb2", "rv32", "rv64"))
    and claims_constant_time(subjects.cipher(p.values[1]), p.values[2])
]
SECRETS = 4


@pytest.fixture(scope="module")
def plugin(tmp_path_factory) -> Path:
    library = tmp_path_factory.mktemp("plugin") / "plugin.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, ROOT / "lab" / "qemu_plugin.c"], check=True)
    return library


def calls(
    rng: random.Random, iv: bytes, key_bytes: int, layouts: tuple[str, ...], seekable: bool
) -> list[session.Call]:
    """Return a key and messages, the same except for the secrets: short and long, with another nonce, as raw blocks, counted
    on the left."""

    def data(size: int, offset: int = 0) -> session.Call:
        return session.encrypt(str(size), rng.randbytes(size), offset)

    return [
        session.key(rng.randbytes(key_bytes)),
        session.iv(iv),
        data(1),
        data(128),
        data(4000, 3),
        session.iv(iv[:-1] + b"\xfa"),
        data(2000, 1),
        *([session.seek(100)] if seekable else []),
        data(500),
        *([session.iv(iv[::-1], LAYOUTS.index("le32")), data(700)] if "le32" in layouts else []),
        *([session.iv(iv, LAYOUTS.index("be32-left")), data(900)] if "be32-left" in layouts else []),
        session.wipe(),
    ]


def hashes(name: str, cipher: str, kernel: str, plugin: Path, folder: Path) -> list[list[list[str]]]:
    """Returns the lines of the plugin's hash file: for each length of key, for each set of secrets."""
    about = subjects.cipher(cipher)
    chosen = program(name, cipher, kernel, folder)
    command = [
        *QEMU[name],
        "-plugin",
        f"{plugin},marks={{marks}},hash={folder / 'hash'}",
        *(["-kernel"] if "system" in QEMU[name][0] else []),
        "{elf}",
    ]
    watched = dataclasses.replace(chosen.target, command=command)
    rng = random.Random(1)
    keys = (
        [c.key_bytes[0] for c in subjects.ciphers().values() if c.family == about.family]
        if about.layouts
        else about.key_bytes[-1:]
    )
    lengths = [keys[0], *(n for n in keys for _ in range(SECRETS))]  # the first one detects the CPU's features
    iv = rng.randbytes(about.iv_bytes[-1] - 1) + b"\x03"
    script = [calls(rng, iv, n, about.layouts, runnel.ciphers()[cipher].seekable) for n in lengths]
    answers = session.run(watched, plugin, chosen.elf, [call for part in script for call in part])
    assert all(answer.status == 0 for answer in answers)
    lines = (folder / "hash").read_text().splitlines()
    assert len(lines) == len(answers)
    each = len(script[0])
    sets = [lines[i : i + each] for i in range(each, len(lines), each)]
    return [sets[i : i + SECRETS] for i in range(0, len(sets), SECRETS)]


def need_qemu(name: str) -> None:
    if shutil.which(QEMU[name][0]) is None:
        pytest.skip(f"{QEMU[name][0]} is not installed")


@pytest.mark.parametrize(
    "name, cipher, kernel",
    selection.one_in(3, (p for p in KERNELS if p.values[2] not in SECRET_INDEXED)) + selection.one_in(4, OTHER_KERNELS),
)
def test_secrets_leave_no_trace(name, cipher, kernel, plugin, tmp_path):
    need_qemu(name)
    for first, *others in hashes(name, cipher, kernel, plugin, tmp_path):
        for other in others:
            assert other == first


@pytest.mark.parametrize("name", CONTROLS)
def test_tables_do(name, plugin, tmp_path):
    """Looking up secrets in tables shows in the addresses, and in them alone."""
    need_qemu(name)
    target(name).require()
    for first, *others in hashes(name, "aes-256-ctr", CONTROLS[name], plugin, tmp_path):
        for other in others:
            assert [line.split()[0] for line in other] == [line.split()[0] for line in first]
            assert other != first
