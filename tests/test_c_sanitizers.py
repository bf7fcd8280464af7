# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The vectors and the properties, with fewer repetitions, in builds with sanitizers."""

import shutil

import pytest
import selection
from c_programs import BUILD, build, check, ciphers, run
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
    "memory": (["-DCMAKE_C_COMPILER=clang-19", "-DRUNNEL_SANITIZE=memory"], "runnel_tests", {}),
    "thread": (
        ["-DRUNNEL_SANITIZE=thread", "-DRUNNEL_PAPERS=OFF", "-DRUNNEL_HISTORIC=OFF", *QUICK],
        "runnel_threads",
        {},
    ),
}


def sanitized(name: str) -> dict:
    options, target, variables = OPTIONS[name]
    if name == "memory" and not shutil.which("clang-19"):
        pytest.skip("clang-19, which has MSan, is not installed")
    return {"folder": build(BUILD / f"sanitize-{name}", *options, target=target), **variables}


# Feedback mode with longer keys is the same code as with short ones.
CHECKED = [cipher for cipher in ciphers() if not cipher.endswith(("-192-cfb", "-256-cfb"))]
# In the campaign UBSan alone, with the checks that are left out beside ASan.
SANITIZERS = ["address", "memory", pytest.param("undefined", marks=pytest.mark.campaign)]


@pytest.mark.parametrize("sanitizer", SANITIZERS)
@pytest.mark.parametrize("cipher", CHECKED)
def test_properties(sanitizer, cipher):
    check("runnel-properties", "all", "--cipher", cipher, "--scale", "300", **sanitized(sanitizer))


@pytest.mark.every_cipher
@pytest.mark.parametrize("sanitizer", SANITIZERS)
def test_vectors(sanitizer):
    check("runnel-vectors", "--most", "5000", *filter(selection.takes_file, FILES), **sanitized(sanitizer))


@pytest.mark.parametrize("sanitizer", SANITIZERS)
def test_dispatch(sanitizer):
    check("runnel-properties", "dispatch", **sanitized(sanitizer))


def test_threads():
    assert "checks" in check("runnel-threads", **sanitized("thread"))


def test_threads_without_a_sanitizer():
    for _ in range(20):
        assert "checks" in check("runnel-threads")


@pytest.mark.parametrize(
    "name, sanitizer", [("overflow", "address"), ("shift", "address"), ("race", "thread"), ("uninitialised", "memory")]
)
def test_the_sanitizers_report(name, sanitizer):
    """Each is seen to work on a planted fault."""
    options = sanitized(sanitizer)
    assert run("runnel-faults", "none", **options).returncode == 0
    assert run("runnel-faults", name, **options).returncode not in (0, 2)
