# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Python package: what it computes, what it accepts, what it refuses and in which words."""

import array
import copy
import ctypes
import gc
import itertools
import mmap
import pickle
import random
import re
import sys

import numpy
import pytest
import runnel
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from runnel_lab.running.known_answers import paragraphs
from test_vectors import ACVP

CIPHERS = runnel.ciphers()
DIRECTIONAL = [name for name, cipher in CIPHERS.items() if cipher.directional]
SEEKABLE = [name for name, cipher in CIPHERS.items() if cipher.seekable]
KEY, IV = bytes(range(16)), bytes(range(100, 116))
AES = "aes-128-ctr"


def make(name: str, kernel: str | None = None, key_seed: int = 1, iv_seed: int = 2) -> runnel.Stream:
    cipher = CIPHERS[name]
    return runnel.new(
        name,
        random.Random(key_seed).randbytes(cipher.key_bytes[-1]),
        random.Random(iv_seed).randbytes(cipher.iv_bytes[-1]),
        kernel=kernel,
        allow_broken=True,
    )


try:
    from cryptography.hazmat.decrepit.ciphers.modes import CFB
except ImportError:  # where it was before
    CFB = modes.CFB


def encrypted(name: str, key: bytes, iv: bytes, data: bytes) -> bytes:
    return runnel.new(name, key, iv, allow_broken=True).encrypt(data)


def peer(key: bytes, iv: bytes, data: bytes) -> bytes:
    return Cipher(algorithms.AES(key), modes.CTR(iv)).encryptor().update(data)


