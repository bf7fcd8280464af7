# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`runnel lab reproduce`: a paper's tables measured anew, beside what is recorded."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from runnel_lab import Skipped, results, targets
from runnel_lab.command import lab
from runnel_lab.tables import papers, published, reproduction

ROOT = Path(__file__).resolve().parents[2]
KERNELS = ["rv32-fixslice-full", "rv32-fixslice-full-table4k", "rv32-prefix"]


def reproduce(*arguments: object):
    return CliRunner().invoke(lab, ["reproduce", *map(str, arguments)])


def recorded(place: Path) -> list[str]:
    return sorted(row["kernel"] for row in results.read_all(place))


@pytest.mark.skipif(shutil.which("riscv64-unknown-elf-gcc") is None, reason="no compiler")
def test_a_table_from_the_paper_to_the_difference(tmp_path):
    place = tmp_path / "mine"
    done = reproduce("risc-v fixslicing", "--table", "table_bytes", "--results", place, "--quiet")
    assert done.exit_code == 0, done.output
    assert "fixslicing-rv32: about " in done.stderr and f"into {place}" in done.stderr
    assert recorded(place) == KERNELS  # no more than the table needs
    words = [line.split() for line in done.stdout.splitlines() if " rv32-prefix " in line]
    assert words[0][:3] == ["bytes", "4,096", "rv32-prefix"] and words[0][3:] == ["4,160", "4,160", "1.000"]
    assert "2 of 2 figures measured." in done.stdout and "2 of 2 are those recorded." in done.stdout

    file = place / "rv32.json"
    text = json.loads(file.read_text())
    for row in text["rows"]:
        row["ram"]["context"] += row["kernel"] == "rv32-prefix"
    file.write_text(json.dumps(text))
    figures = reproduction.figures(ROOT, "fixslicing-rv32", place, ["table_bytes"])
    assert "  table_bytes by rv32-prefix: 4,160, now 4,161" in reproduction.summary(figures)


def test_a_missing_tool_is_one_line(monkeypatch, tmp_path):
    def missing(self) -> None:
        raise Skipped(f"{self.name}: skipped, a-compiler is not installed")

    monkeypatch.setattr(targets.Target, "require", missing)
    done = reproduce("fixslicing-rv32", "--results", tmp_path)
    assert done.exit_code == 0
    assert done.stderr.splitlines()[0] == "rv32: skipped, a-compiler is not installed"
    assert "0 of " in done.stdout and " figures measured." in done.stdout and not list(tmp_path.iterdir())


def test_wrong_names():
    done = reproduce("fixslicing-rv32", "--table", "tables")
    assert done.exit_code != 0 and "no table 'tables'; it has cycles_per_block" in str(done.exception)


@pytest.mark.parametrize("paper", published.names(ROOT))
def test_every_paper_says_what_it_needs_and_how_long(paper):
    """Its own processors first among the targets; a selection takes its share."""
    plan = reproduction.plan(ROOT, paper)
    assert set(papers.describe(ROOT, paper).processors) <= plan.minutes.keys()
    assert all(minutes > 0 for minutes in plan.minutes.values()), plan.minutes
    for (target, kernels), ciphers in plan.ciphers.items():
        assert ciphers and (not kernels) == targets.load(ROOT, target).measured


def test_what_a_clock_measured_is_a_ratio():
    about = {"table": "t", "row": "r", "unit": "us", "target": "host", "kernel": "k", "paper": 1}
    about |= {"column": None, "bytes": None}
    found = [
        reproduction.Figure(**about, kind="measured", recorded=2.0, yours=yours) for yours in (2.1, 1.0, 3.0, None)
    ]
    assert reproduction.summary(found) == [
        "3 of 4 figures measured.",
        "Measured by a clock: the largest difference is 0.50 times what is recorded, t/r by k.",
    ]
