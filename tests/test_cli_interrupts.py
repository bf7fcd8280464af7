# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Signals at the moments when a program is least ready for them: while it starts, and while it ends."""

import fcntl
import os
import random
import signal
import subprocess
import sys
import termios
import textwrap
import time
from pathlib import Path

import pytest
from cli_program import PROGRAM, listing, one_line, runnel

SCRIPT = Path(sys.executable).parent / "runnel"
LAUNCHERS = {"module": PROGRAM, "script": [str(SCRIPT)]}
WORDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated", signal.SIGHUP: "terminated"}

# Python imports this before all else. Import number 0 is that of runnel: before it, nothing of ours has run.
COUNTING = """
import os, sys
_count = -1
def _hook(event, arguments):
    global _count
    if event == "import" and (_count >= 0 or arguments[0] == "runnel"):
        _count += 1
        if "COUNT_INTO" in os.environ:
            with open(os.environ["COUNT_INTO"], "a") as file:
                file.write(arguments[0] + "\\n")
        elif _count == int(os.environ["SEND_AT"]):
            os.kill(os.getpid(), int(os.environ["SEND"]))
sys.addaudithook(_hook)
"""


@pytest.fixture
def folder(tmp_path):
    runnel("keygen", tmp_path / "key")
    (tmp_path / "plain").write_bytes(bytes(3 << 20))  # for which threads are started
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(COUNTING)
    (tmp_path / "work").mkdir()
    return tmp_path


def start(folder, launcher, **environment):
    command = [*LAUNCHERS[launcher], "encrypt", "--key", "key", "plain", "work/out"]
    environment = {**os.environ, "PYTHONPATH": str(folder / "site"), **environment}
    return subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE)


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_a_signal_while_it_starts(folder, launcher):
    """At every import in turn, from the first of our own on. The next imports happen as if at the same moment."""
    process = start(folder, launcher, COUNT_INTO=str(folder / "imports"))
    assert process.communicate()[1] == b"" and process.returncode == 0
    imports = (folder / "imports").read_text().split()
    assert {"runnel.sealed.engine", "runnel.sealed.hkdf", "threading"} <= set(imports) and len(imports) > 40
    os.unlink(folder / "work" / "out")
    early = range(2, 12)
    for number, moments in (
        (signal.SIGINT, [*early, *random.sample(range(12, len(imports)), 25)]),
        (signal.SIGTERM, [*early, *random.sample(range(12, len(imports)), 5)]),
    ):
        for moment in moments:
            process = start(folder, launcher, SEND_AT=str(moment), SEND=str(int(number)))
            _, stderr = process.communicate(timeout=60)
            where = f"at import {moment}, of {imports[moment]}"
            assert stderr.decode() == f"runnel: {WORDS[number]}\n", where
            assert process.returncode == 128 + number, where
            assert listing(folder / "work") == [], where


DURING = """
import os, signal, sys, time
from runnel.cli import main
from runnel.sealed import operations
all_of_them = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
def work(*_, **__):
    assert os.listdir("work")
{body}
operations.encrypt = work
main(sys.argv[1:])
"""


def during_encryption(folder, body):
    """Runs the command with body in the place of the work: a temporary exists by then."""
    script = DURING.format(body=textwrap.indent(textwrap.dedent(body), "    "))
    command = [sys.executable, "-c", script, "encrypt", "--key", "key", "plain", "work/out"]
    done = subprocess.run(command, cwd=folder, stderr=subprocess.PIPE, check=False, timeout=60)
    assert listing(folder / "work") == []
    return done.returncode, one_line(done.stderr)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_comes_when_all_is_done(number, folder):
    """While the interpreter ends, which has given its handlers back by then."""
    script = f"""
import os, sys
class Late:
    def __del__(self, kill=os.kill, process=os.getpid()):
        kill(process, {int(number)})
sys.late = Late()
from runnel.cli import main
main(sys.argv[1:])
"""
    command = [sys.executable, "-c", script, "encrypt", "--key", "key", "plain", "work/out"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stderr, listing(folder / "work")) == (0, b"", ["out"])


