# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The timing class of every kernel, by tool: secrets are marked undefined, and valgrind and clang's MSan report a branch
or an address that depends on them (tests/c/secrets.c). Valgrind watches the build that users get, MSan one by clang; a
kernel that valgrind cannot run, because it knows no VAES and no AVX-512, is watched by MSan alone."""

import functools
import shutil

import pytest
from c_programs import BUILD, CLANG, build, build_with, kernels, run

REPORTED = 9
TOOLS = ["valgrind", "valgrind, clang's code", "msan"]


@functools.cache
def missing(tool: str) -> str | None:
    if tool.startswith("valgrind") and not shutil.which("valgrind"):
        return "valgrind is not installed"
    if tool != "valgrind" and not shutil.which("clang-19"):
        return "clang-19 is not installed"
    return None


def watch(tool: str, *arguments: str):
    """Run under the tool; status REPORTED if it reports something."""
    if tool == "msan":
        folder = build(BUILD / "sanitize-memory", "-DCMAKE_C_COMPILER=clang-19", "-DRUNNEL_SANITIZE=memory")
        return run("runnel-secrets", *arguments, folder=folder, MSAN_OPTIONS=f"exitcode={REPORTED}")
    folder = build(BUILD)
    if "clang" in tool:
        folder = build(BUILD / "clang", *CLANG, target="runnel-secrets")
    return run(
        "runnel-secrets",
        *arguments,
        folder=folder,
        wrapper=["valgrind", "-q", f"--error-exitcode={REPORTED}", "--exit-on-first-error=yes"],
    )


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("leak, status", [("clean", 0), ("branch", REPORTED), ("index", REPORTED)])
def test_planted_leak_is_reported(tool, leak, status):
    if missing(tool):
        pytest.skip(missing(tool))
    done = watch(tool, "leak", leak)
    assert done.returncode == status, done.stdout


# Feedback mode goes through the same kernels as counter mode: it is watched with one of each cipher. Keys of 192 bits go
# through the same code as those of 128 and 256.
WATCHED = [k for k in kernels() if "-192-" not in k.cipher and (not k.cipher.endswith("-cfb") or k.name == "portable")]


@pytest.mark.parametrize("kernel", WATCHED, ids=str)
def test_timing_class(kernel):
    """constant-time: no tool reports anything, and one that can run the kernel follows the secret into every block.
    secret-indexed: each tool that can run it reports it, or the class would be wrong."""
    kernel.need()
    tools = [tool for tool in TOOLS if not missing(tool)]
    if not tools:
        pytest.skip("neither valgrind nor clang-19 is installed")
    statuses, complete = {}, False
    for tool in tools:
        done = watch(tool, "run", kernel.cipher, kernel.name)
        if done.returncode == 77:
            continue
        statuses[tool] = done.returncode
        complete |= "tracks 100 %" in done.stdout
        expected = 0 if kernel.timing == "constant-time" else REPORTED
        assert done.returncode == expected, f"{tool}: {done.stdout[-3000:]}"
    if not statuses:
        pytest.skip(f"no tool here can run a kernel that needs {', '.join(kernel.features)}")
    assert complete or kernel.timing == "secret-indexed"


def test_clang_14():
    """Compilers differ in what they make of masks. A third one's code, all kernels in one process, because the tool takes
    longer to start than to watch one of them."""
    if missing("valgrind"):
        pytest.skip(missing("valgrind"))
    watched = [k for k in WATCHED if k.timing == "constant-time" and k.available]
    done = run(
        "runnel-secrets",
        "run",
        *(word for k in watched for word in (k.cipher, k.name)),
        folder=build_with("clang-14", "runnel-secrets"),
        wrapper=["valgrind", "-q", f"--error-exitcode={REPORTED}"],
    )
    lines = [line for line in done.stdout.splitlines() if "depend on secrets" in line]
    assert done.returncode == 0, [line for line in lines if ": 0 branches" not in line]
    seen = {line.split(":")[0] for line in lines if line.endswith("tracks 100 %") and ": 0 branches" in line}
    needs_what_valgrind_lacks = {str(k) for k in watched if {"vaes", "avx512", "gfni"} & set(k.features)}
    assert seen >= {str(k) for k in watched} - needs_what_valgrind_lacks
