#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proves the contracts of this folder with Frama-C's WP, and that planted faults are not proved.

    make proofs

Prints a line for each function. Exit status 0: all is proved, and no planted fault is.
"""

import functools
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from sources import ROOT, changed_sources, preprocessor

SECONDS_A_GOAL = 60  # on a busy machine; an idle one needs less than two

# File, function, and whether the absence of run-time errors is proved too. Calls through a kernel's pointers are beyond WP.
FUNCTIONS = [
    ("counters.c", "runnel_narrow_count", True),
    ("counters.c", "counter_add_to_low_half", True),
    ("counters.c", "counter_add_to_field", True),
    ("positions.c", "driver_saturated_bytes", True),
    ("positions.c", "runnel_check_call", True),
    ("positions.c", "runnel_stream_tell", True),
    ("positions.c", "runnel_stream_left", True),
    ("positions.c", "runnel_stream_seek", False),
    ("positions.c", "runnel_partial_overlap", True),
    ("messages.c", "aead_takes_nonce", True),
    ("messages.c", "aead_takes_tag", True),
    ("messages.c", "aead_check_start", True),
    ("messages.c", "aead_check_stage", True),
    ("messages.c", "runnel_aead_lengths", False),
    ("packets.c", "runnel_srtp_estimate", True),
    ("packets.c", "runnel_srtp_check_replay", True),
    ("packets.c", "runnel_srtp_use", True),
    ("packets.c", "runnel_srtp_accept", True),
    ("packets.c", "tag_bytes", True),
    ("packets.c", "find_index", True),
    ("packets.c", "prepare", True),
    ("streams.c", "runnel_srtp_grows", True),
    ("streams.c", "runnel_srtp_start", True),
]
LEMMAS = [("positions.c", "no_block_twice"), ("counters.c", "carry")]

# File below src, what stands there, the fault in its place, and the function whose proof must fail then.
FAULTS = [
    (
        "core/counter.c",
        "runnel_load64be(p) + (low < n)",
        "runnel_load64be(p) + (low <= n)",
        "counters.c",
        "counter_add_to_field",
    ),
    (
        "core/counter.c",
        "l->bits == 32 ? counter_add_to_low_half(old, n) : low",
        "low",
        "counters.c",
        "counter_add_to_field",
    ),
    ("core/counter.c", "(x >> 32 << 32) |", "(x >> 31 << 31) |", "counters.c", "counter_add_to_low_half"),
    (
        "core/driver.h",
        "bytes - s->leftover - 1, s->cipher",
        "bytes - s->leftover, s->cipher",
        "positions.c",
        "runnel_check_call",
    ),
    ("core/driver.h", ">= s->blocks - s->block)", "> s->blocks - s->block)", "positions.c", "runnel_check_call"),
    (
        "core/driver.c",
        "UINT64_MAX - more) / block_bytes)",
        "UINT64_MAX) / block_bytes)",
        "positions.c",
        "driver_saturated_bytes",
    ),
    (
        "core/driver.c",
        "driver_saturated_bytes(s->block - unused, block_bytes",
        "driver_saturated_bytes(s->block, block_bytes",
        "positions.c",
        "runnel_stream_tell",
    ),
    (
        "core/driver.c",
        "block == s->blocks && used > 0",
        "block == s->blocks && used > 1",
        "positions.c",
        "runnel_stream_seek",
    ),
    (
        "core/aead.c",
        "text_bytes > c->text_total)",
        "text_bytes > c->text_total + 1)",
        "messages.c",
        "runnel_aead_lengths",
    ),
    ("core/aead.c", "tag_bytes <= RUNNEL_AEAD_LONGEST_TAG &&", "tag_bytes <= 63 &&", "messages.c", "aead_takes_tag"),
    ("srtp/window.h", "if (behind >= 128)", "if (behind > 128)", "packets.c", "runnel_srtp_check_replay"),
    ("srtp/window.h", "s->seen[0] |= 1;", "s->seen[0] |= 2;", "packets.c", "runnel_srtp_accept"),
    ("srtp/packets.c", "packet->bytes < j->header + more", "packet->bytes < j->header", "packets.c", "prepare"),
]


def frama_c(file: str, chosen: list[str], sources: Path, seconds: int) -> tuple[int, int]:
    """Returns how many goals were proved, of how many."""
    provers = f"-wp-prover z3,cvc4 -wp-timeout {seconds} -wp-par 2"
    options = f"-c11 -machdep gcc_x86_64 -wp -wp-model Typed+Cast {provers}".split()
    run = subprocess.run(
        ["frama-c", *options, f"-cpp-extra-args={preprocessor(sources)}", *chosen, str(ROOT / "proofs" / file)],
        capture_output=True,
        text=True,
    )
    found = re.search(r"Proved goals: *(\d+) / (\d+)", run.stdout)
    if run.returncode or not found:
        sys.exit(f"Frama-C failed on {file} {' '.join(chosen)}:\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
    return int(found[1]), int(found[2])


def prove_function(
    file: str, name: str, run_time_errors: bool, sources: Path, seconds: int = SECONDS_A_GOAL
) -> tuple[int, int]:
    return frama_c(file, ["-wp-fct", name, "-wp-rte" if run_time_errors else "-wp-no-rte"], sources, seconds)


@functools.cache
def way_to_prove(proof: str, name: str) -> tuple[bool, int] | None:
    """Find the quickest way in which the function is proved: with run-time errors or not, and seconds a goal. Where it is not
    proved, or has less time than it needs, any fault would seem to be noticed."""
    run_time_errors = (proof, name, True) in FUNCTIONS
    with changed_sources([]) as sources:
        for way in ((False, 5), (run_time_errors, 5), (run_time_errors, SECONDS_A_GOAL)):
            proved, goals = prove_function(proof, name, way[0], sources, way[1])
            if proved == goals:
                return way
    return None


def planted(file: str, good: str, bad: str, proof: str, name: str) -> bool:
    """Tells whether the proof fails with the fault in place, and only then."""
    way = way_to_prove(proof, name)
    if way is None:
        return False
    with changed_sources([(file, good, bad)]) as sources:
        proved, goals = prove_function(proof, name, way[0], sources, way[1])
    return proved < goals


def contradiction(file: str, sources: Path) -> bool:
    """Tells whether what the file assumes proves everything."""
    with tempfile.TemporaryDirectory() as folder:
        absurd = Path(folder) / file
        absurd.write_text(f'#include "{ROOT / "proofs" / file}"\n/*@ lemma absurd: \\false; */\n')
        proved, _ = frama_c(str(absurd), ["-wp-prop", "absurd"], sources, 5)
    return proved > 0


def prove_all(functions: list[tuple[str, str, bool]], sources: Path) -> int:
    """Returns how many proofs fail."""
    failed = 0
    for file, name, run_time_errors in functions:
        proved, goals = prove_function(file, name, run_time_errors, sources)
        failed += proved != goals
        print(f"{name}: {proved} of {goals} goals proved", flush=True)
    return failed


def main() -> int:
    with changed_sources([]) as sources:
        failed = prove_all(FUNCTIONS, sources)
        for file, name in LEMMAS:
            proved, goals = frama_c(file, ["-wp-prop", name], sources, SECONDS_A_GOAL)
            failed += proved != goals
            print(f"lemma {name}: {'proved' if proved == goals else 'not proved'}", flush=True)
        for file in sorted({file for file, *_ in FUNCTIONS}):
            found = contradiction(file, sources)
            failed += found
            print(f"{file}: its assumptions {'CONTRADICT each other' if found else 'prove no falsehood'}", flush=True)
    for fault in FAULTS:
        found = planted(*fault)
        failed += not found
        print(
            f"planted: {fault[2]} for {fault[1]}: {'not proved, as it should be' if found else 'NOT NOTICED'}",
            flush=True,
        )
    if failed:
        print(f"{failed} failed", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
