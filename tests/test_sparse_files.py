# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Files that are not simply bytes in a row: with holes, growing while they are read, with attributes of their user."""

import os
import random

import pytest
import runnel
from cli_program import accepted, output_of, refused
from runnel.sealed.io import PositionalSink, _without_zeros
from sealed_files import ONE_OF_EACH

MIB = 1 << 20


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    accepted("keygen", "key")
    return tmp_path


def stored(path):
    return os.stat(path).st_blocks * 512


def make_sparse(path, size, parts):
    with open(path, "wb") as file:
        file.truncate(size)
        for at, data in parts.items():
            file.seek(at)
            file.write(data)


# Holes


@pytest.mark.parametrize("template", ONE_OF_EACH)
@pytest.mark.parametrize(
    "size, at", [(64 * MIB, 30 * MIB + 77), (64 * MIB + 5, 64 * MIB), (8 * MIB, 0), (3 * MIB, None)]
)
def test_a_sparse_file_keeps_its_holes(folder, template, size, at):
    make_sparse("plain", size, {} if at is None else {at: random.randbytes(5)})
    if stored("plain") > MIB:
        pytest.skip("the file system here has no sparse files")
    accepted("keygen", "--template", template, "its-key")
    accepted("encrypt", "-k", "its-key", "plain", "sealed")
    accepted("decrypt", "-k", "its-key", "sealed", "file")
    with open("sealed", "rb") as sealed, open("piped", "wb") as out:
        runnel.decrypt_stream(sealed, out, runnel.Keyset.load("its-key"))
    accepted("decrypt", "-k", "its-key", "--range", "1M:2M", "sealed", "part")
    with open("plain", "rb") as plain, open("file", "rb") as file, open("part", "rb") as part:
        expected = plain.read()
        assert file.read() == expected and part.read() == expected[MIB : 2 * MIB]
    assert stored("file") <= stored("plain") + 64 * 1024
    assert stored("part") <= 64 * 1024
    with open("piped", "rb") as piped:
        assert piped.read() == expected


def test_other_files_are_as_they_were(folder):
    """Pieces of zeros everywhere, near each other, at both ends; lengths around a piece."""
    for length in (0, 1, 4095, 4096, 4097, 3 * 16384, 100_000):
        for pieces in range(6):
            data = bytearray(random.randbytes(length))
            for _ in range(pieces):
                at = random.randrange(length + 1) & random.choice([-1, -4096])
                data[at : at + 5000] = bytes(len(data[at : at + 5000]))
            with open("plain", "wb") as file:
                file.write(data)
            accepted("encrypt", "-fk", "key", "plain", "sealed")
            accepted("decrypt", "-fk", "key", "sealed", "again")
            with open("again", "rb") as file:
                assert file.read() == data


def test_what_is_written_around_holes(tmp_path):
    for _ in range(300):
        views, expected = [], b""
        for _ in range(random.randrange(1, 5)):
            parts = [random.choice([bytes(4096), random.randbytes(4096), bytes(random.randrange(9))]) for _ in range(4)]
            views.append(memoryview(bytearray(b"".join(parts))))
            expected += bytes(views[-1])
        position = random.randrange(10_000)
        found = bytearray(len(expected))
        for start, run in _without_zeros(views, position):
            data = b"".join(run)
            found[start - position : start - position + len(data)] = data
        assert found == expected
        with open(tmp_path / "out", "w+b") as file:
            sink = PositionalSink(file.fileno(), "out")
            sink.leave_holes()
            sink.write_preface(b"before")
            sink.write_at(views, position)
            sink.finish()
            file.seek(position + 6)
            assert file.read() == expected


# Files that grow


def test_a_file_that_grows_is_refused_with_what_to_do(folder):
    size = 40 * MIB
    make_sparse("log", size, {})
    keyset = runnel.Keyset.load("key")

    def grow(_):
        with open("log", "ab") as file:
            file.write(b"one more line\n")

    with pytest.raises(runnel.Error, match=r"^log: the file grew while it was read; from a pipe it is read to its end"):
        runnel.encrypt_file("log", "sealed", keyset, progress=grow)
    assert not os.path.exists("sealed")
    with open("log", "rb", buffering=0) as log, open("sealed", "wb") as out:
        grow(0)
        runnel.encrypt_stream(log, out, keyset)
    with open("log", "rb") as log:
        assert output_of("decrypt", "-k", "key", "sealed", "-") == log.read()


def test_an_encrypted_file_that_grows_is_not_complete(folder):
    make_sparse("plain", 40 * MIB, {})
    accepted("encrypt", "-k", "key", "plain", "sealed")

    def grow(_):
        with open("sealed", "ab") as file:
            file.write(b"x")

    with pytest.raises(
        runnel.Error, match="^sealed: the file grew while it was read; it is decrypted when it is complete"
    ):
        runnel.decrypt_file("sealed", "out", runnel.Keyset.load("key"), progress=grow)
    assert not os.path.exists("out")


# Attributes


def has_attributes(path):
    try:
        os.setxattr(path, "user.test", b"x")
    except OSError:
        return False
    os.removexattr(path, "user.test")
    return True


def test_the_attributes_of_a_file_that_is_replaced_are_kept(folder):
    for name in ("plain", "out"):
        with open(name, "wb") as file:
            file.write(b"text")
    if not has_attributes("out"):
        pytest.skip("the file system here has no attributes of users")
    os.setxattr("out", "user.origin", b"https://example.org/")
    os.setxattr("out", "user.empty", b"")
    os.setxattr("plain", "user.of-the-source", b"not copied")
    accepted("encrypt", "-f", "-k", "key", "plain", "out")
    assert {name: os.getxattr("out", name) for name in os.listxattr("out") if name.startswith("user.")} == {
        "user.origin": b"https://example.org/", "user.empty": b""
    }  # fmt: skip
    accepted("encrypt", "-k", "key", "plain", "new")
    assert not [name for name in os.listxattr("new") if name.startswith("user.")]
    refused("encrypt", "-k", "key", "plain", "new")


def test_attributes_that_cannot_be_kept_are_no_error(folder, monkeypatch):
    for name in ("plain", "out"):
        with open(name, "wb") as file:
            file.write(b"text")

    def refuse(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "listxattr", lambda _: ["user.large"])
    monkeypatch.setattr(os, "getxattr", lambda *_: b"x", raising=False)
    monkeypatch.setattr(os, "setxattr", refuse)
    monkeypatch.setattr("runnel.acl.of", lambda *_: None)
    accepted("encrypt", "-f", "-k", "key", "plain", "out")
