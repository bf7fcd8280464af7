# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A disk that is full or fails, and signals, at every call of every command that writes: old file or new file.

The n-th call that touches a file fails, n = 1, 2, … until the command is done before it comes to that. A command that
fails says so in its status and in one line; what it was to write is then what it was before, or complete, and nothing
else is left. The same command then works, once the disk does."""

import errno
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import c_programs

from campaign import programs
from campaign.disk import CALLS, Done, Host, Kind, Plan, copied
from campaign.work import Work
from campaign.writers import Writer, begin, contents, prepare, words_of, writers

GOALS = ("G25",)

FAULTS: dict[str, tuple[Kind, int]] = {
    "ENOSPC once": (Kind.FAIL, errno.ENOSPC),
    "EIO once": (Kind.FAIL, errno.EIO),
    "full": (Kind.FULL, errno.ENOSPC),
    "over quota": (Kind.FULL, errno.EDQUOT),
    "half a write, then full": (Kind.SHORT, errno.ENOSPC),
    "half a write": (Kind.SHORT, 0),
    "SIGINT before": (Kind.SIGNAL_BEFORE, signal.SIGINT),
    "SIGTERM after": (Kind.SIGNAL_AFTER, signal.SIGTERM),
    "SIGHUP before": (Kind.SIGNAL_BEFORE, signal.SIGHUP),
    "SIGKILL before": (Kind.SIGNAL_BEFORE, signal.SIGKILL),
    "SIGKILL after": (Kind.SIGNAL_AFTER, signal.SIGKILL),
}
# A failure of these may be made up for: there is another way to give a file its name, and modes are not everywhere.
MAY_PASS = ("open", "link", "unlink", "change mode", "make folder")
SIGNALS = (Kind.SIGNAL_BEFORE, Kind.SIGNAL_AFTER)


def run(work: Work) -> None:
    c_programs.build(work.build)
    base = work.folder / "base"
    shutil.rmtree(base, ignore_errors=True)  # an earlier run's was written by other code
    base.mkdir()
    prepare(base)
    pairs = [(writer, name) for writer in writers(base) for name in FAULTS]
    work.expect(map(_figure, pairs), "runs")
    with Host(work.build) as host:
        for pair in programs.Recorded(work, "disk").seldom_first(pairs, lambda pair: [_figure(pair)]):
            if not work.left():
                break
            tried, complaints = every_call(host, base, *pair)
            work.add(_figure(pair), tried, "runs", len(complaints))
            for complaint in complaints:
                work.finding(complaint)


def _figure(pair: tuple[Writer, str]) -> str:
    writer, fault = pair
    return f"{writer.name}: {fault}"


def every_call(host: Host, base: Path, writer: Writer, name: str, most: int = 1000) -> tuple[int, list[str]]:
    """Runs the writer with the fault at its first call, its second, and so on; returns how often, and what was wrong."""
    kind, value = FAULTS[name]
    complaints = []
    for at in range(1, most):
        with copied(base) as folder:
            before = begin(writer, folder)
            there = set(_names(folder))
            done = host.run(folder, words_of(writer, folder), Plan(kind, at, int(value)), stdout=writer.stdout)
            if not done.hit:
                return at, complaints + [f"{writer.name}: {each}" for each in _wrong_without(writer, folder, done, at)]
            where = f"{writer.name}, {name} at call {at} ({done.hit})"
            complaints += [f"{where}: {each}" for each in _wrong(writer, folder, before, there, done, kind, value)]
            complaints += [f"{where}: {each}" for each in _wrong_again(host, writer, folder, before, done)]
    return most, [*complaints, f"{writer.name}: more than {most} calls"]


def _names(folder: Path) -> Iterator[str]:
    for place, _, files in os.walk(folder):
        for file in files:
            yield os.path.relpath(os.path.join(place, file), folder)


def _wrong(
    writer: Writer, folder: Path, before: dict[str, bytes | None], there: set[str], done: Done, kind: Kind, value: int
) -> Iterator[str]:
    is_command = not isinstance(writer.what, str)  # a program's own signals and messages are its affair
    after = contents(writer, folder)
    complete = {name: data is not None and writer.complete[name](data) for name, data in after.items()}
    for name, data in after.items():
        if data != before[name] and not complete[name]:
            yield f"{name} is neither the old file nor the new one: {None if data is None else len(data)} bytes"
        if done.status == writer.status and not complete[name]:
            yield f"status {done.status}, and {name} is not what it should be"
    failed = done.status > 0 and done.status != writer.status
    if done.status > 0 and not _one_line(done.stderr):
        yield f"status {done.status} with {done.stderr!r}"
    if not done.status and done.stderr and is_command:
        yield f"status 0 with {done.stderr!r}"
    if kind in SIGNALS:
        if value != signal.SIGKILL and done.status not in (writer.status, 128 + value) and is_command:
            yield f"status {done.status} after the signal"
    elif done.status == writer.status and done.hit not in _harmless(kind, value):
        yield f"status {done.status}"
    left = {name for name in _names(folder) if _is_temporary(name)} - there
    if left and done.status >= 0 and done.hit != "unlink":
        yield f"left behind: {sorted(left)}"
    is_one = is_command and list(writer.complete) == ["out"]
    if is_one and failed and kind not in SIGNALS and after != before and "in place and complete" not in done.stderr:
        yield f"it is in place, and the line does not say so: {done.stderr!r}"


def _wrong_without(writer: Writer, folder: Path, done: Done, at: int) -> Iterator[str]:
    """Return what is wrong where the fault never came: the command does its work; a refused command line touches no file."""
    if at == 1:
        yield "no call met the fault"
    if done.status != writer.status:
        yield f"without the fault, status {done.status}: {done.stderr!r}"
    for name, data in contents(writer, folder).items():
        if data is None or not writer.complete[name](data):
            yield f"without the fault, {name} is not what it should be"


def _harmless(kind: Kind, value: int) -> tuple[str, ...]:
    """Return the calls whose fault the writer may make up for."""
    if kind == Kind.SHORT and not value:
        return CALLS
    return MAY_PASS if kind == Kind.FAIL else (*MAY_PASS, "sync")  # which takes no room


def _wrong_again(
    host: Host, writer: Writer, folder: Path, before: dict[str, bytes | None], done: Done
) -> Iterator[str]:
    """Check that after a failure that changed nothing the same command works, and leaves nothing else."""
    if writer.slow or done.status == writer.status or not writer.complete or contents(writer, folder) != before:
        return
    again = host.run(folder, words_of(writer, folder), stdout=writer.stdout)
    if again.status != writer.status:
        yield f"once more, it ends with status {again.status}: {again.stderr!r}"
    for name, data in contents(writer, folder).items():
        if data is None or not writer.complete[name](data):
            yield f"once more, {name} is not what it should be"
    if left := [name for name in _names(folder) if _is_temporary(name)]:
        yield f"once more, left behind: {left}"


def _is_temporary(name: str) -> bool:
    return name.endswith(".tmp") and os.path.basename(name).startswith(".")


def _one_line(stderr: str) -> bool:
    return stderr.endswith("\n") and stderr.count("\n") == 1 and "Traceback" not in stderr and len(stderr) > 12
