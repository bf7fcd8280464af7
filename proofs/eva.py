#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs Frama-C's Eva on the programs in eva/, which call the real code with the lengths in their bounds and any bytes.

    python3 proofs/eva.py [PROGRAM]…

Prints a line for each program, the functions that Eva did not reach, and each planted fault. Exit status 0: no alarm, and an
alarm for every fault.
"""

import argparse
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from sources import ROOT, Change, changed_sources, preprocessor

# Programs of eva/, with the files of src that each analyses.
STREAMS = [
    "core/driver.c",
    "core/counter.c",
    "core/choose.c",
    "modes/cfb/cfb.c",
    "core/packet.c",
    "core/encrypt_decrypt.c",
]
PROGRAMS = {
    "counter": STREAMS,
    "pieces": [*STREAMS, "core/keystream_buffer.c"],
    "verbs": [*STREAMS, "core/blocks.c", "core/error.c"],
    "batch": [*STREAMS, "core/batch.c"],
    "headers": ["srtp/profiles.c"],
    "mac": ["core/mac.c"],
    "aead": ["core/aead.c", "core/ahead.c", *STREAMS[:3]],
}

# Where Eva keeps states apart. This makes it precise, and cannot hide an alarm.
NOTES: list[Change] = [
    (
        "core/counter.c",
        "size_t n = nblocks - 1 <= more ? nblocks : (size_t)more + 1;",
        "size_t n = nblocks - 1 <= more ? nblocks : (size_t)more + 1; //@ split n;\n",
    )
]

# Eva takes this for a write to all of the object: an empty instruction, for the compiler's sake alone.
BARRIERS: list[Change] = [("arch/common/wipe.h", '__asm__ volatile("" : : "r"(p) : "memory")', "((void)0)")]

# Where the code is meant to wrap: the same sums, without an overflow. Anywhere else Eva reports one.
WRAPS: list[Change] = [
    (
        "include/runnel/ranges.h",
        "RUNNEL_ADDRESS_(p) - RUNNEL_ADDRESS_(start) < bytes",
        "any_difference((uintptr_t)p, (uintptr_t)start) < bytes",
    ),
    ("core/counter.h", "(uint16_t)(-bytes % 16)", "(uint16_t)(wrapped_difference(0, bytes) % 16)"),
    ("core/counter.h", "(unsigned)layout - RUNNEL_BE128 <=", "wrapped_difference((unsigned)layout, RUNNEL_BE128) <="),
    ("core/counter.h", "runnel_load64be(first + 8) + index", "any_sum(runnel_load64be(first + 8), index)"),
    ("core/counter.c", "(uint32_t)(x + n)", "(uint32_t)any_sum(x, n)"),
    ("core/counter.c", "low = old + n;", "low = any_sum(old, n);"),
    ("core/counter.c", "runnel_load64le(p + 8) + (low < n)", "any_sum(runnel_load64le(p + 8), low < n)"),
    ("core/counter.c", "runnel_load64be(low_half) + n;", "any_sum(runnel_load64be(low_half), n);"),
    ("core/counter.c", "runnel_load64be(p) + (low < n)", "any_sum(runnel_load64be(p), low < n)"),
    ("core/counter.c", "store(to + at, low + i);", "store(to + at, any_sum(low, i));"),
    ("core/counter.c", ": low + run;", ": any_sum(low, run);"),
    ("core/counter.c", "high += l->bits == 128 && low == 0;", "high = any_sum(high, l->bits == 128 && low == 0);"),
    ("core/choose.c", "index-- == 0)", "(index == 0 || (index--, 0)))"),
    ("core/tag.h", "(0 - words)", "wrapped_difference(0, words)"),
    ("core/ahead.c", "-c->text_bytes % AHEAD_BOUNDARY", "wrapped_difference(0, c->text_bytes) % AHEAD_BOUNDARY"),
]

# Where pointers just behind two buffers may be compared: C allows it and leaves the result open. As numbers they may be equal
# or not, and Eva continues with both.
COMPARED: list[Change] = [
    ("include/runnel/ranges.h", "return out != in &&", "return (uintptr_t)out != (uintptr_t)in &&")
]

CHANGES = [*NOTES, *BARRIERS, *WRAPS, *COMPARED]

OPTIONS = [
    *("-c11", "-machdep", "gcc_x86_64"),
    *("-eva", "-eva-slevel", "1000000000", "-eva-split-return", "full", "-eva-no-show-progress"),
    *("-eva-msg-key=-initial-state,-final-states", "-kernel-warn-key", "asm:clobber=inactive"),
    *("-warn-unsigned-overflow", "-warn-invalid-pointer"),
    *("-metrics", "-metrics-eva-cover", "-metrics-by-function"),
]

# File below src, what stands there, the fault in its place, and the program that must raise an alarm then.
FAULTS: list[tuple[str, str, str, str]] = [
    ("core/driver.c", "n = bytes < s->leftover ? bytes : s->leftover;", "n = s->leftover;", "counter"),
    (
        "core/driver.c",
        "s->leftover = (uint16_t)(block_bytes - bytes);",
        "s->leftover = (uint16_t)(block_bytes + bytes);",
        "pieces",
    ),
    ("core/counter.h", "block + block_bytes - 4)", "block + block_bytes - 3)", "counter"),
    (
        "core/mac.c",
        "const size_t room = (size_t)block - m->filled",
        "const size_t room = (size_t)block - m->filled + 1",
        "mac",
    ),
    ("core/aead.c", "bytes > c->text_total - c->text_bytes)", "bytes > c->text_total)", "aead"),
    ("srtp/packets.c", "bytes < header + 4)", "bytes < header + 3)", "headers"),
    ("core/ahead.c", "n = bytes < a->left ? bytes : a->left;", "n = bytes;", "aead"),
]

ALL_DONE = "Frama_C_show_each_all_done"


@dataclass
class Analysis:
    alarms: list[str]
    defined: set[str] = field(default_factory=set)  # functions in src/core
    reached: set[str] = field(default_factory=set)


def analyse(program: str, sources: Path, short: bool = False) -> Analysis:
    """Runs Eva on a program of eva/ and the files of a copy of src."""
    own = [ROOT / "proofs/eva" / f"{name}.c" for name in (program, "any", "ciphers")]
    files = [*map(str, own), *(str(sources / file) for file in PROGRAMS[program])]
    place = shlex.quote(str(ROOT / "proofs/eva"))
    extra = f"{preprocessor(sources)} -I{place} -include {place}/wraps.h -DIN_SHORT={int(short)}"
    run = subprocess.run(
        ["frama-c", *OPTIONS, f"-cpp-extra-args={extra}", *files], capture_output=True, text=True, cwd=sources
    )
    text = run.stdout
    if run.returncode:
        sys.exit(f"Frama-C failed on {program}:\n{text[-3000:]}")
    alarms = [" ".join(each.split()) for each in re.findall(r"\[eva:alarm\] (.*?)\n(?=\[|-|\S)", text, re.DOTALL)]
    if ALL_DONE not in text:
        alarms.append("main does not come to its end")
    for line in re.findall(r"^ +(?:Assertions|Preconditions) .*$", text, re.MULTILINE):
        if not re.search(r" 0 unknown +0 invalid", line) and not alarms:
            alarms.append(line.strip())
    return Analysis(alarms, *functions_of_core(text))


def functions_of_core(text: str) -> tuple[set[str], set[str]]:
    """Returns the functions of src/core that a program has, and those of them that Eva reached, as file and name."""
    # A function in a header is a copy in each file, with a number behind its name.
    paths = re.findall(r"Stats for function <\S*?/(core/\w+\.[ch])/(\w+?)(_\d+)?>", text)
    places: dict[str, str] = {name + number: f"{file}: {name}" for file, name, number in paths}
    reached = set(re.findall(r"^ +(\w+): [1-9]\d* stmts out of", text, re.MULTILINE))
    return set(places.values()), {place for name, place in places.items() if name in reached}


def planted(file: str, good: str, bad: str, program: str) -> bool:
    """Tells whether Eva raises an alarm with the fault in place."""
    with changed_sources([*CHANGES, (file, good, bad)]) as sources:
        return bool(analyse(program, sources, short=True).alarms)


def analyse_all(programs: list[str], short: bool = False) -> int:
    """Returns how many programs raise an alarm."""
    failed = 0
    defined: set[str] = set()
    reached: set[str] = set()
    with changed_sources(CHANGES) as sources:
        for program in programs:
            found = analyse(program, sources, short)
            failed += bool(found.alarms)
            defined |= found.defined
            reached |= found.reached
            print(f"{program}: {len(found.alarms) or 'no'} alarms", *found.alarms, sep="\n    ", flush=True)
    print(
        f"Eva reached {len(reached)} of {len(defined)} functions of src/core, not:",
        *sorted(defined - reached),
        sep="\n    ",
    )
    return failed


def plant(faults: list[tuple[str, str, str, str]]) -> int:
    """Returns how many faults raise no alarm."""
    missed = 0
    for fault in faults:
        found = planted(*fault)
        missed += not found
        print(
            f"planted: {fault[2] or 'nothing'} for {fault[1]}: {'an alarm, as it should be' if found else 'NO ALARM'}",
            flush=True,
        )
    return missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=", ".join(PROGRAMS))
    parser.add_argument("--short", action="store_true", help="fewer lengths")
    parser.add_argument("--no-faults", action="store_true", help="plants no faults")
    arguments = parser.parse_args()
    failed = analyse_all(arguments.programs or list(PROGRAMS), arguments.short)
    if not arguments.no_faults:
        failed += plant([fault for fault in FAULTS if not arguments.programs or fault[3] in arguments.programs])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
