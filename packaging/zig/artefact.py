# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The C library for macOS and Windows, compiled and linked; programs with it are run where something here can."""

from __future__ import annotations

import os
import shutil
import struct
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import unpacked
from artefacts import ROOT, Artefact, call
from zig import compiler

PROGRAM = ROOT / "tests" / "consumers" / "program.c"
WINE = ("wine64", "libwine", "libunwind8", "libfontconfig1", "libfreetype6", "libgnutls30", "libz-mingw-w64")


@dataclass(frozen=True)
class Library:
    name: str
    what: str
    target: compiler.Target
    machine: int
    """As the header of a program has it."""

    @property
    def windows(self) -> bool:
        return self.target.system == "Windows"


def build(library: Library, folder: Path) -> str:
    options = [*library.target.options(), "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_INSTALL_PREFIX={folder / 'prefix'}"]
    call("cmake", "-S", ROOT, "-B", folder / "build", "-G", "Ninja", *options)
    targets = ["runnel_static", "runnel_shared", "runnel-vectors"]
    call("cmake", "--build", folder / "build", "--target", *targets)
    call("cmake", "--install", folder / "build")
    prefix = folder / "prefix"
    linked = {
        "program-static.exe": [prefix / "lib" / "librunnel.a"],
        "program-shared.exe": [prefix / "lib" / "librunnel.dll.a"]
        if library.windows
        else ["-L", prefix / "lib", "-lrunnel"],
    }
    for name, libraries in linked.items():
        words = ["-std=c11", "-O2", f"-I{prefix / 'include'}", PROGRAM, *libraries, "-o", folder / name]
        call(library.target.tools() / "cc", *words)
        assert machine(folder / name) == library.machine, name
    if library.target.system == "Darwin":
        dylib = (prefix / "lib" / "librunnel.dylib").read_bytes()
        assert b"@rpath/librunnel." in dylib and bytes(folder) not in dylib, "it names the folder that it was built in"
    return compiler.version()


def machine(program: Path) -> int:
    """Return the processor that its header names: of a PE or of a Mach-O file."""
    data = program.read_bytes()
    if data[:2] == b"MZ":
        at = struct.unpack_from("<I", data, 0x3C)[0]
        assert data[at : at + 4] == b"PE\0\0"
        return int(struct.unpack_from("<H", data, at + 4)[0])
    magic, cpu = struct.unpack_from("<II", data)
    assert magic == 0xFEEDFACF, hex(magic)
    return int(cpu)


def run(library: Library, folder: Path) -> str:
    if (library.target.system, library.target.processor) != ("Windows", "AMD64"):
        return f"never: compiled and linked; nothing here runs programs of {library.what.split(' for ')[1]}"
    wine, variables = unpacked_wine(folder)
    shutil.copy(folder / "prefix" / "bin" / "librunnel.dll", folder)
    for name in ("program-static.exe", "program-shared.exe"):
        call(wine, folder / name, env=variables)
    vectors = sorted((ROOT / "src").glob("ciphers/*/vectors.txt"))
    output = call(wine, folder / "build" / "tests" / "runnel-vectors.exe", *vectors, env=variables)
    assert output.count(" vectors") > 60, output
    wine_version = call(wine, "--version", env=variables).split()[0].removeprefix("wine-")
    return f"wine {wine_version}: every vector of the ciphers"


def unpacked_wine(folder: Path) -> tuple[Path, dict[str, str]]:
    root = unpacked.packages("wine", "amd64", WINE)
    libraries = root / "usr" / "lib" / "x86_64-linux-gnu"
    server = root / "usr" / "lib" / "wine" / "wineserver"  # a script of Debian's that looks in /usr alone
    if not server.is_symlink():
        server.unlink()
        server.symlink_to("wineserver64")
        zlib = next(root.glob("usr/x86_64-w64-mingw32/**/zlib1.dll"))  # by a link to /usr too
        place = libraries / "wine" / "x86_64-windows" / zlib.name
        place.unlink(missing_ok=True)
        shutil.copy(zlib, place)
    variables = {
        "WINEPREFIX": str(folder / "wine"),
        "WINELOADER": str(root / "usr" / "lib" / "wine" / "wine64"),
        "WINEDLLPATH": str(libraries / "wine"),
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": "mscoree,mshtml=",
        "LD_LIBRARY_PATH": f"{libraries}:{os.environ.get('LD_LIBRARY_PATH', '')}".rstrip(":"),
    }
    return root / "usr" / "lib" / "wine" / "wine64", variables


def target(triple: str, system: str, processor: str) -> compiler.Target:
    """Return the target, without what zig writes for debuggers if nobody says otherwise: it names the folders of sources and
    compiler."""
    return compiler.Target(triple, system, processor, ("-s",))


LIBRARIES = [
    Library(
        "macos-arm64",
        "C library for macOS on Apple's processors",
        target("aarch64-macos", "Darwin", "arm64"),
        0x0100000C,
    ),
    Library("macos-x86-64", "C library for macOS on x86-64", target("x86_64-macos", "Darwin", "x86_64"), 0x01000007),
    Library(
        "windows-x86-64", "C library for Windows on x86-64", target("x86_64-windows-gnu", "Windows", "AMD64"), 0x8664
    ),
    Library(
        "windows-arm64", "C library for Windows on AArch64", target("aarch64-windows-gnu", "Windows", "ARM64"), 0xAA64
    ),
]

ARTEFACTS = [
    Artefact(
        library.name,
        library.what,
        partial(build, library),
        partial(run, library),
        needs=("cmake", "ninja"),
        shipped=("prefix/**/*",),
        tried_by="test_compilers.py::test_clang_takes_every_file",
    )
    for library in LIBRARIES
]
