# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A Python without the global lock, which Debian does not package: Debian 13's source of Python 3.13, pinned, compiled with
--disable-gil and used where it was compiled."""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path

import unpacked
from artefacts import CACHE, Missing, call

VERSION, SUITE = "3.13.5", "trixie"
SHA256 = "93e583f243454e6e9e4588ca2c2662206ad961659863277afcdb96801647d640"


def interpreter() -> Path:
    """Returns the program; it is compiled once, in some minutes. Raises Missing."""
    folder = CACHE / "wheels" / f"free-threaded-{VERSION}"
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            _compile(unpacked.source("python3.13", SUITE, SHA256), folder / "work")
            (folder / "done").touch()
    return folder / "work" / "python"


def _compile(source: Path, work: Path) -> None:
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    switches = ("--disable-gil", "--without-ensurepip", "--disable-test-modules")
    call(source / "configure", *switches, "CC=gcc", "CFLAGS=-O1 -g0", cwd=work)
    call("make", "-s", f"-j{len(os.sched_getaffinity(0))}", cwd=work)
    if "_ctypes" in call(work / "python", "-c", "import pkgutil; print([m.name for m in pkgutil.iter_modules()])"):
        shutil.copy(work / "pyconfig.h", source / "Include")  # CMake looks for it beside the other headers
        return
    raise Missing("a Python without _ctypes was made, which some tests need: libffi-dev is not installed")
