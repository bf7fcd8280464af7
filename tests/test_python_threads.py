# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Threads, forks and very long messages."""

import contextlib
import ctypes
import mmap
import os
import signal
import threading
import time

import pytest
import runnel
from python_streams import in_threads
from runnel import _native

KEY, IV = bytes(range(16)), bytes(16)
AES = "aes-128-ctr"
LONG = 1 << 24  # long enough for another thread to notice


def test_streams_of_their_own():
    data = os.urandom(3_000_000)
    expected = [runnel.xor(AES, KEY, bytes([i]) * 16, data) for i in range(4)]

    def work(i):
        stream = runnel.new(AES, KEY, bytes([i]) * 16)
        for _ in range(20):
            stream.reset(bytes([i]) * 16)
            sizes = (1, 100_000, 31, 40_000, len(data))
            view, pieces, at = memoryview(data), [], 0
            for size in sizes:
                pieces.append(stream.xor(view[at : at + size]))
                at += size
            assert b"".join(pieces) == expected[i]
        return True

    assert in_threads(*(lambda i=i: work(i) for i in range(4))) == [True] * 4


def catch_in_use(stream: runnel.Stream, start, uses) -> bool:
    """Starts a long call in a thread, and while it continues tries the uses, each of which must be refused. Returns
    whether the call was seen continuing."""
    thread = threading.Thread(target=start)
    thread.start()
    seen = False
    while thread.is_alive() and not seen:
        seen = "in use" in repr(stream)
    for use in uses if seen else ():
        try:
            use()
        except runnel.StateError as error:
            assert str(error) == (f"{AES}: another thread is using this stream; give each thread a stream of its own")
        else:
            assert "in use" not in repr(stream), "a stream was used from two threads at a time"
            seen = False  # the call had ended by then
            break
    thread.join()
    return seen


@pytest.mark.parametrize("call", ["xor_into", "xor", "keystream", "xor_packets", "xor_packets_into"])
def test_one_stream_in_two_threads(call):
    kernel = "portable"  # slow, so that it is caught in the middle
    stream = runnel.new(AES, KEY, IV, kernel=kernel)
    out = bytearray(LONG)
    starts = {
        "xor_into": lambda: stream.xor_into(out, out),
        "xor": lambda: stream.xor(out),
        "keystream": lambda: stream.keystream(LONG),
        "xor_packets": lambda: stream.xor_packets(
            [IV] * 8, [memoryview(out)[i << 21 : (i + 1) << 21] for i in range(8)]
        ),
        "xor_packets_into": lambda: stream.xor_packets_into(bytes(16 << 11), out, out, 1 << 13),
    }
    small = bytearray(10)
    uses = [
        lambda: stream.xor(b"abc"),
        lambda: stream.xor_into(small, small),
        lambda: stream.keystream(1),
        lambda: stream.reset(IV),
        lambda: stream.seek(0),
        stream.tell,
        stream.left,
        stream.wipe,
        lambda: stream.xor_packets([IV], [b"a"]),
        lambda: stream.xor_packets_into(IV, small, small, 10),
    ]
    assert any(catch_in_use(stream, starts[call], uses) for _ in range(20))
    assert small == bytes(10)
    stream.reset(IV)  # free again
    assert stream.xor(bytes(100)) == runnel.xor(AES, KEY, IV, bytes(100))


def test_memory_in_use_cannot_be_moved():
    stream = runnel.new(AES, KEY, IV, kernel="portable")
    out, refused = bytearray(LONG), False
    for _ in range(20):
        thread = threading.Thread(target=lambda: stream.xor_into(out, out))
        thread.start()
        while thread.is_alive() and not refused:
            if "in use" in repr(stream):
                try:
                    out.append(0)
                except BufferError:
                    refused = True
                else:
                    out.pop()
        thread.join()
        if refused:
            break
    assert refused


@pytest.mark.parametrize("call", ["xor_into", "xor", "once"])
def test_other_threads_run_meanwhile(call):
    """While one thread is in a long call, the main thread continues."""
    stream = runnel.new(AES, KEY, IV, kernel="portable")
    out = bytearray(LONG)
    calls = {
        "xor_into": lambda: stream.xor_into(out, out),
        "xor": lambda: stream.xor(out),
        "once": lambda: runnel.xor(AES, KEY, IV, out, kernel="portable"),
    }

    def turns_meanwhile() -> int:
        started, ended = threading.Event(), []

        def work():
            started.set()
            calls[call]()
            ended.append(time.monotonic())

        thread = threading.Thread(target=work)
        thread.start()
        started.wait()
        turns = 0
        while not ended:
            turns += 1
            time.sleep(0)
        thread.join()
        return turns

    # On a busy machine the call may have ended before this thread runs at all.
    assert any(turns_meanwhile() > 100 for _ in range(20))


