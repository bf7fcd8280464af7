# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Signals at the moments when a program is least ready for them: while it starts, and while it ends."""

import os
import random
import signal
import subprocess
import sys
import textwrap
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
    (tmp_path / "plain").write_bytes(bytes(9999))
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
    assert "click" in imports and any(name.startswith("cryptography") for name in imports) and len(imports) > 100
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


@pytest.mark.parametrize(
    "program",
    [
        "import runnel",
        "import runnel.sealed.files, runnel.output",
        "def later():\n    from runnel.cli import main\nimport runnel",
    ],
)
def test_a_program_that_uses_the_package_keeps_its_signals(tmp_path, program):
    check = (
        "\nimport signal, sys\nassert signal.getsignal(signal.SIGINT) is signal.default_int_handler\n"
        "assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL\n"
        "assert sys.unraisablehook is sys.__unraisablehook__\n"
    )
    (tmp_path / "program.py").write_text(program + check)
    for command in (["program.py"], ["-m", "program"], ["-c", program + check], ["-m", "program", "-m", "runnel"]):
        subprocess.run([sys.executable, *command], cwd=tmp_path, check=True)


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
    """What is raised while an object is finalised is printed with a traceback, and the program goes on."""
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


def test_signals_until_it_is_gone(folder):
    """A user who keeps the keys pressed, from the middle to the end of the process."""
    for _ in range(5):
        process = subprocess.Popen(
            [*PROGRAM, "encrypt", "--key", "key", "-", "work/out"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        process.stdin.write(b"text")
        process.stdin.flush()
        while not listing(folder / "work"):
            assert process.poll() is None
        while process.poll() is None:
            process.send_signal(signal.SIGINT)
        stderr = process.stderr.read()
        process.stdin.close()
        process.stderr.close()
        assert process.returncode == 130 and one_line(stderr) == "runnel: interrupted\n"
        assert listing(folder / "work") == []