# What it computes


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_aes_agrees_with_openssl(bits):
    generator = random.Random(bits)
    for size in [*range(70), 255, 256, 257, 4095, 4096, 4097, 32767, 32768, 32769, 100_003]:
        key, data = generator.randbytes(bits // 8), generator.randbytes(size)
        iv = generator.choice([generator.randbytes(16), b"\xff" * 16, generator.randbytes(12) + b"\xff\xff\xff\xfe"])
        assert runnel.xor(f"aes-{bits}-ctr", key, iv, data) == peer(key, iv, data)


def test_chacha20_agrees_with_openssl():
    generator = random.Random(20)
    for size in [*range(70), 1023, 4096, 32769, 100_003]:
        key, nonce, data = generator.randbytes(32), generator.randbytes(12), generator.randbytes(size)
        block = generator.randrange(1000)
        theirs = Cipher(algorithms.ChaCha20(key, block.to_bytes(4, "little") + nonce), None).encryptor().update(data)
        assert runnel.xor("chacha20", key, nonce, data, offset=64 * block) == theirs


def kernels() -> list[tuple[str, str]]:
    return [(c.name, k.name) for c in CIPHERS.values() for k in c.kernels if k.available]


@pytest.mark.parametrize(("name", "kernel"), kernels())
def test_every_kernel_makes_the_same_bytes_in_any_pieces(name, kernel):
    data = random.Random(3).randbytes(50_000)
    whole = make(name).encrypt(data)
    stream = make(name, kernel)
    assert stream.kernel == kernel
    generator, pieces, at = random.Random(4), [], 0
    while at < len(data):
        size = generator.choice([0, 1, 15, 16, 17, generator.randrange(300), generator.randrange(9000)])
        pieces.append(stream.encrypt(data[at : at + size]))
        at += size
        assert stream.tell() == min(at, len(data))
    assert b"".join(pieces) == whole
    assert make(name, kernel).decrypt(whole) == data
    if name in DIRECTIONAL:
        return
    assert make(name, kernel).xor(data) == whole
    assert make(name, kernel).keystream(len(data)) == bytes(a ^ b for a, b in zip(data, whole, strict=True))


@pytest.mark.parametrize("name", DIRECTIONAL)
def test_directions(name):
    data = random.Random(6).randbytes(70_000)
    secret = make(name).encrypt(data)
    assert make(name).decrypt(secret) == data and make(name).encrypt(secret) != data
    if name.startswith("aes"):
        key, iv = random.Random(1).randbytes(CIPHERS[name].key_bytes[-1]), random.Random(2).randbytes(16)
        assert Cipher(algorithms.AES(key), CFB(iv)).encryptor().update(data) == secret
    out = bytearray(data)
    stream = make(name)
    assert stream.encrypt_into(out, out) == len(data) and out == secret
    stream = make(name)
    assert stream.decrypt_into(out, out) == len(data) and out == data
    key, iv = bytes(CIPHERS[name].key_bytes[-1]), bytes(CIPHERS[name].iv_bytes[-1])
    for call in (
        lambda: stream.xor(b"a"),
        lambda: stream.xor(b""),
        lambda: stream.xor_into(b"a", out),
        lambda: stream.keystream(1),
        lambda: stream.xor_packets([iv], [b"a"]),
        lambda: stream.xor_packets_into(iv, b"a", out, 16),
        lambda: runnel.xor(name, key, iv, b"a", allow_broken=True),
    ):
        refused(
            call,
            runnel.DirectionError,
            f"{name}: encryption and decryption differ: it has encrypt and decrypt, and no keystream",
        )
    assert stream.tell() == len(data) and out == data
    refused(
        lambda: stream.encrypt_into(b"ab", bytearray(1)),
        runnel.OutputLengthError,
        f"{name}: data has 2 bytes, out only 1",
    )
    refused(lambda: stream.encrypt_into(b"ab"), TypeError, "encrypt_into() takes 2 arguments (1 given)")


@pytest.mark.parametrize("name", SEEKABLE)
def test_seek(name):
    data = random.Random(5).randbytes(5000)
    stream = make(name)
    whole = stream.xor(data)
    for position in [0, 4999, 1, 16, 64, 63, 5000, 2, *range(300)]:
        stream.seek(position)
        assert stream.tell() == position
        assert stream.xor(data[position:]) == whole[position:]


def test_far_positions():
    stream = runnel.new(AES, KEY, IV)
    stream.seek(2**38 + 5)
    start = (int.from_bytes(IV, "big") + 2**34).to_bytes(16, "big")
    assert stream.xor(bytes(100)) == peer(KEY, start, bytes(105))[5:]
    stream.seek(2**64 - 1)
    assert stream.tell() == 2**64 - 1
    assert stream.left() == 2**64 - 1
    assert runnel.xor(AES, KEY, IV, b"abc", offset=2**38 + 5) == stream_at(2**38 + 5).xor(b"abc")


@pytest.mark.of("aes")
def test_acvp():
    """NIST's vectors of AES-CTR, in one call and in pieces."""
    seen = 0
    for fields in paragraphs(ACVP.read_text()):
        key, iv, text, expected = (bytes.fromhex(fields[name]) for name in ("key", "iv", "input", "output"))
        assert runnel.xor(fields["cipher"], key, iv, text, layout=fields["layout"]) == expected, fields["name"]
        for step in (1, 7, 16, 512):
            stream = runnel.new(fields["cipher"], key, iv, layout=fields["layout"])
            parts = [stream.decrypt(text[i : i + step]) for i in range(0, len(text), step)]
            assert b"".join(parts) == expected, f"{fields['name']}, {step} bytes at a time"
        seen += 1
    assert seen == 48


@pytest.mark.of("aes")
@pytest.mark.parametrize(("name", "shift"), [(AES, 0), (AES, 16), (AES, 24), (AES, 48), ("aes-256-ctr", 32)])
def test_messages_past_the_caches(name, shift):
    """From 32 MiB on a kernel may store past the caches, whole lines: from any place on, beside what is not the output,
    with a table of first rounds that is new, and one that begins anywhere."""
    size, piece = (32 << 20) + 5000 + shift, 1 << 20
    data = (random.Random(8).randbytes(piece) * 33)[:size]
    memory = memoryview(mmap.mmap(-1, size + 100))
    memory[:] = b"z" * len(memory)
    key, iv = bytes(range(CIPHERS[name].key_bytes[0])), bytes(12) + b"\x00\xff\xfe\x35"
    whole, pieces = runnel.new(name, key, iv), runnel.new(name, key, iv)
    for between in (b"", b"a" * 1000):
        assert whole.xor(between) == pieces.xor(between)
        assert whole.xor_into(data, memory[shift : shift + size]) == size
        for at in range(0, size, piece):
            assert memory[shift + at : shift + min(at + piece, size)] == pieces.xor(data[at : at + piece])
        assert memory[:shift] == b"z" * shift
        assert memory[shift + size :] == b"z" * (100 - shift)


def stream_at(position: int) -> runnel.Stream:
    stream = runnel.new(AES, KEY, IV)
    stream.seek(position)
    return stream


@pytest.mark.parametrize("name", CIPHERS)
def test_reset_starts_again(name):
    stream = make(name)
    first = stream.encrypt(bytes(100))
    stream.reset(random.Random(9).randbytes(CIPHERS[name].iv_bytes[-1]))
    assert stream.tell() == 0
    other = stream.encrypt(bytes(100))
    assert (other != first) == (CIPHERS[name].iv_bytes[-1] > 0)
    assert other == make(name, iv_seed=9).encrypt(bytes(100))
    stream.reset(random.Random(2).randbytes(CIPHERS[name].iv_bytes[-1]))
    assert stream.encrypt(bytes(100)) == first


def counted(layout: str, block: int, steps: int) -> bytes:
    """The counter block `steps` after `block`, by big integers."""
    width = int(re.sub(r"\D", "", layout)) // 8
    at = 0 if layout.startswith("le") else 4 if layout == "be32-left" else 16 - width
    order = "little" if layout.startswith("le") else "big"
    raw = block.to_bytes(16, "big")
    field = (int.from_bytes(raw[at : at + width], order) + steps) % 2 ** (8 * width)
    return raw[:at] + field.to_bytes(width, order) + raw[at + width :]


@pytest.mark.parametrize("layout", CIPHERS[AES].layouts)
def test_counter_layouts(layout):
    key = algorithms.AES(KEY)
    for iv in (b"\xff" * 16, IV, b"\xff" * 4 + bytes(8) + b"\xff" * 4):
        ecb = Cipher(key, modes.ECB()).encryptor()
        expected = b"".join(ecb.update(counted(layout, int.from_bytes(iv, "big"), i)) for i in range(70))
        stream = runnel.new(AES, KEY, iv, layout=layout)
        assert stream.layout == layout
        assert stream.keystream(70 * 16) == expected
        assert runnel.xor(AES, KEY, iv, bytes(70 * 16 - 5), layout=layout, offset=5) == expected[5:]
        stream = runnel.new(AES, KEY, iv)
        stream.reset(iv, layout=layout)
        assert stream.keystream(70 * 16) == expected
        stream.reset(iv)  # keeps the layout
        assert stream.keystream(70 * 16) == expected


# What it accepts: every contiguous buffer, uncopied


def buffers(data: bytes):
    yield "bytes", data
    yield "bytearray", bytearray(data)
    yield "memoryview", memoryview(data)
    yield "memoryview of a slice", memoryview(b"x" + data + b"y")[1:-1]
    yield "array of bytes", array.array("B", data)
    yield "array of 4-byte items", array.array("I", data)
    yield "cast memoryview", memoryview(data).cast("d")
    yield "two dimensions", memoryview(data).cast("B", [len(data) // 8, 8])
    yield "ctypes array", (ctypes.c_char * len(data)).from_buffer_copy(data)
    mapped = mmap.mmap(-1, len(data))
    mapped[:] = data
    yield "mmap", mapped
    yield "subclass of bytes", type("Bytes", (bytes,), {})(data)


@pytest.mark.parametrize("size", [16, 800, 40_000])
def test_buffers(size):
    data = random.Random(6).randbytes(size)
    expected = peer(KEY, IV, data)
    for what, buffer in buffers(data):
        stream = runnel.new(AES, KEY, IV)
        assert stream.xor(buffer) == expected, what
        out = bytearray(size)
        stream.reset(IV)
        assert stream.xor_into(buffer, out) == size
        assert out == expected, what
        assert runnel.xor(AES, KEY, IV, buffer) == expected, what
        if not memoryview(buffer).readonly:
            stream.reset(IV)
            assert stream.xor_into(data, buffer) == size
            assert bytes(buffer) == expected, what
            stream.reset(IV)
            assert stream.xor_into(buffer, buffer) == size  # in place, back again
            assert bytes(buffer) == data, what
    for (what, key), (_, iv) in zip(buffers(KEY), buffers(IV), strict=True):
        stream = runnel.new(AES, key, iv)
        assert stream.xor(data) == expected, what
        stream.reset(iv)
        assert stream.xor(data) == expected, what


def test_numpy():
    data = numpy.arange(1000, dtype=numpy.float64)
    assert runnel.xor(AES, KEY, IV, data) == peer(KEY, IV, data.tobytes())
    with pytest.raises(BufferError, match="data must be a contiguous buffer"):
        runnel.xor(AES, KEY, IV, data[::2])


def test_zero_length():
    stream = runnel.new(AES, KEY, IV)
    for empty in (b"", bytearray(), memoryview(b""), array.array("d")):
        assert stream.xor(empty) == b""
        assert stream.xor_into(empty, bytearray()) == 0
        assert stream.xor_into(empty, bytearray(5)) == 0
        assert runnel.xor(AES, KEY, IV, empty) == b""
    assert stream.keystream(0) == b""
    assert stream.xor_packets([], []) == []
    assert stream.xor_packets_into(b"", b"", bytearray(), 100) == 0
    assert stream.tell() == 0


def test_longer_out_keeps_its_rest():
    out = bytearray(b"z" * 20)
    assert runnel.new(AES, KEY, IV).xor_into(b"a" * 10, out) == 10
    assert out == peer(KEY, IV, b"a" * 10) + b"z" * 10


@pytest.mark.parametrize("size", [100, 50_000])
def test_overlap(size):
    memory = bytearray(random.Random(7).randbytes(2 * size))
    before = bytes(memory)
    view = memoryview(memory)
    for shift in (1, 16, size - 1):
        for start, to in ((0, shift), (shift, 0)):
            stream = runnel.new(AES, KEY, IV)
            with pytest.raises(runnel.OverlapError, match="^aes-128-ctr: data and out overlap by a part"):
                stream.xor_into(view[start : start + size], view[to : to + size])
            assert memory == before
            assert stream.tell() == 0
    assert runnel.new(AES, KEY, IV).xor_into(view[:size], view[size:]) == size
    assert view[size:] == peer(KEY, IV, before[:size])


# Batches


@pytest.mark.parametrize("name", [name for name in CIPHERS if name not in DIRECTIONAL])
def test_packets(name):
    generator = random.Random(8)
    cipher = CIPHERS[name]
    key = generator.randbytes(cipher.key_bytes[-1])
    sizes = [0, 1, 160, 15, 16, 17, 5000, *(generator.randrange(2000) for _ in range(60))]
    lengths = cipher.key_bytes[-1:] if cipher.iv_as_key else cipher.iv_bytes
    ivs = [generator.randbytes(generator.choice(lengths)) for _ in sizes]
    packets = [generator.randbytes(size) for size in sizes]
    expected = [runnel.xor(name, key, iv, packet, allow_broken=True) for iv, packet in zip(ivs, packets, strict=True)]
    stream = runnel.new(name, key, ivs[0], allow_broken=True)
    assert stream.xor_packets(ivs, packets) == expected
    assert stream.tell() == sizes[-1]
    assert stream.xor_packets(tuple(ivs[:3]), (bytearray(p) for p in packets[:3])) == expected[:3]
    assert stream.xor_packets([memoryview(iv) for iv in ivs], list(map(bytearray, packets))) == expected


@pytest.mark.parametrize("name", CIPHERS)
def test_many_keys(name):
    generator = random.Random(18)
    cipher = CIPHERS[name]
    for count in (0, 1, 7, 17):
        keys = [generator.randbytes(cipher.key_bytes[0]) for _ in range(count)]
        length = cipher.key_bytes[0] if cipher.iv_as_key else cipher.iv_bytes[-1]
        ivs = [bytearray(generator.randbytes(length)) for _ in range(count)]
        streams = runnel.new_batch(name, iter(keys), ivs, allow_broken=True)
        assert len(streams) == count
        for stream, key, iv in zip(streams, keys, ivs, strict=True):
            assert stream.encrypt(bytes(100)) == encrypted(name, key, iv, bytes(100))


def test_errors_of_many_keys():
    for call, error, text in (
        (lambda: runnel.new_batch(AES, [KEY, KEY], [IV]), ValueError, "keys has 2 items, ivs 1"),
        (
            lambda: runnel.new_batch(AES, [KEY, KEY[1:]], [IV, IV]),
            runnel.KeyLengthError,
            "aes-128-ctr: keys[1] has 15 bytes, keys[0] 16; all must be equally long",
        ),
        (
            lambda: runnel.new_batch(AES, [KEY, KEY], [IV, IV[1:]]),
            runnel.IVLengthError,
            "aes-128-ctr: ivs[1] has 15 bytes, ivs[0] 16; all must be equally long",
        ),
        (
            lambda: runnel.new_batch(AES, [KEY], [IV[1:]]),
            runnel.IVLengthError,
            "aes-128-ctr: ivs[0] has 15 bytes, must have 16",
        ),
    ):
        refused(call, error, text)
    for arguments, error in (({"layout": "be32-left"}, runnel.LayoutError), ({"kernel": "none"}, runnel.KernelError)):
        with pytest.raises(error):
            runnel.new_batch(AES, [KEY], [IV], **arguments)
    with pytest.raises(TypeError):
        runnel.new_batch(AES, [KEY, 1], [IV, IV])
    with pytest.raises(runnel.UnknownCipherError):
        runnel.new_batch("aes", [], [])
    (stream,) = runnel.new_batch(AES, [KEY], [IV], layout="be32", kernel="portable")
    assert stream.layout == "be32" and stream.kernel == "portable" and stream.tell() == 0


@pytest.mark.parametrize("count", [1, 7, 1000])
@pytest.mark.parametrize("last", [160, 1])
def test_packets_into(count, last):
    ivs = random.Random(10).randbytes(16 * count)
    data = random.Random(11).randbytes(160 * (count - 1) + last)
    expected = b"".join(peer(KEY, ivs[16 * i : 16 * i + 16], data[160 * i : 160 * i + 160]) for i in range(count))
    stream = runnel.new(AES, KEY, IV)
    out = bytearray(len(data))
    assert stream.xor_packets_into(ivs, data, out, 160) == count
    assert out == expected
    out[:] = data
    assert stream.xor_packets_into(ivs, out, out, 160) == count
    assert out == expected


def test_packets_keep_the_layout():
    ivs = [b"\xff" * 16, bytes(16)]
    stream = runnel.new(AES, KEY, IV, layout="be32")
    expected = [runnel.xor(AES, KEY, iv, bytes(100), layout="be32") for iv in ivs]
    assert stream.xor_packets(ivs, [bytes(100)] * 2) == expected
    assert expected[0] != runnel.xor(AES, KEY, ivs[0], bytes(100))
    out = bytearray(200)
    stream.xor_packets_into(b"".join(ivs), out, out, 100)
    assert out == b"".join(expected)


# What it refuses, and in which words

KEY32, NONCE = bytes(32), bytes(12)
END = 2**38  # of ChaCha20's keystream
SHORT16 = 2**20  # of a counter of 16 bits


def refused(call, error, text):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == text, str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("arguments", "options", "error", "text"),
    [
        ((AES, KEY[:15], IV), {}, runnel.KeyLengthError, "aes-128-ctr: key has 15 bytes, must have 16"),
        ((AES, b"", IV), {}, runnel.KeyLengthError, "aes-128-ctr: key has 0 bytes, must have 16"),
        (("salsa20", KEY32[:24], IV[:8]), {}, runnel.KeyLengthError, "salsa20: key has 24 bytes, must have 16 or 32"),
        ((AES, KEY, IV[:1]), {}, runnel.IVLengthError, "aes-128-ctr: iv has 1 byte, must have 16"),
        (("chacha20", KEY32, NONCE[:8]), {}, runnel.IVLengthError, "chacha20: iv has 8 bytes, must have 12"),
        (("rabbit", KEY, IV), {}, runnel.IVLengthError, "rabbit: iv has 16 bytes, must have 0 or 8"),
        (("aes", KEY, IV), {}, runnel.UnknownCipherError, "no cipher 'aes'; runnel.ciphers() lists them"),
        (
            (AES, KEY, IV),
            {"layout": "le16"},
            runnel.LayoutError,
            "aes-128-ctr: no counter layout 'le16', only be128, be64, be32, be16, le128, le64, le32",
        ),
        (
            ("chacha20", KEY32, NONCE),
            {"layout": "be32"},
            runnel.LayoutError,
            "chacha20: not a counter mode, so it takes no layout ('be32')",
        ),
        (
            ("salsa20", KEY32, IV[:8]),
            {"layout": "nowhere"},
            runnel.LayoutError,
            "salsa20: not a counter mode, so it takes no layout ('nowhere')",
        ),
    ],
)
def test_new_and_xor_refuse(arguments, options, error, text):
    for call in (lambda: runnel.new(*arguments, **options), lambda: runnel.xor(*arguments, b"data", **options)):
        caught = refused(call, error, text)
        assert caught.cipher == (arguments[0] if arguments[0] in CIPHERS else None)
        assert isinstance(caught, runnel.Error)
        assert isinstance(caught, ValueError)


def test_unknown_kernel():
    caught = refused(
        lambda: runnel.new(AES, KEY, IV, kernel="none"),
        runnel.KernelError,
        f"aes-128-ctr: no kernel 'none', only {', '.join(k.name for k in CIPHERS[AES].kernels)}",
    )
    assert caught.cipher == AES


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: runnel.new(AES, "0" * 16, IV), "key must be a buffer (bytes, bytearray, memoryview ...), not str"),
        (lambda: runnel.new(AES, KEY, None), "iv must be a buffer (bytes, bytearray, memoryview ...), not NoneType"),
        (lambda: runnel.new(1, KEY, IV), "cipher must be a str, not int"),
        (lambda: runnel.new(None, KEY, IV), "cipher must be a str, not NoneType"),
        (lambda: runnel.new(AES, KEY, IV, layout=1), "layout must be a str or None, not int"),
        (lambda: runnel.new(AES, KEY, IV, kernel=b"x"), "kernel must be a str or None, not bytes"),
        (lambda: runnel.new(AES, KEY), "new() missing required argument 'iv'"),
        (lambda: runnel.new(AES, KEY, IV, "be128"), "new() takes at most 3 positional arguments (4 given)"),
        (lambda: runnel.new(AES, KEY, IV, key=KEY), "new() got multiple values for argument 'key'"),
        (lambda: runnel.new(AES, KEY, IV, nonce=IV), "new() got an unexpected keyword argument 'nonce'"),
        (lambda: runnel.xor(AES, KEY, IV, "text"), "data must be a buffer (bytes, bytearray, memoryview ...), not str"),
        (lambda: runnel.xor(AES, KEY, IV), "xor() missing required argument 'data'"),
        (lambda: runnel.xor(AES, KEY, IV, b"", offset=1.5), "offset must be an integer, not float"),
        (lambda: runnel.new(AES, KEY, IV).xor(5), "data must be a buffer (bytes, bytearray, memoryview ...), not int"),
        (
            lambda: runnel.new(AES, KEY, IV).xor_into(b"", 5),
            "out must be a writable buffer (bytes, bytearray, memoryview ...), not int",
        ),
        (lambda: runnel.new(AES, KEY, IV).xor_into(b""), "xor_into() takes 2 arguments (1 given)"),
        (
            lambda: runnel.new(AES, KEY, IV).xor_packets([IV], [5]),
            "packets[0] must be a buffer (bytes, bytearray, memoryview ...), not int",
        ),
        (
            lambda: runnel.new(AES, KEY, IV).xor_packets(IV, [b""] * 16),
            "ivs[0] must be a buffer (bytes, bytearray, memoryview ...), not int",
        ),
        (lambda: runnel.new(AES, KEY, IV).xor_packets([IV]), "xor_packets() takes 2 arguments (1 given)"),
        (lambda: runnel.new(AES, KEY, IV).seek("1"), "position must be an integer, not str"),
        (lambda: runnel.Stream(), "cannot create 'runnel.Stream' instances"),
    ],
)
def test_wrong_types(call, text):
    refused(call, TypeError, text)


