# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Start the scripts that measure for the record and those of the campaign, which no other test runs."""

import subprocess
import sys
from pathlib import Path

import pytest
from c_programs import ROOT

# Modules of one folder find each other there, as they do when one of them is started.
START = """\
import contextlib, io, runpy, sys, traceback
kept = sys.path[:]
for path in sys.argv[1:]:
    sys.path[:] = [path.rpartition("/")[0], *kept]
    sys.argv = [path, "--help"]
    asks = "argparse" in open(path, encoding="utf-8").read()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path(path, run_name="__main__" if asks else "imported")
    except SystemExit as leaving:
        if leaving.code:
            print(f"{path}: status {leaving.code}")
    except Exception:
        print(path, traceback.format_exc())
"""


def complaints(*scripts: Path) -> str:
    """Import scripts in one process, ask those with options for their help, and return what went wrong."""
    done = subprocess.run(
        [sys.executable, "-c", START, *scripts], cwd=ROOT / "tests", text=True, capture_output=True, check=True
    )
    return done.stdout


@pytest.mark.parametrize("folder", ["bench", "tests/campaign"])
def test_every_script_starts(folder):
    assert complaints(*sorted((ROOT / folder).glob("*.py"))) == ""


def test_every_part_of_the_campaign_is_imported():
    script = ROOT / "tests" / "campaign" / "run.py"
    done = subprocess.run([sys.executable, script, "--list"], text=True, capture_output=True, check=True)
    parts = {path.stem for path in (script.parent / "parts").glob("*.py")} - {"__init__"}
    assert {line.split()[0] for line in done.stdout.splitlines()} == parts


def test_a_script_that_does_not_start_is_named(tmp_path):
    lost, options = tmp_path / "lost.py", tmp_path / "options.py"
    lost.write_text("import runnel.cli.key\n")
    options.write_text("import argparse\nargparse.ArgumentParser().no_such_method()\n")
    found = complaints(lost, options)
    assert "No module named 'runnel.cli.key'" in found and "no_such_method" in found
