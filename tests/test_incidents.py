# SPDX-License-Identifier: Apache-2.0 OR MIT
"""docs/incidents.md names tests and planted faults that there are."""

import re

import suites
from c_programs import ROOT
from mutation.incidents import incidents

LINES = (ROOT / "docs" / "incidents.md").read_text(encoding="utf-8").splitlines()
ROWS = [line.strip("| ").split(" | ") for line in LINES if re.match(r"\| \d", line)]


def test_every_incident_has_a_row():
    assert [int(row[0]) for row in ROWS] == list(range(1, len(ROWS) + 1)) and len(ROWS) >= 66
    assert all(len(row) == 6 for row in ROWS)


def test_planted_faults_exist():
    planted = [
        re.fullmatch(r"\[(.+)\]\(\.\./((?:\w+/)?tests/test_\w+\.py|tests/mutation/incidents\.toml)\)", row[5])
        for row in ROWS
        if row[5] != "not yet"
    ]
    for found in planted:
        assert found, "neither a planted fault nor 'not yet'"
        if found[2].endswith(".toml"):
            assert found[1] in incidents(), found[1]
        else:
            assert f"def {found[1]}(" in (ROOT / found[2]).read_text(encoding="utf-8"), found[0]
    named = {found[1] for found in planted}
    assert {each.name for each in incidents().values() if each.runs} <= named
    assert any(line.startswith(f"{len(planted)} of {len(ROWS)} have a fault") for line in LINES)


def test_tests_exist():
    properties = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "c").glob("*.c"))
    for row in ROWS:
        for name in re.findall(r"`(\w+)`", row[4]):
            assert f'"{name}"' in properties, name
        for file in re.findall(r"test_\w+\.py", row[4]):
            assert file in suites.files(), file
