# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The lab runs code of its source tree, so it takes none that another user may have put in the way."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from c_programs import copy_inventory

ROOT = Path(__file__).resolve().parents[2]
STRANGER = 54321
COMMAND = ("verify", "--target", "host", "--cipher", "rabbit", "--kernel", "none")
# runs as somebody who does not own the tree: a test that is not root cannot give files away
AS_ANOTHER = f"""
import os, sys
if os.geteuid() != 0:
    os.geteuid = lambda: {STRANGER}
from runnel.cli import main
main(sys.argv[1:])
"""


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """Return a tree in which tools/vectors.py, which the lab imports, writes a file."""
    tree = tmp_path_factory.mktemp("source") / "tree"
    for name in ("src", "include", "lab", "tools"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("*.o", "__pycache__", "runnel_lab"))
    copy_inventory(tree)
    tool = tree / "tools" / "vectors.py"
    tool.write_text(f"from pathlib import Path\nPath({str(tree / 'ran')!r}).touch()\n" + tool.read_text())
    tree.chmod(0o755)
    return tree


@pytest.fixture
def tree(copied):
    yield copied
    (copied / "ran").unlink(missing_ok=True)


def lab(cwd: Path, *start: str, source: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "RUNNEL_SOURCE"}
    if source:
        environment["RUNNEL_SOURCE"] = str(source)
    return subprocess.run(
        [sys.executable, *(start or ("-m", "runnel")), "lab", *COMMAND],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
    )


def given_away(part: Path):
    """Changes the owner where this process may."""
    if os.geteuid() == 0:
        os.chown(part, STRANGER, -1)


def taken_back(part: Path):
    if os.geteuid() == 0:
        os.chown(part, 0, -1)


def test_a_tree_of_ones_own_is_found_by_walking_up(tree):
    done = lab(tree / "src" / "core")
    assert done.stderr == "runnel: no vector was tried\n"
    assert (tree / "ran").exists()


@pytest.mark.parametrize("part", [".", "lab", "src", "include", "tools", "lab/bench.c", "src/core/driver.c"])
def test_a_tree_of_somebody_else_is_refused(tree, part):
    given_away(tree / part)
    try:
        refused = lab(tree / "lab", "-c", AS_ANOTHER)
        owner = STRANGER if os.geteuid() == 0 else None
        assert (refused.returncode, refused.stdout, (tree / "ran").exists()) == (1, "", False)
        assert refused.stderr.startswith(f"runnel: {tree}") and refused.stderr.count("\n") == 1
        assert " belongs to " in refused.stderr and f"set RUNNEL_SOURCE={tree} " in refused.stderr
        assert owner is None or f"{tree / part} belongs to user {owner}, not to root, " in refused.stderr
    finally:
        taken_back(tree / part)


def test_a_tree_of_somebody_else_is_used_where_it_is_named(tree):
    given_away(tree)
    try:
        named = lab(tree / "lab", "-c", AS_ANOTHER, source=tree)
        assert named.stderr == "runnel: no vector was tried\n"
        assert (tree / "ran").exists()
    finally:
        taken_back(tree)


@pytest.mark.parametrize("part", [".", "lab", "tools"])
def test_a_tree_that_everybody_may_write_to_is_refused(tree, part):
    """As /tmp is, which root owns."""
    (tree / part).chmod(0o1777)
    try:
        refused = lab(tree)
        assert (refused.returncode, (tree / "ran").exists()) == (1, False)
        assert f"{tree / part} is writable for everybody, " in refused.stderr
        assert f"set RUNNEL_SOURCE={tree} " in refused.stderr
    finally:
        (tree / part).chmod(0o755)


def test_completion_runs_no_code_of_somebody_else(tree):
    given_away(tree)
    words = {"_RUNNEL_COMPLETE": "bash_complete", "COMP_WORDS": "runnel lab run --target ", "COMP_CWORD": "4"}
    try:
        done = subprocess.run(
            [sys.executable, "-c", AS_ANOTHER],
            cwd=tree,
            env={name: value for name, value in os.environ.items() if name != "RUNNEL_SOURCE"} | words,
            capture_output=True,
            text=True,
            timeout=100,
        )
        assert (done.returncode, "avr" in done.stdout, (tree / "ran").exists()) == (0, False, False), done.stderr
    finally:
        taken_back(tree)