def test_short_calls_keep_the_lock():
    """Below the threshold a call is one step for other threads, so that they may share a stream of short messages."""
    stream = runnel.new(AES, KEY, IV)
    size = 1000

    def work():
        return [stream.keystream(size) for _ in range(2000)]

    pieces = {piece for result in in_threads(work, work, work, work) for piece in result}
    whole = runnel.xor(AES, KEY, IV, bytes(8000 * size))
    assert pieces == {whole[at : at + size] for at in range(0, len(whole), size)}


@pytest.mark.parametrize("of", ["authenticator", "sealer", "segments"])
def test_short_calls_wait_for_each_other(of):
    """So that they are not refused, however many threads share the object."""
    stream, mac, sealer = runnel.new(AES, KEY, IV), runnel.mac("hmac-sha-256", KEY), runnel.aead("aes-128-gcm", KEY)
    text = bytes(30_000)

    def seal_segments():
        memory = bytearray(16 + len(text) + 32)
        _native._seal_segments(stream, mac, IV, memory, len(memory), len(memory))

    calls = {
        "authenticator": lambda: mac.update(text),
        "sealer": lambda: sealer.seal(bytes(12), text),
        "segments": seal_segments,
    }

    def work():
        for _ in range(1000):
            calls[of]()

    in_threads(work, work, work, work)


def allowed(call, *arguments):
    """Return a call's result; None where another thread was in a long call."""
    try:
        return call(*arguments)
    except runnel.StateError as error:
        assert "another thread is using" in str(error)
        return None


SIZES = (1, 40, 1000, 33_000)  # the last one lets others run


def test_threads_share_a_stream():
    """Short calls wait, beside a long one they are refused, and no byte of keystream is given twice."""
    stream = runnel.new(AES, KEY, IV)

    def work():
        pieces = []
        for turn in range(120):
            pieces.append(allowed(stream.keystream, 16 + SIZES[turn % 4]))
            allowed(stream.tell), repr(stream), stream.layout
        return [piece for piece in pieces if piece is not None]

    pieces = [piece for result in in_threads(work, work, work, work) for piece in result]
    whole = runnel.xor(AES, KEY, IV, bytes(sum(map(len, pieces))))
    assert stream.tell() == len(whole)
    end = 0
    for at, piece in sorted((whole.index(piece[:16]), piece) for piece in pieces):
        assert at == end and piece == whole[at : at + len(piece)]
        end += len(piece)


def test_threads_share_a_sealer():
    """Each message comes right, or is refused as a whole."""
    sealer = runnel.aead("aes-128-gcm", KEY)
    nonces = [bytes([i]) * 12 for i in range(len(SIZES))]
    data = [bytes([i]) * size for i, size in enumerate(SIZES)]
    expected = [sealer.seal(nonce, text) for nonce, text in zip(nonces, data)]

    def work():
        done = 0
        for turn in range(300):
            i = turn % len(SIZES)
            assert allowed(sealer.seal, nonces[i], data[i]) in (expected[i], None)
            assert allowed(sealer.open, nonces[i], expected[i]) in (data[i], None)
            opened = allowed(sealer.open_batch, nonces[:3], expected[:3])
            assert opened in (data[:3], None)
            done += opened is not None
            repr(sealer)
        return done

    assert sum(in_threads(work, work, work, work)) > 0


def test_a_sealer_is_wiped_between_calls():
    """Never in the middle of one in another thread: what was sealed is right, and then there is nothing any more."""
    nonce, text = bytes(12), bytes(30_000)  # a call that does not let others run
    expected = runnel.aead("aes-128-gcm", KEY).seal(nonce, text)

    def in_turn(call, *arguments):
        """Return a call's result when no other thread is in the way; None after the wipe."""
        while True:
            try:
                return call(*arguments)
            except runnel.StateError as error:
                if "wiped" in str(error):
                    return None

    for _ in range(40):
        sealer = runnel.aead("aes-128-gcm", KEY, kernel="portable")
        begun = threading.Barrier(4)

        def work(sealer=sealer, begun=begun):
            begun.wait()
            while (sealed := in_turn(sealer.seal, nonce, text)) is not None:
                assert sealed == expected

        def wipe(sealer=sealer, begun=begun):
            begun.wait()
            in_turn(sealer.seal, nonce, text)
            in_turn(sealer.wipe)

        in_threads(work, work, work, wipe)


