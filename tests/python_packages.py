# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Python package, built otherwise than `make` does and kept beside it, and its own tests run there."""

from __future__ import annotations

import fcntl
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
import runnel
from c_programs import BUILD, ROOT, build, valgrind
from test_c_sanitizers import sanitized

sys.path.insert(0, str(ROOT / "packaging"))
from wheels import free_threaded

# Of the package and its extension module, without files, stores and the command line.
OWN = tuple(
    f"test_python_{name}.py"
    for name in ("aead", "api", "lifetime", "macs", "names", "nonce_counter", "refusals", "sealed", "srtp", "threads")
)
OWN += ("test_native_segments.py",)


@dataclass(frozen=True)
class Package:
    """place: the folder from which it is imported; build: where its extension module was made; variables: what the
    interpreter needs; python: the command of the interpreter; plugins: options of pytest that it needs."""

    place: Path
    build: Path
    variables: dict[str, str]
    python: tuple[str, ...] = (sys.executable,)
    plugins: tuple[str, ...] = ()

    def run(self, *arguments: str | Path, place: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Runs Python with it, both outputs in one; place: import another copy."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        paths = [place or self.place, *filter(None, [self.variables.get("PYTHONPATH")])]
        environment |= {
            "RUNNEL_BUILD_DIR": str(BUILD),
            **self.variables,
            "PYTHONPATH": os.pathsep.join(map(str, paths)),
        }
        return subprocess.run(
            [*self.python, *map(str, arguments)],
            cwd=ROOT,
            env=environment,
            text=True,
            errors="replace",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def tests(self, *arguments: str) -> tuple[int, int, str]:
        """Runs pytest; how many tests passed and were skipped, and what is wrong, or nothing."""
        done = self.run("-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", *self.plugins, *arguments)
        last = (done.stdout.strip().splitlines() or ["nothing was printed"])[-1]
        counts = {what: int(number) for number, what in re.findall(r"(\d+) (passed|skipped)", last)}
        report = re.search(r"^==\d+==ERROR: .*|^.*runtime error: .*|^==\d+== [A-Z].*", done.stdout, re.MULTILINE)
        failed = re.search(r"^(?:FAILED|ERROR) .*", done.stdout, re.MULTILINE)
        wrong = (report or failed or re.search(".*", last))[0] if done.returncode or report else ""
        return counts.get("passed", 0), counts.get("skipped", 0), wrong


def own_tests(*left_out: str) -> list[str]:
    """Arguments of pytest: those tests, without some."""
    return [*(f"tests/{name}" for name in OWN), *(f"--deselect=tests/{test}" for test in left_out)]


def install(
    name: str, settings: Iterable[str], python: tuple[str, ...] = (sys.executable,), **variables: str
) -> tuple[Path, Path]:
    """Builds the package into build/NAME, once a session; gives that folder, and the one in which CMake worked."""
    place, build_folder = BUILD / name, BUILD / f"{name}-cmake"
    mark = f"RUNNEL_TESTS_BUILT_{name}"
    BUILD.mkdir(parents=True, exist_ok=True)
    with open(BUILD / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if mark not in os.environ:
            pip = [*python, "-m", "pip", "--disable-pip-version-check", "install", "-q", "--no-build-isolation"]
            words = [f"--config-settings={each}" for each in (*settings, f"build-dir={build_folder}")]
            done = subprocess.run(
                [*pip, "--no-deps", "--upgrade", "--target", place, *words, ROOT],
                env={**os.environ, **variables},
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            if done.returncode:
                pytest.fail(f"the package in {name}: {done.stdout[-8000:]}", pytrace=False)
            os.environ[mark] = "1"
    return place, build_folder


# ASan keeps freed memory for a while, so that it sees who uses it.
NOT_UNDER_ASAN = ("test_python_lifetime.py::test_memory_comes_back",)


def under_asan() -> Package:
    """Install the package with ASan and UBSan in the extension module and in the library that is linked into it. Python's
    objects are each allocated alone: in Python's own pools ASan would see nothing."""
    if not shutil.which("clang-19"):
        pytest.skip("clang-19 is not installed")
    library = sanitized("address")["folder"].parent / "librunnel.a"
    settings = {
        "RUNNEL_HISTORIC": "ON",
        "RUNNEL_PAPERS": "ON",
        "RUNNEL_LIBRARY": library,
        "RUNNEL_SANITIZE": "address,undefined",
        "CMAKE_C_COMPILER": "clang-19",
        "CMAKE_C_FLAGS": "-shared-libasan",
    }
    place, build_folder = install("python-asan", (f"cmake.define.{name}={value}" for name, value in settings.items()))
    asked = ["clang-19", f"-print-file-name=libclang_rt.asan-{platform.machine()}.so"]
    runtime = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    variables = {
        "LD_PRELOAD": runtime,
        "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter itself leaves some behind
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
    }
    return Package(place, build_folder, variables)


def under_valgrind() -> Package:
    """Run the package as it is installed; each of Python's objects is an allocation of its own. valgrind sees what depends on
    memory that nobody has written, and what lies outside of any."""
    place = Path(runnel.__file__).parents[1]
    return Package(place, BUILD, {"PYTHONMALLOC": "malloc"}, (*valgrind(), sys.executable))


# It lets one thread run at a time: those that wait for another one would wait for minutes.
NOT_UNDER_VALGRIND = ("test_python_threads.py",)

# Packages that the package's tests import; of cryptography nothing is made for this Python.
NEEDED = ("click", "iniconfig", "numpy", "packaging", "pluggy", "pygments", "pytest")


def _pinned(names: Iterable[str]) -> str:
    """Return the lines of requirements/test.txt about some packages, with their hashes."""
    blocks = re.split(r"^(?=[a-z0-9])", (ROOT / "requirements" / "test.txt").read_text(), flags=re.MULTILINE)
    kept = {block.split("==")[0]: block for block in blocks}
    return "".join(kept[name] for name in names)


def without_the_global_lock() -> Package:
    """Install the package for a Python 3.13 that is compiled without it (PEP 703), with the library of build/. Raises
    artefacts.Missing, artefacts.Failed."""
    python = free_threaded.interpreter()
    build(BUILD)
    packages = BUILD / "python-free-threaded-packages"
    if not (packages / "pytest").exists():
        pins = BUILD / "python-free-threaded.txt"
        pins.write_text(_pinned(NEEDED))
        choice = ["--only-binary=:all:", "--implementation", "cp", "--python-version", "3.13", "--abi", "cp313t"]
        choice += ["--abi", "none", "--platform", f"manylinux_2_28_{platform.machine()}", "--platform"]
        choice += [f"manylinux_2_27_{platform.machine()}", "--no-deps", "--require-hashes", "-r", str(pins)]
        words = ["-m", "pip", "--disable-pip-version-check", "install", "-q", "--target", str(packages), *choice]
        subprocess.run([sys.executable, *words], check=True)
    library = BUILD / "librunnel.a"
    settings = [f"cmake.define.RUNNEL_{name}=ON" for name in ("HISTORIC", "PAPERS")]
    settings.append(f"cmake.define.RUNNEL_LIBRARY={library}")
    # pip and the back end are Python alone: those of this environment.
    tools = next(path for path in map(Path, sys.path) if (path / "scikit_build_core").exists())
    place, build_folder = install(
        "python-free-threaded", settings, python=(str(python),), PYTHONPATH=str(tools), CC="gcc"
    )
    variables = {
        "PYTHONPATH": os.pathsep.join(map(str, (packages, ROOT / "tests", ROOT / "lab"))),
        "RUNNEL_ABSENT_PACKAGES": "cryptography",
    }
    return Package(place, build_folder, variables, (str(python),), ("-p", "absent_packages"))


def lock_is_off(package: Package) -> bool:
    """Tell whether the lock is off: an extension module that does not say that it can do without the lock would bring it
    back."""
    asked = "import numpy, runnel, sys; print('off' if not sys._is_gil_enabled() else 'on')"
    return package.run("-c", asked).stdout == "off\n"
