# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A Python for musl, which Debian does not package: its source of Python 3.11 compiled by zig, and the musl of Debian 13 to
run it, because that of Debian 12, 1.2.3, lacks the relocations (RELR) that wheels of others have."""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path

import unpacked
from artefacts import CACHE, Failed, Missing, call
from zig.compiler import Target

PYTHON = "/usr/bin/python3.11"
"""Runs the parts of the build that are Python; of the same version as the source."""


def interpreter(processor: str) -> tuple[Path, Path]:
    """Returns the program python3.11 for x86_64 or aarch64, and the folder in which musl is in lib/. It is compiled
    once, in some minutes, and has all modules but those that need other libraries: no zlib, no ctypes, no ssl. Raises
    Missing."""
    musl = unpacked.packages("musl", {"x86_64": "amd64", "aarch64": "arm64"}[processor], ["musl"], "trixie")
    folder = CACHE / "wheels" / f"musl-python-{processor}"
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            _compile(processor, folder)
            (folder / "done").touch()
    return folder / "bin" / "python3.11", musl


def _compile(processor: str, prefix: Path) -> None:
    if not Path(PYTHON).exists():
        raise Missing(f"no {PYTHON}, to compile the Python for musl with")
    source = unpacked.source("python3.11")
    # zig takes __DATE__ for an error.
    flags = ("-dynamic", """-DDATE='"Jan  1 1980"'""", """-DTIME='"00:00:00"'""")
    tools = Target(f"{processor}-linux-musl", "Linux", processor, flags).tools("python")
    work = prefix / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    programs = {
        "PKG_CONFIG": Path("/bin/false"),  # this machine's would find its own zlib, and binascii would want that
        "CC": tools / "cc",
        "AR": tools / "ar",
        "RANLIB": tools / "ranlib",
        "READELF": shutil.which("readelf") or "",
    }
    known = ["ac_cv_file__dev_ptmx=yes", "ac_cv_file__dev_ptc=no", "ac_cv_buggy_getaddrinfo=no"]
    call(
        source / "configure",
        "--build=x86_64-any-linux-musl",  # another than the host, so that it is a cross build; the names of modules say musl
        f"--host={processor}-linux-musl",
        f"--with-build-python={PYTHON}",
        f"--prefix={prefix}",
        "--without-ensurepip",
        "--disable-test-modules",
        *known,
        *(f"{name}={value}" for name, value in programs.items()),
        "CFLAGS=-O1 -g0",
        cwd=work,
    )
    try:
        call("make", "-s", f"-j{len(os.sched_getaffinity(0))}", cwd=work, seconds=3000)
        call("make", "-s", "install", cwd=work)
    except Failed as why:
        (work / "failed.txt").write_text(str(why))
        raise
    shutil.rmtree(work)
