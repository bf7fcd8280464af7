# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command as a process: signals, pipes that close, disks that fill, memory."""

import contextlib
import errno
import io
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import selection
from cli_program import PROGRAM, listing, one_line, refused, runnel
from runnel.cli.progress import Progress
from runnel_store.cli.options import Counter
from runnel_store.many import Manifest
from sealed_files import ONE_OF_EACH

MIB = 1 << 20
ROOT = Path(__file__).resolve().parent.parent
HIGH_WATER = """
import sys
from runnel.cli import main
try:
    main(sys.argv[2:])
finally:
    open(sys.argv[1], "w").write(open("/proc/self/status").read() + open("/proc/self/io").read())
"""


@pytest.fixture
def key(tmp_path):
    runnel("keygen", "--template", "AES256_CTR_HMAC_SHA256_1MB", tmp_path / "key")
    return tmp_path / "key"


def wait_for(condition, seconds=30):
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end
        time.sleep(0.01)
    return found


def temporaries(folder):
    return [name for name in listing(folder) if name.startswith(".out.") and name.endswith(".tmp")]


def test_sigint_at_any_moment(key, tmp_path):
    """While files are read and written by all threads, before and after: complete or absent, and nothing else."""
    with open(tmp_path / "in", "wb") as file:
        file.truncate(300 * MIB)
    (tmp_path / "work").mkdir()
    seen = set()
    while_threads_start = [n / 10_000 for n in range(30 if selection.campaign() else 10)]
    for delay in (*while_threads_start, 0.05, 0.1, 0.2, 0.3):
        process = subprocess.Popen(
            [*PROGRAM, "encrypt", "--key", key, tmp_path / "in", tmp_path / "work" / "out"], stderr=subprocess.PIPE
        )
        while process.poll() is None and not listing(tmp_path / "work"):
            pass
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
        seen.add(process.returncode)
        assert process.returncode in (0, 130), stderr
        one_line(stderr, process.returncode == 130)
        if process.returncode == 0:
            assert listing(tmp_path / "work") == ["out"]
        else:
            assert temporaries(tmp_path / "work") == []
        shutil.rmtree(tmp_path / "work")
        (tmp_path / "work").mkdir()
    assert 130 in seen


def test_a_closed_socket_is_noticed_while_input_is_awaited(key):
    ours, theirs = (end.makefile("rwb", buffering=0) for end in socket.socketpair())
    process = subprocess.Popen(
        [*PROGRAM, "encrypt", "--key", key, "-", "-"], stdin=subprocess.PIPE, stdout=theirs, stderr=subprocess.PIPE
    )
    theirs.close()
    process.stdin.write(b"the beginning of a text")
    process.stdin.flush()
    assert len(ours.read(40)) == 40  # the header
    ours.close()
    try:
        assert process.wait(timeout=30) == 1
    finally:
        process.kill()
    assert "stdout: Broken pipe" in one_line(process.stderr.read())
    process.stdin.close()
    process.stderr.close()


# Standard streams that were made not to block, by this command's parent or by whoever shares them

CHACHA = ("--cipher", "chacha20", "--key-hex", "00" * 32, "--iv", "00" * 12)


