# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shipped shared libraries and programs are hardened as distributions harden theirs, and nothing of ours takes that from
it."""

import re
import signal
import subprocess
from pathlib import Path

import openssl_program
import pytest
from c_programs import BUILD, ROOT, build
from runnel import _native
from test_c_cross import MACHINES
from test_vectors import tally


def read(*command: str | Path) -> str:
    return subprocess.run([str(part) for part in command], check=True, text=True, capture_output=True).stdout


def x86_64() -> Path:
    build(BUILD, target="runnel_shared")
    return BUILD / "librunnel.so"


def python_extension() -> Path:
    return Path(_native.__file__)


def aarch64() -> Path:
    return MACHINES[0].folder.parent / "librunnel.so"


def openssl_module() -> Path:
    return openssl_program.module()


def srtp_module() -> Path:
    build(BUILD, target="runnel_libsrtp")
    return BUILD / "srtp" / "librunnel_srtp.so"


def measuring_program() -> Path:
    """Return the lab's measuring program. The C library's start files have no marks for landing pads."""
    build(BUILD, target="runnel-speed")
    return BUILD / "bench" / "runnel-speed"


LIBRARIES = pytest.mark.parametrize(
    "library, marks",
    [
        (x86_64, {"IBT", "SHSTK"}),
        (python_extension, {"IBT", "SHSTK"}),
        (openssl_module, {"IBT", "SHSTK"}),
        (srtp_module, {"IBT", "SHSTK"}),
        (measuring_program, set()),
        pytest.param(aarch64, {"BTI", "PAC"}, marks=pytest.mark.builds),
    ],
    ids=["x86-64", "python", "openssl", "srtp", "program", "aarch64"],
)


def soname(library: Path) -> str:
    return re.search(r"\(SONAME\).*\[(.*)\]", read("readelf", "-d", library))[1]


def test_the_name_to_load_changes_with_the_contexts():
    """As VERSIONING.md says: before 1.0 with each minor version."""
    major, minor, _ = (ROOT / "VERSION").read_text().strip().split(".")
    assert soname(x86_64()) == f"librunnel.so.{major}" + (f".{minor}" if major == "0" else "")


def marks_of(library: Path) -> set[str]:
    """Return the features that a file says all of its code is made for."""
    return {
        mark
        for line in re.findall(r"feature: (.*)$", read("readelf", "-n", library), re.MULTILINE)
        for mark in line.split(", ")
    }


@LIBRARIES
def test_shared_libraries_are_hardened(library, marks):
    file = library()
    segments = read("readelf", "-lW", file)
    assert re.search(r"^ +GNU_RELRO ", segments, re.MULTILINE)
    assert re.search(r"^ +GNU_STACK .* RW +0x", segments, re.MULTILINE)
    assert " RWE " not in segments
    dynamic = read("readelf", "-d", file)
    assert re.search(r"\(FLAGS_1\).* NOW\b", dynamic) and "TEXTREL" not in dynamic
    assert not re.search(r"\(R(UN)?PATH\)", dynamic)
    imported = set(re.findall(r" UND (\w+)", read("readelf", "-W", "--dyn-syms", file)))
    assert "__stack_chk_fail" in imported
    assert {name for name in imported if name.endswith("_chk")}, "nothing is checked by _FORTIFY_SOURCE"
    assert marks_of(file) == marks


@pytest.mark.parametrize(
    "library, compiler, marks",
    [
        (x86_64, "gcc", {"IBT", "SHSTK"}),
        pytest.param(aarch64, "aarch64-linux-gnu-gcc", {"BTI", "PAC"}, marks=pytest.mark.builds),
    ],
    ids=["x86-64", "aarch64"],
)
def test_every_object_has_the_marks(library, compiler, marks, tmp_path):
    """Those of assembly too: one that lacks them takes them from the whole library."""
    archive = library().with_suffix(".a")
    described = re.split(r"^File: .*\((.*)\)$", read("readelf", "-n", archive), flags=re.MULTILINE)[1:]
    objects = list(
        zip(described[::2], described[1::2], strict=True)
    )  # names occur again: a folder's small.c and another's
    assert [name for name, _ in objects if name.endswith(".S.o")]
    wrong = [name for name, notes in objects if not all(mark in notes for mark in marks)]
    assert not wrong

    (tmp_path / "unmarked.s").write_text('.text\nunmarked: ret\n.section .note.GNU-stack, "", %progbits\n')
    link = [compiler, "-shared", "-nostartfiles", "-Wl,--whole-archive", archive, "-Wl,--no-whole-archive"]
    subprocess.run([*link, "-o", tmp_path / "all.so"], check=True)
    subprocess.run([*link, tmp_path / "unmarked.s", "-o", tmp_path / "one-unmarked.so"], check=True)
    assert marks_of(tmp_path / "all.so") == marks
    assert marks_of(tmp_path / "one-unmarked.so") == set()


@pytest.mark.parametrize(
    "library, objdump, pad",
    [
        (x86_64, "objdump", "endbr64"),
        pytest.param(aarch64, "aarch64-linux-gnu-objdump", "bti\tc", marks=pytest.mark.builds),
    ],
    ids=["x86-64", "aarch64"],
)
def test_functions_in_assembly_begin_with_a_landing_pad(library, objdump, pad, tmp_path):
    archive = library().with_suffix(".a")
    subprocess.run(
        ["ar", "x", archive, *(name for name in read("ar", "t", archive).split() if name.endswith(".S.o"))],
        cwd=tmp_path,
        check=True,
    )
    functions = re.findall(r"<(runnel_\w+)>:\n(.*)$", read(objdump, "-d", *sorted(tmp_path.iterdir())), re.MULTILINE)
    places = re.compile("_(round|after)_[0-9]+$")  # the lab counts what is between them; nothing calls or jumps to them
    functions = [(name, first) for name, first in functions if not places.search(name)]
    assert len(functions) >= 4
    assert not [name for name, first in functions if pad not in first.split("#")[0]]


@pytest.fixture(scope="module")
def enforced(tmp_path_factory):
    """Runs the vectors through every kernel of a shared library, on a processor that refuses an indirect jump or call to
    what is no landing pad; returns the completed process."""
    machine, library = MACHINES[0], aarch64()
    program = tmp_path_factory.mktemp("landing") / "vectors"
    c = ROOT / "tests" / "c"
    subprocess.run(
        [
            machine.compiler,
            "-std=c11",
            "-D_GNU_SOURCE",
            "-O1",
            f"-I{library.parent}/generated",
            *(f"-I{ROOT / folder}" for folder in ("include", "src", "tests/c")),
            c / "vectors.c",
            c / "harness.c",
            "-o",
            program,
            library,
        ],
        check=True,
    )

    def run(folder: Path, *files: Path) -> subprocess.CompletedProcess:
        sysroot = f"/usr/{machine.name}"
        return subprocess.run(
            [
                *machine.emulator,
                "-cpu",
                "max",
                "-L",
                sysroot,
                "-E",
                f"LD_LIBRARY_PATH={folder}:{sysroot}/lib",
                program,
                "--most",
                "100",
                *files,
            ],
            capture_output=True,
            text=True,
        )

    return run


@pytest.mark.builds
def test_every_indirect_jump_finds_a_landing_pad(enforced):
    done = enforced(aarch64().parent, *MACHINES[0].files)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert {"aes-128-ctr/aarch64-aes", "seed-ctr/neon-tbl", "seed-ctr/aarch64-neon"} <= set(tally(done.stdout))


@pytest.mark.builds
@pytest.mark.parametrize("pad", ["hint #34", "hint #36"])
def test_that_processor_refuses_where_one_is_missing(enforced, pad, tmp_path):
    number = int(pad.split("#")[1])
    instruction, nop = ((0xD503201F | n << 5).to_bytes(4, "little") for n in (number, 0))
    code = aarch64().read_bytes()
    assert instruction in code
    (tmp_path / soname(aarch64())).write_bytes(code.replace(instruction, nop))
    assert enforced(tmp_path, ROOT / "src" / "ciphers" / "aes" / "vectors.txt").returncode == -signal.SIGILL
