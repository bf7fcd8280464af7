# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`runnel store ls`: what it says of objects that cannot be read or opened, and of odd names and times."""

import json
import os
import subprocess

import runnel
from cli_program import PROGRAM, accepted
from cli_program import runnel as program
from runnel_store.cli.command import _utc
from sealed_files import replace
from store_objects import keyfile, keyset, put, server, store  # noqa: F401  # fixtures


def test_a_list_for_a_closed_output(store):
    put(f"{store}/a", b"")
    done = subprocess.run(
        [*PROGRAM, "store", "ls", f"{store}/"], preexec_fn=lambda: os.close(1), stderr=-1, check=False
    )
    assert (done.returncode, done.stderr) == (1, b"runnel: stdout: is closed\n")


def test_a_list_that_nobody_reads_to_its_end(tmp_path):
    for number in range(300):
        (tmp_path / f"{number:0100}").touch()
    for arguments in (["store", "ls"], ["store", "ls", "--json"]):
        with open("/dev/full", "wb") as full:
            done = program(*arguments, f"{tmp_path}/", stdout=full, status=1)
        assert done.stderr == b"runnel: stdout: No space left on device\n"
        process = subprocess.Popen([*PROGRAM, *arguments, f"{tmp_path}/"], stdout=-1, stderr=-1)
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == (b"runnel: stdout: Broken pipe\n", 1)
        process.stderr.close()


def test_times_that_no_calendar_has(tmp_path, monkeypatch, capfd):
    """Only some file systems keep them, so that here the listing is told of one."""
    (tmp_path / "a").touch()
    far = (1 << 40, -(1 << 40), 1 << 56, -(1 << 56), 1e300)
    assert [_utc(seconds) for seconds in (0, *far)] == ["1970-01-01T00:00:00Z", None, None, None, None, None]
    monkeypatch.setattr("runnel_store.cli.command._utc", lambda _: None)
    accepted("store", "ls", f"{tmp_path}/")
    accepted("store", "ls", "--json", f"{tmp_path}/")
    text, row = capfd.readouterr().out.splitlines()
    assert text.split() == ["0", "-", "a"] and json.loads(row)["modified"] is None


def test_a_list_continues_after_what_cannot_be_opened(keyset, tmp_path, capfd):
    key = keyfile(keyset, tmp_path)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a").symlink_to("a")
    accepted("store", "encrypt", "-k", key, key, tmp_path / "in" / "b")
    accepted("store", "ls", "-k", key, f"{tmp_path}/in/")
    first, second = (line.split() for line in capfd.readouterr().out.splitlines())
    assert (first[-3:], second[-2:]) == (["?", "?", "a"], [str(key.stat().st_size), "b"])


def test_a_list_tells_what_no_key_opens_from_what_cannot_be_read(server, store, tmp_path, capfd):
    zero = replace(runnel.Keyset.generate("cobblestone-128").primary, key_id=0)
    key = keyfile(runnel.Keyset(zero, (zero,)), tmp_path)
    accepted("store", "encrypt", "-k", key, key, f"{store}/a")
    for name in "bc":
        put(f"{store}/{name}", b"text")
    with server.failing(lambda request: "403" if request.path.endswith("/c") else None):
        accepted("store", "ls", "-k", key, f"{store}/")
        accepted("store", "ls", "-k", key, "--json", f"{store}/")
    *lines, a, b, c = capfd.readouterr().out.splitlines()
    assert [line.split()[2:] for line in lines] == [
        ["0", str(key.stat().st_size), "a"],
        ["-", "-", "b"],
        ["?", "?", "c"],
    ]
    assert "error" not in json.loads(a) | json.loads(b) and "refuses access" in json.loads(c)["error"]


def test_a_list_has_no_commands_for_a_terminal(tmp_path, capfd):
    (tmp_path / "a\x1b[2J\nb").touch()
    accepted("store", "ls", f"{tmp_path}/")
    (line,) = capfd.readouterr().out.splitlines()
    assert line.endswith("a?[2J?b")
