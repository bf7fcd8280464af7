# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The goals of testing: each once, of parts and tests that there are, and nothing called reached that is not."""

import json
import re
import sys

import suites
from c_programs import ROOT
from campaign import run

sys.path.insert(0, str(ROOT / "site"))
from figures import reliability as table

GOALS = table.goals()["goals"]
MARKS = {"proved", "all inputs", "tested", "by construction"}


def part(count: int, found: int = 0, repeats: bool = False, runs: int = 1) -> table.Part:
    figures = [{"what": "a", "unit": "calls", "count": count, "found": found}]
    figures.append({"what": "b", "unit": "calls", "count": 10 * count, "found": 0})
    kept = [{"seconds": 60, "figures": figures, "date": "2026-01-01", "commit": "c", "machine": "m"}] * runs
    return table.Part("some", "does", ["G1"], "make campaign PART=some", kept, repeats)


def test_every_goal_is_listed_once():
    further = [name for name in GOALS if name.startswith("F")]
    assert list(GOALS) == [f"G{n}" for n in range(1, 29)] + [f"F{n}" for n in range(1, len(further) + 1)]
    assert re.findall(r"^\| ([GF]\d+) \|", table.goal_table(), re.MULTILINE) == list(GOALS)


def test_security_claims_nothing_that_no_goal_carries():
    """Every check that it names is a goal's, or the goal's that it names itself."""
    claims = (ROOT / "SECURITY.md").read_text(encoding="utf-8").partition("## What proves what")[2]
    checks = set(re.findall(r"\]\((?:\w+/)?tests/(test_\w+\.py)\)", claims))
    assert len(checks) > 20
    assert checks <= {test for goal in GOALS.values() for test in goal["tests"]}


def test_goals_name_tests_and_marks_that_exist():
    for name, goal in GOALS.items():
        assert goal["mark"] in MARKS, name
        assert set(goal["tests"]) <= suites.files().keys(), name
        for target in goal.get("targets", []):
            assert set(target) <= {"part", "what", "unit", "count", "each", "seconds"}, name


def test_parts_serve_goals_that_exist():
    for name in run.names():
        assert run.part(name).GOALS and set(run.part(name).GOALS) <= set(GOALS), name
    for path in table.RESULTS.glob("*.json"):
        recorded = json.loads(path.read_text())
        assert path.stem in run.names() and set(recorded["goals"]) <= set(GOALS), path.name


def test_runs_add_up_unless_they_repeat():
    assert [figure.count for figure in part(5, runs=3).figures] == [15, 150]
    assert [figure.count for figure in part(5, runs=3, repeats=True).figures] == [5, 50]
    assert part(5).units() == "55 calls of 2, at least 5 each"
    assert part(5, found=1).units() == "55 calls of 2, at least 5 each, **1 wrong**"


def test_nothing_is_counted_twice():
    """Count results of trials, and those that a run has kept of earlier ones."""
    kept = part(5, runs=3)
    kept.runs[0]["figures"][0]["unit"] = "inputs kept"  # the same in all three
    assert kept.units() == "5 inputs kept; 150 calls"
    again = part(5)
    again.name, again.runs[0]["figures"][0]["what"] = "mutants", "core: not seen"
    assert again.units() == "50 calls"


def test_what_the_last_run_finds_right_is_mended():
    for repeats, found in ((True, 0), (False, 1)):
        both = part(5, found=1, repeats=repeats)
        both.runs += part(5).runs
        assert [figure.found for figure in both.figures] == [found, 0]
    untried = part(5, found=1, repeats=True)
    untried.runs += part(0).runs  # which came to none of it
    assert [figure.found for figure in untried.figures] == [1, 0]


def test_what_a_finding_says_is_mended_is_not_wrong_any_more():
    mended = part(5, found=2)
    mended.mended = frozenset({("c", "a")})
    assert [(figure.found, figure.mended) for figure in mended.figures] == [(0, 2), (0, 0)]
    assert mended.units() == "55 calls of 2, at least 5 each, 2 wrong and mended"
    assert table.state({"tests": ["x"]}, {}, [mended]) == ("reached", [])
    later = part(5, found=1)
    later.runs[0]["commit"] = "d"
    mended.runs = mended.runs + later.runs
    del mended.figures  # which is kept
    assert [(figure.found, figure.mended) for figure in mended.figures] == [(1, 2), (0, 0)]


def test_findings_name_figures_that_something_was_wrong_in():
    for name, mended in table.mended_figures().items():
        for commit, what in mended:
            runs = [run for run in table.parts()[name].runs if run["commit"] == commit]
            assert any(each["what"] == what and each["found"] for run in runs for each in run["figures"]), (name, what)


def test_a_target_is_reached_or_says_what_is_missing():
    assert table.lacks({"part": "some", "count": 1}, None) == "no run of `some` is recorded"
    assert table.lacks({"part": "some", "count": 56}, part(5)) == "55 of 56 calls in `some`"
    assert table.lacks({"part": "some", "count": 55}, part(5)) is None
    each = {"part": "some", "unit": "calls", "count": 50, "each": True}
    assert table.lacks(each, part(5)) == "1 of 2 of `some` are below 50 calls (a: 5), 49 s more at the pace so far"
    assert table.lacks(each, part(50)) is None
    assert table.lacks({"part": "some", "seconds": 120}, part(5)) == "`some` ran for 60 s of 2 minutes"
    assert table.lacks({"part": "some", "what": "c", "count": 1}, part(5)) == "`some` has no such figure yet"


def test_what_is_wrong_or_missing_is_never_reached():
    target = {"part": "some", "count": 1}
    goal = {"tests": ["x"], "targets": [target]}
    assert table.state(goal, {"some": part(5)}, [part(5)]) == ("reached", [])
    assert table.state(goal, {"some": part(5)}, [part(5, found=1)])[0] == "partly"
    assert table.state({**goal, "missing": "more"}, {"some": part(5)}, [part(5)]) == ("partly", ["more"])
    assert table.state({"tests": [], "targets": [target]}, {}, []) == ("not", ["no run of `some` is recorded"])
