# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Encrypted files from Python: the writer that commits on close, the reader, keysets in files. The format itself is in
test_file_formats.py."""

import array
import contextlib
import copy
import ctypes
import gc
import io
import os
import pickle
import random
import stat
import subprocess
import sys
import threading

import pytest
import runnel
from runnel.sealed import blocks, cobblestone, reader, writer
from runnel.sealed import io as sealed_io
from sealed_files import ONE_OF_EACH, SMALL, in_a_child, keyset_of


def small_keyset(kind: str = "ctr-hmac") -> runnel.Keyset:
    return keyset_of(SMALL[kind])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def opened(name: str, keyset: runnel.Keyset, aad: bytes = b"") -> bytes:
    """Open it as the reader does, and as a whole."""
    whole = io.BytesIO()
    with open(name, "rb") as file:
        runnel.decrypt_stream(file, whole, keyset, aad=aad)
    with runnel.open_encrypted(name, "rb", keyset, aad=aad) as reader:
        assert reader.read() == whole.getvalue()
    return whole.getvalue()


# The writer


@pytest.mark.parametrize("kind", SMALL)
@pytest.mark.parametrize("length", [0, 1, 23, 24, 25, 47, 48, 49, 71, 72, 73, 95, 96, 97, 500])
@pytest.mark.parametrize("piece", [1, 7, 24, 48, 600])
def test_written_in_pieces(folder, kind, length, piece, monkeypatch):
    """Of 64 bytes a segment, two segments a block: every boundary falls on one of them."""
    monkeypatch.setattr(writer, "segments_in_a_block", lambda parameters: 2)
    keyset = small_keyset(kind)
    plaintext = random.randbytes(length)
    with runnel.open_encrypted("sealed", "wb", keyset, aad=b"a") as out:
        for at in range(0, length, piece):
            part = plaintext[at : at + piece]
            assert out.tell() == at
            assert out.write(part) == len(part)
        assert os.listdir() != ["sealed"]
    assert os.listdir() == ["sealed"]
    assert os.stat("sealed").st_size == keyset.primary.parameters.sealed_bytes(length)
    assert opened("sealed", keyset, b"a") == plaintext


@pytest.mark.parametrize("template", [*ONE_OF_EACH, "AES256_CTR_HMAC_SHA256_1MB", "AES256_GCM_HKDF_1MB"])
def test_written_over_several_blocks(folder, template):
    keyset = runnel.Keyset.generate(template)
    plaintext = random.randbytes(3 * blocks.BLOCK_BYTES + 17)
    with runnel.open_encrypted("sealed", "wb", keyset) as out:
        for at in range(0, len(plaintext), 300_001):
            out.write(memoryview(plaintext)[at : at + 300_001])
    assert opened("sealed", keyset) == plaintext


def test_what_fails_is_not_published(folder):
    keyset = small_keyset()
    with pytest.raises(ZeroDivisionError), runnel.open_encrypted("sealed", "wb", keyset) as out:
        out.write(bytes(1000))
        1 // 0  # noqa: B018
    assert os.listdir() == [] and out.closed
    given_up = runnel.open_encrypted("sealed", "wb", keyset)
    given_up.write(bytes(1000))
    given_up.discard()
    given_up.discard()
    assert os.listdir() == []
    with pytest.raises(ValueError, match="closed"):
        given_up.write(b"more")
    given_up.close()
    assert os.listdir() == []


def test_a_writer_that_is_dropped_is_given_up(folder):
    dropped = runnel.open_encrypted("sealed", "wb", small_keyset())
    dropped.write(bytes(1000))
    assert len(os.listdir()) == 1
    del dropped
    gc.collect()
    assert os.listdir() == []


def test_a_write_error_gives_the_file_up(folder, monkeypatch):
    monkeypatch.setattr(writer, "segments_in_a_block", lambda parameters: 1)
    out = runnel.open_encrypted("sealed", "wb", small_keyset())
    monkeypatch.setattr(out._sink, "_write", lambda view: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space left") as caught:
        out.write(bytes(100))
    assert caught.value.filename == "sealed"
    assert out.closed and os.listdir() == []


def interrupted(function, line, call) -> bool:
    """Calls with a KeyboardInterrupt before a line of the function, counted as they run; False: it has fewer."""
    before, lines = sys.gettrace(), iter(range(line + 1))

    def in_function(frame, event, argument):
        if event == "line" and next(lines, None) == line:
            raise KeyboardInterrupt
        return in_function

    sys.settrace(lambda frame, event, argument: in_function if frame.f_code is function.__code__ else None)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def test_an_interrupted_write_is_complete_or_gives_the_file_up(folder):
    keyset, line, given_up = small_keyset(), 0, 0
    while True:
        out = runnel.open_encrypted("sealed", "wb", keyset, force=True)
        out.write(b"A" * 50)
        if not interrupted(writer.EncryptedWriter.write, line, lambda: out.write(b"B" * 50)):  # noqa: B023
            break
        line, given_up = line + 1, given_up + out.closed
        if not out.closed:
            out.write(b"C" * 50)
            out.close()
            assert opened("sealed", keyset) in (b"A" * 50 + b"C" * 50, b"A" * 50 + b"B" * 50 + b"C" * 50)
    out.close()
    assert line > given_up > 2


def test_a_program_that_continues_learns_that_the_file_was_given_up(folder):
    with pytest.raises(runnel.Error, match="^sealed: discarded, because a write failed$") as caught:  # noqa: SIM117
        with runnel.open_encrypted("sealed", "wb", small_keyset()) as out:
            assert interrupted(writer.EncryptedWriter._fill, 1, lambda: out.write(b"text"))
    assert type(caught.value) is runnel.Error and os.listdir() == []


def test_an_existing_file_is_kept_unless_told(folder):
    keyset = small_keyset()
    (folder / "sealed").write_bytes(b"mine")
    with pytest.raises(FileExistsError):
        runnel.open_encrypted("sealed", "wb", keyset)
    with runnel.open_encrypted("sealed", "wb", keyset, force=True) as out:
        out.write(b"text")
        assert (folder / "sealed").read_bytes() == b"mine"
    assert opened("sealed", keyset) == b"text"
    (folder / "sealed").unlink()
    with runnel.open_encrypted("sealed", "wb", keyset) as out:
        (folder / "sealed").write_bytes(b"somebody else's")
        with pytest.raises(FileExistsError):
            out.close()
    assert os.listdir() == ["sealed"] and (folder / "sealed").read_bytes() == b"somebody else's"


def test_written_to_a_stream(folder):
    keyset = small_keyset()
    target = io.BytesIO()
    with runnel.open_encrypted(target, "wb", keyset) as out:
        out.write(b"a message")
    opened = io.BytesIO()
    runnel.decrypt_stream(io.BytesIO(target.getvalue()), opened, keyset)
    assert opened.getvalue() == b"a message"
    target = io.BytesIO()
    with pytest.raises(ZeroDivisionError), runnel.open_encrypted(target, "wb", keyset) as out:
        out.write(bytes(24 + 48))
        1 // 0  # noqa: B018
    with pytest.raises(runnel.AuthenticationError):
        runnel.decrypt_stream(io.BytesIO(target.getvalue()), io.BytesIO(), keyset)


def test_a_writer_is_a_binary_file(folder):
    """It goes where Python's own libraries want a file."""
    keyset = small_keyset()
    with (
        runnel.open_encrypted("sealed", "wb", keyset) as out,
        io.TextIOWrapper(io.BufferedWriter(out), encoding="utf-8") as text,
    ):
        assert out.writable() and not out.readable() and not out.seekable() and out.name == "sealed"
        print("ä line", file=text)
    assert opened("sealed", keyset) == "ä line\n".encode()