def test_names_with_a_null_character():
    refused(lambda: runnel.new(AES + "\0", KEY, IV), ValueError, "cipher contains a null character")


@pytest.mark.parametrize("number", [-1, 2**64, 10**30])
def test_numbers_out_of_range(number):
    stream = runnel.new(AES, KEY, IV)
    refused(lambda: stream.seek(number), OverflowError, f"position must be from 0 to 2**64 - 1, not {number}")
    refused(lambda: stream.keystream(number), OverflowError, f"bytes must be from 0 to 2**64 - 1, not {number}")
    refused(
        lambda: runnel.xor(AES, KEY, IV, b"", offset=number),
        OverflowError,
        f"offset must be from 0 to 2**64 - 1, not {number}",
    )
    with pytest.raises(MemoryError):
        stream.keystream(2**63)
    assert stream.tell() == 0


def test_unsuitable_buffers():
    stream = runnel.new(AES, KEY, IV)
    every_second = memoryview(bytearray(100))[::2]
    with pytest.raises(BufferError, match="^data must be a contiguous buffer; memoryview: "):
        stream.xor(every_second)
    with pytest.raises(BufferError, match="^out must be a contiguous writable buffer; memoryview: "):
        stream.xor_into(bytes(50), every_second)
    with pytest.raises(BufferError, match="^key must be a contiguous buffer"):
        runnel.new(AES, memoryview(bytes(32))[::2], IV)
    for read_only in (bytes(50), memoryview(bytes(50))):
        with pytest.raises(BufferError, match="^out must be a contiguous writable buffer; "):
            stream.xor_into(bytes(50), read_only)
    refused(
        lambda: stream.xor_into(bytes(50), bytearray(49)),
        runnel.OutputLengthError,
        "aes-128-ctr: data has 50 bytes, out only 49",
    )
    closed = mmap.mmap(-1, 10)
    closed.close()
    with pytest.raises(BufferError, match="^data must be a contiguous buffer; mmap: .*closed"):
        stream.xor(closed)
    assert stream.tell() == 0