@pytest.mark.parametrize(
    ("arguments", "pieces"),
    [
        (("xor", *CHACHA), [b"a" * 1000, b"b" * 1000]),
        (("xor", *CHACHA, "--offset", str((1 << 38) - 4096)), [b"a" * 1000, b"b" * 1000]),
        (("encrypt", "-k", "-", "in", "-"), ["half a key", "the other half"]),
        (("encrypt", "-k", "key", "--aad", "@-", "in", "-"), [b"fi", b"rst"]),
        (("encrypt", "--passphrase-file", "-", "in", "-"), [b"first", b"\n"]),
        (("key", "import", "-", "-"), [b"a" * 16, b"b" * 16]),
        (("encrypt", "-k", "key", "-", "-"), [b"a" * 1000, b"b" * 1000]),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_an_input_that_does_not_block_is_waited_for(key, arguments, pieces, tmp_path):
    """Nothing yet is neither the end nor an error. The first piece comes when the command waits for it."""
    (tmp_path / "in").write_bytes(b"text")
    whole = key.read_bytes()
    pieces = [whole[:50], whole[50:]] if isinstance(pieces[0], str) else pieces
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    with subprocess.Popen(
        [*PROGRAM, *arguments], cwd=tmp_path, stdin=ours, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        os.close(ours)
        for piece in pieces:
            wait_for(lambda: process.poll() is not None or waits(process.pid))
            with contextlib.suppress(BrokenPipeError):
                os.write(theirs, piece)
        os.close(theirs)
        out, stderr = process.communicate(timeout=30)
    assert (process.returncode, stderr) == (0, b"")
    if arguments[0] == "xor":
        assert out == runnel(*arguments, input=b"".join(pieces)).stdout
    elif "--aad" in arguments:
        assert runnel("decrypt", "-k", key, "--aad", "first", "-", "-", input=out).stdout == b"text"
    else:
        assert out


def waits(process: int) -> bool:
    """Return whether the process sleeps."""
    with open(f"/proc/{process}/stat") as file:
        return file.read().rpartition(")")[2].split()[0] == "S"


@pytest.mark.parametrize(
    "arguments",
    [
        ("xor", *CHACHA, "in"),
        ("keystream", *CHACHA, "--bytes", "3M"),
        ("encrypt", "-k", "key", "in", "-"),
        ("lab", "export"),
        ("store", "ls", "many/"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_an_output_that_does_not_block_is_waited_for(key, arguments, tmp_path):
    (tmp_path / "in").write_bytes(bytes(3 * MIB))
    (tmp_path / "many").mkdir()
    for name in range(400):
        (tmp_path / "many" / f"{name:0200}").touch()
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    with subprocess.Popen(
        [*PROGRAM, *arguments],
        cwd=tmp_path,
        stdout=theirs,
        stderr=subprocess.PIPE,
        env={**os.environ, "RUNNEL_SOURCE": str(ROOT)},
    ) as process:
        os.close(theirs)
        wait_for(lambda: process.poll() is not None or waits(process.pid))  # the pipe is full
        with open(ours, "rb") as pipe:
            size = sum(len(piece) for piece in iter(lambda: pipe.read(1 << 16), b""))
        assert (process.wait(timeout=30), process.stderr.read()) == (0, b"")
    assert size >= 3 * MIB or (arguments[0] in ("lab", "store") and size > 90_000)


def test_a_signal_during_the_removal_of_the_temporary(key, tmp_path):
    """The one place where an output's own clean-up does not help."""
    script = """
import os, signal, sys
from runnel.cli import main
from runnel.output import OutputFile
clean_up = OutputFile.__exit__
def interrupted(self, *error):
    os.kill(os.getpid(), signal.SIGINT)
    clean_up(self, *error)
OutputFile.__exit__ = interrupted
main(sys.argv[1:])
"""
    (tmp_path / "bad").write_bytes(b"\x28" + bytes(99))
    (tmp_path / "work").mkdir()
    command = [sys.executable, "-c", script, "decrypt", "--key", key, tmp_path / "bad", tmp_path / "work" / "out"]
    done = subprocess.run(command, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 130 and one_line(done.stderr) == "runnel: interrupted\n"
    assert listing(tmp_path / "work") == []


def test_a_system_that_gives_no_threads(key, monkeypatch, tmp_path):
    """A command that cannot do without threads says so."""

    def fails(*_, **__):
        raise RuntimeError("can't start new thread")

    (tmp_path / "in").touch()
    monkeypatch.setattr("runnel.sealed.files.Job.encrypt", fails)
    assert (
        refused("encrypt", "-k", key, tmp_path / "in", tmp_path / "out")
        == "cannot start a thread: the system's limit is reached"
    )


def test_a_full_file_system(key, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if (
        os.geteuid()
        or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk], capture_output=True, check=False
        ).returncode
    ):
        pytest.skip("mounting a small file system needs root and a kernel that lets it; test_a_full_disk does without")
    try:
        (tmp_path / "in").write_bytes(bytes(9 * MIB))
        for arguments in (
            ("encrypt", "--key", key),
            ("xor", "--cipher", "salsa20", "--key", "00" * 16, "--iv", "00" * 8),
        ):
            done = runnel(*arguments, tmp_path / "in", disk / "out", status=1)
            assert f"{disk / 'out'}: No space left on device" in one_line(done.stderr)
            assert listing(disk) == []
    finally:
        subprocess.run(["umount", disk], check=True)


def reported(folder, *arguments, **options):
    """Return how the command ended, and the system's counts: kibibytes of memory, bytes that it read."""
    report = folder / "status"
    command = [sys.executable, "-c", HIGH_WATER, report, *map(str, arguments)]
    done = subprocess.run(command, check=False, timeout=100, **options)
    counted = (line.split() for line in report.read_text().splitlines())
    return done, {words[0].rstrip(":"): int(words[1]) for words in counted if words[1:] and words[1].isdigit()}


def high_water(folder, *arguments, **options):
    """Peak resident memory of the command in MiB."""
    done, report = reported(folder, *arguments, **options)
    assert done.returncode == 0
    return report["VmHWM"] / 1024


@pytest.mark.slow
@pytest.mark.parametrize("template", ["AES256_CTR_HMAC_SHA256_1MB", *ONE_OF_EACH])
def test_memory_does_not_grow_with_the_file(template, tmp_path):
    runnel("keygen", "--template", template, tmp_path / "key")
    key = ("--key", tmp_path / "key")
    with open(tmp_path / "in", "wb") as file:
        file.truncate(400 * MIB)
    assert high_water(tmp_path, "encrypt", *key, tmp_path / "in", tmp_path / "sealed") < 150
    assert high_water(tmp_path, "decrypt", *key, tmp_path / "sealed", "-", stdout=subprocess.DEVNULL) < 150
    with open(tmp_path / "sealed", "rb") as stdin:
        cat = subprocess.Popen(["cat"], stdin=stdin, stdout=subprocess.PIPE)
        assert high_water(tmp_path, "decrypt", *key, "-", "-", stdin=cat.stdout, stdout=subprocess.DEVNULL) < 150
        assert cat.wait() == 0
    assert (
        high_water(tmp_path, "decrypt", *key, "--range", "1000:", tmp_path / "sealed", "-", stdout=subprocess.DEVNULL)
        < 150
    )


def test_a_range_of_a_large_file_is_quick(tmp_path):
    """Of 16 GiB only the segments asked for and the last one are read."""
    runnel("keygen", "--template", "AES256_CTR_HMAC_SHA256_1MB", tmp_path / "key")
    with open(tmp_path / "big", "wb") as file:
        file.write(b"\x28")
        file.truncate(16 << 30)
    asked = ["decrypt", "--key", tmp_path / "key", "--range", f"{15 << 30}:{(15 << 30) + 10}", tmp_path / "big", "-"]
    done, report = reported(tmp_path, *asked, stderr=subprocess.PIPE)
    assert done.returncode == 3 and "last segment" in one_line(done.stderr)
    assert report["rchar"] < 256 * MIB, "what was read, of modules too"


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def now(monkeypatch):
    """Return the seconds on the clock, in a list."""
    seconds = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: seconds[0])
    return seconds


def test_the_bar_is_for_terminals_and_long_work(monkeypatch, now):
    for quiet, seconds, stream, wanted in (
        (False, 5, Terminal(), True),
        (True, 5, Terminal(), False),
        (False, 0.5, Terminal(), False),
        (False, 5, io.StringIO(), False),
    ):
        monkeypatch.setattr(sys, "stderr", stream)
        with Progress(100, quiet) as progress:
            for _ in range(10):
                now[0] += seconds / 10
                progress(10)
        assert bool(stream.getvalue()) == wanted
        if wanted:
            assert "100%" in stream.getvalue() and stream.getvalue().endswith("\n")
            assert "None" not in stream.getvalue()  # before there is a rate


def test_a_terminal_that_hangs_up_stops_no_work(monkeypatch, now):
    class Gone(Terminal):
        def write(self, text):
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(sys, "stderr", Gone())
    with Progress(100, False) as progress, Counter(False) as counter:
        for _ in range(10):
            now[0] += 1
            progress(10)
            counter(Manifest())


@pytest.mark.parametrize("fails", [False, True])
def test_the_bar_is_full_at_the_end_and_says_the_rate(monkeypatch, now, fails):
    """A sealed file has a little more bytes than its plaintext."""
    monkeypatch.setattr(sys, "stderr", Terminal())
    with contextlib.suppress(ValueError), Progress(1000 * MIB, False) as progress:
        for _ in range(99):
            now[0] += 0.1
            progress(10 * MIB)
        if fails:
            raise ValueError
    last = sys.stderr.getvalue().split("\r")[-1]
    assert ("100%" in last) != fails and "105 MB/s" in last, last
