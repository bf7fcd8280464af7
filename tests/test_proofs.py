# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A short part of `make proofs`, seconds long: Eva finds nothing wrong in the MACs' driver, whatever the bytes, and sees a
planted fault; it reads every header of SRTP without leaving the packet. What the rest of the proofs names stands in the
code."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "proofs"))
import eva
import prove
from sources import changed_sources

pytestmark = pytest.mark.skipif(shutil.which("frama-c") is None, reason="frama-c is not installed")


@pytest.mark.parametrize("program", ["headers", "mac"])
def test_eva_raises_no_alarm(program):
    with changed_sources(eva.CHANGES) as sources:
        found = eva.analyse(program, sources, short=True)
    assert found.alarms == []
    if program == "mac":
        assert "core/mac.c: runnel_mac_add" in found.reached


@pytest.mark.parametrize("program", ["headers", "mac"])
def test_eva_sees_a_planted_fault(program):
    (fault,) = [fault for fault in eva.FAULTS if fault[3] == program]
    assert eva.planted(*fault)


def test_its_place_may_have_a_blank(tmp_path):
    tree = tmp_path / "my dir"
    for name in ("include", "proofs", "src"):
        shutil.copytree(ROOT / name, tree / name)
    command = [sys.executable, tree / "proofs" / "eva.py", "--short", "--no-faults", "headers"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def names_with_contracts() -> set[str]:
    """Functions that the headers of proofs/ declare, each behind its contract."""
    headers = [path.read_text() for path in (ROOT / "proofs").glob("*.h")]
    return {name for text in headers for name in re.findall(r"\*/\n[a-z][\w *]*?(\w+)\(", text)}


def test_contracts_are_of_functions_in_the_code():
    files = [path for folder in ("src", "include") for path in (ROOT / folder).rglob("*.[ch]")]
    defined = {
        name for path in files for name in re.findall(r"^\w.*?(\w+)\([^;{}]*\)\n\{", path.read_text(), re.MULTILINE)
    }
    missing = {name for name in names_with_contracts() - defined if not name.startswith("__builtin_")}
    assert missing == set()


def test_each_function_to_prove_has_a_contract():
    assert {name for _, name, _ in prove.FUNCTIONS} - names_with_contracts() == set()


def test_the_readme_names_what_is_proved():
    text = (ROOT / "proofs" / "README.md").read_text()
    (table,) = re.findall(r"^## For all inputs\n(.*?)^## ", text, re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"`(\w+)`", table))
    assert named == {name for _, name, _ in prove.FUNCTIONS} | {name for _, name in prove.LEMMAS}


@pytest.mark.parametrize("changes, faults", [([], prove.FAULTS), (eva.CHANGES, eva.FAULTS)], ids=["WP", "Eva"])
def test_each_planted_fault_has_its_place(changes, faults):
    with changed_sources(changes) as sources:
        counts = {good: (sources / file).read_text().count(good) for file, good, *_ in faults}
    assert {good: n for good, n in counts.items() if n != 1} == {}
