# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The life of a stream in Python: wiping, memory, references, attributes, arguments that do something to it."""

import copy
import ctypes
import functools
import gc
import mmap
import pickle
import re
import sys

import pytest
import runnel
from python_streams import AES, CIPHERS, IV, KEY, KEY32, NONCE, kernels, make, peer, refused


def test_wipe():
    stream = runnel.new(AES, KEY, IV)
    stream.xor(b"abc")
    stream.wipe()
    stream.wipe()
    uses = [
        lambda: stream.xor(b""),
        lambda: stream.xor(b"a"),
        lambda: stream.xor_into(b"a", bytearray(1)),
        lambda: stream.keystream(1),
        lambda: stream.reset(IV),
        lambda: stream.seek(0),
        stream.tell,
        stream.left,
        lambda: stream.xor_packets([IV], [b"a"]),
        lambda: stream.xor_packets_into(IV, b"a", bytearray(1), 1),
    ]
    for use in uses:
        caught = refused(use, runnel.StateError, "aes-128-ctr: the stream was wiped")
        assert caught.cipher == AES
        assert isinstance(caught, RuntimeError)
    assert repr(stream) == "<runnel.Stream aes-128-ctr, wiped>"
    assert stream.cipher == AES


def test_with_block_wipes():
    with runnel.new(AES, KEY, IV) as stream:
        assert stream.xor(b"abc") == peer(KEY, IV, b"abc")
    with pytest.raises(runnel.StateError):
        stream.xor(b"abc")
    with pytest.raises(ZeroDivisionError), runnel.new(AES, KEY, IV) as stream:
        raise ZeroDivisionError
    with pytest.raises(runnel.StateError):
        stream.tell()


def memory_at(address: int, size: int) -> bytes:
    with open("/proc/self/mem", "rb", buffering=0) as memory:
        memory.seek(address)
        return memory.read(size)


def context_of(stream: runnel.Stream) -> int:
    return ctypes.c_void_p.from_address(id(stream) + object.__basicsize__).value


