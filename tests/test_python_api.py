# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Python package's streams: what they compute, of every kind of buffer, and how they are described."""

import array
import ctypes
import mmap
import random
import re

import numpy
import pytest
import runnel
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from python_streams import AES, CIPHERS, DIRECTIONAL, IV, KEY, SEEKABLE, encrypted, kernels, make, peer, refused
from runnel_lab.running.known_answers import paragraphs
from test_vectors import ACVP

try:
    from cryptography.hazmat.decrepit.ciphers.modes import CFB
except ImportError:  # where it was before
    CFB = modes.CFB


# Results


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
    """Return the counter block `steps` after `block`, by big integers."""
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


# Accepted input: every contiguous buffer, uncopied


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


def test_ivs_in_the_output_are_refused():
    """The IV of a packet would be read after the packets before it were written."""
    memory = bytearray(random.Random(9).randbytes(96))
    view, before = memoryview(memory), bytes(memory)
    stream = runnel.new(AES, KEY, IV)
    for at in (1, 16, 32, 63):
        with pytest.raises(runnel.OverlapError, match="^aes-128-ctr: ivs overlaps out"):
            stream.xor_packets_into(view[at : at + 32], bytes(32), view[32:64], 16)
        assert memory == before
    assert stream.xor_packets_into(view[64:], view[:32], view[32:], 16) == 2


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