def test_threads_share_an_authenticator():
    """All that was added is in the tag, and nothing else."""
    mac = runnel.mac("hmac-sha-256", KEY)

    def work():
        added = 0
        for turn in range(500):
            size = SIZES[turn % 4]
            added += size if allowed(lambda: mac.update(bytes(size)) or True) else 0  # noqa: B023  # called at once
            repr(mac)
        return added

    mac.verify(runnel.mac("hmac-sha-256", KEY, bytes(sum(in_threads(work, work, work, work)))).tag())


def test_threads_seal_segments_with_the_same_objects():
    """And one uses the stream alone meanwhile."""
    stream, mac = runnel.new(AES, KEY, IV), runnel.mac("hmac-sha-256", KEY)
    ivs = {size: os.urandom(16) for size in (100, 30_000, 40_000)}

    def seal(size):
        memory = bytearray(16 + size + 32)
        return memory if _native._seal_segments(stream, mac, ivs[size], memory, len(memory), len(memory)) else None

    expected = {size: seal(size) for size in ivs}

    def work():
        return sum(allowed(seal, size) in (expected[size], None) for _ in range(100) for size in ivs)

    def in_one_thread():
        return sum(allowed(stream.tell) is not None for _ in range(400)) >= 0

    assert in_threads(work, work, in_one_thread, work) == [300, 300, True, 300]


def test_fork_copies_the_stream():
    stream = runnel.new(AES, KEY, IV)
    stream.xor(bytes(10))
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, stream.xor(bytes(20)))
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read, 100) == stream.xor(bytes(20)) == runnel.xor(AES, KEY, IV, bytes(30))[10:]
    os.close(read)
    os.close(write)


def test_a_counter_of_nonces_stays_with_its_process():
    """In a child that was forked it refuses, also where a thread that is not there holds its lock."""
    nonces = runnel.NonceCounter(b"node")
    nonces._lock.acquire()
    child = os.fork()
    if child == 0:
        signal.alarm(5)  # one that waits for the lock waits for ever
        refused = 0
        for use in (nonces.__next__, nonces.save):
            try:
                use()
            except runnel.StateError as error:
                refused += "the process that forked" in str(error)
        os._exit(refused)
    nonces._lock.release()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2
    assert next(nonces) == b"node" + bytes(8)


def test_a_counter_of_nonces_knows_a_child_that_has_its_process_s_number(monkeypatch):
    """The system gives a number again as soon as its process has ended: to a child's child, for instance."""
    nonces, number = runnel.NonceCounter(b"node"), os.getpid()
    child = os.fork()
    if child == 0:
        monkeypatch.setattr(os, "getpid", lambda: number)
        refused = 0
        for use in (nonces.__next__, nonces.save):
            try:
                use()
            except runnel.StateError:
                refused += 1
        os._exit(refused)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2
    assert next(nonces) == b"node" + bytes(8)


WINDOW = 1 << 24


@contextlib.contextmanager
def mapped_again_and_again(size: int):
    """Returns `size` bytes of addresses that all show the same WINDOW bytes of memory, and those."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    map_fixed = 0x10
    file = os.memfd_create("window")
    os.truncate(file, WINDOW)
    address = libc.mmap(None, size, 0, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
    assert address != ctypes.c_void_p(-1).value
    for at in range(0, size, WINDOW):
        where = libc.mmap(
            address + at, min(WINDOW, size - at), mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_SHARED | map_fixed, file, 0
        )
        assert where == address + at, os.strerror(ctypes.get_errno())
    try:
        with mmap.mmap(file, WINDOW) as window:
            yield (ctypes.c_char * size).from_address(address), window
    finally:
        libc.munmap(address, size)
        os.close(file)


@pytest.mark.parametrize("size", [2**31 - 1, 2**31, 2**32 + 1])
def test_long_messages(size):
    """One call on more than 2 and 4 GiB, in place. Little memory stands behind the addresses, because fresh memory
    takes longer than the cipher: each byte of it is XORed with the keystream again and again."""
    expected = bytearray(WINDOW)
    pieces = runnel.new(AES, KEY, IV)
    for at in range(0, size, WINDOW):
        piece = memoryview(expected)[: min(WINDOW, size - at)]
        pieces.xor_into(piece, piece)
    with mapped_again_and_again(size) as (message, window):
        stream = runnel.new(AES, KEY, IV)
        assert stream.xor_into(message, message) == size
        assert stream.tell() == size
        same = window[:] == expected
        assert same, "the message is wrong"
        assert stream.xor(bytes(40)) == runnel.xor(AES, KEY, IV, bytes(40), offset=size)
