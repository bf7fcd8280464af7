# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The package works without features of Linux that another system may lack."""

import os
import subprocess
import sys

from runnel import threads

WITHOUT = """
import _signal, os, sys
del _signal.SIGHUP, os.sched_getaffinity
import signal
assert not hasattr(signal, "SIGHUP")
"""


def python(script: str, *arguments: object, cwd) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT + script, *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


def test_files_without_affinity_and_hangups(tmp_path):
    (tmp_path / "plain").write_bytes(os.urandom(5 << 20))
    done = python(
        """
        import runnel
        keyset = runnel.Keyset.generate()
        runnel.encrypt_file("plain", "sealed", keyset)
        runnel.decrypt_file("sealed", "opened", keyset)
        """.replace("        ", ""),
        cwd=tmp_path,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "opened").read_bytes() == (tmp_path / "plain").read_bytes()


def test_the_command_without_hangups(tmp_path):
    script = "from runnel.cli import main\nmain(sys.argv[1:])\n"
    done = python(script, "keygen", "key", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert os.listdir(tmp_path) == ["key"]
    signalled = script.replace(
        "main(s", "import runnel.cli.group as g\ng.run = lambda a: os.kill(os.getpid(), 15)\nmain(s"
    )
    done = python(signalled, "keygen", "other", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (143, "runnel: terminated\n")


def test_processors(monkeypatch):
    if hasattr(os, "sched_getaffinity"):
        monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {1, 5, 7})
        assert threads.usable_processors() == 3
        monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 6)
    assert threads.usable_processors() == 6
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert threads.usable_processors() == 1
