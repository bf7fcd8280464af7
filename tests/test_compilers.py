# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The library's files under LLVM, for the processors that gcc builds them for elsewhere; and CMake where it makes less."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import selection
from c_programs import BUILD, ROOT, build, build_with, check

# Other systems' headers are not here: the library needs few, and these are enough to read it.
HEADERS = ("-ffreestanding", "-DRUNNEL_HOSTED=1", "-isystem", ROOT / "packaging" / "javascript" / "module")
# Where gcc's packages put the C libraries of other processors.
TARGETS = {
    "macos-arm64": ("--target=arm64-apple-macos12", *HEADERS),
    "macos-x86-64": ("--target=x86_64-apple-macos12", *HEADERS),
    "windows-x86-64": ("--target=x86_64-w64-windows-gnu", *HEADERS),
    "windows-arm64": ("--target=aarch64-w64-windows-gnu", *HEADERS),
    "armv7": ("--target=arm-linux-gnueabihf", "-march=armv7-a", "-mfpu=vfpv3-d16"),
    "cortex-m4": ("--target=thumbv7em-none-eabi", "-mfloat-abi=soft", "-isystem", "/usr/lib/arm-none-eabi/include"),
    "aarch64": ("--target=aarch64-linux-gnu", "-mbranch-protection=standard"),
    "rv32": (
        "--target=riscv32-unknown-elf",
        "-march=rv32imac",
        "-mabi=ilp32",
        "-isystem",
        "/usr/lib/picolibc/riscv64-unknown-elf/include",
    ),
}


def files(suffix: str) -> list[Path]:
    found = [path for path in sorted((ROOT / "src").rglob(f"*.{suffix}")) if selection.takes_file(path)]
    assert len(found) > 50 or selection.current()
    return found


def clang(folder: Path, *arguments: str | Path) -> str:
    done = subprocess.run(["clang-19", *map(str, arguments)], cwd=folder, text=True, capture_output=True)
    return done.stderr if done.returncode else ""


@pytest.mark.slow
@pytest.mark.every_cipher
@pytest.mark.parametrize("what", ["assembly", pytest.param("c", marks=pytest.mark.campaign)])
@pytest.mark.parametrize("target", selection.one_in(8, TARGETS))
def test_clang_takes_every_file(target, what, tmp_path):
    """Assembly is assembled, also that in C; of all other C the compiler looks at everything."""
    if shutil.which("clang-19") is None:
        pytest.skip("clang-19 is not installed")
    build(BUILD, target="runnel_static")  # for the generated headers
    options = [
        *TARGETS[target],
        *(f"-I{ROOT / folder}" for folder in ("include", "src")),  # first: the other config.h is this machine's
        *(f"-I{BUILD / 'generated' / folder}" for folder in ("", "runnel")),
        "-Wall",
        "-Wextra",
        "-Werror",
    ]
    c = files("c")
    inline = [path for path in c if re.search(r"\b(__)?asm\b", path.read_text())]
    rest = [path for path in c if path not in inline]
    runs = {
        "assembly": [(["-c"], files("S")), (["-std=c11", "-O1", "-c"], inline)],
        "c": [(["-std=c11", "-fsyntax-only"], rest)],
    }
    complaints = [clang(tmp_path, *options, *arguments, *paths) for arguments, paths in runs[what] if paths]
    complaints = [complaint for complaint in complaints if complaint]
    assert not complaints, complaints[0][:4000]


@pytest.mark.builds
@pytest.mark.campaign
@pytest.mark.every_cipher
@pytest.mark.parametrize("compiler", ["clang-14", "clang-19"])
def test_properties_in_clangs_code(compiler):
    """Of all kernels that this CPU runs, as users compile them; with sanitizers clang's code is tested in every run."""
    folder = build_with(compiler, "runnel-properties", "runnel-aeads", "runnel-macs")
    assert " checks" in check("runnel-properties", "all", "--scale", "600", *selection.arguments(), folder=folder)
    assert ": ok" in check("runnel-aeads", "properties", "1", folder=folder)
    assert ": 300 messages" in check("runnel-macs", "properties", "1", folder=folder)


def test_only_a_static_library_where_there_are_no_shared_ones(tmp_path):
    """As under Emscripten: SHARED falls back to a static library there, of the same name as the other."""
    (tmp_path / "toolchain.cmake").write_text("set(CMAKE_SYSTEM_NAME Generic)\nset(CMAKE_C_COMPILER cc)\n")
    build = tmp_path / "build"
    subprocess.run(
        ["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", f"-DCMAKE_TOOLCHAIN_FILE={tmp_path / 'toolchain.cmake'}"],
        check=True,
        capture_output=True,
    )
    done = subprocess.run(["ninja", "-C", build, "-n", "runnel_static"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "librunnel.so" not in (build / "build.ninja").read_text()
