# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Files that end elsewhere than the system says, as in /proc, /sys and some FUSE file systems: every byte of them is read,
or they are refused in one line."""

import contextlib
import io
import os
import random
import subprocess
from pathlib import Path

import pytest
import runnel
from cli_program import accepted, listing, output_of, refused
from runnel.sizes import size_of_file

IN_SYS = (
    "/sys/devices/system/cpu/online",
    "/sys/kernel/mm/transparent_hugepage/enabled",
    "/sys/kernel/uevent_seqnum",
    "/sys/block/loop0/size",
)
IN_PROC = "/proc/version"
UNKNOWN = "unknown size"


@pytest.fixture(scope="module")
def in_sys():
    """Return the name of a file of /sys, which counts as a page long and is shorter."""
    for name in IN_SYS:
        with contextlib.suppress(OSError):
            if 0 < len(Path(name).read_bytes()) < os.stat(name).st_size:
                return name
    pytest.skip("no file of /sys can be read here")


@pytest.fixture(params=["/proc", "/sys"])
def source(request):
    return IN_PROC if request.param == "/proc" else request.getfixturevalue("in_sys")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    accepted("keygen", "key")
    return tmp_path


def test_all_of_it_is_encrypted(folder, source):
    wanted = Path(source).read_bytes()
    keyset = runnel.Keyset.load("key")
    accepted("encrypt", "--key", "key", source, "sealed")
    assert output_of("decrypt", "--key", "key", "sealed", "-") == wanted
    assert output_of("decrypt", "--key", "key", "--range", f"3:{len(wanted)}", "sealed", "-") == wanted[3:]
    runnel.encrypt_file(source, "sealed-too", keyset)
    with open(source, "rb") as file, open("sealed-again", "wb") as target:
        runnel.encrypt_stream(file, target, keyset)
    for name in ("sealed-too", "sealed-again"):
        with runnel.open_encrypted(name, "rb", keyset) as file:
            assert file.read() == wanted
    raw = ("xor", "--cipher", "chacha20", "--iv", "00" * 12, "--key-hex", "00" * 32)
    accepted(*raw, source, "raw")
    assert output_of(*raw, "raw", "-") == wanted
    near_the_end = ("--offset", (64 << 32) - len(wanted))
    accepted(*raw, *near_the_end, source, "raw-at-the-end")
    assert output_of(*raw, *near_the_end, "raw-at-the-end", "-") == wanted


def test_what_needs_the_size_refuses(folder, source):
    before = listing(folder)
    for command in (("encrypt", source, "new"), ("verify", source), ("cat", source), ("decrypt", source, "new")):
        assert refused("store", command[0], "--key", "key", *command[1:]).startswith(f"{source}: {UNKNOWN}")
    for opened in (source, open(source, "rb"), open(source, "rb", buffering=0)):
        with pytest.raises(runnel.Error, match=UNKNOWN) as caught:
            runnel.open_encrypted(opened, "rb", runnel.Keyset.load("key"))
        assert str(caught.value).startswith(f"{source}: ")
        if opened is not source:
            opened.close()
    assert listing(folder) == before


@contextlib.contextmanager
def sealed_in_proc(keyset):
    """Yield a sealed file in /proc, which counts as empty: (its name, the plaintext). It is the command line of a process,
    which the system ends with a zero byte, so the file has that one and no other."""
    while True:
        plain = random.randbytes(20)
        out = io.BytesIO()
        runnel.encrypt_stream(io.BytesIO(plain), out, keyset)
        if out.getvalue().find(b"\0") == len(out.getvalue()) - 1:
            break
    with subprocess.Popen([out.getvalue()[:-1]], executable="/bin/cat", stdin=subprocess.PIPE) as process:
        try:
            name = f"/proc/{process.pid}/cmdline"
            while not Path(name).read_bytes():  # the program has only just begun
                assert process.poll() is None
            assert Path(name).read_bytes() == out.getvalue() and os.stat(name).st_size == 0
            yield name, plain
        finally:
            process.stdin.close()


def test_a_sealed_file_without_a_size(folder):
    keyset = runnel.Keyset.load("key")
    with sealed_in_proc(keyset) as (name, plain):
        assert output_of("decrypt", "--key", "key", name, "-") == plain
        runnel.decrypt_file(name, "out", keyset)
        assert Path("out").read_bytes() == plain
        assert refused("decrypt", "--key", "key", "--range", "1:2", name, "-").startswith(
            f"{name}: a range needs a seekable file"
        )
        with pytest.raises(runnel.Error, match=UNKNOWN) as caught:
            runnel.open_encrypted(name, "rb", keyset)
        assert not isinstance(caught.value, runnel.AuthenticationError)
        assert UNKNOWN in refused("store", "cat", "--key", "key", name)


@pytest.fixture(params=[0, 1, 99, 101, 4096])
def misjudged(folder, monkeypatch, request):
    """Return a file of 100 bytes that counts as another number of them, as some FUSE file systems have it."""
    Path("file").write_bytes(bytes(range(100)))
    inode = os.stat("file").st_ino
    true = os.fstat

    def fstat(fd):
        status = true(fd)
        if status.st_ino != inode:
            return status
        size = os.stat_result.n_sequence_fields
        fields = list(status)[:size]
        fields[6] = request.param
        return os.stat_result(fields, {name: getattr(status, name) for name in dir(status) if name.endswith("_ns")})

    monkeypatch.setattr(os, "fstat", fstat)
    return "file"


def test_a_file_that_counts_as_shorter_or_longer(folder, misjudged):
    accepted("encrypt", "--key", "key", misjudged, "sealed")
    assert output_of("decrypt", "--key", "key", "sealed", "-") == bytes(range(100))
    assert refused("store", "encrypt", "--key", "key", misjudged, "new").startswith(f"{misjudged}: {UNKNOWN}")
    assert not os.path.exists("new")


def test_a_file_that_is_being_written_has_the_size_that_it_has_now(tmp_path, monkeypatch):
    name = tmp_path / "log"
    name.write_bytes(b"a line\n")
    true = os.fstat
    added = iter([b"another\n", b"and one\n"])

    def fstat(fd):
        status = true(fd)
        with name.open("ab") as file:
            file.write(next(added, b""))
        return status

    with name.open("rb") as file:
        monkeypatch.setattr(os, "fstat", fstat)
        assert size_of_file(file.fileno(), "log") == 23 == name.stat().st_size


def test_what_is_no_regular_file_has_no_size(tmp_path):
    read, write = os.pipe()
    try:
        assert size_of_file(read, "pipe") is None
    finally:
        os.close(read)
        os.close(write)
    folder = os.open(tmp_path, os.O_RDONLY)
    try:
        assert size_of_file(folder, "folder") is None
    finally:
        os.close(folder)
