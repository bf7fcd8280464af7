# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The tables in lab/README.md are those of lab/results, and every target of the results is one of the lab."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_tables_are_what_the_results_say():
    printed = subprocess.run([sys.executable, ROOT / "tools" / "lab_table.py"], check=True, capture_output=True, text=True)
    written = re.search(r"<!-- results: begin -->\n(.*?)<!-- results: end -->", (ROOT / "lab" / "README.md").read_text(),
                        re.DOTALL)[1]
    assert written == printed.stdout, "run tools/lab_table.py --write"
    targets = {p.parent.name for p in (ROOT / "lab" / "targets").glob("*/target.toml")}
    assert set(re.findall(r"^\*\*`([\w-]+)`\*\*", written, re.MULTILINE)) == targets
