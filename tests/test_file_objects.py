# SPDX-License-Identifier: Apache-2.0 OR MIT
"""File objects of programs, which read and write less than they were asked, more, nothing or something else."""

import array
import http.client
import io
import os
import random
import socket
import tarfile
import tempfile
import threading

import pytest
import runnel
from runnel import AuthenticationError, decrypt_stream, encrypt_stream, open_encrypted
from sealed_files import ONE_OF_EACH, SMALL, keyset_of, seal, unseal

PLAIN = random.randbytes(1000)


@pytest.fixture(params=sorted(SMALL))
def keyset(request):
    return keyset_of(SMALL[request.param])


@pytest.fixture(params=[1, 3], ids="{} threads".format)
def threads(request):
    return request.param


class Source:
    """read() gives what `answer` makes of what there is."""

    def __init__(self, data, answer):
        self._file, self._answer = io.BytesIO(data), answer

    def read(self, count):
        return self._answer(self._file, count)


class Raw(io.RawIOBase):
    """readinto() fills all and says another number."""

    def __init__(self, claimed):
        self._claimed = claimed

    def readable(self):
        return True

    def readinto(self, view):
        return self._claimed(len(view))


class Target:
    """write() gives what `answer` says, and has what it was given first."""

    def __init__(self, answer):
        self.data, self._answer = b"", answer

    def write(self, view):
        count = self._answer(view)
        self.data += view[: max(0, count)]
        return count


