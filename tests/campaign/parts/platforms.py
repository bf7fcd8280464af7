# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Other processors, C libraries and compilers' options: vectors, AEADs and properties; UBSan's traps, ASan, valgrind.

32-bit x86, musl, gcc and clang with wrapping and without, UBSan's traps on each word size, AVR among them; the library, the
OpenSSL provider and the Python package under valgrind, the package under ASan and without the global lock too. Big-endian,
AArch64 and Armv7-A are in tests/test_c_cross.py. What there was no time for comes first in the next run. --only
"musl,gcc .*" runs those alone whose names fit."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import openssl_program
import pytest
import python_packages
from c_programs import BUILD, ROOT, VALGRIND, build
from c_programs import run as run_program
from test_vectors import FILES, tally

from campaign.work import Work

sys.path.insert(0, str(ROOT / "packaging"))
import artefacts
import trial

GOALS = ("G20", "G21", "G22", "G24")

TRAPS = ("-fsanitize=undefined", "-fsanitize-undefined-trap-on-error")
AEADS = ("aes-128-gcm", "aes-128-ccm", "aes-128-gcm-siv", "chacha20-poly1305", "ascon-aead128", "aes-128-siv")


class Platform(Protocol):
    @property
    def name(self) -> str: ...

    def __call__(self, work: Work) -> None: ...


def toolchain(name: str) -> str:
    return f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'cmake' / f'{name}.cmake'}"


@dataclass(frozen=True)
class Whole:
    """All of the library, with the options of CMake, and what runs its programs."""

    name: str
    options: tuple[str, ...] = ()
    flags: str = ""
    wrapper: tuple[str, ...] = ()

    @property
    def kernels(self) -> str:
        """Return the figure of the last thing that is run."""
        return f"properties of kernels, {self.name}"

    def __call__(self, work: Work) -> None:
        flags = [f"-DCMAKE_C_FLAGS={self.flags}"] if self.flags else []
        if level := re.search(r"-O\w+", self.flags):  # of a release it would be -O2, whatever is in front of it
            flags += ["-DCMAKE_BUILD_TYPE=Level", f"-DCMAKE_C_FLAGS_LEVEL={level[0]}"]
        folder = build(
            BUILD / "platforms" / self.name.replace(" ", "_"),
            *self.options,
            *flags,
            "-DRUNNEL_WERROR=OFF",
            "-DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON",
            target="runnel_cross_tests",
        )

        def ask(program: str, *arguments: str | Path) -> tuple[str, bool]:
            done = run_program(program, *arguments, folder=folder, wrapper=list(self.wrapper), timeout=3600)
            if done.returncode:
                last = done.stdout.strip().splitlines()[-1:]
                work.finding(f"{self.name}: {program} {' '.join(map(str, arguments))[:80]}: {done.returncode}, {last}")
            return done.stdout, done.returncode != 0

        output, wrong = ask("runnel-vectors", "--most", "300", *FILES)
        work.add(f"vectors, {self.name}", 0 if wrong else sum(tally(output).values()), "vectors", int(wrong))
        for name in AEADS:
            work.add(
                f"properties of AEADs, {self.name}", 1, "AEADs", int(ask("runnel-aeads", "properties", "1", name)[1])
            )
        output, wrong = ask("runnel-properties", "all", "--scale", "600")
        work.add(self.kernels, len(output.splitlines()), "lines of checks", int(wrong))


@dataclass(frozen=True)
class Sensor:
    """Three families in the sensor's program of packaging/, compiled with other options for one processor."""

    processor: trial.Processor
    flags: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.processor.name} {' '.join(self.flags)}"

    def __call__(self, work: Work) -> None:
        folder = work.folder / "three"
        if not (folder / "runnel.c").exists():
            folder.mkdir(parents=True, exist_ok=True)
            trial.amalgamate(folder)
        program = work.folder / "sensor.elf"
        trial.compile_sensor(folder, (*self.processor.compiler, *self.flags), program, "-O1")
        output = trial.output_of(self.processor, program)
        if output != trial.EXPECTED:
            work.finding(f"{self.name}: the sensor's program says something else: {output[-200:]!r}")
        work.add("firmware with other options", 1, "programs", int(output != trial.EXPECTED))