def test_text_is_complete_or_absent(folder):
    """Written as the documents say."""
    keyset = small_keyset()
    for fails in (True, False):
        with contextlib.suppress(ZeroDivisionError), runnel.open_encrypted("sealed", "wb", keyset) as out:
            text = io.TextIOWrapper(io.BufferedWriter(out), encoding="utf-8")
            print("ä line", file=text)
            1 // (not fails)
            text.close()
        del text
        gc.collect()
        assert os.listdir() == [] if fails else opened("sealed", keyset) == "ä line\n".encode()


@pytest.mark.parametrize("kind", SMALL)
def test_writers_and_readers_are_not_copied(folder, kind):
    """Two writers would encrypt different plaintext under one key and nonce; two readers share one segment in memory."""
    keyset = small_keyset(kind)
    for double in (copy.copy, copy.deepcopy, pickle.dumps):
        with runnel.open_encrypted("sealed", "wb", keyset, force=True) as out:
            with pytest.raises(TypeError, match="cannot be copied or pickled"):
                double(out)
            out.write(b"text")
        with runnel.open_encrypted("sealed", "rb", keyset) as reader:
            with pytest.raises(TypeError, match="cannot be copied or pickled"):
                double(reader)
            assert reader.read() == b"text"


def written_in_a_block(out) -> None:
    with out:
        out.write(b"theirs")


