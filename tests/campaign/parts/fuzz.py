# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Fuzz targets under libFuzzer and atheris, with ASan and UBSan, and AFL++, with ASan; what crashes one is kept and named.

A target is fuzzed until it has had the time that the goals ask for, by all engines and builds together; then the next has
its turn, those first that lack least. Each has its folder in build/campaign/fuzz: corpus, which grows from run to run, and
crashes. --only "streams,.*-under-afl" runs these alone. Seeds of libFuzzer differ from target to target. What a target was
given is counted in processor seconds: on a busy machine the clock says little."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import c_programs
from c_programs import ROOT
from fuzz import corpus, python_targets

from campaign import afl, programs
from campaign.work import Work, time_of_children

GOALS = ("G7", "G19", "G20", "G23")

SANITIZED = ("-DCMAKE_C_COMPILER=clang-19", "-DRUNNEL_SANITIZE=fuzzer-no-link,address,undefined")
SINGLE = "-of-the-single-file"
"""Arguments behind the names of the same targets, built from tools/amalgamate's output."""
IN_THE_SINGLE_FILE = ("streams", "aeads", "macs")
SECONDS = "processor seconds"
CRASHES_MOST = 5
LEAST = 20
"""Seconds: with less a run of a target is not begun."""
LONGEST = {"provider": 700, "srtp": 1200, "names": 200}
"""Bytes of an input, 400 if not given; of the targets in Python 1500."""
SURROUNDINGS = {
    # Python's own allocations at exit are no leaks; libFuzzer's option for leaks is off for the same reason.
    "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
}


def single_file(build: Path) -> Path:
    """Return the folder with the single file's fuzzers."""
    written = build / "fuzz-single-source"
    subprocess.run([ROOT / "tools" / "amalgamate", "-o", written, "all"], check=True, stdout=subprocess.DEVNULL)
    return c_programs.build(
        build / "fuzz-single", *SANITIZED, f"-DRUNNEL_SINGLE_FILE={written}", target="runnel_fuzzers"
    )


def targets_in_c() -> list[str]:
    return sorted(path.stem.removeprefix("fuzz_") for path in (ROOT / "tests" / "fuzz").glob("fuzz_*.c"))


def fuzzers(build: Path, is_wanted: Callable[[str], bool]) -> dict[str, list[str]]:
    """Return the command of each target that is wanted."""
    commands = {}
    in_c = targets_in_c()
    if any(map(is_wanted, in_c)):
        programs = c_programs.build(build / "fuzz", *SANITIZED, target="runnel_fuzzers") / "fuzz"
        commands = {name: [str(programs / f"fuzz_{name}")] for name in in_c if is_wanted(name)}
    if any(is_wanted(name + SINGLE) for name in IN_THE_SINGLE_FILE):
        programs = single_file(build) / "fuzz"
        for name in IN_THE_SINGLE_FILE:
            if is_wanted(name + SINGLE):
                commands[name + SINGLE] = [str(programs / f"fuzz_{name}")]
    for name in python_targets.TARGETS:
        if is_wanted(name):
            commands[name] = [sys.executable, str(ROOT / "tests" / "fuzz" / "python_targets.py"), name]
    if not afl.installed():
        print("fuzz: without AFL++, which is not installed", file=sys.stderr)
    elif any(is_wanted(name + afl.SUFFIX) for name in in_c):
        programs = afl.programs(build)
        for name in in_c:
            if is_wanted(name + afl.SUFFIX):
                commands[name + afl.SUFFIX] = [str(programs / f"fuzz_{name}")]
    return commands


def reason(report: str) -> str:
    """Return the line that says what went wrong."""
    for pattern in (r"^FAILED .*$", r"^.*runtime error: .*$", r"^\w*(?:Error|Exception): .*$", r"^==\d+== ?ERROR: .*$"):
        if found := re.search(pattern, report, re.MULTILINE):
            return re.sub(r"^==\d+==", "", found[0]).strip()[:300]
    return "it ended without a word"


def longest(name: str) -> int:
    return 1500 if name in python_targets.TARGETS else LONGEST.get(name, 400)


def dictionary_of(name: str) -> Path | None:
    path = ROOT / "tests" / "fuzz" / "dictionaries" / f"{name}.txt"
    return path if path.exists() else None


