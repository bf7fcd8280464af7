# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A short part of `make proofs`, seconds long: Eva finds nothing wrong in the MACs' driver, whatever the bytes, and sees a
planted fault; it reads every header of SRTP without leaving the packet."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "proofs"))
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