@pytest.mark.parametrize(("name", "kernel"), kernels())
def test_nothing_is_left_behind(name, kernel):
    size = CIPHERS[name].context_bytes
    stream = make(name, kernel)
    stream.encrypt(bytes(5000))
    address = context_of(stream)
    assert address % 64 == 0
    assert sum(byte != 0 for byte in memory_at(address, size)) > min(60, size // 8)
    stream.wipe()
    assert memory_at(address, size) == bytes(size)
    other = make(name, kernel)
    other.encrypt(bytes(5000))
    address = context_of(other)
    before, after = memory_at(address, size), bytearray(size)
    with open("/proc/self/mem", "rb", buffering=0) as memory:
        memory.seek(address)
        del other
        memory.readinto(after)  # nothing else was allocated since, but malloc has its own marks there
    assert not [
        at for at in range(0, size, 16) if any(before[at : at + 16]) and after[at : at + 16] == before[at : at + 16]
    ]


def test_memory_comes_back():
    def resident() -> int:
        with open("/proc/self/statm") as pages:
            return int(pages.read().split()[1]) * mmap.PAGESIZE

    def use() -> None:
        for _ in range(10_000):
            runnel.new(AES, KEY, IV)
            runnel.xor(AES, KEY, IV, b"data")

    use()
    before = resident()
    use()
    assert resident() - before < 4 << 20


def test_no_copies():
    keyed = [runnel.new(AES, KEY, IV), runnel.aead("aes-128-gcm", KEY), runnel.mac("aes-cmac", KEY)]
    pickles = [functools.partial(pickle.dumps, protocol=number) for number in range(pickle.HIGHEST_PROTOCOL + 1)]
    for each in keyed:
        for call in (copy.copy, copy.deepcopy, *pickles):
            with pytest.raises(TypeError, match=f"a runnel.{type(each).__name__} cannot be copied or pickled"):
                call(each)


def test_repr_shows_no_secret():
    key = b"sixteen letters!"
    stream = runnel.new(AES, key, IV)
    stream.xor(b"abc")
    text = repr(stream)
    assert re.fullmatch(r"<runnel\.Stream aes-128-ctr, kernel [\w-]+, position 3>", text)
    assert key.hex() not in text
    assert "sixteen" not in text


def test_attributes_are_read_only():
    stream = runnel.new(AES, KEY, IV)
    for name in ("cipher", "kernel", "counter"):
        with pytest.raises(AttributeError):
            setattr(stream, name, "x")
    with pytest.raises(AttributeError):
        stream.extra = 1
    with pytest.raises(TypeError):
        runnel.Stream.xor = None
    assert stream.layout == "be128"
    assert runnel.new("chacha20", KEY32, NONCE).layout is None


class Meddler:
    """An index whose conversion does something to a stream first."""

    def __init__(self, value, act):
        self.value, self.act = value, act

    def __index__(self):
        self.act()
        return self.value


def test_arguments_that_meddle():
    stream = runnel.new(AES, KEY, IV)
    refused(lambda: stream.seek(Meddler(1, stream.wipe)), runnel.StateError, "aes-128-ctr: the stream was wiped")
    stream = runnel.new(AES, KEY, IV)
    refused(lambda: stream.keystream(Meddler(1, stream.wipe)), runnel.StateError, "aes-128-ctr: the stream was wiped")
    stream = runnel.new(AES, KEY, IV)

    def ivs():
        stream.seek(7)
        yield IV
        stream.wipe()

    refused(lambda: stream.xor_packets(ivs(), [b"a"]), runnel.StateError, "aes-128-ctr: the stream was wiped")


def test_nothing_leaks():
    data, key, iv = bytearray(100), bytes(bytearray(range(16))), bytes(bytearray(range(16)))
    stream = runnel.new(AES, key, iv)
    out = bytearray(100)

    def use():
        other = runnel.new(AES, key, iv, layout="be32", kernel="portable")
        other.xor(data), other.xor_into(data, out), other.keystream(10), other.reset(iv, layout="be64")
        other.seek(3), other.tell(), other.left(), repr(other), other.cipher, other.kernel, other.layout
        other.xor_packets([iv, iv], [data, b"abc"])
        other.xor_packets_into(iv, data, out, 100)
        runnel.xor(AES, key, iv, data, offset=3)
        runnel.new_batch(AES, [key, data[:16]], [iv, data[:16]])
        runnel.ciphers(), runnel.cpu_features()
        for call in (
            lambda: stream.xor_into(data, b"x"),
            lambda: stream.xor_into(data, bytearray(1)),
            lambda: stream.xor("x"),
            lambda: runnel.new(AES, key, b""),
            lambda: runnel.new("x", key, iv),
            lambda: runnel.new(AES, key, iv, kernel="x"),
            lambda: runnel.new(AES, key, iv, layout="x"),
            lambda: runnel.new_batch(AES, [key, key], [iv, b""]),
            lambda: runnel.new_batch(AES, [key, key], [iv, 1]),
            lambda: runnel.new_batch(AES, [key], [iv], kernel="x"),
            lambda: stream.xor_packets([iv, b""], [data, data]),
            lambda: stream.xor_packets([iv], [1]),
            lambda: stream.xor_packets([1], [1]),
            lambda: stream.xor_packets([], [1]),
            lambda: stream.xor_packets_into(iv, data, b"", 1),
            lambda: stream.seek(-1),
            lambda: runnel.xor("chacha20", bytes(32), bytes(12), b"", offset=2**60),
        ):
            try:
                call()
            except (runnel.Error, TypeError, BufferError, OverflowError, ValueError):
                continue
            raise AssertionError("not refused")

    def count():
        gc.collect()
        return [sys.getrefcount(o) for o in (data, key, iv, out, stream, None, True, False, runnel.Stream)]

    def blocks():
        gc.collect()  # first, or garbage of other tests would hide a leak
        return sys.getallocatedblocks()

    for _ in range(3):
        use()
    before, grown = count(), [100]
    while min(grown) >= 100 and len(grown) < 6:  # the interpreter's own stores fill up in the first rounds
        held = blocks()
        for _ in range(200):
            use()
        grown.append(blocks() - held)
    assert all(abs(a - b) < 20 for a, b in zip(count(), before, strict=True)), (before, count())
    assert min(grown) < 100, grown
    data.append(0)  # no buffer is still exported


def test_a_batch_of_keys_gives_all_its_buffers_back():
    """bytearrays, which cannot grow while somebody has them; also where the last is refused."""
    keys, ivs = [bytearray(16) for _ in range(3)], [bytearray(16) for _ in range(3)]
    assert len(runnel.new_batch(AES, keys, ivs)) == 3
    for wrong in (b"", 1):
        with pytest.raises((runnel.IVLengthError, TypeError)):
            runnel.new_batch(AES, keys, [*ivs[:2], wrong])
    for each in (*keys, *ivs):
        each.append(0)
