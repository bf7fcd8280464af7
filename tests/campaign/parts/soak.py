# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Hours of mixed load: nothing that a process holds drifts, no nonce comes twice, signals and clocks change nothing.

Two thirds of the time a process encrypts, decrypts and fails on purpose, through the package and the command line, and
says after each round what memory, handles and threads it holds. The rest goes to eight processes of 32 threads that share
a keyset and are killed again and again, to commands that get signals at random times, and to clocks that are wrong."""

import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import c_programs
import runnel
from cli_program import PROGRAM

from campaign.disk import Host, copied
from campaign.work import Work
from campaign.writers import begin, contents, prepare, words_of, writers

GOALS = ("G24", "G25")

HERE = Path(__file__).resolve().parent.parent
# The memory of a process must not rise, from the first third of the rounds on, by more than this both a round and in all:
# bytes given out by malloc, Python's objects, and, once malloc keeps what the load needs at most, resident bytes.
RISES = {"allocated": (500, 1 << 19), "objects": (30, 500), "resident": (500, 2 << 20)}
RESIDENT_SETTLES = 300  # rounds
BEGUN = re.compile(
    rf"^runnel: |{re.escape(os.path.dirname(runnel.__file__))}/(?!__init__|__main__|_interrupt)", re.MULTILINE
)
"""Messages that show that our code has begun: a line of its own, or a traceback through it."""
CLOCKS = {
    "1970": -56 * 365 * 86400,
    "an hour back": -3600,
    "2038": 12 * 365 * 86400,
    "2107": 81 * 365 * 86400,
    "2200": 174 * 365 * 86400,
}


def run(work: Work) -> None:
    c_programs.build(work.build)
    random.seed(work.seed)
    whole = work.left()
    clocks(work)
    nonces(work, min(whole / 6, 600))
    signals(work, min(whole / 6, 600))
    load(work, work.left())


def load(work: Work, seconds: float, rounds: int = 20, leaks: Sequence[str] = ()) -> None:
    words = [sys.executable, str(HERE / "soak_worker.py"), str(seconds), str(rounds), str(work.seed), *leaks]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    if done.returncode:
        work.finding(f"the load with seed {work.seed} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    held = [json.loads(line) for line in done.stdout.splitlines()]
    found = list(drifts(held))
    work.add("operations of mixed load", sum(each["done"] for each in held), "operations", int(bool(done.returncode)))
    work.add("rounds after which memory, handles and threads were read", len(held), "rounds", len(found))
    for each in found:
        work.finding(each)
    (work.folder / f"load-{work.seed}.json").write_text(json.dumps(held))


def drifts(rounds: list[dict[str, int]]) -> Iterator[str]:
    """Return the quantities that rise from the first third of the rounds on: memory by a fitted line, handles and
    threads by one."""
    later = rounds[len(rounds) // 3 :]
    if len(later) < 6:
        return
    for what, (a_round, in_all) in RISES.items():
        if what == "resident" and len(rounds) < RESIDENT_SETTLES:
            continue
        slope = slope_of([each[what] for each in later])
        if slope > a_round and slope * len(later) > in_all:
            yield f"{what}: {slope:.0f} more a round, in {len(later)} rounds"
    third = len(later) // 3
    for what in ("handles", "threads"):
        before = max(each[what] for each in later[:third])
        after = min(each[what] for each in later[-third:])
        if after > before:
            yield f"{what}: from at most {before} to at least {after} in {len(later)} rounds"


def slope_of(values: list[int]) -> float:
    """Theil and Sen's line: the median of the slopes between points, which a single step does not move."""
    step = max(1, len(values) // 300)
    points = list(enumerate(values))[::step]
    return statistics.median((b - a) / (j - i) for n, (i, a) in enumerate(points) for j, b in points[n + 1 :])


def nonces(work: Work, seconds: float, processes: int = 8, threads: int = 32, ahead: int = 40, least: int = 1) -> None:
    """Processes that share a keyset, each with its own fixed part and file, killed at random and started again."""
    with tempfile.TemporaryDirectory(prefix="nonces-") as name:
        folder = Path(name)
        runnel.Keyset.generate("cobblestone-128").save(folder / "key.json")
        for number in range(processes):
            fixed = number.to_bytes(4, "big")
            (folder / f"counter{number}").write_text(runnel.NonceCounter(fixed).save())

        def start(number: int) -> subprocess.Popen[bytes]:
            names = [str(folder / each) for each in ("key.json", f"counter{number}", f"used{number}")]
            words = [sys.executable, str(HERE / "nonce_worker.py"), *names, str(threads), str(ahead)]
            return subprocess.Popen(words, stderr=subprocess.PIPE)

        def noted(number: int) -> int:
            file = folder / f"used{number}"
            return file.stat().st_size if file.exists() else 0

        running = {number: (start(number), 0) for number in range(processes)}
        killed = 0
        ended = time.monotonic() + seconds
        while time.monotonic() < ended or killed < least:
            time.sleep(random.uniform(0.05, 0.2))
            number = random.randrange(processes)
            process, before = running[number]
            if noted(number) > before or process.poll() is not None:  # it has used some
                killed += _end(work, process)
                if process.returncode > 0:
                    break
                running[number] = start(number), noted(number)
        for process, _ in running.values():
            _end(work, process)
        used = Counter(
            line for number in range(processes) if (folder / f"used{number}").exists()
            for line in (folder / f"used{number}").read_text().splitlines()
        )  # fmt: skip
    twice = [each for each, count in used.items() if count > 1]
    work.add(
        f"nonces of {processes} processes with {threads} threads each, over one keyset", len(used), "nonces", len(twice)
    )
    work.add("processes killed while they used nonces", int(killed), "processes")
    if twice:
        work.finding(f"{len(twice)} of {len(used)} nonces came twice, as {twice[0]}")


def _end(work: Work, process: subprocess.Popen[bytes]) -> bool:
    """Kills it; whether it was alive, as it should be."""
    alive = process.poll() is None
    process.kill()
    output = process.communicate()[1].decode()
    if not alive:
        work.finding(f"a process that used nonces ended by itself: {output.strip()[-300:]}")
    return alive


def signals(work: Work, seconds: float) -> None:
    """SIGINT, SIGTERM and SIGHUP at random times, from the start of the interpreter on, to every command that writes."""
    ended = time.monotonic() + seconds
    tried = wrong = 0
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        base = Path(name)
        prepare(base)
        commands = [each for each in writers(base) if isinstance(each.what, list) and each.complete and not each.slow]
        while time.monotonic() < ended:
            writer = random.choice(commands)
            number = random.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
            with copied(base) as folder:
                before = begin(writer, folder)
                words = [*PROGRAM, *words_of(writer, folder)]
                process = subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
                delay = random.uniform(0, 0.6)
                time.sleep(delay)
                process.send_signal(number)
                stderr = process.communicate()[1].decode()
                tried += 1
                after = contents(writer, folder)
                fine = all(
                    after[n] == before[n] or (after[n] and check(after[n])) for n, check in writer.complete.items()
                )
                left = [each for each in os.listdir(folder) if each.startswith(".")]
                # Before our code has begun, the system's and the interpreter's own ways of ending: they make no files.
                ours = process.returncode in (writer.status, 128 + number)
                odd = stderr.count("\n") > 1 if ours else process.returncode > 0 and BEGUN.search(stderr)
                if not fine or left or odd:
                    wrong += 1
                    work.finding(
                        f"{writer.name}, {number.name} after {delay:.3f} s: {process.returncode} {stderr!r} {left}"
                    )
    work.add("commands that got a signal at a random time", tried, "runs", wrong)


def clocks(work: Work, some: int | None = None) -> None:
    """Run all that writes, with a clock that is far off, and a store of files whose times are."""
    tried = wrong = 0
    with tempfile.TemporaryDirectory(prefix="soak-") as name, Host(work.build) as host:
        base = Path(name)
        prepare(base)
        every = [each for each in writers(base) if not each.slow]
        for writer in every if some is None else random.sample(every, some):
            for clock, shift in CLOCKS.items():
                with copied(base) as folder:
                    begin(writer, folder)
                    for stamp, file in ((-(1 << 40), "in/a/1"), (0, "in/a/2"), (1 << 40, "in/b/3")):
                        os.utime(folder / file, (stamp, stamp))
                    done = host.run(folder, words_of(writer, folder), stdout=writer.stdout, clock=shift)
                    found = contents(writer, folder)
                    tried += 1
                    if done.status != writer.status or not all(
                        found[n] and check(found[n]) for n, check in writer.complete.items()
                    ):
                        wrong += 1
                        work.finding(f"{writer.name} with a clock of {clock}: status {done.status}, {done.stderr!r}")
    work.add("commands and functions that write, with a wrong clock", tried, "runs", wrong)
