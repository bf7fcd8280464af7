#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Figures beside the host's own: AES by our kernels and by OpenSSL in one run, and what can be counted on code. Kernels that
are compared with each other should have the same neighbours. Prints rows of results as JSON: OpenSSL's, and ours as they were
recorded with these figures in them.

    peers.py RUNNER RESULTS CIPHER,CIPHER,… [--counts]

RESULTS is the file of what was measured before.

Does nothing unless AES is among the ciphers. --counts: without measuring."""

from __future__ import annotations

import json
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

HOST = Path(__file__).resolve().parent
sys.path.insert(0, str(HOST))
import openssl_tables  # noqa: E402

TREE = HOST.parents[2]
SOURCE = TREE / "src"
AES = SOURCE / "ciphers" / "aes"
INCLUDES = [f"-I{folder}" for folder in (TREE / "include", SOURCE, AES)]
# As the lab's programs: with tables at fixed addresses, which x86-partial-key has in its instructions.
HOST_COMPILER = ("cc", "-O2", "-fno-pie", "-no-pie")
COMPILE = ["cc", "-O2", "-std=c11", "-D_GNU_SOURCE", "-DRUNNEL_PAPERS=1", *INCLUDES]
# Position-independent code as a shared library has it, code for a fixed address, and another compiler.
BUILDS = (
    ("gcc", "-O2"),
    ("gcc", "-O2", "-fPIC"),
    ("gcc", "-O2", "-fno-pie", "-no-pie"),
    ("gcc", "-O3"),
    ("clang-19", "-O2"),
)
CTR_C = ("ttable", "ttable-bytes", "ctr-c-wu", "ctr-c-1", "ctr-c-2", "ctr-c")
BYTES, LENGTHS = 16384, (16384, 20480)

Row = dict[str, Any]


def run(*command: str | Path) -> str:
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: status {done.returncode}")
    return done.stdout


def library() -> list[Path]:
    """Returns the sources of AES with the core, without authenticated encryption, and the clock."""
    sources = [*(SOURCE / "core").glob("*.c"), SOURCE / "modes" / "cfb" / "cfb.c", *AES.rglob("*.[cS]")]
    return [TREE / "lab" / "engine" / "clock.c", *(s for s in sources if s.name not in ("registry.c", "aead.c"))]


def openssl(scratch: Path) -> list[str | Path]:
    """Returns what compiles OpenSSL's own table code into a program; nothing, and says so, where that cannot be had."""
    try:
        return ["-DLAB_OPENSSL_TABLES", *openssl_tables.build(scratch, *HOST_COMPILER)]
    except openssl_tables.NotBuiltError as why:
        print(f"OpenSSL's table code is left out: {why}", file=sys.stderr)
        return []


def in_one_run(
    runner: str,
    scratch: Path,
    compiler: tuple[str, ...] = HOST_COMPILER,
    what: tuple[str, ...] = (),
    beside: Sequence[str | Path] = (),
) -> dict[tuple[str, str, str], float]:
    """Returns by cipher, kernel and label what the program in turns.c says: cycles of a call."""
    run(*compiler, *COMPILE[2:], HOST / "turns.c", *beside, *library(), "-ldl", "-o", scratch / "turns")
    words = [line.split() for line in run(runner, "/dev/null", scratch / "turns", *what).splitlines()]
    return {(cipher, kernel, label): float(best) for cipher, kernel, label, best, _ in words}


def by_build(runner: str, scratch: Path) -> dict[str, dict[tuple[str, str, str], float]]:
    """Return the same of counter mode only, with keys of 128 bits, by compiler and flags: each build is a run of its own, in
    which the kernels take turns."""
    return {
        " ".join(build): in_one_run(runner, scratch, build, ("ctr-128",)) for build in BUILDS if shutil.which(build[0])
    }


def lookups(kernel: str, scratch: Path) -> dict[int, float]:
    """Counts the look-ups a block of a table kernel in C, by the length of its key."""
    name = kernel.replace("-", "_")
    file = next(AES.rglob(f"{name}.c"))
    others = [other for f in ("ttable.c", "ttable_tables.c") if (other := AES / f) != file]
    definitions = [f'-DCOUNTED_FILE="{file}"', f"-DCOUNTED=runnel_aes_{name}"]
    run(*COMPILE, *definitions, HOST / "lookups.c", *others, "-o", scratch / "lookups")
    return dict(zip((128, 192, 256), map(float, run(scratch / "lookups").split())))


class Code(NamedTuple):
    """An assembly kernel's encryption, as it was assembled."""

    instructions: dict[int, str]
    """By address."""
    bytes: bytes
    rounds: list[tuple[int, int]]
    """Where each begins and ends."""