@pytest.mark.parametrize("same_number", [False, True])
@pytest.mark.parametrize("to_a_path", [True, False])
def test_a_forked_process_does_not_write_on(folder, to_a_path, same_number, monkeypatch):
    """It has the same key and nonces. Whatever it does to its writer, the parent's file is not changed; not even if it has
    the number of the process that made it, as a child's child may."""
    if same_number:
        number = os.getpid()
        monkeypatch.setattr(os, "getpid", lambda: number)
    keyset = small_keyset()
    file = None if to_a_path else open("stream", "wb", buffering=0)
    out = runnel.open_encrypted(file or "sealed", "wb", keyset)
    out.write(b"A" * 30)
    before = sorted(os.listdir()), os.stat(os.listdir()[0]).st_size
    for call in (lambda: out.write(b"B"), out.close, lambda: written_in_a_block(out)):
        assert in_a_child(call) == "StateError"
        assert (sorted(os.listdir()), os.stat(os.listdir()[0]).st_size) == before
    for call in (out.discard, out.__del__):
        assert in_a_child(call) == "None"
        assert (sorted(os.listdir()), os.stat(os.listdir()[0]).st_size) == before
    out.write(b"C" * 30)
    out.close()
    if file is not None:
        file.close()
        os.rename("stream", "sealed")
    assert opened("sealed", keyset) == b"A" * 30 + b"C" * 30 and os.listdir() == ["sealed"]


@pytest.mark.parametrize(
    ("data", "written"),
    [
        (array.array("H", [1, 2]), array.array("H", [1, 2]).tobytes()),
        (memoryview(bytes(range(12))).cast("B", (3, 4)), bytes(range(12))),
        (memoryview(b""), b""),
    ],
)
def test_any_contiguous_buffer_is_written_and_read_into(folder, data, written):
    keyset = small_keyset()
    with runnel.open_encrypted("sealed", "wb", keyset, force=True) as out:
        assert out.write(data) == len(written)
    assert opened("sealed", keyset) == written
    with runnel.open_encrypted("sealed", "rb", keyset) as reader:
        assert reader.readinto(bytearray()) == 0


def test_arrays_of_no_elements(folder):
    """Their shapes have a zero in them, of which memoryview makes nothing flat."""
    keyset = small_keyset()
    with runnel.open_encrypted("sealed", "wb", keyset) as out:
        assert out.write((ctypes.c_double * 3 * 0)()) == 0
        assert out.write((ctypes.c_double * 2 * 1)()) == 16
        with pytest.raises(TypeError):
            out.write(memoryview(bytes(16))[::2])
    with runnel.open_encrypted("sealed", "rb", keyset) as reader:
        assert reader.readinto((ctypes.c_double * 0 * 3)()) == 0


@pytest.mark.parametrize("mode", ["r", "w", "ab", "rb+", "xb", ""])
def test_other_modes(folder, mode):
    with pytest.raises(ValueError, match="the mode is 'rb' or 'wb'"):
        runnel.open_encrypted("sealed", mode, small_keyset())
    assert os.listdir() == []


# The reader


def test_a_read_goes_over_segments(folder):
    keyset = small_keyset()
    plaintext = random.randbytes(500)
    with runnel.open_encrypted("sealed", "wb", keyset) as out:
        out.write(plaintext)
    with runnel.open_encrypted("sealed", "rb", keyset) as reader:
        reader.seek(20)
        assert reader.read(300) == plaintext[20:320]
        buffer = bytearray(1000)
        assert reader.readinto(buffer) == 180
        assert buffer[:180] == plaintext[320:] and not any(buffer[180:])


