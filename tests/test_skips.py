# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A full run that proves less than it should is red: tests that collect nothing, skips for an unknown reason. The skips of a
run of some tests are not checked."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
import skips
from c_programs import ROOT

TESTS = """
import pytest
@pytest.mark.parametrize("n", range(3))
def test_some(n): pass
@pytest.mark.left_to(*{left!r})
def test_skipped(): pytest.skip({reason!r})
"""


@pytest.fixture
def suite(tmp_path):
    """Run a small suite with the real hooks: four tests, one of them skipped."""
    (tmp_path / "tests").mkdir()
    shutil.copy(ROOT / "conftest.py", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\ntestpaths = tests\npythonpath = tests\n")
    for name in ("costs.py", "left_to.py", "selection.py", "skips.py"):
        shutil.copy(ROOT / "tests" / name, tmp_path / "tests" / name)
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "inventory.py", tmp_path / "tools")

    def run(*options, reason="looks up tables by secrets and says so", left=("make", "sh"), more=""):
        (tmp_path / "tests" / "test_small.py").write_text(TESTS.format(reason=reason, left=left) + more)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *(options or ("tests",))]
        environment = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
        done = subprocess.run(command, cwd=tmp_path, text=True, capture_output=True, env=environment)
        return done.returncode, done.stdout

    return run


@pytest.mark.parametrize("workers", ["2", pytest.param("0", marks=pytest.mark.campaign)])
def test_a_full_run(suite, workers):
    everything = ("-n", workers, "tests")
    assert suite(*everything)[0] == 0
    status, output = suite(*everything, reason="avr-gcc is not installed")
    assert status == 1 and "::test_skipped: skipped for a reason that is not on the list" in output
    assert output.count("avr-gcc is not installed") == 1


@pytest.mark.parametrize("workers", ["0", pytest.param("2", marks=pytest.mark.campaign)])
def test_what_another_target_runs_is_named_and_counted(suite, workers):
    """With the tool it runs; without it is no skip."""
    status, output = suite("-n", workers, "tests", left=("make test-toy", "no-such-tool"))
    assert (
        status == 0
        and "Left to other targets: 1 of test_small.py (make test-toy)" in output
        and "skipped" not in output
    )
    for tool in ("sh", "pytest"):
        status, output = suite("-n", workers, "tests", left=("make test-toy", tool))
        assert status == 0 and "Left to other targets" not in output and "1 skipped" in output


@pytest.mark.parametrize(
    "options",
    [
        ("tests", "-k", "some"),
        ("tests/test_small.py",),
        ("tests", "--maxfail", "9"),
        ("tests", "--deselect", "tests/test_small.py::test_skipped"),
        ("tests/test_small.py::test_skipped", "-n", "2"),
        ("tests", "--collect-only"),
    ],
)
def test_a_run_of_some_tests_is_not_checked(suite, options):
    assert suite(*options, reason="nothing known")[0] == 0


@pytest.mark.parametrize("workers", ["0", pytest.param("2", marks=pytest.mark.campaign)])
def test_what_collects_nothing_is_an_error(suite, tmp_path, workers):
    """A file without a test, and a test without parameters."""
    (tmp_path / "tests" / "test_empty.py").write_text("def check(): pass\n")
    for what in ("tests", "tests/test_empty.py"):
        status, output = suite("-n", workers, what)
        assert status not in (0, 5) and "test_empty.py has no test" in output
    (tmp_path / "tests" / "test_empty.py").unlink()
    nothing = '@pytest.mark.parametrize("n", [])\ndef test_of_nothing(n): pass\n'
    status, output = suite("-n", workers, "tests/test_small.py", more=nothing)
    assert status not in (0, 5) and "test_of_nothing[NOTSET] has no parameters" in output


def test_reasons():
    may = skips.may_skip
    has = skips.processor_has()
    absent = skips.ALL - has
    assert not may("this CPU lacks one of: " + ", ".join(sorted(has))) or not has
    assert all(may(f"this CPU lacks one of: {feature}") for feature in absent)
    assert may("this processor does not run the kernel") == bool(absent)
    assert may("the complete collection is not at /nowhere (RUNNEL_VECTORS names another place)")
    assert not may(f"the complete collection is not at {ROOT} (RUNNEL_VECTORS names another place)")
    on_debian = shutil.which("dpkg-query") is not None
    for tool in ("node", "rustfmt", "wasm-ld-19"):
        assert may(f"{tool} is not installed (tools/install-packages test)") == (
            not on_debian and not shutil.which(tool)
        )
    for reason in (
        "no kernel of this class was asked for",
        "valgrind is not installed",
        "",
        "unknown",
        "clang-19, which has MSan, is not installed",
        "neither valgrind nor clang-19 is installed",
    ):
        assert not may(reason), reason
    assert all(why for _, _, why in skips.ALLOWED)