def test_limit():
    stream = runnel.new("chacha20", KEY32, NONCE)
    assert stream.left() == END
    stream.seek(END)
    assert (stream.tell(), stream.left()) == (END, 0)
    out = bytearray(1)
    for call in (lambda: stream.xor(b"a"), lambda: stream.xor_into(b"a", out), lambda: stream.keystream(1)):
        caught = refused(
            call,
            runnel.LimitError,
            "chacha20: position 274877906944 + 1 bytes runs past the end of the keystream at 274877906944",
        )
        assert (caught.cipher, caught.position, caught.end) == ("chacha20", END, END)
    assert out == b"\0"
    assert stream.xor(b"") == b""
    stream.seek(END - 100)
    refused(
        lambda: stream.xor(bytes(101)),
        runnel.LimitError,
        "chacha20: position 274877906844 + 101 bytes runs past the end of the keystream at 274877906944",
    )
    assert stream.tell() == END - 100
    assert len(stream.xor(bytes(100))) == 100
    refused(
        lambda: stream.seek(END + 1),
        runnel.LimitError,
        "chacha20: position 274877906945 is past the end of the keystream at 274877906944",
    )
    refused(
        lambda: runnel.xor("chacha20", KEY32, NONCE, b"", offset=END + 1),
        runnel.LimitError,
        "chacha20: position 274877906945 is past the end of the keystream at 274877906944",
    )
    refused(
        lambda: stream.keystream(2**40),
        runnel.LimitError,
        "chacha20: position 274877906944 + 1099511627776 bytes runs past the end of the keystream at 274877906944",
    )