@pytest.mark.parametrize("kind", SMALL)
def test_nothing_of_a_damaged_segment_is_released(folder, kind):
    keyset = small_keyset(kind)
    p = keyset.primary.parameters
    first, second = p.plaintext_at(1), p.plaintext_at(2)
    plaintext = random.randbytes(second + 40)
    with runnel.open_encrypted("sealed", "wb", keyset) as out:
        out.write(plaintext)
    damaged = bytearray((folder / "sealed").read_bytes())
    damaged[p.sealed_at(1) + 10] ^= 1
    with runnel.open_encrypted(io.BytesIO(damaged), "rb", keyset) as reader:
        buffer = bytearray(len(plaintext))
        with pytest.raises(runnel.AuthenticationError, match="segment 1"):
            reader.readinto(buffer)
        assert buffer[:first] == plaintext[:first] and not any(buffer[first:])
        assert reader.tell() == 0
        assert reader.read(first) == plaintext[:first]
        for _ in range(2):  # nor when it is asked for once more
            with pytest.raises(runnel.AuthenticationError, match="segment 1"):
                reader.read(1)
        reader.seek(second)
        assert reader.read() == plaintext[second:]


def test_small_reads_of_one_segment_read_the_file_once(folder):
    """One segment is kept, so that lines and numbers may be read one by one."""
    keyset = small_keyset()
    plaintext = random.randbytes(500)
    with runnel.open_encrypted("sealed", "wb", keyset) as out:
        out.write(plaintext)

    class Counted(io.FileIO):
        reads = 0

        def readinto(self, buffer):
            self.reads += 1
            return super().readinto(buffer)

    segment = keyset.primary.parameters.capacity(1)
    with Counted("sealed") as file, runnel.open_encrypted(file, "rb", keyset) as reader:
        reader.seek(keyset.primary.parameters.plaintext_at(1))
        before = file.reads
        for at in range(reader.tell(), reader.tell() + segment):
            assert reader.read(1) == plaintext[at : at + 1]
        assert file.reads == before + 1


def test_an_interrupted_read_does_not_mix_segments(folder):
    plaintext, keyset, line = random.randbytes(500), small_keyset(), 0
    with runnel.open_encrypted("sealed", "wb", keyset) as out:
        out.write(plaintext)
    more = True
    while more:
        with runnel.open_encrypted("sealed", "rb", keyset) as file:
            more = interrupted(reader.EncryptedReader._load, line, lambda: file.read(10))
            file.seek(0)
            assert file.read(10) == plaintext[:10]
        line += 1
    assert line > 5


def test_a_file_that_cannot_seek_is_named(folder):
    os.mkfifo("pipe")
    end = os.open("pipe", os.O_RDWR)
    try:
        with pytest.raises(OSError, match="seek: 'pipe'"):
            runnel.open_encrypted("pipe", "rb", small_keyset())
    finally:
        os.close(end)


def test_positions_are_whole_numbers(folder):
    with runnel.open_encrypted("sealed", "wb", keyset := small_keyset()) as out:
        out.write(b"text")
    with runnel.open_encrypted("sealed", "rb", keyset) as reader:
        for wrong in (1.0, "1", None):
            with pytest.raises(TypeError):
                reader.seek(wrong)
        assert type(reader.seek(True)) is int and reader.read() == b"ext"
    for wrong in ({"start": 1.0}, {"start": None}, {"end": 2.0}, {"start": 0.0}, {"end": "2"}):
        with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
            runnel.decrypt_file("sealed", "out", keyset, **wrong)
    assert os.listdir() == ["sealed"]


def test_a_closed_reader(folder):
    with runnel.open_encrypted("sealed", "wb", keyset := small_keyset()) as out:
        out.write(b"text")
    with runnel.open_encrypted("sealed", "rb", keyset) as reader:
        pass
    for call in (reader.read, reader.tell, lambda: reader.seek(0)):
        with pytest.raises(ValueError, match="closed"):
            call()


# Threads


