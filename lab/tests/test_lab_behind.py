# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`runnel lab behind`: what got slower since earlier results, and where a paper is ahead of ours, each with a reason."""

from __future__ import annotations

import copy
import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from runnel_lab import LabError
from runnel_lab.command import lab
from runnel_lab.tables import behind, comparison, papers, published

ROOT = Path(__file__).resolve().parents[2]
ROW = {
    "cipher": "rabbit",
    "kernel": "avr",
    "key_bits": 128,
    "iv_bits": 64,
    "kind": "exact",
    "machine": "it",
    "figures": {"key": {"cycles": 100, "instructions": 60}, "iv": {"instructions": 50}},
    "rom": 1000,
    "ram": {"context": 40, "static": 50, "stack": 60},
}


@pytest.fixture(scope="module")
def everywhere():
    return behind.behind(ROOT)


@pytest.fixture
def here(everywhere):
    return everywhere[0]


def folder(place: Path, *rows: dict) -> Path:
    place.mkdir()
    text = {"target": "avr", "title": "avr", "clock_hz": None, "rows": list(rows)}
    (place / "avr.json").write_text(json.dumps(text))
    return place


def changed(**more) -> dict:
    """Return the row with some cells more."""
    row = copy.deepcopy(ROW)
    for name, value in more.items():
        at = row
        *path, last = name.split("__")
        for each in path:
            at = at[each]
        at[last] = value
    return row


def test_where_a_paper_is_ahead_the_reason_is_known(here):
    lost = [(line["paper_name"], line["table"], line["row"], line["column"], line["which"]) for line in here]
    assert {"ours", "technique"} == {which for *_, which in lost}
    assert [place for place, line in zip(lost, here, strict=True) if line["why"] == behind.NOT_EXPLAINED] == []


def test_every_reason_explains_something(here):
    used = {line["why"] for line in here}
    known = [each.why for paper in published.names(ROOT) for each in papers.describe(ROOT, paper).behind]
    assert known and [why for why in known if why not in used] == []


def test_all_are_figures_in_which_a_paper_is_ahead(everywhere):
    here, among = everywhere
    for line in here:
        mine = line[line["which"]]
        assert mine < line["paper"] if line["unit"] in comparison.MORE_IS_BETTER else mine > line["paper"]
        assert line["times"] > 1 and line["own"]
    assert len(here) < among


def test_a_figure_without_a_reason_comes_first(tmp_path):
    """In a tree in which one paper gives no reasons; the first that fits a cell counts."""
    shutil.copytree(ROOT / "lab", tmp_path / "lab", ignore=shutil.ignore_patterns("*.c", "runnel_lab", "packets"))
    file = tmp_path / "lab" / "papers" / "sensor-streams.py"
    file.write_text(file.read_text() + 'BEHIND = [Reason("known", "state_bytes"), Reason("second", "state*")]\n')
    lines, among = behind.behind(tmp_path)
    lost = sum(line["why"] == behind.NOT_EXPLAINED for line in lines)
    text = behind.behind_text(lines, among)
    assert 0 < lost < len(lines)
    assert re.match(
        rf"Behind a paper in {len(lines)} of {among} figures, \d+ of them our best kernel's; {lost} not explained\.\n\n"
        "not explained:\n",
        text,
    )
    assert text.index("\nnot explained:\n") < text.index("\nknown:\n") and "second" not in text


@pytest.mark.parametrize(
    "more, found",
    [
        ({}, []),
        ({"figures__key__cycles": 101}, [("key", "cycles", 100, 101)]),
        ({"figures__key__cycles": 99, "figures__key__instructions": 61}, []),
        ({"figures__iv__instructions": 51}, [("iv", "instructions", 50, 51)]),
        ({"rom": 1002, "ram__stack": 90}, [("RAM, stack", "bytes", 60, 90), ("ROM", "bytes", 1000, 1002)]),
        ({"ram__static": 49, "rom": 999}, []),
        ({"figures__key__cycles": 109, "kind": "measured"}, []),
        ({"figures__key__cycles": 111, "kind": "measured"}, [("key", "cycles", 100, 111)]),
        ({"figures__iv__instructions": 51, "kind": "measured"}, [("iv", "instructions", 50, 51)]),
        ({"figures__key__cycles": 101, "peer": True}, []),
        ({"figures__key__cycles": 101, "kernel": "new"}, []),
    ],
)
def test_what_got_slower(tmp_path, more, found):
    cells = behind.slower(folder(tmp_path / "now", changed(**more)), folder(tmp_path / "before", ROW))
    assert [(cell["what"], cell["unit"], cell["before"], cell["now"]) for cell in cells] == found
    assert (behind.slower_text(cells) == "No cell got slower or larger.\n") == (not found)


def test_the_command(tmp_path, here):
    """Rows that got slower come first."""
    now, before = folder(tmp_path / "now", changed(rom=1250)), folder(tmp_path / "before", ROW)
    result = CliRunner().invoke(lab, ["behind", "--results", str(now), "--before", str(before)])
    assert result.exit_code == 0
    first, _, cell, *_ = result.output.splitlines()
    assert first == "1 cell got slower or larger, the worst first:"
    assert cell.split() == ["avr", "rabbit", "avr", "128/64", "ROM", "bytes", "1,000", "1,250", "1.250"]
    assert "\nBehind a paper in 0 of " in result.output
    record = json.loads(CliRunner().invoke(lab, ["behind", "--json"]).output)
    assert record["slower"] is None and len(record["behind"]) == len(here)
    result = CliRunner().invoke(lab, ["behind", "--before", str(tmp_path / "none")])
    assert result.exit_code != 0


@pytest.mark.parametrize("spoilt", [{"cipher": None}, {"figures": 3}, {"figures": {"key": 100}}])
def test_rows_that_are_none_are_refused(tmp_path, spoilt):
    row = {name: value for name, value in {**ROW, **spoilt}.items() if value is not None}
    now = folder(tmp_path / "now", row)
    for option in ("--results", "--before"):
        result = CliRunner().invoke(lab, ["behind", option, str(now)])
        assert isinstance(result.exception, LabError) and "is no file of results" in str(result.exception)