def code(kernel: str, scratch: Path, *, pic: bool) -> Code:
    function = f"runnel_aes_{kernel.replace('-', '_')}_encrypt"
    files = [AES / "papers" / f"{name}_blocks.S" for name in (kernel.replace("-", "_"), "x86_designs")]
    object_file, raw = scratch / "blocks.o", scratch / "blocks.bin"
    file = next(each for each in files if each.exists())
    run("cc", *COMPILE[2:], "-fPIC" if pic else "-fno-pie", "-c", file, "-o", object_file)
    run("objcopy", "-O", "binary", "-j", f".text.{function}", object_file, raw)
    lines = run("objdump", "-d", "--no-show-raw-insn", "-j", f".text.{function}", object_file)
    places = {s: int(at, 16) for at, _, s in (x.split() for x in run("nm", object_file).splitlines() if x[0] != " ")}
    return Code(
        {int(m[1], 16): m[2] for m in re.finditer(r"^ *([0-9a-f]+):\t(.*)$", lines, re.MULTILINE)},
        raw.read_bytes(),
        [(places[f"{function}_round_{n}"], places[f"{function}_after_{n}"]) for n in range(1, 11)],
    )


def code_of_rounds(kernel: str, scratch: Path, *, pic: bool = False) -> dict[str, float]:
    """Counts instructions, bytes and accesses to memory in the rounds of an assembly kernel but the last, and where it
    reads round keys: at the register that all have them at."""
    compiled = code(kernel, scratch, pic=pic)
    rounds = compiled.rounds[:9]
    inside = [text for at, text in compiled.instructions.items() if any(begin <= at < end for begin, end in rounds)]
    return {
        "code_bytes_per_round": round(sum(end - begin for begin, end in rounds) / 9, 2),
        "instructions_per_round": len(inside) / 9,
        "accesses_per_round": sum("(" in text for text in inside) / 9,
        "round_key_words_per_block": sum("(%r8)" in text for text in compiled.instructions.values()),
    }


def rounds_in_c(
    scratch: Path, beside: Sequence[str | Path], ours: Sequence[str | Path] = ()
) -> dict[str, dict[str, float]]:
    """Counts under QEMU what a round of table code in C takes, of ours and of OpenSSL's, by its name. ours: a library in the
    place of what library() names, which is compiled otherwise."""
    plugin, program, marks = scratch / "plugin.so", scratch / "rounds", scratch / "marks"
    if platform.machine() != "x86_64" or not shutil.which("qemu-x86_64"):
        print("Rounds of code in C are not counted: they are on x86-64, by qemu-x86_64", file=sys.stderr)
        return {}
    run("cc", "-O2", "-shared", "-fPIC", TREE / "lab" / "qemu_plugin.c", "-o", plugin)
    run(
        *HOST_COMPILER,
        *COMPILE[2:],
        f"-I{TREE / 'lab'}",
        HOST / "rounds.c",
        *beside,
        *(ours or library()),
        "-static",
        "-o",
        program,
    )
    names = run("qemu-x86_64", "-cpu", "max,-vaes", "-plugin", f"{plugin},marks={marks}", program).split()
    lines = [[int(word) for word in line.split()[1:4]] for line in marks.read_text().splitlines()]
    return {
        name: {
            "instructions_per_round": (longer[0] - shorter[0]) / 2,
            "accesses_per_round": (sum(longer[1:]) - sum(shorter[1:])) / 2,
        }
        for name, shorter, longer in zip(names, lines[::2], lines[1::2])
    }


# By name, without the S-box of 256 bytes where the last round takes that: for its own rounds, and for the last.
TABLE_KIB = {
    "ttable": 4,
    "ttable-plain": 4,
    "x86-partial-key": 2 + 2,
    "x86-short-code": 2 + 2,
    "x86-4k": 4,
    "x86-4k-4k": 4 + 4,
    "openssl-full-table": 2,
    "openssl-c": 4,
} | dict.fromkeys(("x86-second-byte", "x86-in-place", "x86-scaled-index", "x86-shift-mask", "x86-byte-loads"), 2)


# Table 9 of the paper of the kernels x86-…, and the three instructions of its Table 7.
INSTRUCTIONS = {
    "xor eax, table0[r14*8]": "xor eax, [0x12345678 + r14*8]",
    "xor eax, [r9+r14*8]": "xor eax, [r9+r14*8+4]",  # the paper's tables are a displacement of one byte away, the first too
    "movzx esi, al": "movzx esi, al",
    "movzx rsi, al": "movzx rsi, al",
    "shr eax, 16": "shr eax, 16",
    "shr rax, 16": "shr rax, 16",
    "mov eax, [r8+8]": "mov eax, [r8+8]",
    "mov eax, [r8+128]": "mov eax, [r8+128]",
    "code_1": "xor rax, [rsi+rcx]; xor rbx, [rsi+rcx+8]; add rcx, 16",
    "code_2": "xor rax, [rcx+0x12345678]; xor rbx, [rcx+0x12345678]; add rcx, 16",
    "code_3": "movzx rcx, al; xor rbx, [0x12345678 + rcx*8]; shr eax, 8",
}


