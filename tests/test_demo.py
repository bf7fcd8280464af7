# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Test `make demo` on a small file, and how quietly it builds."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
QUIETLY = ROOT / "tools" / "quietly"


@pytest.fixture
def place(tmp_path):
    """Return a folder that looks as the source tree does to the demo."""
    (tmp_path / ".venv").symlink_to(sys.prefix)
    (tmp_path / "tools").symlink_to(ROOT / "tools")
    (tmp_path / "the file").write_bytes(os.urandom(100_000))
    return tmp_path


def demo(place: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "tools" / "demo.py", "--seconds", "0", *arguments],
        cwd=place,
        text=True,
        capture_output=True,
        env={**os.environ, **environment},
    )


def test_it_prints_one_page(place):
    """Each of its lines that begin with $ is what it gave the shell."""
    done = demo(place, "the file")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert len(lines) < 50 and all(len(line) < 200 for line in lines)
    for expected in (
        "AES256_CTR_HMAC_SHA256_1MB of Google's Tink",
        "--aad 'the demo' 'the file'",
        "Tink opened it: the same 100,000 bytes",
        "refused, nothing written (status 3)",
        "times  the best library here",
        "docs/command-line.md",
    ):
        assert expected in done.stdout, expected
    assert os.listdir(place / ".venv") and sorted(os.listdir(place)) == [".venv", "the file", "tools"]
    commands = [line[4:] for line in lines if line.startswith("  $ ")]
    assert len(commands) > 10
    for named in re.findall(r"^  (?:\S*/)?([\w-]+\.md) ", done.stdout, re.MULTILINE):
        assert list(ROOT.glob(f"**/{named}")), named


def test_it_fails_where_something_else_is_shown(place):
    """Here Tink is not there."""
    (place / "tools").unlink()
    done = demo(place, "the file")
    assert done.returncode == 1 and done.stderr.startswith("demo: status 2, not 0: .venv/bin/python tools/open")
    assert not (place / "demo-files").exists()
    done = demo(place / "..")
    assert done.returncode == 1 and "run `make demo` in the source tree" in done.stderr


def test_it_removes_no_file_that_is_named(place):
    mine = place / "demo-files" / "mine"
    mine.parent.mkdir()
    mine.write_text("mine")
    (place / "to mine").symlink_to(mine)
    (mine.parent / "link").symlink_to(place / "the file")
    for named in (mine, "demo-files/mine", "./demo-files/../demo-files/mine", "to mine", "demo-files/link"):
        done = demo(place, str(named))
        assert done.returncode == 1 and done.stderr.startswith("demo: ") and done.stderr.count("\n") == 1, done.stderr
        assert mine.read_text() == "mine"
    done = demo(place, "not there")
    assert (done.returncode, done.stderr) == (1, "demo: not there: no such file\n")


def make(*arguments: str) -> str:
    return subprocess.run(["make", *arguments], cwd=ROOT, text=True, capture_output=True, check=True).stdout


def test_the_library_is_built_once():
    """The commands of `make demo` compile the library in one place, and the package links that."""
    demo = make("-n", "demo")
    targets = re.findall(r'^tools/quietly ".*" make (.+)$', demo, re.MULTILINE)
    assert len(targets) == 3 and "tools/demo.py" in demo
    commands = make("-n", "-W", "VERSION", *" ".join(targets).split())
    assert "pip install" in commands and "--target speed" in commands
    assert commands.count("--target runnel_static runnel_shared") == 1
    assert re.search(r"pip install .*\\\n(.*\\\n)* .*RUNNEL_LIBRARY=\S+/librunnel\.a", commands)


def test_quietly():
    done = subprocess.run([QUIETLY, "Doing it", "sh", "-c", "echo much; echo more >&2"], text=True, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Doing it ...\n", "")
    done = subprocess.run([QUIETLY, "Doing it", "sh", "-c", "echo why; exit 7"], text=True, capture_output=True)
    assert (done.returncode, done.stderr) == (7, "\nDoing it: failed\nwhy\n")
