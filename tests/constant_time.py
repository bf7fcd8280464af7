# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Ask valgrind and MSan whether code is constant-time: for test_c_constant_time.py, and for the campaign, which
asks about more compilers and levels of optimization."""

import re
import subprocess
from pathlib import Path

from c_programs import REPORTED, VALGRIND, Kernel, check, kernels, run

ELSEWHERE = {"vaes", "avx512", "gfni"}  # valgrind has no such instructions: kernels with these are MSan's

# The leaks that a tool cannot see, by how it is made: MSan does not check which function is called through a
# pointer. test_instructions.py looks at the indirect jumps of what MSan alone watches.
#
# And where clang "freezes" a value, as from -O2 on it does with the bounds of some loops, MSan takes it for public from there
# on. The program notices that the tool lost the secret (status 1), or MSan at -O1 sees the leak, in the campaign.
BLIND = {"valgrind": set(), "msan": {"pointer"}}

# Feedback mode goes through the same kernels as counter mode: it is watched with one of each cipher. Keys of 192 bits go
# through the same code as those of 128 and 256.
WATCHED = [k for k in kernels() if "-192-" not in k.cipher and (not k.cipher.endswith("-cfb") or k.name == "portable")]


def watch(tool: str, folder: Path, program: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess:
    """Run a program of a build under valgrind, or one that was built with MSan."""
    if tool == "msan":
        return run(program, *arguments, folder=folder, timeout=3600, MSAN_OPTIONS=f"exitcode={REPORTED}", **variables)
    return run(program, *arguments, folder=folder, wrapper=VALGRIND, timeout=3600, **variables)


def reports(output: str) -> dict[str, tuple[int, bool]]:
    """Return, by kernel that ran, how much was reported, and whether the secret was followed into every block."""
    lines = re.findall(r"^(\S+): (\d+) branches or addresses .* tracks (\d+) %$", output, re.MULTILINE)
    return {name: (int(count), percent == "100") for name, count, percent in lines}


def words(those: list[Kernel]) -> list[str]:
    return [word for k in those for word in (k.cipher, k.name)]


def leaks(folder: Path) -> list[str]:
    """Return the kinds that can be planted."""
    return [kind for kind in check("runnel-secrets", "leaks", folder=folder).split() if kind != "clean"]


def missed_leaks(tool: str, folder: Path) -> set[str]:
    """Return the planted leaks that went unnoticed; also `clean`, in which there is none, if something was reported."""
    kinds = leaks(folder)
    missed = {"clean"} if watch(tool, folder, "runnel-secrets", "leak", "clean").returncode != 0 else set()
    if tool == "msan":  # the first report ends the program
        return missed | {kind for kind in kinds if watch(tool, folder, "runnel-secrets", "leak", kind).returncode == 0}
    done = watch(tool, folder, "runnel-secrets", "leak", *kinds)
    times = {
        kind: int(count) for kind, count in re.findall(r"^(\w+): reported (\d+) times$", done.stdout, re.MULTILINE)
    }
    return missed | {kind for kind in kinds if not times.get(kind)}