def instruction_bytes(scratch: Path) -> dict[str, float]:
    """Returns how long the assembler makes them."""
    text = [".intel_syntax noprefix"]
    for number, code in enumerate(INSTRUCTIONS.values()):
        text += [f"at_{number}:", *code.split("; ")]
    source, object_file = scratch / "instructions.s", scratch / "instructions.o"
    source.write_text("\n".join([*text, f"at_{len(INSTRUCTIONS)}:", ""]))
    run("cc", "-c", source, "-o", object_file)
    places = {s: int(a, 16) for a, _, s in (line.split() for line in run("nm", object_file).splitlines())}
    return {
        f"bytes of {name}": places[f"at_{number + 1}"] - places[f"at_{number}"]
        for number, name in enumerate(INSTRUCTIONS)
    }


def per_block(row: Row) -> dict[str, float]:
    """Return what one more block takes, in instructions, loads and stores: from two lengths of message."""
    shorter, longer = (row["figures"].get(label, {}) for label in ("long", f"message_{LENGTHS[1]}"))
    blocks = (LENGTHS[1] - LENGTHS[0]) // 16
    return {
        f"{n}_per_block": round((longer[n] - shorter[n]) / blocks, 2)
        for n in ("instructions", "loads", "stores")
        if n in shorter and n in longer
    }


def recorded(file: Path, cipher: str) -> list[Row]:
    rows = json.loads(file.read_text())["rows"] if file.exists() else []
    return [row for row in rows if row["cipher"] == cipher and not row.get("peer")]


def main() -> None:
    runner, results = sys.argv[1], Path(sys.argv[2])
    if "aes-" not in sys.argv[3]:
        print("[]")
        return
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        beside = openssl(scratch)
        in_c = rounds_in_c(scratch, beside)
        cycles = {} if "--counts" in sys.argv else in_one_run(runner, scratch, beside=beside)
        builds = {} if "--counts" in sys.argv else by_build(runner, scratch)
        counted: dict[str, dict[int, float]] = {}
        for cipher in ("aes-128-ecb", "aes-128-ctr", "aes-192-ctr", "aes-256-ctr"):
            for row in recorded(results, cipher):
                kernel = row["kernel"]
                counts = per_block(row)
                if kernel in CTR_C and cipher != "aes-128-ecb":
                    counted.setdefault(kernel, {}) or counted[kernel].update(lookups(kernel, scratch))
                    counts["lookups_per_block"] = counted[kernel][row["key_bits"]]
                if cipher == "aes-128-ecb":
                    counts |= code_of_rounds(kernel, scratch) if kernel.startswith("x86-") else in_c.get(kernel, {})
                    counts |= {"table_kib": TABLE_KIB[kernel]} if kernel in TABLE_KIB else {}
                if kernel == "x86-short-code" and cipher == "aes-128-ecb":
                    counts |= instruction_bytes(scratch)
                figures = row["figures"] | (
                    {label: {"bytes": BYTES} for label in ("chain", "matsui")} if cipher == "aes-128-ecb" else {}
                )
                figures |= {label: {} for of, by, label in cycles if (of, by) == (cipher, kernel) and "code_" in label}
                for label, figure in figures.items():
                    if (cipher, kernel, label) in cycles:
                        figure["cycles"] = cycles[cipher, kernel, label]
                variants = {
                    build: {label: found[cipher, kernel, label] for label in ("stream",)}
                    for build, found in builds.items()
                    if (cipher, kernel, "stream") in found
                }
                counts = row.get("counts", {}) | counts
                rows.append(row | {"figures": figures, "counts": counts} | ({"builds": variants} if variants else {}))
    for name in ("openssl-cbc", "openssl-compact", "openssl-full-table", "openssl-c"):
        figures = {
            # Backwards the blocks of a chain wait for nothing: that is decryption of blocks.
            "long_decrypt" if label == "unchain" else label: {"cycles": each, "bytes": BYTES}
            for (cipher, kernel, label), each in cycles.items()
            if (cipher, kernel) == ("aes-128-ecb", name)
        }
        counts = in_c.get(name, {}) | ({"table_kib": TABLE_KIB[name]} if name in TABLE_KIB else {})
        if figures:
            about = {"cipher": "aes-128-ecb", "kernel": name, "key_bits": 128, "iv_bits": 0, "peer": True}
            rows.append(about | {"figures": figures} | ({"counts": counts} if counts else {}))
    json.dump(rows, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
