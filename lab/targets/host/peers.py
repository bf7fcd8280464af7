#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What stands beside the host's own figures: AES by our kernels and by OpenSSL in one run, and what can be counted on
code. Kernels that are compared with each other should have the same neighbours. Prints rows of results as JSON:
OpenSSL's, and ours as they were recorded with these figures in them.

    peers.py RUNNER RESULTS CIPHER,CIPHER,… [--counts]

RESULTS is the file of what was measured before.

Does nothing unless AES is among the ciphers. --counts: without measuring."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

HOST = Path(__file__).resolve().parent
TREE = HOST.parents[2]
SOURCE = TREE / "src"
AES = SOURCE / "ciphers" / "aes"
INCLUDES = [f"-I{folder}" for folder in (TREE / "include", SOURCE, AES)]
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
    sources = [*(SOURCE / "core").glob("*.c"), *AES.rglob("*.[cS]")]
    return [TREE / "bench" / "clock.c", *(s for s in sources if s.name not in ("registry.c", "aead.c"))]


def in_one_run(
    runner: str, scratch: Path, compiler: tuple[str, ...] = ("cc", "-O2"), *what: str
) -> dict[tuple[str, str, str], float]:
    """Returns by cipher, kernel and label what the program in turns.c says: cycles of a call."""
    run(*compiler, *COMPILE[2:], HOST / "turns.c", *library(), "-ldl", "-o", scratch / "turns")
    words = [line.split() for line in run(runner, "/dev/null", scratch / "turns", *what).splitlines()]
    return {(cipher, kernel, label): float(best) for cipher, kernel, label, best, _ in words}


def by_build(runner: str, scratch: Path) -> dict[str, dict[tuple[str, str, str], float]]:
    """The same of counter mode alone, with keys of 128 bits, by compiler and flags: each build is a run of its own, in which
    the kernels take turns."""
    return {
        " ".join(build): in_one_run(runner, scratch, build, "ctr-128") for build in BUILDS if shutil.which(build[0])
    }


def lookups(kernel: str, scratch: Path) -> dict[int, float]:
    """Counts the look-ups a block of a table kernel in C, by the length of its key."""
    name = kernel.replace("-", "_")
    file = next(AES.rglob(f"{name}.c"))
    others = [other for f in ("ttable.c", "ttable_tables.c") if (other := AES / f) != file]
    told = [f'-DCOUNTED_FILE="{file}"', f"-DCOUNTED=runnel_aes_{name}"]
    run(*COMPILE, *told, HOST / "lookups.c", *others, "-o", scratch / "lookups")
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
    made, raw = scratch / "blocks.o", scratch / "blocks.bin"
    file = next(each for each in files if each.exists())
    run("cc", *COMPILE[2:], "-fPIC" if pic else "-fno-pie", "-c", file, "-o", made)
    run("objcopy", "-O", "binary", "-j", f".text.{function}", made, raw)
    lines = run("objdump", "-d", "--no-show-raw-insn", "-j", f".text.{function}", made)
    places = {s: int(at, 16) for at, _, s in (x.split() for x in run("nm", made).splitlines() if x[0] != " ")}
    return Code(
        {int(m[1], 16): m[2] for m in re.finditer(r"^ *([0-9a-f]+):\t(.*)$", lines, re.MULTILINE)},
        raw.read_bytes(),
        [(places[f"{function}_round_{n}"], places[f"{function}_after_{n}"]) for n in range(1, 11)],
    )


def code_of_rounds(kernel: str, scratch: Path, *, pic: bool = False) -> dict[str, float]:
    """Counts instructions, bytes and accesses to memory in the rounds of an assembly kernel but the last, and where it
    reads round keys: at the register that all have them at."""
    made = code(kernel, scratch, pic=pic)
    rounds = made.rounds[:9]
    inside = [text for at, text in made.instructions.items() if any(begin <= at < end for begin, end in rounds)]
    return {
        "code_bytes_per_round": round(sum(end - begin for begin, end in rounds) / 9, 2),
        "instructions_per_round": len(inside) / 9,
        "accesses_per_round": sum("(" in text for text in inside) / 9,
        "round_key_words_per_block": sum("(%r8)" in text for text in made.instructions.values()),
    }


# Table 9 of the paper of the kernels x86-…, and the three instructions of its Table 7.
INSTRUCTIONS = {
    "xor eax, table0[r14*8]": "xor eax, [0x12345678 + r14*8]",
    "xor eax, [r9+r14*8]": "xor eax, [r9+r14*8]",
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
    source, made = scratch / "instructions.s", scratch / "instructions.o"
    source.write_text("\n".join([*text, f"at_{len(INSTRUCTIONS)}:", ""]))
    run("cc", "-c", source, "-o", made)
    places = {s: int(a, 16) for a, _, s in (line.split() for line in run("nm", made).splitlines())}
    return {
        f"bytes of {name}": places[f"at_{number + 1}"] - places[f"at_{number}"]
        for number, name in enumerate(INSTRUCTIONS)
    }


def per_block(row: Row) -> dict[str, float]:
    """What one more block takes, in instructions, loads and stores: from two lengths of message."""
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
        cycles = {} if "--counts" in sys.argv else in_one_run(runner, scratch)
        builds = {} if "--counts" in sys.argv else by_build(runner, scratch)
        counted: dict[str, dict[int, float]] = {}
        for cipher in ("aes-128-ecb", "aes-128-ctr", "aes-192-ctr", "aes-256-ctr"):
            for row in recorded(results, cipher):
                kernel = row["kernel"]
                counts = per_block(row)
                if kernel in CTR_C and cipher != "aes-128-ecb":
                    counted.setdefault(kernel, {}) or counted[kernel].update(lookups(kernel, scratch))
                    counts["lookups_per_block"] = counted[kernel][row["key_bits"]]
                if cipher == "aes-128-ecb" and kernel.startswith("x86-"):
                    counts |= code_of_rounds(kernel, scratch)
                if kernel == "x86-short-code" and cipher == "aes-128-ecb":
                    counts |= instruction_bytes(scratch)
                figures = row["figures"] | ({"chain": {"bytes": BYTES}} if cipher == "aes-128-ecb" else {})
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
    # Backwards the blocks of a chain wait for nothing: that is decryption of blocks.
    places = {"chain": "chain", "unchain": "long_decrypt", "long": "long", "long_decrypt": "long_decrypt"}
    for name, labels in (("openssl-cbc", ("chain", "unchain")), ("openssl-compact", ("long", "long_decrypt"))):
        found = [cycles.get(("aes-128-ecb", name, label)) for label in labels]
        if None not in found:
            figures = {places[label]: {"cycles": each, "bytes": BYTES} for label, each in zip(labels, found)}
            rows.append(
                {
                    "cipher": "aes-128-ecb",
                    "kernel": name,
                    "key_bits": 128,
                    "iv_bits": 0,
                    "peer": True,
                    "figures": figures,
                }
            )
    json.dump(rows, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