@pytest.mark.parametrize("threads", [1, 3])
def test_a_thread_that_cannot_begin_is_not_waited_for(folder, threads, monkeypatch):
    (folder / "plain").write_bytes(bytes(3 << 20))
    keyset = runnel.Keyset.generate("cobblestone-128")

    def fails(keys):
        raise UserWarning("no such processor")

    monkeypatch.setattr(cobblestone.CobblestoneKeys, "cipher", fails)
    for call in (
        lambda: runnel.encrypt_file("plain", "out", keyset, threads=threads),
        lambda: runnel.encrypt_stream(open("plain", "rb"), io.BytesIO(), keyset, threads=threads),
    ):
        with pytest.raises(UserWarning, match="no such processor"):
            call()
    assert os.listdir() == ["plain"]


@pytest.mark.parametrize(
    ("threads", "error"),
    [(0, ValueError), (-1, ValueError), (17, ValueError), (10**30, ValueError), (1.5, TypeError), ("2", TypeError)],
)
def test_numbers_of_threads_that_cannot_be(folder, threads, error):
    keyset = small_keyset()
    (folder / "plain").write_bytes(bytes(1000))
    runnel.encrypt_file("plain", "sealed", keyset, threads=16)
    target = io.BytesIO()
    for call in (
        lambda: runnel.encrypt_file("plain", "out", keyset, threads=threads),
        lambda: runnel.decrypt_file("sealed", "out", keyset, threads=threads),
        lambda: runnel.encrypt_stream(io.BytesIO(b"text"), target, keyset, threads=threads),
        lambda: runnel.decrypt_stream(open("sealed", "rb"), target, keyset, threads=threads),
    ):
        with pytest.raises(error):
            call()
    assert sorted(os.listdir()) == ["plain", "sealed"] and target.getvalue() == b""


def test_a_job_that_nobody_waits_for_writes_nothing_more(folder, monkeypatch):
    """Interrupted twice, a program closes the file before the threads have ended, and the next one gets its number."""
    keyset = runnel.Keyset.generate("cobblestone-128")
    (folder / "plain").write_bytes(bytes(4 << 20))
    read_at, reads, released = sealed_io.PositionalSource.read_at, threading.Event(), threading.Event()

    def slow(source, views, position):
        read_at(source, views, position)
        if position:
            reads.set()
            released.wait()

    def interrupted_again(thread):
        raise KeyboardInterrupt

    def interrupted(count):
        reads.wait()
        context.setattr(threading.Thread, "join", interrupted_again)
        raise KeyboardInterrupt

    monkeypatch.setattr(sealed_io.PositionalSource, "read_at", slow)
    before = set(threading.enumerate())
    with monkeypatch.context() as context, pytest.raises(KeyboardInterrupt):
        runnel.encrypt_file("plain", "out", keyset, threads=2, progress=interrupted)
    with contextlib.ExitStack() as others:
        files = [others.enter_context(open(f"other{number}", "wb", buffering=0)) for number in range(4)]
        released.set()
        for thread in set(threading.enumerate()) - before:
            thread.join()
        assert [os.fstat(file.fileno()).st_size for file in files] == [0] * 4


@pytest.mark.parametrize("kind", SMALL)
@pytest.mark.parametrize("granted", [0, 1, 2])
def test_fewer_threads_than_were_wanted(folder, kind, granted, monkeypatch):
    """Of a system that gives no more of them: the others do the work, or the calling thread alone."""
    start, started = threading.Thread.start, []

    def limited(thread):
        if len(started) == granted:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    keyset = small_keyset(kind)
    plaintext = random.randbytes(300_000)
    (folder / "plain").write_bytes(plaintext)
    monkeypatch.setattr(threading.Thread, "start", limited)
    runnel.encrypt_file("plain", "sealed", keyset, threads=4)
    assert len(started) == granted
    started.clear()
    runnel.decrypt_file("sealed", "again", keyset, threads=4)
    assert (folder / "again").read_bytes() == plaintext
    started.clear()
    with subprocess.Popen(["cat", "sealed"], stdout=subprocess.PIPE) as cat:
        target = io.BytesIO()
        runnel.decrypt_stream(cat.stdout, target, keyset, threads=4)
    assert target.getvalue() == plaintext


# Refused keysets and associated data