def test_limit_of_packets():
    stream = runnel.new(AES, KEY, IV, layout="be16")
    assert stream.left() == SHORT16
    text = "aes-128-ctr: position 0 + 1048577 bytes runs past the end of the keystream at 1048576"
    for used in (0, 7, 100):
        stream.xor(bytes(used))
        before = stream.tell()
        out = bytearray(SHORT16 + 1)
        refused(lambda: stream.xor_packets([IV, IV], [b"a", bytes(SHORT16 + 1)]), runnel.LimitError, text)
        refused(lambda out=out: stream.xor_packets_into(IV, out, out, 2**62), runnel.LimitError, text)
        assert stream.tell() == before
        assert out == bytes(SHORT16 + 1)
    assert len(stream.xor_packets([IV], [bytes(SHORT16)])[0]) == SHORT16


def test_packets_refuse():
    stream = runnel.new(AES, KEY, IV)
    out = bytearray(300)
    refused(lambda: stream.xor_packets([IV], [b"", b""]), ValueError, "ivs has 1 items, packets 2")
    refused(
        lambda: stream.xor_packets([IV, IV[1:]], [b"", b""]),
        runnel.IVLengthError,
        "aes-128-ctr: ivs[1] has 15 bytes, must have 16",
    )
    refused(
        lambda: stream.xor_packets_into(IV * 2 + b"x", out, out, 100),
        runnel.IVLengthError,
        "aes-128-ctr: each of ivs has 11 bytes, must have 16",
    )
    refused(
        lambda: stream.xor_packets_into(IV * 2, out, out, 100),
        runnel.IVLengthError,
        "aes-128-ctr: ivs has 32 bytes, which are not 3 IVs",
    )
    refused(
        lambda: stream.xor_packets_into(IV, b"", out, 100),
        runnel.IVLengthError,
        "aes-128-ctr: ivs has 16 bytes, which are not 0 IVs",
    )
    refused(
        lambda: stream.xor_packets_into(IV * 4, bytes(301), out, 100),
        runnel.OutputLengthError,
        "aes-128-ctr: data has 301 bytes, out only 300",
    )
    refused(lambda: stream.xor_packets_into(IV, out, out, 0), ValueError, "packet_bytes must be at least 1, not 0")
    view = memoryview(out)
    refused(
        lambda: stream.xor_packets_into(IV * 2, view[:200], view[100:], 100),
        runnel.OverlapError,
        "aes-128-ctr: data and out overlap by a part; they must be the same memory or apart",
    )
    assert out == bytes(300)
    assert stream.tell() == 0


