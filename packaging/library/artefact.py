# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The C library as `make install` gives it, found by CMake and by pkg-config."""

from __future__ import annotations

from pathlib import Path

from artefacts import ROOT, Artefact, call, version

CONSUMERS = ROOT / "tests" / "consumers"


def build(folder: Path) -> str:
    options = ["-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_INSTALL_PREFIX={folder / 'prefix'}"]
    call("cmake", "-S", ROOT, "-B", folder / "build", "-G", "Ninja", *options)
    call("cmake", "--build", folder / "build", "--target", "runnel_static", "runnel_shared")
    call("cmake", "--install", folder / "build")
    return f"{version('cc')}, {version('cmake')}"


def run(folder: Path) -> str:
    """Both libraries, from C and from C++."""
    call("cmake", "-S", CONSUMERS / "cmake", "-B", folder / "use", f"-DCMAKE_PREFIX_PATH={folder / 'prefix'}")
    call("cmake", "--build", folder / "use")
    call("ctest", "--test-dir", folder / "use", "--output-on-failure", "--no-tests=error")
    pkg_config = next((folder / "prefix").glob("lib*/**/pkgconfig"))
    work = folder / "pkg-config"
    work.mkdir()
    call("make", "-f", CONSUMERS / "pkg-config" / "Makefile", cwd=work, env={"PKG_CONFIG_PATH": str(pkg_config)})
    for program in ("static", "shared"):
        call(work / program)
    return "this machine; programs in C and C++, by CMake and by pkg-config"


ARTEFACTS = [
    Artefact(
        "library",
        "headers, static and shared library, files for CMake and pkg-config",
        build,
        run,
        needs=("cmake", "ninja", "cc", "c++", "pkg-config", "make"),
        shipped=("prefix/**/*",),
        tried_by="test_consumers.py::test_pkg_config",
    )
]
