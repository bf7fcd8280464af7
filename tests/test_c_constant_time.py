# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The timing class of every kernel, by tool: secrets are marked undefined, and valgrind and clang's MSan report a branch
or an address that depends on them (tests/c/secrets.c). Valgrind watches the build that users get, MSan one by clang; a
kernel that valgrind cannot run, because it knows no VAES and no AVX-512, is watched by MSan alone, in the campaign, and in
every run by the proofs of machine code that cover it (test_machine_proofs.py)."""

import re
import shutil
from pathlib import Path

import constant_time
import pytest
import selection
from c_programs import BUILD, CAMPAIGN, CLANG, REPORTED, Kernel, build, build_with, build_with_msan
from constant_time import BLIND, ELSEWHERE, WATCHED, missed_leaks, reports, words

# Compilers of the code that is watched.
TOOLS = {"valgrind": [], "valgrind, clang's code": CAMPAIGN, "valgrind, clang 14's code": CAMPAIGN, "msan": CAMPAIGN}
tools = pytest.mark.parametrize("tool", [pytest.param(tool, marks=marks) for tool, marks in TOOLS.items()])


def folder_of(tool: str) -> Path:
    """Return the folder of the test programs that the tool runs."""
    if tool == "msan":
        return build_with_msan()
    if not shutil.which("valgrind"):
        pytest.skip("valgrind is not installed")
    if "14" in tool:
        return build_with("clang-14", "runnel-secrets")
    if "clang" in tool:
        if not shutil.which("clang-19"):
            pytest.skip("clang-19 is not installed")
        return build(BUILD / "clang", *CLANG, target="runnel-secrets")
    return build(BUILD)


def watch(tool: str, *arguments: str):
    """Run under the tool; status REPORTED if it reports something."""
    return constant_time.watch(tool, folder_of(tool), "runnel-secrets", *arguments)


@tools
def test_planted_leaks_are_reported(tool):
    """All kinds but those to which the tool is blind, and nothing where there is none."""
    folder = folder_of(tool)
    assert len(constant_time.leaks(folder)) >= 12
    assert missed_leaks(tool, folder) == BLIND["msan" if tool == "msan" else "valgrind"]


def watched(timing: str, tool: str) -> list[Kernel]:
    """Those that run here, that were asked for, and that are in the build that the tool watches."""
    found = [k for k in WATCHED if k.timing == timing and k.available and selection.takes(k.cipher, k.name)]
    if not found:
        pytest.skip(NOT_ASKED)
    return found


NOT_ASKED = "no kernel of this class was asked for"


@pytest.mark.every_cipher
@tools
def test_constant_time(tool):
    """No tool reports anything, and one that can run a kernel follows the secret into every block. All kernels in one
    process, because the tool takes longer to start than to watch one of them."""
    asked = watched("constant-time", tool)
    done = watch(tool, "run", *words(asked))
    seen = reports(done.stdout)
    reported = [name for name, (count, _) in seen.items() if count]
    if not seen and done.returncode == 77:
        pytest.skip("this CPU, as the tool shows it, cannot run any of them")
    assert (done.returncode, reported) == (0, []), done.stdout[-3000:]
    in_assembly = set(re.findall(r"^this build has no (\S+): MSan", done.stdout, re.MULTILINE))
    if tool == "msan":
        theirs = {str(k) for k in asked if ELSEWHERE & set(k.features) and k.name not in in_assembly}
    else:
        theirs = {str(k) for k in asked if not ELSEWHERE & set(k.features)}
    assert {name for name, (_, everywhere) in seen.items() if everywhere} >= theirs
    if tool == "msan":
        assert not in_assembly & {k.name for k in asked if ELSEWHERE & set(k.features)}, "no tool watches it"


@pytest.mark.every_cipher
@tools
def test_secret_indexed(tool):
    """Each tool that can run such a kernel reports it, or the class would be wrong."""
    asked = watched("secret-indexed", tool)
    if tool == "msan":  # the first report ends the program
        statuses = {str(k): watch(tool, "first", k.cipher, k.name).returncode for k in asked}
        assert set(statuses.values()) <= {REPORTED, 77}
        assert REPORTED in statuses.values() or selection.current()
        return
    done = watch(tool, "first", *words(asked))
    seen = reports(done.stdout)
    assert seen.keys() == {str(k) for k in asked if not ELSEWHERE & set(k.features)}
    assert all(count for count, _ in seen.values()), seen
