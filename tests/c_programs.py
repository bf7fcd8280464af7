# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Build the C test programs and run them. RUNNEL_BUILD_DIR names the build directory, default build/."""

import fcntl
import functools
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("RUNNEL_BUILD_DIR") or ROOT / "build").resolve()

# Where files of ours may lie that were changed, below src/: for tests that compile some themselves (mutation/trial.py).
CHANGED = Path(os.environ.get("RUNNEL_TESTS_CHANGED") or ROOT)

CLANG = ("-DCMAKE_C_COMPILER=clang-19", "-DRUNNEL_WERROR=ON")
# The compilers whose code is watched, each with its folder in build/ and its options; gcc's is what users get.
COMPILERS = {
    "gcc": ("", ()),
    "clang-14": ("clang-14", ("-DCMAKE_C_COMPILER=clang-14", "-DRUNNEL_WERROR=OFF")),
    "clang-19": ("clang", CLANG),
}
REPORTED = 9  # the status of a program about which valgrind or MSan has reported something
VALGRIND = ["valgrind", "-q", "--error-limit=no", f"--error-exitcode={REPORTED}"]
VALGRIND += [f"--suppressions={ROOT / 'tests' / 'valgrind.supp'}"]
# As parameters of tests: clang's code is watched in the campaign.
CAMPAIGN = [pytest.mark.builds, pytest.mark.campaign]
each_compiler = pytest.mark.parametrize(
    "compiler", [pytest.param(name, marks=CAMPAIGN if folder else []) for name, (folder, _) in COMPILERS.items()]
)


def build(folder: Path, *options: str, target: str = "runnel_tests") -> Path:
    """Configure and build the test programs in a folder, once a session, also with several workers."""
    mark = f"RUNNEL_TESTS_BUILT_{folder.name}_{target}"
    if mark not in os.environ:
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / ".tests.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            generator = [] if (folder / "CMakeCache.txt").exists() or not shutil.which("ninja") else ["-G", "Ninja"]
            _run(
                "cmake",
                "-S",
                str(ROOT),
                "-B",
                str(folder),
                *generator,
                "-DRUNNEL_HISTORIC=ON",
                "-DRUNNEL_PAPERS=ON",
                "-DRUNNEL_PRECOMPILE=ON",
                *options,
            )
            _run("cmake", "--build", str(folder), "--target", target, "-j", str(jobs()))
        os.environ[mark] = "1"
    return folder / "tests"


def valgrind() -> list[str]:
    """Return the command that runs a program under valgrind; skip the test where that is not installed."""
    if not shutil.which("valgrind"):
        pytest.skip("valgrind is not installed")
    return VALGRIND


def build_with_msan() -> Path:
    """Build the programs that run under MSan, for tests of the campaign: they take longer to compile than any others."""
    if not shutil.which("clang-19"):
        pytest.skip("clang-19, which has MSan, is not installed")
    return build(BUILD / "sanitize-memory", "-DCMAKE_C_COMPILER=clang-19", "-DRUNNEL_SANITIZE=memory")


def jobs() -> int:
    """Return the number of jobs of a build in this process: all processors, because the other workers often wait for the same
    build."""
    return len(os.sched_getaffinity(0))


def build_with(compiler: str, *targets: str) -> Path:
    """Build test programs with one of COMPILERS; skip the test where it is not installed."""
    folder, options = COMPILERS[compiler]
    if not folder:
        return build(BUILD)
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    for target in targets:
        result = build(BUILD / folder, *options, target=target)
    return result


def _run(*command: str) -> None:
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        pytest.fail(f"{' '.join(command)}\n{done.stdout[-8000:]}", pytrace=False)


def run(
    program: str | Path,
    *arguments: str | Path,
    folder: Path | None = None,
    wrapper: list[str] | None = None,
    timeout: float = 300,
    **variables: str,
) -> subprocess.CompletedProcess:
    """Run a test program and give its status and output."""
    environment = {k: v for k, v in os.environ.items() if k != "RUNNEL_CPU"} | variables
    path = (folder or build(BUILD)) / program
    return subprocess.run(
        [*(wrapper or []), path, *map(str, arguments)],
        env=environment,
        text=True,
        timeout=timeout,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def check(program: str | Path, *arguments: str | Path, **options) -> str:
    """Run a test program that must succeed; give its output."""
    done = run(program, *arguments, **options)
    if done.returncode == 77:
        pytest.skip(done.stdout.strip() or "this CPU has no such kernel")
    if done.returncode != 0:
        pytest.fail(
            f"{program} {' '.join(map(str, arguments))}: status {done.returncode}\n{done.stdout[-4000:]}", pytrace=False
        )
    return done.stdout


def link_mutant(
    folder: Path,
    file: str,
    source: str,
    program: str,
    main: str | Path | tuple[Path, ...],
    change: Callable[[bytes], bytes] | None,
    *flags: str,
    compiler: str | None = None,
) -> Path:
    """Compile source with a copy of file (both below src) that is changed, link it before the library with
    the program's own main (a name below tests/c, or what it was compiled to, or its source), and return the new
    program. The compiler is CC's by default, the flags -O1."""
    assert (build(BUILD) / program).exists()
    shutil.copytree(ROOT / "src" / Path(file).parent, folder / Path(file).parent)  # the rest is found behind it
    if change is not None:
        (folder / file).write_bytes(change((folder / file).read_bytes()))
    includes = [folder, ROOT / "src", ROOT / "include", BUILD / "generated", BUILD / "generated" / "runnel"]
    copy = folder / source if (folder / source).exists() else ROOT / "src" / source
    compiled = BUILD / "tests" / "CMakeFiles" / f"{program}.dir" / "c" / f"{main}.o"
    objects = (compiled,) if isinstance(main, str) else (main,) if isinstance(main, Path) else main
    _run(
        compiler or os.environ.get("CC") or "cc",
        *("-std=c11", *(flags or ["-O1"]), "-w"),
        *(f"-I{path}" for path in includes),
        *(str(path) for path in (copy, *objects, BUILD / "librunnel.a")),
        *("-o", str(folder / "mutant")),
    )
    return folder / "mutant"


@dataclass(frozen=True)
class Kernel:
    cipher: str
    name: str
    features: tuple[str, ...]
    timing: str
    available: bool
    reference: bool
    directional: bool

    def __str__(self) -> str:
        return f"{self.cipher}/{self.name}"

    def need(self) -> None:
        """Skip the test where this CPU cannot run the kernel."""
        if not self.available:
            pytest.skip(f"this CPU lacks one of: {', '.join(self.features)}")


@functools.cache
def kernels() -> list[Kernel]:
    """List every kernel of every cipher, from the registry of the library itself."""
    lines = check("runnel-properties", "list").splitlines()
    result = []
    for cipher, name, features, timing, available, reference, directional in map(str.split, lines):
        result.append(
            Kernel(
                cipher,
                name,
                tuple(f for f in features.split(",") if f != "-"),
                timing,
                available == "1",
                reference == "1",
                directional == "1",
            )
        )
    return result


def ciphers() -> list[str]:
    return sorted({kernel.cipher for kernel in kernels()})


def copy_inventory(tree: Path) -> None:
    """Give a copy of the source tree what its own build would have written."""
    build(BUILD, target="inventory")
    (tree / "build").mkdir(exist_ok=True)
    shutil.copy2(BUILD / "inventory.json", tree / "build")
