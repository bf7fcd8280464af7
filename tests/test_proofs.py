# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A short part of `make proofs`, seconds long: Eva finds nothing wrong in the MACs' driver, whatever the bytes, and sees a
planted fault; it reads every header of SRTP without leaving the packet."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "proofs"))
import eva
from sources import changed_sources

pytestmark = pytest.mark.skipif(shutil.which("frama-c") is None, reason="frama-c is not installed")


@pytest.mark.parametrize("program", ["headers", "mac"])
def test_eva_raises_no_alarm(program):
    with changed_sources(eva.CHANGES) as sources:
        found = eva.analyse(program, sources, short=True)
    assert found.alarms == []
    if program == "mac":
        assert "core/mac.c: runnel_mac_update" in found.reached


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
