# SPDX-License-Identifier: Apache-2.0 OR MIT
"""tools/fresh-debian without a system: programs of the test's own stand in for those that make one. `make fresh` runs it
whole."""

import os
import signal
import subprocess
import time

import pytest
from c_programs import ROOT


@pytest.fixture
def fresh(tmp_path):
    """Start the tool where `id` and mmdebstrap do these things."""
    programs = tmp_path / "programs"
    programs.mkdir()

    def start(user: str, making: str) -> subprocess.Popen:
        for name, text in (
            ("id", f"echo {user}"),
            ("mmdebstrap", making),
            ("unshare", 'while [ "${1#-}" != "$1" ] || [ "$1" = private ]; do shift; done; exec "$@"'),
        ):
            (programs / name).write_text(f"#!/bin/sh\n{text}\n")
            (programs / name).chmod(0o755)
        path = f"{programs}{os.pathsep}{os.environ['PATH']}"
        return subprocess.Popen(
            [ROOT / "tools" / "fresh-debian"],
            env=os.environ | {"PATH": path, "FRESH": str(tmp_path / "fresh")},
            text=True,
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    return start


def test_without_root_it_says_so(fresh, tmp_path):
    tool = fresh("1000", "true")
    message = tool.communicate()[1]
    assert tool.returncode == 1 and message.count("\n") == 1 and "only root" in message
    assert not (tmp_path / "fresh").exists()


def test_nothing_is_left_when_no_system_can_be_built(fresh, tmp_path):
    tool = fresh("0", 'for last; do [ ! -d "$last" ] || touch "$last/part"; done; echo no network; exit 3')
    message = tool.communicate()[1]
    assert tool.returncode == 1 and message.count("\n") == 1 and "system.log" in message
    assert [path.name for path in (tmp_path / "fresh").iterdir()] == ["system.log"]
    assert "no network" in (tmp_path / "fresh" / "system.log").read_text()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_nothing_is_left_after_a_signal(fresh, tmp_path, number):
    tool = fresh("0", "exec sleep 1000")
    while not (tmp_path / "fresh" / "system.log").exists():
        assert tool.poll() is None
        time.sleep(0.02)
    tool.send_signal(number)
    tool.communicate(timeout=60)
    assert tool.returncode == 128 + number
    assert [path.name for path in (tmp_path / "fresh").iterdir()] == ["system.log"]
