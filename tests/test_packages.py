# SPDX-License-Identifier: Apache-2.0 OR MIT
"""packaging/build, and that what it says in docs/packages.md is of the artefacts that are there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGING = ROOT / "packaging"
TOY = """\
from artefacts import Artefact, Failed, Missing

def build(folder):
    assert not list(folder.iterdir())
    (folder / "made").write_text("bytes")
    return "a compiler 1.0"

def run(folder):
    {run}

ARTEFACTS = [Artefact("toy", "a toy", build, run, needs={needs})]
"""


def packed_by(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    """packaging/build as it is, among the artefacts of a folder."""
    for name in ("build", "artefacts.py"):
        target = folder / "packaging" / name
        target.parent.mkdir(exist_ok=True)
        target.write_bytes((PACKAGING / name).read_bytes())
    (folder / "tools").mkdir(exist_ok=True)
    (folder / "tools" / "generated.py").write_bytes((ROOT / "tools" / "generated.py").read_bytes())
    (folder / "docs").mkdir(exist_ok=True)
    document = folder / "docs" / "packages.md"
    if not document.exists():
        document.write_text("Before.\n<!-- packages: begin -->\n<!-- packages: end -->\nAfter.\n")
    command = [sys.executable, str(folder / "packaging" / "build"), *arguments]
    return subprocess.run(command, text=True, capture_output=True, cwd=folder)


def toy(folder: Path, run: str = "return 'this machine'", needs: str = "()") -> None:
    (folder / "packaging" / "toy").mkdir(parents=True, exist_ok=True)
    (folder / "packaging" / "toy" / "artefact.py").write_text(TOY.format(run=run, needs=needs))


def test_an_artefact_is_built_run_and_written_down(tmp_path):
    toy(tmp_path, "return (folder / 'made').read_text()")
    done = packed_by(tmp_path, "--write")
    assert done.returncode == 0, done.stderr
    row = "| `toy` | a toy | a compiler 1.0 | bytes |"
    assert row in done.stdout
    text = (tmp_path / "docs" / "packages.md").read_text()
    assert row in text and text.startswith("Before.") and text.endswith("After.\n")


@pytest.mark.parametrize(
    "run, needs, cell",
    [
        ("raise Missing('no board')", "()", "not run: no board"),
        ("return 'here'", "('no-such-program',)", "not built: no no-such-program"),
    ],
)
def test_what_is_missing_is_said_and_costs_the_status(tmp_path, run, needs, cell):
    toy(tmp_path, run, needs)
    done = packed_by(tmp_path)
    assert done.returncode == 1 and cell in done.stdout
    assert packed_by(tmp_path, "--allow-missing").returncode == 0


@pytest.mark.parametrize("run", ["raise Failed('status 3')", "assert 1 == 2, 'status 3'"])
def test_a_failure_is_told_and_never_written_down(tmp_path, run):
    toy(tmp_path, run)
    done = packed_by(tmp_path, "--allow-missing", "--write")
    assert done.returncode == 1 and "toy: status 3" in done.stderr
    assert "toy" not in (tmp_path / "docs" / "packages.md").read_text()


def test_an_unknown_name_gets_a_suggestion(tmp_path):
    toy(tmp_path)
    done = packed_by(tmp_path, "toi")
    assert done.returncode == 2 and "no artefact 'toi'; is it toy?" in done.stderr


def test_the_document_has_a_row_for_each_artefact():
    listed = subprocess.run([PACKAGING / "build", "--list"], text=True, capture_output=True, check=True).stdout
    names = [line.split()[0] for line in listed.splitlines()]
    rows = re.findall(r"^\| `(\S+)` \|", (ROOT / "docs" / "packages.md").read_text(), re.MULTILINE)
    assert rows == names, "run `make packages`"
    assert "failed" not in (ROOT / "docs" / "packages.md").read_text()


def test_the_driver_can_be_run():
    assert os.access(PACKAGING / "build", os.X_OK)