@pytest.mark.parametrize(
    "answer",
    [
        lambda file, count: file.read(max(1, count // 2)),
        lambda file, count: bytearray(file.read(count)),
        lambda file, count: memoryview(file.read(count)),
        lambda file, count: array.array("H", file.read(count)),
    ],
    ids=["less", "bytearray", "memoryview", "array"],
)
def test_reads_of_every_kind(keyset, threads, answer):
    out = io.BytesIO()
    encrypt_stream(Source(PLAIN, answer), out, keyset, threads=threads)
    assert unseal(keyset, out.getvalue()) == PLAIN
    plain = io.BytesIO()
    decrypt_stream(Source(out.getvalue(), answer), plain, keyset, threads=threads)
    assert plain.getvalue() == PLAIN


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        (lambda file, count: file.read(count) + b"x", OSError, "says that it did .* bytes of"),
        (lambda file, count: None, BlockingIOError, "unavailable"),
        (lambda file, count: "text", TypeError, "bytes-like"),
        (lambda file, count: 5, TypeError, "bytes-like"),
        (lambda file, count: 1 // 0, ZeroDivisionError, "division"),
    ],
    ids=["more", "nothing yet", "text", "number", "raises"],
)
def test_reads_that_are_none(keyset, threads, answer, error, message):
    for call, data in ((encrypt_stream, PLAIN), (decrypt_stream, seal(keyset, PLAIN))):
        out = io.BytesIO()
        with pytest.raises(error, match=message):
            call(Source(data, answer), out, keyset, threads=threads)
        assert call is encrypt_stream or not out.getvalue()


@pytest.mark.parametrize("claimed", [lambda asked: asked + 1, lambda asked: -1], ids=["more", "less than nothing"])
def test_a_number_of_bytes_that_cannot_have_been_read(keyset, threads, claimed):
    for call in (encrypt_stream, decrypt_stream):
        with pytest.raises(OSError, match="says that it did"):
            call(Raw(claimed), io.BytesIO(), keyset, threads=threads)


def test_writes_of_less(keyset, threads):
    target = Target(lambda view: max(1, len(view) // 3))
    encrypt_stream(io.BytesIO(PLAIN), target, keyset, threads=threads)
    assert unseal(keyset, target.data) == PLAIN
    plain = Target(lambda view: 1)
    decrypt_stream(io.BytesIO(target.data), plain, keyset, threads=threads)
    assert plain.data == PLAIN


@pytest.mark.parametrize(
    "claimed", [lambda view: 0, lambda view: -1, lambda view: len(view) + 1], ids=["0", "-1", "more"]
)
def test_a_number_of_bytes_that_cannot_have_been_written(keyset, threads, claimed):
    """Nor does a file that takes nothing keep a program for ever."""
    for call, data in ((encrypt_stream, PLAIN), (decrypt_stream, seal(keyset, PLAIN))):
        with pytest.raises(OSError, match="says that it did"):
            call(io.BytesIO(data), Target(claimed), keyset, threads=threads)
    with pytest.raises(OSError, match="says that it did"), open_encrypted(Target(claimed), "wb", keyset) as file:
        file.write(PLAIN)


@pytest.mark.parametrize("template", ONE_OF_EACH)
def test_no_write_changes_what_is_written(template, threads):
    keyset = runnel.Keyset.generate(template)

    def spoil(view):
        view[0] ^= 1
        return len(view)

    for call, data in ((encrypt_stream, PLAIN), (decrypt_stream, seal(keyset, PLAIN))):
        with pytest.raises(TypeError, match="read-only"):
            call(io.BytesIO(data), Target(spoil), keyset, threads=threads)


def test_a_source_that_ends_early_is_not_authentic(keyset, threads):
    sealed = seal(keyset, PLAIN)
    for end in (0, 1, len(sealed) // 2, len(sealed) - 1):
        with pytest.raises(AuthenticationError):
            decrypt_stream(Source(sealed[:end], io.BytesIO.read), io.BytesIO(), keyset, threads=threads)


def test_what_a_response_has_read_already_is_not_waited_for(keyset, threads):
    """All of it is above the descriptor, of a connection that is kept."""
    for call, data in ((encrypt_stream, PLAIN), (decrypt_stream, seal(keyset, PLAIN))):
        here, there = socket.socketpair()
        with here, there, http.client.HTTPResponse(here) as response:
            there.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(data), data))
            response.begin()
            out = io.BytesIO()
            call(response, out, keyset, threads=threads)
        assert (unseal(keyset, out.getvalue()) if call is encrypt_stream else out.getvalue()) == PLAIN


def test_a_socket_that_does_not_block_is_waited_for(keyset, threads):
    here, there = socket.socketpair()
    here.setblocking(False)
    later = threading.Timer(0.1, lambda: (there.sendall(PLAIN), there.close()))
    with here, here.makefile("rb", buffering=0) as source:
        later.start()
        encrypt_stream(source, out := io.BytesIO(), keyset, threads=threads)
    assert unseal(keyset, out.getvalue()) == PLAIN


class Silent:
    """write() takes all and does not say so, as a log in front of a file may."""

    def __init__(self, file):
        self._file, self.calls = file, 0

    def fileno(self):
        return self._file.fileno()

    def write(self, data):
        self.calls += 1
        self._file.write(data)


class SilentRaw(Silent, io.RawIOBase):
    pass


@pytest.mark.parametrize("kind", [Silent, SilentRaw])
def test_a_write_that_returns_nothing_is_not_repeated(keyset, threads, kind):
    with open(os.devnull, "wb", buffering=0) as file:
        target = kind(file)
        with pytest.raises(OSError, match="write returned None, and must return the number of bytes"):
            encrypt_stream(io.BytesIO(PLAIN), target, keyset, threads=threads)
    assert target.calls == 1


class Never(io.RawIOBase):
    """readinto() returns nothing for ever, and its descriptor blocks."""

    def __init__(self, file):
        self._file = file

    def readable(self):
        return True

    def fileno(self):
        return self._file.fileno()

    def readinto(self, view):
        return None


def test_a_read_that_returns_nothing_is_not_repeated(keyset, threads, tmp_path):
    with open(tmp_path / "in", "w+b") as file, pytest.raises(BlockingIOError, match="unavailable"):
        encrypt_stream(Never(file), io.BytesIO(), keyset, threads=threads)


def test_what_is_to_stay_in_memory_is_not_put_on_disk(keyset):
    """A spooled file that is asked for its descriptor gets one."""
    for call, data in ((encrypt_stream, PLAIN), (decrypt_stream, seal(keyset, PLAIN))):
        with tempfile.SpooledTemporaryFile(1 << 20) as source, tempfile.SpooledTemporaryFile(1 << 20) as target:
            source.write(data)
            source.seek(0)
            call(source, target, keyset)
            assert not source._rolled and not target._rolled


def test_a_named_temporary_is_not_encrypted_over_itself(keyset):
    with tempfile.NamedTemporaryFile() as file:
        file.write(PLAIN)
        file.flush()
        with open(file.name, "r+b") as same:
            for source, target in ((file, same), (same, file)):
                with pytest.raises(ValueError, match="output and input are the same file"):
                    encrypt_stream(source, target, keyset)


def test_a_member_of_an_archive_is_read(keyset):
    """It is a buffer over what has no fileno."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        member = tarfile.TarInfo("plain")
        member.size = len(PLAIN)
        tar.addfile(member, io.BytesIO(PLAIN))
    archive.seek(0)
    with tarfile.open(fileobj=archive) as tar:
        encrypt_stream(tar.extractfile("plain"), out := io.BytesIO(), keyset)
    assert unseal(keyset, out.getvalue()) == PLAIN


class Failing(io.RawIOBase):
    """Its errors have no number, as the timeouts of sockets have none."""

    name = "peer"

    def readinto(self, view):
        raise TimeoutError("timed out")

    def write(self, data):
        raise TimeoutError("timed out")

    def seek(self, offset, whence=0):
        return 1000


def test_errors_repeat_the_file_objects_message_and_name_it(keyset):
    for call, name in (
        (lambda: encrypt_stream(Failing(), io.BytesIO(), keyset), "input"),
        (lambda: encrypt_stream(io.BytesIO(), Failing(), keyset), "output"),
        (lambda: open_encrypted(Failing(), "rb", keyset), "peer"),
        (lambda: open_encrypted(Failing(), "wb", keyset), "peer"),
    ):
        with pytest.raises(TimeoutError, match=f"timed out: '{name}'") as caught:
            call()
        assert (caught.value.strerror, caught.value.filename) == ("timed out", name)


class Seeking(Source):
    """It has no readinto either."""

    def __init__(self, data):
        super().__init__(data, io.BytesIO.read)

    def seek(self, offset, whence=0):
        return self._file.seek(offset, whence)


def test_a_file_without_readinto_is_opened(keyset):
    with open_encrypted(Seeking(seal(keyset, PLAIN)), "rb", keyset) as file:
        assert file.seek(500) == 500 and file.read() == PLAIN[500:]


class SeekingSilently(Seeking):
    """As mmap before Python 3.13, and paramiko's files."""

    def seek(self, offset, whence=0):
        super().seek(offset, whence)

    def tell(self):
        return self._file.tell()


def test_a_file_whose_seek_returns_nothing_is_opened(keyset):
    with open_encrypted(SeekingSilently(seal(keyset, PLAIN)), "rb", keyset) as file:
        assert file.seek(500) == 500 and file.read() == PLAIN[500:]


@pytest.mark.parametrize("wrong", [5, None, object(), [b"text"]])
def test_what_is_no_file(keyset, wrong):
    for call in (
        lambda: open_encrypted(wrong, "rb", keyset),
        lambda: open_encrypted(wrong, "wb", keyset),
        lambda: encrypt_stream(wrong, io.BytesIO(), keyset),
        lambda: encrypt_stream(io.BytesIO(), wrong, keyset),
        lambda: decrypt_stream(wrong, io.BytesIO(), keyset),
    ):
        with pytest.raises(TypeError, match="is required, not"):
            call()
    with pytest.raises(TypeError, match="seek"):
        open_encrypted(Source(seal(keyset, PLAIN), io.BytesIO.read), "rb", keyset)


# Paths


class Path:
    def __init__(self, path):
        self._path = path

    def __fspath__(self):
        return self._path


@pytest.mark.parametrize("kind", [str, os.fsencode, Path, lambda path: Path(os.fsencode(path))], ids=range(4))
def test_paths_of_every_kind(tmp_path, monkeypatch, kind):
    keyset = keyset_of(SMALL["cobblestone"])
    monkeypatch.chdir(tmp_path)
    name = "n\udcff"  # no UTF-8
    (tmp_path / name).write_bytes(PLAIN)
    runnel.encrypt_file(kind(name), kind("sealed"), keyset)
    with open_encrypted(kind("sealed"), "rb", keyset) as file:
        assert file.read() == PLAIN and file.name == "sealed"
    with open_encrypted(kind("written"), "wb", keyset) as file:
        file.write(PLAIN)
    runnel.decrypt_file(kind("written"), kind("again"), keyset)
    assert (tmp_path / "again").read_bytes() == PLAIN
    runnel.Keyset.generate().save(kind("key"))
    runnel.Keyset.load(kind("key"))
    with pytest.raises(AuthenticationError, match=f"^{name}: "):
        runnel.decrypt_file(kind(name), kind("new"), keyset)


def test_a_descriptor_is_no_path(tmp_path):
    """It is refused, and stays open."""
    keyset = keyset_of(SMALL["cobblestone"])
    (tmp_path / "plain").write_bytes(PLAIN)
    with open(tmp_path / "plain", "rb") as file:
        for call in (
            lambda: runnel.encrypt_file(file.fileno(), tmp_path / "out", keyset),
            lambda: runnel.encrypt_file(tmp_path / "plain", file.fileno(), keyset),
            lambda: runnel.Keyset.load(file.fileno()),
            lambda: keyset.save(file.fileno()),
        ):
            with pytest.raises(TypeError):
                call()
        assert file.read() == PLAIN
