# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The vectors and the properties, with fewer repetitions, in builds with sanitizers."""

import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
import selection
from c_programs import BUILD, REPORTED, ROOT, build, build_with_msan, check, ciphers, run, valgrind
from mutation import syntax
from test_vectors import FILES

pytestmark = pytest.mark.builds

# gcc takes four times as long as clang to compile with them.
QUICK = ["-DCMAKE_C_COMPILER=clang-19"] if shutil.which("clang-19") else []
OPTIONS = {
    "address": (
        ["-DRUNNEL_SANITIZE=address,undefined", *QUICK],
        "runnel_tests",
        {"ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1"},
    ),
    "undefined": (
        ["-DRUNNEL_SANITIZE=undefined", *QUICK],
        "runnel_tests",
        {"UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1"},
    ),
    "thread": (
        ["-DRUNNEL_SANITIZE=thread", "-DRUNNEL_PAPERS=OFF", "-DRUNNEL_HISTORIC=OFF", *QUICK],
        "runnel_threads",
        {},
    ),
}


def sanitized(name: str) -> dict:
    if name == "memory":
        return {"folder": build_with_msan()}
    options, target, variables = OPTIONS[name]
    return {"folder": build(BUILD / f"sanitize-{name}", *options, target=target), **variables}


# Keys of 192 bits are the code of others, and feedback mode with longer keys that with short ones.
CHECKED = [cipher for cipher in ciphers() if "-192-" not in cipher and not cipher.endswith("-256-cfb")]
# In the campaign UBSan alone, with the checks that are left out beside ASan, and MSan, which takes longest to compile:
# in every run valgrind watches what depends on memory that nobody has written.
MEMORY = pytest.param("memory", marks=pytest.mark.campaign)
UNDEFINED = pytest.param("undefined", marks=pytest.mark.campaign)
each_sanitizer = pytest.mark.parametrize("sanitizer", ["address", MEMORY, UNDEFINED])


MACS = sorted((ROOT / "src" / "macs").glob("*/vectors.txt"))


@each_sanitizer
@pytest.mark.parametrize(
    "cipher", [pytest.param(c, marks=[pytest.mark.campaign] if selection.historic(c) else []) for c in CHECKED]
)
def test_properties(sanitizer, cipher):
    check("runnel-properties", "all", "--cipher", cipher, "--scale", "600", **sanitized(sanitizer))


@pytest.mark.every_cipher
@each_sanitizer
def test_vectors(sanitizer):
    files = [file for file in FILES if selection.takes_file(file)]
    check("runnel-vectors", "--most", "5000", *files, **sanitized(sanitizer))


# Clang's code, at -O1 under ASan and at -O2 under MSan, there one AEAD of each mode; all other tests have gcc's.
ONE_OF_EACH_MODE = ["aes-128-gcm", "aes-256-ccm", "aes-256-gcm-siv", "aes-128-siv", "aria-128-gcm", "chacha20-poly1305"]
ONE_OF_EACH_MODE += ["ascon-aead128", "grain-128aead-v2", "xaes-256-gcm", "aegis-128l", "aegis-256"]


@pytest.mark.every_cipher
@pytest.mark.parametrize("sanitizer", ["address", MEMORY])
def test_aeads(sanitizer):
    """Seal and open random messages by every kernel that this CPU runs, whole and in pieces, in place and in batches."""
    names = sorted({line.split()[0] for line in check("runnel-aeads", "list").splitlines()})
    for name in names if sanitizer == "address" else ONE_OF_EACH_MODE:
        if selection.takes(name):
            assert check("runnel-aeads", "properties", "1", name, **sanitized(sanitizer)) == f"{name}: ok\n"


@pytest.mark.every_cipher
@pytest.mark.parametrize("sanitizer", ["address", MEMORY])
def test_macs(sanitizer):
    built = sanitized(sanitizer)
    for cpu in ("all", "none"):
        assert "vectors" in check("runnel-macs", "vectors", *MACS, **built, RUNNEL_CPU=cpu)
        assert ": 300 messages" in check("runnel-macs", "properties", "1", **built, RUNNEL_CPU=cpu)


@each_sanitizer
def test_dispatch(sanitizer):
    check("runnel-properties", "dispatch", **sanitized(sanitizer))


@pytest.mark.campaign
def test_threads_in_all_of_the_library():
    assert "checks" in check("runnel-threads", **sanitized("thread"))


INCLUDES = [
    *(ROOT / "src", ROOT / "src" / "core", ROOT / "include"),
    *(BUILD / "generated", BUILD / "generated" / "runnel"),
]
CORE = sorted((ROOT / "src" / "core").glob("*.c"))


def compiled_with_tsan(program: Path, sources: Iterable[Path], *options: str | Path) -> Path:
    """Links sources with the library in build/. Kernels have no state: those of the library are linked, and watched in
    the campaign."""
    command = [shutil.which("clang-19") or "cc", "-std=c11", "-O1", "-g", "-fsanitize=thread", "-DRUNNEL_PAPERS=1"]
    command += ["-D_GNU_SOURCE", *(f"-I{path}" for path in INCLUDES), *sources, BUILD / "librunnel.a", *options]
    subprocess.run([*command, "-pthread", "-o", program], check=True)
    return program