@dataclass(frozen=True)
class Python:
    """The package's own tests with what sees more of its extension module and of the library in it."""

    name: str
    package: Callable[[], python_packages.Package]
    left_out: tuple[str, ...] = ()

    def __call__(self, work: Work) -> None:
        passed, _, wrong = self.package().tests(*python_packages.own_tests(*self.left_out))
        work.add(f"tests of {self.name}", passed, "tests", int(bool(wrong)))
        if wrong:
            work.finding(f"{self.name}: {wrong}")


@dataclass(frozen=True)
class Provider:
    """The OpenSSL provider with each of its algorithms, watched by valgrind."""

    name: str = "the OpenSSL provider under valgrind"

    def __call__(self, work: Work) -> None:
        for test, algorithms in openssl_program.OF_ALGORITHMS.items():
            for algorithm in algorithms if test != "direct" else ():
                done = openssl_program.under_valgrind(openssl_program.module(), test, algorithm)
                work.add(f"tests of {self.name}", 1, "tests", int(done.returncode != 0))
                if done.returncode:
                    report = re.search(r"^==\d+== [A-Z].*|^FAILED .*", done.stdout, re.MULTILINE)
                    work.finding(f"{self.name}: {test} {algorithm}: {(report or [done.returncode])[0]}")


@dataclass(frozen=True)
class PythonWithoutTheLock:
    """The extension module in a Python without the global lock, many times over the tests with threads."""

    name: str = "Python without the global lock"
    repetitions: int = 10

    def __call__(self, work: Work) -> None:
        package = python_packages.without_the_global_lock()
        if not python_packages.lock_is_off(package):
            work.finding(f"{self.name}: the lock is back")
        whole = [each for each in python_packages.own_tests() if "sealed" not in each]  # which needs cryptography
        files = (f"tests/test_python_{name}.py" for name in ("threads", "aead", "nonce_counter"))
        threads = [*files, "-k", "thread and not long_messages"]
        for chosen in (whole, *[threads] * self.repetitions):
            passed, skipped, wrong = package.tests(*chosen)
            work.add(f"tests of {self.name}", passed, "tests", int(bool(wrong)))
            work.add(f"tests of {self.name}, skipped", skipped, "tests")
            if wrong:
                work.finding(f"{self.name}: {wrong}")


PLATFORMS: list[Platform] = [
    *(Sensor(processor, flags) for processor in trial.PROCESSORS.values() for flags in (TRAPS, ("-fwrapv",))),
    Whole("i686", (toolchain("i686-linux-gnu"),)),
    Whole("i686 with UBSan", (toolchain("i686-linux-gnu"),), " ".join(TRAPS)),
    Python("Python under ASan", python_packages.under_asan, python_packages.NOT_UNDER_ASAN),
    Python("Python under valgrind", python_packages.under_valgrind, python_packages.NOT_UNDER_VALGRIND),
    Provider(),
    Whole("valgrind", wrapper=tuple(VALGRIND)),
    PythonWithoutTheLock(),
    Whole("musl", ("-DCMAKE_C_COMPILER=musl-gcc", "-DCMAKE_EXE_LINKER_FLAGS=-static")),
    Whole("s390x with UBSan", (toolchain("s390x-linux-gnu"),), " ".join(TRAPS), ("qemu-s390x",)),
    *(
        Whole(f"{compiler}{flags}", (f"-DCMAKE_C_COMPILER={compiler}",), flags.strip())
        for compiler, flags in (
            ("gcc", " -fwrapv -O3"),
            ("gcc", " -fno-wrapv -fstrict-overflow -O3"),
            ("clang-14", " -fwrapv -O3"),
            ("clang-19", " -fno-wrapv -O3"),
        )
    ),
]


def run(work: Work) -> None:
    shutil.rmtree(work.folder / "three", ignore_errors=True)  # an earlier run's is of other code
    place = work.folder / "next"
    last = place.read_text() if place.exists() else ""
    work.expect((one.kernels for one in PLATFORMS if isinstance(one, Whole)), "lines of checks")
    todo = [one for one in PLATFORMS if work.wanted(one.name)]
    first = next((number for number, one in enumerate(todo) if one.name == last), 0)
    for step in range(len(todo)):
        if not work.left():
            break
        one = todo[(first + step) % len(todo)]
        try:
            one(work)
        except pytest.skip.Exception as missing:
            work.finding(f"{one.name} was not run: {missing}")
        except (
            pytest.fail.Exception,
            artefacts.Failed,
            artefacts.Missing,
            subprocess.SubprocessError,
            OSError,
        ) as error:
            work.finding(f"{one.name}: {str(error)[-400:]}")
        place.write_text(todo[(first + step + 1) % len(todo)].name)
