# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Errors of the Python package's streams, and their messages."""

import itertools
import mmap

import pytest
import runnel
from python_streams import AES, CIPHERS, DIRECTIONAL, IV, KEY, KEY32, NONCE, SEEKABLE, encrypted, make, refused

END = 2**38  # of ChaCha20's keystream
SHORT16 = 2**20  # of a counter of 16 bits


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


def test_a_number_too_long_to_be_written():
    stream, text = runnel.new(AES, KEY, IV), "must be from 0 to 2**64 - 1, not one of thousands of digits"
    refused(lambda: stream.seek(10**5000), OverflowError, f"position {text}")
    refused(lambda: stream.keystream(-(10**5000)), OverflowError, f"bytes {text}")


@pytest.mark.parametrize("number", [0, 1, 2**62, 2**63])
def test_keystream_that_cannot_be_is_told_before_its_memory(number):
    wiped = runnel.new(AES, KEY, IV)
    wiped.wipe()
    refused(lambda: wiped.keystream(number), runnel.StateError, f"{AES}: the stream was wiped")
    with pytest.raises(runnel.DirectionError):
        runnel.new("aes-128-cfb", KEY, IV).keystream(number)


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
