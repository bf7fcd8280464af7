# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Valgrind and MSan on code of gcc 12, clang 14 and clang 19 at -Os, -O1, -O3, -O0 and for x86-64-v3 or this CPU.

What users get, -O2, is watched by tests/test_c_constant_time.py. Of each build: every kind of planted leak, every kernel
that claims constant time and that the tool can run, all MACs and AEADs. Builds that the fewest recorded runs have found clean
come first."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from c_programs import BUILD, REPORTED, build, check
from constant_time import BLIND, ELSEWHERE, WATCHED, leaks, missed_leaks, reports, watch, words

from campaign import programs
from campaign.work import Work

GOALS = ("G16",)

COMPILERS = ("gcc", "clang-14", "clang-19")
LEVELS = ("-Os", "-O1", "-O3")
LEAKS, KERNELS, OTHERS = "planted leaks", "kernels", "MACs and AEADs"  # what is counted of each build
CLEAN = ": 0 branches or addresses depend on secrets"


@dataclass(frozen=True)
class Watched:
    """One build, and the tool that watches it."""

    compiler: str
    flags: str
    tool: str = "valgrind"

    def __str__(self) -> str:
        return f"{self.compiler} {self.flags}, {self.tool}"

    def folder(self) -> Path:
        name = f"{'msan' if self.tool == 'msan' else self.compiler}{self.flags.replace(' -march=x86-64', '')}"
        options = [f"-DCMAKE_C_COMPILER={self.compiler}", "-DRUNNEL_WERROR=OFF"]
        options += ["-DCMAKE_BUILD_TYPE=Level", f"-DCMAKE_C_FLAGS_LEVEL={self.flags}"]
        if self.tool == "msan":
            options.append("-DRUNNEL_SANITIZE=memory")
        for target in ("runnel-secrets", "runnel-macs", "runnel-aeads"):
            found = build(BUILD / "levels" / name.replace(" -march=", "-"), *options, target=target)
        return found


BUILDS = [
    *(Watched(compiler, level) for level in LEVELS for compiler in COMPILERS),
    *(Watched("clang-19", level, "msan") for level in LEVELS),
    *(Watched(compiler, "-O2 -march=x86-64-v3") for compiler in COMPILERS),
    Watched("clang-19", "-O2 -march=native", "msan"),
    Watched("clang-19", "-O0", "msan"),
    *(Watched(compiler, "-O0") for compiler in COMPILERS),  # which take many times as long
]


def kernels_of_ciphers(one: Watched, folder: Path, work: Work) -> None:
    asked = [k for k in WATCHED if k.timing == "constant-time" and k.available]
    asked = [k for k in asked if bool(ELSEWHERE & set(k.features)) == (one.tool == "msan")]
    done = watch(one.tool, folder, "runnel-secrets", "run", *words(asked))
    seen = reports(done.stdout)
    # MSan cannot follow assembly, and its build has none.
    missing = {str(k) for k in asked if f"this build has no {k.name}:" not in done.stdout} - seen.keys()
    wrong = [f"{name}, {count} reports" for name, (count, _) in seen.items() if count]
    wrong += [f"{name}, which {one.tool} lost track of" for name, (_, whole) in seen.items() if not whole]
    if missing:  # where MSan ends the program
        wrong.append(f"{sorted(missing)[0]}, status {done.returncode}, and {len(missing) - 1} after it")
    elif done.returncode not in (0, REPORTED):
        wrong.append(f"status {done.returncode}")
    work.add(f"{KERNELS}, {one}", len(seen), "kernels", len(wrong))
    for text in wrong:
        work.finding(f"{one}: {text}")


def macs_and_aeads(one: Watched, folder: Path, work: Work) -> None:
    macs = [line.split()[0] for line in check("runnel-macs", "list", folder=folder).splitlines()]
    aeads = []
    for line in check("runnel-aeads", "list", folder=folder).splitlines():
        name, kernel, features, timing, available = line.split()[:5]
        runs = bool(ELSEWHERE & set(features.split(","))) == (one.tool == "msan")
        if timing == "constant-time" and available == "1" and "-192-" not in name and runs:
            aeads += [name, kernel]
    for program, asked, count in (("runnel-macs", macs, len(macs)), ("runnel-aeads", aeads, len(aeads) // 2)):
        done = watch(one.tool, folder, program, "secrets", *asked)
        clean = [line for line in done.stdout.splitlines() if line.endswith(CLEAN)]
        wrong = done.returncode != 0 or len(clean) != count
        work.add(f"{OTHERS}, {one}", len(clean), "names and kernels", int(wrong))
        if wrong:
            last = re.findall(r"^.*secrets$", done.stdout, re.MULTILINE)[-1:]
            work.finding(f"{one}: {program}, status {done.returncode}, {len(clean)} of {count} clean, last {last}")


def examine(one: Watched, work: Work) -> None:
    try:
        folder = one.folder()
    except pytest.fail.Exception as error:
        work.finding(f"{one}: not built: {str(error)[-300:]}")
        return
    missed = missed_leaks(one.tool, folder) - BLIND[one.tool]
    work.add(f"{LEAKS}, {one}", len(set(leaks(folder)) - BLIND[one.tool]), "leaks", len(missed))
    if missed:
        work.finding(f"{one}: planted leaks that were not seen, or `clean` that was: {' '.join(sorted(missed))}")
    kernels_of_ciphers(one, folder, work)
    macs_and_aeads(one, folder, work)


def run(work: Work) -> None:
    work.expect((f"{KERNELS}, {one}" for one in BUILDS), "kernels")
    recorded = programs.Recorded(work, "constant_time")
    for one in recorded.seldom_first(BUILDS, lambda one: [f"{what}, {one}" for what in (LEAKS, KERNELS, OTHERS)]):
        if not work.left():
            break
        examine(one, work)
