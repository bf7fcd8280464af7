# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The tables in the READMEs are those of lab/results, and every target of the results is one of the lab."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import lab_table


def written(file: Path, marker: str) -> str:
    return re.search(rf"<!-- {marker}: begin -->\n(.*?)<!-- {marker}: end -->", file.read_text(), re.DOTALL)[1]


@pytest.mark.parametrize("file, marker, text_of", lab_table.PLACES)
def test_tables_are_what_the_results_say(file, marker, text_of):
    assert written(file, marker) == text_of(), "run tools/lab_table.py --write"


def test_every_target_has_a_table():
    targets = {p.parent.name for p in (ROOT / "lab" / "targets").glob("*/target.toml")}
    tables = [written(ROOT / "lab" / "README.md", marker) for marker in ("results", "streams")]
    named = [set(re.findall(r"^\*\*`([\w-]+)`\*\*", table, re.MULTILINE)) for table in tables]
    assert named == [targets - {"avr-1284p"}, targets]