@pytest.mark.parametrize("first", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_several_signals_at_once(folder, first):
    """All are there when the first one's handler begins."""
    status, line = during_encryption(
        folder,
        f"""
        signal.pthread_sigmask(signal.SIG_BLOCK, all_of_them)
        for each in {[int(first), *(int(each) for each in WORDS if each != first)]}:
            os.kill(os.getpid(), each)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, all_of_them)
        time.sleep(1)
    """,
    )
    assert status in (129, 130, 143) and line in ("runnel: interrupted\n", "runnel: terminated\n")


def test_more_signals_while_it_cleans_up(folder):
    status, line = during_encryption(
        folder,
        """
        try:
            os.kill(os.getpid(), signal.SIGINT)
        finally:
            for _ in range(100):
                for each in all_of_them:
                    os.kill(os.getpid(), each)
                time.sleep(0.001)
            open("cleaned up", "w").close()
    """,
    )
    assert (status, line) == (130, "runnel: interrupted\n")
    assert (folder / "cleaned up").exists()


def test_a_signal_where_python_swallows_exceptions(folder):
    """An exception in a finaliser is printed with a traceback, and the program continues."""
    status, line = during_encryption(
        folder,
        """
        class Finalised:
            def __del__(self):
                os.kill(os.getpid(), signal.SIGTERM)
                time.sleep(0.1)
        Finalised()
    """,
    )
    assert (status, line) == (143, "runnel: terminated\n")


# A standard output that nobody reads

UNREAD = {
    "ls": ("store", "ls", "many/"),
    "manifest": ("store", "encrypt", "-q", "--key", "key", "--manifest", "-", "many/", "work/"),
}
PAGE = 4096

# Says when it is about to write.
PRINTING = """
import sys
from runnel.cli import main, standard
def write(self, data, write=standard.StandardOutput.write):
    open("writing", "w").close()
    return write(self, data)
standard.StandardOutput.write = write
main(sys.argv[1:])
"""


@pytest.fixture(params=["blocking", "not blocking"])
def unread(request):
    """Yield the two ends of a pipe that takes a page."""
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, PAGE)
    os.set_blocking(writer, request.param == "blocking")
    yield reader, writer
    os.close(reader)
    os.close(writer)


def ended_by(number, process, is_writing):
    """Sends the signal to a process that waits for its output to be read, and checks how it ends."""
    try:
        while not is_writing():
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(0.2)  # until it waits
        process.send_signal(number)
        _, stderr = process.communicate(timeout=30)
    finally:
        process.kill()
    assert (process.returncode, one_line(stderr)) == (128 + number, f"runnel: {WORDS[number]}\n")


@pytest.mark.parametrize("arguments", UNREAD.values(), ids=UNREAD)
@pytest.mark.parametrize("number", WORDS)
def test_a_signal_while_nobody_reads_what_is_listed(number, arguments, folder, unread):
    reader, writer = unread
    (folder / "many").mkdir()
    for name in range(400):
        (folder / "many" / f"{name:03}{'x' * 30}").touch()

    def is_full():
        return int.from_bytes(fcntl.ioctl(reader, termios.FIONREAD, bytes(4)), sys.byteorder) == PAGE

    ended_by(
        number, subprocess.Popen([*PROGRAM, *arguments], cwd=folder, stdout=writer, stderr=subprocess.PIPE), is_full
    )


@pytest.mark.parametrize("number", WORDS)
def test_a_signal_while_nobody_reads_what_is_printed(number, tmp_path, unread):
    os.write(unread[1], bytes(PAGE))
    command = [sys.executable, "-c", PRINTING, "ciphers", "--help"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=unread[1], stderr=subprocess.PIPE)
    ended_by(number, process, (tmp_path / "writing").exists)


def test_what_is_left_after_a_signal_is_written_as_far_as_it_is_taken(tmp_path):
    """The names of what failed are worth knowing, but nobody waits for a reader any more."""
    script = """
import os, sys
from runnel import _interrupt
from runnel.cli.standard import StandardOutput
_interrupt._came = True
out = StandardOutput()
data = bytes(10_000)
while data:
    data = data[out.write(data):]
out.write(b"more")
os.write(2, b"done")
"""
    for room, taken in ((PAGE, PAGE), (4 * PAGE, 10_004)):
        reader, writer = os.pipe()
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, room)
        done = subprocess.run(
            [sys.executable, "-c", script], stdout=writer, stderr=subprocess.PIPE, check=True, timeout=30
        )
        os.close(writer)
        with open(reader, "rb") as file:
            assert (done.stderr, len(file.read())) == (b"done", taken)
