# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A Python for musl, which Debian does not package: its source of Python 3.11 compiled by zig, and the musl of Debian 13 to
run it, because that of Debian 12, 1.2.3, lacks the relocations (RELR) that wheels of others have. Only the interpreter is
compiled, with the modules that the package and check.py need linked in; the library in Python is the source's own."""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path

import unpacked
from artefacts import CACHE, Missing, call
from zig.compiler import Target

PYTHON = "/usr/bin/python3.11"
"""Runs the parts of the build that are Python; of the same version as the source."""
MODULES = (
    "_asyncio _bisect _blake2 _contextvars _csv _datetime _heapq _json _md5 _opcode _pickle _posixsubprocess _queue _random"
    " _sha1 _sha256 _sha3 _sha512 _socket _statistics _struct _typing array binascii fcntl grp math mmap resource select"
    " termios unicodedata"
)
"""Those in C, beside the ones that no Python is without."""


def interpreter(processor: str) -> tuple[Path, Path]:
    """Returns the program python3.11 for x86_64 or aarch64, in the `bin` of its PYTHONHOME, and the folder in which musl is
    in lib/. It is compiled once, in some minutes; there is no zlib, no ctypes, no ssl. Raises Missing."""
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
    for old in (work, prefix / "lib", prefix / "bin"):
        shutil.rmtree(old, ignore_errors=True)
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
        "MODULE_BUILDTYPE=static",
        *known,
        *(f"{name}={value}" for name, value in programs.items()),
        "CFLAGS=-O1 -g0",
        cwd=work,
    )
    lines = (work / "Modules" / "Setup.stdlib").read_text().splitlines()
    rules = {words[0]: line for line in lines if (words := line.split())}
    (work / "Modules" / "Setup.local").write_text(
        "\n".join(["*static*", *(rules[name] for name in MODULES.split())]) + "\n"
    )
    call("make", "-s", f"-j{len(os.sched_getaffinity(0))}", "python", cwd=work)
    (prefix / "bin").mkdir()
    shutil.move(work / "python", prefix / "bin" / "python3.11")
    (prefix / "lib").mkdir()
    (prefix / "lib" / "python3.11").symlink_to(source / "Lib")
    shutil.rmtree(work)
