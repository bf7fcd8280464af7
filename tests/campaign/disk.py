# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the command line with tests/c/disk.c preloaded, where a disk fails, or a signal comes, at a chosen call.

The interpreter starts once; each run is a fork of it, so that thousands of runs take minutes.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import importlib
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Kind(IntEnum):
    """As in disk.c."""

    NOTHING = 0
    FAIL = 1
    FULL = 2
    SHORT = 3
    SIGNAL_BEFORE = 4
    SIGNAL_AFTER = 5


CALLS = (
    "", "open", "create", "write", "truncate", "sync", "rename", "link", "unlink", "make folder", "change mode"
)  # fmt: skip
_RECORD = struct.Struct("<IIIIQQ")
_LONGEST_SECONDS = 60
"""A run that takes longer hangs; SIGALRM ends it."""


@dataclass(frozen=True)
class Plan:
    """The fault of call number `at` of those that touch the folder."""

    kind: Kind = Kind.NOTHING
    at: int = 0
    value: int = 0
    """An error's number or a signal's."""


@dataclass(frozen=True)
class Call:
    """One line of the log: a call that did something."""

    what: str
    path: str
    other: str
    inode: int
    offset: int
    data: bytes


@dataclass
class Done:
    """A run: how it ended, how many calls touched the folder, and what the one was that the plan met ('': none)."""

    status: int
    stderr: str
    count: int
    hit: str
    calls: list[Call] = field(default_factory=list)


def shim(build: Path) -> Path:
    """Return the library to preload, which c_programs.build() makes."""
    return build / "tests" / "runnel-disk.so"


class Host:
    """The interpreter whose forks run."""

    def __init__(self, build: Path) -> None:
        environment = {**os.environ, "LD_PRELOAD": str(shim(build)), "PYTHONPATH": str(HERE.parent)}
        environment["RUNNEL_DISK"] = str(shim(build))
        environment.pop("RUNNEL_CPU", None)
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).resolve())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def __enter__(self) -> Host:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def run(
        self,
        folder: Path,
        what: list[str] | str,
        plan: Plan = Plan(),
        *,
        stdout: str = "",
        log: bool = False,
        clock: int = 0,
        environment: dict[str, str] | None = None,
    ) -> Done:
        """Runs a command line, or Python code, in the folder. stdout: a file there. log: note all calls. clock: how many
        seconds it is ahead."""
        assert self._process.stdin is not None and self._process.stdout is not None
        with tempfile.TemporaryDirectory(prefix="disk-") as scratch:
            job = {
                "folder": os.path.realpath(folder),
                "what": what,
                "plan": [int(plan.kind), plan.at, plan.value],
                "stdout": stdout,
                "stderr": f"{scratch}/stderr",
                "log": f"{scratch}/log" if log else "",
                "clock": clock,
                "environment": environment or {},
            }
            self._process.stdin.write(json.dumps(job) + "\n")
            self._process.stdin.flush()
            answer = json.loads(self._process.stdout.readline())
            stderr = Path(scratch, "stderr").read_text(errors="replace")
            calls = list(_calls(Path(scratch, "log").read_bytes())) if log else []
        return Done(answer["status"], stderr, answer["count"], CALLS[answer["hit"]], calls)


@contextlib.contextmanager
def copied(folder: Path) -> Iterator[Path]:
    """Yield a copy of the folder, to work in, where files are in memory if the system has such a place."""
    memory = "/dev/shm"
    with tempfile.TemporaryDirectory(prefix="disk-", dir=memory if os.access(memory, os.W_OK) else None) as scratch:
        place = Path(scratch, "work").resolve()
        shutil.copytree(folder, place, symlinks=True)
        yield place


def _calls(log: bytes) -> Iterator[Call]:
    at = 0
    while at < len(log):
        call, *lengths, inode, offset = _RECORD.unpack_from(log, at)
        at += _RECORD.size
        texts = []
        for length in lengths:
            texts.append(log[at : at + length])
            at += length
        path, other, data = texts
        yield Call(CALLS[call + 1], os.fsdecode(path), os.fsdecode(other), inode, offset, data)


# The following runs in the interpreter that has the library preloaded.


def _child(library: ctypes.CDLL, job: dict) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    os.environ.update(job["environment"])
    os.chdir(job["folder"])
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    log = os.open(job["log"], flags, 0o600) if job["log"] else -1
    for descriptor, path in ((2, job["stderr"]), (1, job["stdout"] or os.devnull)):
        opened = os.open(path, flags, 0o600)
        os.dup2(opened, descriptor)
        os.close(opened)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    sys.stderr = open(2, "w", closefd=False, errors="backslashreplace")
    sys.stdout = open(1, "w", closefd=False)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(_LONGEST_SECONDS)
    library.disk_watch(os.fsencode(job["folder"]))
    library.disk_clock(ctypes.c_longlong(job["clock"]))
    library.disk_log(log)
    library.disk_plan(*map(ctypes.c_long, job["plan"]))
    status = 0
    try:
        if isinstance(job["what"], str):
            exec(compile(job["what"], "code", "exec"), {"__name__": "__main__"})
        else:
            from runnel.cli import main

            main(job["what"])
    except SystemExit as leaving:
        status = int(leaving.code or 0)
    except BaseException as error:
        print(f"{type(error).__name__}: {error}" if isinstance(error, OSError) else repr(error), file=sys.stderr)
        status = 1
    atexit._run_exitfuncs()  # as an interpreter that ends does
    sys.stderr.flush()
    library.disk_plan(0, 0, 0)
    library.disk_log(-1)
    os._exit(status)


_IMPORTED = (
    *(f"runnel.cli.{name}" for name in ("group", "key_commands", "raw", "sealed")),
    *("runnel_store.cli.command", "runnel_lab.commands.choose", "runnel_lab.commands.report"),
    "cryptography.hazmat.primitives.ciphers.aead",
    "obstore",
)
"""Modules that the commands import: once here, or in every run."""


def _serve() -> None:
    for name in _IMPORTED:
        importlib.import_module(name)
    library = ctypes.CDLL(os.environ["RUNNEL_DISK"])
    library.disk_count.restype = ctypes.c_long
    for line in sys.stdin:
        job = json.loads(line)
        process = os.fork()
        if process == 0:
            try:
                _child(library, job)
            finally:
                os._exit(99)
        _, ended = os.waitpid(process, 0)
        status = os.waitstatus_to_exitcode(ended)
        answer = {"status": status, "count": library.disk_count(), "hit": library.disk_hit()}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    _serve()