def watched_for_races(folder: Path, *names: str, cpu: Path = ROOT / "src" / "core" / "cpu.c") -> Path:
    """Compiles a test program under TSan with src/core, which has all that threads share."""
    build(BUILD)
    core = [path for path in CORE if path.name != "cpu.c"]
    return compiled_with_tsan(folder / names[0], [cpu, *core, *(ROOT / "tests" / "c" / f"{name}.c" for name in names)])


def test_threads(tmp_path):
    program = watched_for_races(tmp_path, "threads", "harness")
    for _ in range(5):
        assert "checks" in check(program)


NOT_ATOMIC = """\
#undef atomic_load_explicit
#undef atomic_store_explicit
#define atomic_load_explicit(place, order) (*(place))
#define atomic_store_explicit(place, value, order) (*(place) = (value))
#define _Atomic
"""


def test_races_are_reported(tmp_path):
    """One in a program of its own, and one in the only thing that threads share, if it were not atomic."""
    program = watched_for_races(tmp_path, "faults")
    assert run(program, "none").returncode == 0
    assert run(program, "race").returncode not in (0, 2)
    cpu = tmp_path / "cpu.c"
    shutil.copy(ROOT / "src" / "core" / "cpu.c", cpu)
    cpu.write_text(re.sub(r"^(?=.*\b_Atomic\b)", NOT_ATOMIC, cpu.read_text(), count=1, flags=re.MULTILINE))
    assert NOT_ATOMIC in cpu.read_text()
    program = watched_for_races(tmp_path, "threads", "harness", cpu=cpu)
    assert any(run(program).returncode not in (0, 2) for _ in range(100))  # TSan remembers the last few accesses only


PROVIDER = ROOT / "integrations" / "openssl"


def provider_module(folder: Path, *sources: Path) -> Path:
    """Build the OpenSSL provider under TSan from its own sources and these; return its folder."""
    options = ["-fPIC", "-shared", "-fvisibility=hidden", '-DRUNNEL_PROVIDER_VERSION="0"']
    compiled_with_tsan(folder / "runnel.so", sources, *options, f"-Wl,--version-script={PROVIDER / 'exports.map'}")
    return folder


@pytest.fixture(scope="module")
def provider_program(tmp_path_factory) -> Path:
    build(BUILD)
    folder = ROOT / "tests" / "c"
    sources = [path for path in (folder / "provider").glob("*.c") if '"provider.h"' in path.read_text()]
    binary = tmp_path_factory.mktemp("provider") / "runnel-provider"
    return compiled_with_tsan(binary, [*sources, folder / "harness.c"], f"-I{folder}", "-lcrypto", "-ldl")


def test_the_provider_in_threads(tmp_path, provider_program):
    """They share a library context, a cipher and a context with a key, have library contexts of their own, load the module
    and unload it. libcrypto is not instrumented: TSan sees its locks and what it calls."""
    aeads = [path for parent in ("aead", "modes") for path in sorted((ROOT / "src" / parent).glob("*/*.c"))]
    folder = provider_module(tmp_path, *sorted(PROVIDER.glob("*.c")), *CORE, *aeads)
    for _ in range(3):
        assert "checks" in check(provider_program, folder, "threads")


def test_a_race_in_the_provider_is_reported(tmp_path, provider_program):
    """If it kept the memory that was allocated last for all to see."""
    copy = tmp_path / "openssl"
    shutil.copytree(PROVIDER, copy)
    file = copy / "provider.c"
    old = "if ($memory != NULL) memset($memory, 0, $head + $zeros);"
    new = "static void *last; if ($memory != NULL) memset(last = $memory, 0, $head + $zeros);"
    syntax.patch(file, "provider_allocate", old, new)
    done = run(provider_program, provider_module(tmp_path, *sorted(copy.glob("*.c"))), "threads")
    assert done.returncode not in (0, 2) and "data race" in done.stdout and "provider.c" in done.stdout


@pytest.mark.campaign
def test_the_provider_in_threads_with_all_of_the_library():
    options, _, variables = OPTIONS["thread"]
    folder = build(BUILD / "sanitize-thread", *options, target="runnel-provider")
    for _ in range(20):
        assert "checks" in check("runnel-provider", folder.parent / "provider", "threads", folder=folder, **variables)


def test_threads_without_a_sanitizer():
    for _ in range(20):
        assert "checks" in check("runnel-threads")


@pytest.mark.parametrize(
    "name, sanitizer",
    [
        ("overflow", "address"),
        ("shift", "address"),
        pytest.param("uninitialised", "memory", marks=pytest.mark.campaign),
    ],
)
def test_the_sanitizers_report(name, sanitizer):
    """Each is seen to work on a planted fault."""
    options = sanitized(sanitizer)
    assert run("runnel-faults", "none", **options).returncode == 0
    assert run("runnel-faults", name, **options).returncode not in (0, 2)


def test_valgrind_reports():
    assert run("runnel-faults", "none", wrapper=valgrind()).returncode == 0
    assert run("runnel-faults", "uninitialised", wrapper=valgrind()).returncode == REPORTED