def target_of(name: str) -> str:
    """Return the target of a command: several engines and builds have the same."""
    return name.removesuffix(SINGLE).removesuffix(afl.SUFFIX)


def time_of(target: str) -> str:
    """Return the name of a target's processor seconds."""
    return f"time of {target}"


def run_one_under_afl(work: Work, name: str, program: str, seconds: float, seed: int) -> None:
    options = ["-G", str(longest(name))]
    if dictionary := dictionary_of(name):
        options += ["-x", str(dictionary)]
    before = time_of_children()
    for path, report in afl.run_one(work, name, Path(program), seconds, seed, *options):
        work.finding(f"{name} under AFL++: {reason(report)}; input {path.relative_to(work.folder)}, seed {seed}")
    work.add(time_of(name), round(time_of_children() - before), SECONDS)


def run_one(
    work: Work, name: str, command: list[str], seconds: float, seed: int, crashes_most: int = CRASHES_MOST
) -> None:
    """Fuzzes one target for so long, or until it has crashed so often."""
    folder = work.folder / name
    inputs, crashes = folder / "corpus", folder / "crashes"
    crashes.mkdir(parents=True, exist_ok=True)
    target = target_of(name)
    corpus.unpack(target, inputs)
    known = {path.name for path in crashes.iterdir()}
    dictionary = dictionary_of(target)
    options = [f"-max_len={longest(name)}", "-len_control=0", "-print_final_stats=1", f"-artifact_prefix={crashes}/"]
    options += ["-timeout=60", "-rss_limit_mb=3000", *([f"-dict={dictionary}"] if dictionary else [])]
    share = Work(seconds, seed, folder, work.build)
    found = 0
    before = time_of_children()
    while share.left() > 1 and found < crashes_most:
        limits = [f"-max_total_time={int(share.left()) or 1}", f"-seed={(seed + found) % 2**31 or 1}"]
        done = subprocess.run(
            [*command, str(inputs), *options, *limits],
            env={**os.environ, **SURROUNDINGS},
            check=False,
            text=True,
            errors="replace",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        tried = re.findall(r"^stat::number_of_executed_units: (\d+)|^#(\d+)\t", done.stdout, re.MULTILINE)
        work.add(
            f"inputs of {name}", max((int(a or b) for a, b in tried), default=0), "inputs", int(done.returncode != 0)
        )
        if done.returncode == 0:
            continue
        found += 1
        new = sorted({path.name for path in crashes.iterdir()} - known)
        known |= set(new)
        crashing = {(crashes / name).read_bytes() for name in new}
        for path in inputs.iterdir():  # else it would be the first to be run the next time
            if path.read_bytes() in crashing:
                path.unlink()
        saved = f"input {', '.join(new)} in {crashes.relative_to(work.folder)}" if new else "no input was saved"
        work.finding(f"{name}: {reason(done.stdout)}; {saved}, seed {seed}")
    work.add(time_of(target), round(time_of_children() - before), SECONDS)
    work.add(f"corpus of {name}", len(list(inputs.iterdir())), "inputs kept")


def run(work: Work) -> None:
    """First what lacks least: a short run that gave some time to each would complete none. When none lacks anything, and
    where there is no time for more than a sample, all share the time."""
    work.expect(map(time_of, [*targets_in_c(), *python_targets.TARGETS]), SECONDS)
    commands = fuzzers(work.build, work.wanted)
    engines = Counter(map(target_of, commands))
    recorded = programs.Recorded(work, "fuzz")
    lacks = {target: recorded.lacks(time_of(target), SECONDS) for target in engines}
    waiting = sorted(
        (name for name in commands if lacks[target_of(name)]),
        key=lambda name: (lacks[target_of(name)], target_of(name)),
    )
    sampled = work.seconds < LEAST * len(commands) or not waiting
    each = work.left() / len(commands)  # without what compiling took
    for number, name in enumerate(commands if sampled else waiting):
        target = target_of(name)
        seconds = each if sampled else min(lacks[target] / engines[target] + LEAST, work.left())
        if not sampled and seconds < LEAST:
            return
        seed = (work.seed + 1000 * number) % 2**31
        if name.endswith(afl.SUFFIX):
            run_one_under_afl(work, target, commands[name][0], seconds, seed)
        else:
            run_one(work, name, commands[name], seconds, seed)