@pytest.mark.parametrize("lock", [None, "secret", b"secret", 5, object()])
def test_nothing_is_encrypted_without_a_keyset(folder, lock):
    """A key in clear text before the file would be no encryption."""
    (folder / "plain").write_bytes(b"text")
    runnel.encrypt_file("plain", "sealed", small_keyset())
    before = sorted(os.listdir())
    target = io.BytesIO()
    for call in (
        lambda: runnel.encrypt_file("plain", "out", lock),
        lambda: runnel.encrypt_stream(io.BytesIO(b"text"), target, lock),
        lambda: runnel.open_encrypted("out", "wb", lock),
        lambda: runnel.open_encrypted(target, "wb", lock),
        lambda: runnel.decrypt_file("sealed", "out", lock),
        lambda: runnel.decrypt_stream(io.BytesIO(b"text"), target, lock),
        lambda: runnel.open_encrypted("sealed", "rb", lock),
    ):
        with pytest.raises(TypeError, match=r"must be a runnel.Keyset or a runnel.Passphrase, not"):
            call()
    assert sorted(os.listdir()) == before and target.getvalue() == b""


@pytest.mark.parametrize("passphrase", ["abc", "", b"abc", 5, runnel.Keyset.generate()])
def test_a_keyset_is_not_locked_with_anything_else(folder, passphrase):
    keyset = small_keyset()
    keyset.save("key")
    for call in (
        lambda: keyset.save("new", passphrase=passphrase),
        lambda: keyset.to_bytes(passphrase),
        lambda: runnel.Keyset.load("key", passphrase=passphrase),
    ):
        with pytest.raises(TypeError, match=r"must be a runnel.Passphrase, not"):
            call()
    assert os.listdir() == ["key"]


@pytest.mark.parametrize("kind", SMALL)
def test_associated_data_is_any_contiguous_buffer(folder, kind):
    keyset = small_keyset(kind)
    (folder / "plain").write_bytes(b"text")
    for aad in (bytearray(b"aad"), memoryview(b"aad"), array.array("B", b"aad")):
        runnel.encrypt_file("plain", "sealed", keyset, aad=aad, force=True)
        assert opened("sealed", keyset, b"aad") == b"text"
        with runnel.open_encrypted("sealed", "wb", keyset, aad=b"aad", force=True) as out:
            out.write(b"text")
        assert opened("sealed", keyset, aad) == b"text"
    for wrong in (None, "aad", 5, [1], memoryview(b"abcd")[::2]):
        target = io.BytesIO()
        for call in (
            lambda wrong=wrong: runnel.encrypt_file("plain", "out", keyset, aad=wrong),
            lambda wrong=wrong: runnel.decrypt_file("sealed", "out", keyset, aad=wrong),
            lambda wrong=wrong, target=target: runnel.open_encrypted(target, "wb", keyset, aad=wrong),
            lambda wrong=wrong: runnel.open_encrypted("sealed", "rb", keyset, aad=wrong),
        ):
            with pytest.raises(TypeError):
                call()
        assert target.getvalue() == b"" and not (folder / "out").exists()


# Keysets in files


def test_a_keyset_is_readable_by_its_owner_only(folder):
    keyset = runnel.Keyset.generate()
    before = os.umask(0)
    try:
        keyset.save(folder / "key")
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat("key").st_mode) == 0o600
    assert runnel.Keyset.load("key") == keyset
    assert (folder / "key").read_text() == keyset.to_json()
    with pytest.raises(FileExistsError):
        runnel.Keyset.generate().save("key")
    assert runnel.Keyset.load("key") == keyset and os.listdir() == ["key"]


def test_what_is_no_keyset_is_reported_as_such(folder):
    (folder / "key").write_text("{}")
    with pytest.raises(runnel.KeysetError, match=r"^key: not a keyset"):
        runnel.Keyset.load("key")
    (folder / "key").write_bytes(bytes((1 << 20) + 1))
    with pytest.raises(ValueError, match="more than 1 MiB"):
        runnel.Keyset.load("key")
    with pytest.raises(FileNotFoundError):
        runnel.Keyset.load("none")
    assert not issubclass(runnel.KeysetError, runnel.AuthenticationError)


def test_no_secret_is_shown():
    keyset = runnel.Keyset.generate()
    secret = keyset.primary.secret
    for shown in (repr(keyset), str(keyset.primary)):
        assert secret.hex() not in shown and repr(secret)[2:-1] not in shown
