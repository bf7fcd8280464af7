# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures how long `runnel encrypt` takes for a file of 1 KiB, in its own format and in age's, beside age and openssl:
nearly all of it is start-up.

    .venv/bin/python bench/start_up.py [--rounds N] [--runnel PROGRAM] [--json]

Whole processes, in turn, and the minimum of each: on the clock, and of processors, which a busy machine disturbs less.
Beside them is Python itself, which does nothing, with and without its module site: no program in Python takes less. A
program that is not installed is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import runnel

BYTES = 1024


def commands(program: str) -> dict[str, list[str]]:
    """Return what is measured, for files in the current folder."""
    passphrase = ["-k", "a passphrase of some length"]
    known = {
        "runnel": [program, "encrypt", "--force", "--key", "key.json", "plain", "out"],
        "runnel, to age": [program, "encrypt", "--force", "--recipients-file", "recipient", "plain", "out"],
        "age": ["age", "--recipients-file", "recipient", "--output", "out", "plain"],
        "openssl": [
            "openssl",
            "enc",
            "-aes-256-ctr",
            "-pbkdf2",
            "-iter",
            "1",
            *passphrase,
            "-in",
            "plain",
            "-out",
            "out",
        ],
        "python": [sys.executable, "-c", ""],
        "python -I -S": [sys.executable, "-I", "-S", "-c", ""],
    }
    return {name: command for name, command in known.items() if shutil.which(command[0])}


def seconds(command: list[str]) -> tuple[float, float]:
    """Run a program once; return the seconds on the clock, and those of processors."""
    started = time.perf_counter()
    process = os.posix_spawnp(command[0], command, os.environ)
    _, status, used = os.wait4(process, 0)
    took = time.perf_counter() - started
    if status:
        raise SystemExit(f"{' '.join(command)}: failed")
    return took, used.ru_utime + used.ru_stime


def measured(program: str, rounds: int) -> dict[str, tuple[float, float]]:
    """Return the milliseconds of each program: on the clock, and of processors."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("plain").write_bytes(os.urandom(BYTES))
        runnel.Keyset.generate().save("key.json")
        Path("recipient").write_text(runnel.Identities.generate().recipients[0] + "\n")
        todo = commands(program)
        runs = [{name: seconds(command) for name, command in todo.items()} for _ in range(rounds)]
        os.chdir("/")
    return {name: (1000 * min(run[name][0] for run in runs), 1000 * min(run[name][1] for run in runs)) for name in todo}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="start-up of runnel beside age and openssl")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--runnel", default=str(Path(sys.executable).with_name("runnel")), metavar="PROGRAM")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measured(str(Path(shutil.which(given.runnel) or given.runnel).absolute()), given.rounds)
    if given.json:
        print(json.dumps(found))
        return
    for name, (clock, processor) in found.items():
        ratio = found["runnel"][0] / clock
        print(f"{name:14} {clock:6.1f} ms, {processor:6.1f} ms of processors; runnel takes {ratio:5.2f} times as long")


if __name__ == "__main__":
    main()
