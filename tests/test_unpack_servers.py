# SPDX-License-Identifier: Apache-2.0 OR MIT
"""tools/unpack-servers, with an apt-get of the test's own: what is missing is unpacked, once; without a network it says
so and nothing is left behind."""

import os
import subprocess

import pytest
from c_programs import ROOT

APT_GET = """#!/bin/sh
echo "$*" >>"$CALLS"
case "$*" in
install\\ -s*) cat "$PLAN" ;;
download*) [ -z "$OFFLINE" ] && cp "$DEB" . ;;
update*) [ -z "$OFFLINE" ] ;;
esac
"""


@pytest.fixture
def unpack(tmp_path):
    """Run the tool for a plan of apt-get's; return its output and the calls of apt-get."""
    package = tmp_path / "package"
    (package / "DEBIAN").mkdir(parents=True)
    (package / "DEBIAN" / "control").write_text(
        "Package: sshd-of-the-test\nVersion: 1\nArchitecture: all\nMaintainer: none\nDescription: none\n"
    )
    (package / "usr" / "sbin").mkdir(parents=True)
    (package / "usr" / "sbin" / "sshd").write_text("a server\n")
    subprocess.run(["dpkg-deb", "-b", package, tmp_path / "one.deb"], check=True, stdout=subprocess.DEVNULL)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "apt-get").write_text(APT_GET)
    (tmp_path / "bin" / "apt-get").chmod(0o755)

    def run(plan: str, offline: str = "") -> tuple[str, list[str]]:
        (tmp_path / "plan").write_text(plan)
        calls = tmp_path / "calls"
        calls.write_text("")
        done = subprocess.run(
            [ROOT / "tools" / "unpack-servers", tmp_path / "build" / "servers"],
            env=os.environ
            | {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "CALLS": str(calls), "OFFLINE": offline}
            | {"PLAN": str(tmp_path / "plan"), "DEB": str(tmp_path / "one.deb")},
            text=True, capture_output=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr, [line.split()[0] for line in calls.read_text().splitlines()]

    return run


MISSING = (
    "Reading lists\nInst openssh-server (1:9.2 Debian [amd64])\nInst libwrap0 (7.6 Debian [amd64])\nConf libwrap0\n"
)


def test_what_is_missing_is_unpacked_once(unpack, tmp_path):
    servers = tmp_path / "build" / "servers"
    output, calls = unpack(MISSING)
    assert "libwrap0 openssh-server" in output and calls == ["install", "download"]
    assert (servers / "usr" / "sbin" / "sshd").read_text() == "a server\n"
    assert unpack(MISSING) == ("", ["install"])
    output, calls = unpack(MISSING + "Inst ucf (3.0 Debian [all])\n")
    assert "ucf" in output and "download" in calls


def test_installed_servers_are_not_touched(unpack, tmp_path):
    assert unpack("nothing to do\n") == ("", ["install"])
    assert not (tmp_path / "build" / "servers").exists()


def test_without_a_network_it_says_so(unpack, tmp_path):
    output, _ = unpack(MISSING, offline="yes")
    assert "will skip: apt-get cannot download libwrap0 openssh-server" in output
    assert list((tmp_path / "build").iterdir()) == []