@pytest.mark.parametrize("name", [name for name in CIPHERS if name not in SEEKABLE])
def test_seek_where_there_is_none(name):
    stream = make(name)
    before = stream.encrypt(bytes(10))
    refused(lambda: stream.seek(0), runnel.SeekError, f"{name}: cannot seek: its keystream only goes forward")
    assert stream.tell() == 10
    assert before + stream.encrypt(bytes(10)) == make(name).encrypt(bytes(20))
    if name in DIRECTIONAL:
        return
    with pytest.raises(runnel.SeekError):
        runnel.xor(
            name,
            bytes(CIPHERS[name].key_bytes[-1]),
            bytes(CIPHERS[name].iv_bytes[-1]),
            b"a",
            offset=1,
            allow_broken=True,
        )


def test_broken_ciphers_and_short_keys_must_be_asked_for():
    for name, cipher in CIPHERS.items():
        some = [
            sorted({lengths[0], lengths[len(lengths) // 2], lengths[-1]})
            for lengths in (cipher.key_bytes, cipher.iv_bytes)
        ]
        for key_bytes, iv_bytes in itertools.product(*some):
            if cipher.iv_as_key and iv_bytes != key_bytes:
                with pytest.raises(runnel.IVLengthError, match="as the key has$"):
                    runnel.new(name, bytes(key_bytes), bytes(iv_bytes), allow_broken=True)
                continue
            arguments = (name, bytes(range(key_bytes)), bytes(iv_bytes))
            if cipher.status != "broken" and key_bytes >= 16:
                runnel.new(*arguments)
                continue
            for call in (lambda a=arguments: runnel.new(*a), lambda a=arguments: runnel.xor(*a, b"data")):
                with pytest.raises(runnel.BrokenCipherError, match=f"^{name}: .*allow_broken=True$"):
                    call()
            assert len(encrypted(*arguments, b"data")) == 4


# Life of a stream


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
    stream = runnel.new(AES, KEY, IV)
    for call in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot be copied or pickled"):
            call(stream)


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

    for _ in range(3):
        use()
    blocks, before = sys.getallocatedblocks(), count()
    for _ in range(200):
        use()
    assert all(abs(a - b) < 20 for a, b in zip(count(), before, strict=True)), (before, count())
    assert sys.getallocatedblocks() - blocks < 100
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


# Descriptions


def test_descriptions():
    assert list(CIPHERS) == sorted(CIPHERS)
    assert {AES, "aes-192-ctr", "aes-256-ctr", "seed-ctr", "salsa20", "chacha20", "rabbit"} <= set(CIPHERS)
    for name, cipher in CIPHERS.items():
        assert cipher.name == name
        assert cipher.title
        assert cipher.source
        assert cipher.status in ("recommended", "legacy", "broken")
        assert list(cipher.key_bytes) == sorted(set(cipher.key_bytes))
        assert list(cipher.iv_bytes) == sorted(set(cipher.iv_bytes))
        assert cipher.context_bytes > 0
        assert (cipher.layout in cipher.layouts) if cipher.layouts else cipher.layout is None
        assert [k.chosen for k in cipher.kernels].count(True) == 1
        for kernel in cipher.kernels:
            assert kernel.timing_class in ("constant-time", "secret-indexed")
            assert kernel.available == (set(kernel.cpu) <= set(runnel.cpu_features()))
            assert not kernel.chosen or (kernel.available and kernel.timing_class == "constant-time")
            assert kernel.citation
        assert make(name).kernel == next(k.name for k in cipher.kernels if k.chosen)
        assert make(name).layout == cipher.layout


def test_everything_is_documented():
    public = [getattr(runnel, name) for name in runnel.__all__ if name != "__version__"]
    public += [value for name, value in vars(runnel.Stream).items() if not name.startswith("_")]
    assert all(item.__doc__ and len(item.__doc__) > 10 for item in public), [i for i in public if not i.__doc__]
    assert set(runnel.__all__) == {
        name
        for name in vars(runnel)
        if not name.startswith("_")
        and type(vars(runnel)[name]) is not type(re)
        and getattr(vars(runnel)[name], "__module__", "").startswith("runnel")
    } | {"__version__"}
