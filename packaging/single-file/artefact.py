# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The library as one C file, one header and one assembly file (tools/amalgamate). For this machine the whole C suite runs
against all of it, for each compiler; for other processors the sensor's program runs with three families."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from artefacts import CACHE, ROOT, Artefact, call, pytest, version
from trial import PROCESSORS, amalgamate, assert_expected, compile_sensor, output_of, where

SUITE = ("properties", "macs", "aeads", "aead", "residue", "constant_time", "peers")
# Not of the single file: other builds, kernels of papers, SRTP, and files of the library that a test compiles itself.
WITHOUT = "not bytes and not clang and not no_fewer and not (aeads and constant_time) and not msan and not srtp"


def build_for_host(compiler: str, folder: Path) -> str:
    amalgamate(folder, ("all", "historic"))
    call(compiler, "-std=c11", "-O1", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", folder / "runnel.c")
    return version(compiler)


def run_for_host(compiler: str, folder: Path) -> str:
    build = CACHE / "single-file" / compiler
    source = build / "source"
    amalgamate(source, ("all", "historic"))
    call("cmake", "-S", ROOT, "-B", build, "-G", "Ninja", f"-DCMAKE_C_COMPILER={compiler}", "-DRUNNEL_HISTORIC=ON",
         f"-DRUNNEL_SINGLE_FILE={source}")  # fmt: skip
    call("cmake", "--build", build, "--target", "runnel_tests")
    files = [f"tests/test_c_{name}.py" for name in SUITE] + ["tests/test_vectors.py"]
    text = pytest("--scale", "100", "-k", WITHOUT, *files, env={"RUNNEL_BUILD_DIR": str(build)})
    passed = re.search(r"^(\d+) passed", text, re.MULTILINE)
    assert passed is not None and "failed" not in text.splitlines()[-1], text[-2000:]
    return f"this machine: {passed[1]} tests of the C suite"


def build_for(name: str, folder: Path) -> str:
    processor = PROCESSORS[name]
    amalgamate(folder)
    compile_sensor(folder, processor.compiler, folder / "sensor.elf")
    return version(processor.compiler[0])


def run_for(name: str, folder: Path) -> str:
    assert_expected(output_of(PROCESSORS[name], folder / "sensor.elf"))
    return where(PROCESSORS[name])


FILES = ("runnel*",)
# Compilers of this machine are given one file, other processors another one.
HOSTS = ("gcc", "clang-19")
FIRST = next(iter(PROCESSORS))
ARTEFACTS = [
    Artefact(
        f"single-file-{compiler.split('-')[0]}",
        f"all of the library in one C file, by {compiler}",
        functools.partial(build_for_host, compiler),
        functools.partial(run_for_host, compiler),
        needs=(compiler, "cmake", "ninja"),
        shipped=FILES if compiler == HOSTS[0] else (),
        same_as="" if compiler == HOSTS[0] else f"single-file-{HOSTS[0]}",
        tried_by="test_single_file.py::test_three_families_run_here",
    )
    for compiler in HOSTS
] + [
    Artefact(
        f"single-file-{name}",
        f"{', '.join(('AES', 'Ascon', 'ChaCha20-Poly1305'))} in one C file, for {name}",
        functools.partial(build_for, name),
        functools.partial(run_for, name),
        needs=processor.needs,
        shipped=FILES if name == FIRST else (),
        same_as="" if name == FIRST else f"single-file-{FIRST}",
        tried_by=f"test_single_file.py::test_three_families_on[{name}]",
    )
    for name, processor in PROCESSORS.items()
]
