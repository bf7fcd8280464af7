# SPDX-License-Identifier: Apache-2.0 OR MIT
"""AFL++ as a second engine of the part fuzz, for the targets in C: Debian's package afl++, whose compiler is clang 14."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import c_programs
from fuzz import corpus

from campaign.work import Work

SUFFIX = "-under-afl"
"""Arguments behind the names of targets where this engine runs them."""
SANITIZED = ("-DCMAKE_C_COMPILER=afl-clang-fast", "-DRUNNEL_SANITIZE=address", "-DRUNNEL_WERROR=OFF")
# clang 14 takes ten times as long with UBSan, which libFuzzer's programs have, and with ASan's checks inline.
SANITIZED += ("-DCMAKE_C_FLAGS=-mllvm -asan-instrumentation-with-call-threshold=60",)
SURROUNDINGS = {
    "AFL_NO_UI": "1",
    "AFL_NO_AFFINITY": "1",
    "AFL_SKIP_CPUFREQ": "1",
    "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1",  # the system may hand crashes to a program of its own first
    "AFL_AUTORESUME": "1",
    "AFL_CRASH_EXITCODE": "1",  # how a failed check ends a program
    "ASAN_OPTIONS": "abort_on_error=1:symbolize=0:detect_leaks=0:allocator_may_return_null=1",
}


def installed() -> bool:
    return shutil.which("afl-clang-fast") is not None


def programs(build: Path) -> Path:
    """Return the folder with the targets' programs, compiled by AFL++."""
    os.environ["AFL_DONT_OPTIMIZE"] = "1"  # or it compiles at -O3, for minutes a file
    os.environ["AFL_QUIET"] = "1"
    return c_programs.build(build / "afl", *SANITIZED, target="runnel_fuzzers") / "fuzz"


def adopt() -> None:
    """Makes this process the parent of what its children leave behind."""
    pr_set_child_subreaper = 36
    ctypes.CDLL(None).prctl(pr_set_child_subreaper, 1)


def bury(seconds: float = 10) -> None:
    """Waits for what was left behind: AFL++ kills the program that it ran and does not, and then nobody would count the
    time that this took."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.05)
        except ChildProcessError:
            return


def fuzz(program: Path, seeds: Path, out: Path, seconds: int, seed: int, *options: str) -> str:
    """Fuzzes for so long, continuing where it stopped the last time, and returns its output."""
    limits = ["-V", str(max(1, seconds)), "-s", str(seed), "-t", "60000", "-m", "none"]
    adopt()
    done = subprocess.run(
        ["afl-fuzz", "-i", seeds, "-o", out, *limits, *options, "--", program],
        env={**os.environ, **SURROUNDINGS},
        text=True,
        errors="replace",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    bury()
    if done.returncode:
        raise OSError(f"afl-fuzz: status {done.returncode}: {re.sub(chr(27) + '[^m]*m', '', done.stdout)[-400:]}")
    return done.stdout


def executed(out: Path) -> int:
    """Return how many inputs all runs have tried."""
    stats = out / "default" / "fuzzer_stats"
    found = re.search(r"^execs_done +: (\d+)", stats.read_text(), re.MULTILINE) if stats.exists() else None
    return int(found[1]) if found else 0


def report_of(program: Path, crash: Path) -> str:
    """Return the program's output for an input."""
    environment = {**os.environ, **SURROUNDINGS}
    done = subprocess.run(
        [program, crash], env=environment, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    return done.stdout


def saved(out: Path) -> set[Path]:
    """Inputs that crashed or hung."""
    return {path for kind in ("crashes", "hangs") for path in (out / "default" / kind).glob("id:*")}


def run_one(work: Work, name: str, program: Path, seconds: float, seed: int, *options: str) -> list[tuple[Path, str]]:
    """Fuzzes one target, adds what it found to the inputs of its folder, and returns what crashed, with the reports."""
    folder = work.folder / name
    seeds, out, inputs = folder / "seeds", folder / "afl", folder / "corpus"
    corpus.unpack(name, seeds)
    inputs.mkdir(parents=True, exist_ok=True)
    if not any(seeds.iterdir()):
        (seeds / "nothing").write_bytes(b"\0")  # it wants one
    known, before = saved(out), executed(out)
    fuzz(program, seeds, out, int(seconds), seed, *options)
    after = executed(out)
    found = sorted(saved(out) - known)
    work.add(f"inputs of {name} under AFL++", after - before if after >= before else after, "inputs", len(found))
    for path in (out / "default" / "queue").glob("id:*"):
        corpus.keep(path.read_bytes(), inputs)
    return [(path, report_of(program, path)) for path in found]
