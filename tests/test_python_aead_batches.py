# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Several messages in one call of an AEAD from Python: batches, and packets that lie in a row in one buffer."""

import random

import pytest
import runnel
from test_python_aead import AEADS, sealer, wire


def test_batches():
    for name in AEADS:
        s, count = sealer(name), 19
        nonces = [i.to_bytes(AEADS[name].nonce_bytes, "big") for i in range(count)]
        packets = [random.randbytes(random.choice([0, 1, 16, 200, 1500])) for _ in range(count)]
        aads = [random.randbytes(i) for i in range(count)]
        sealed = s.seal_batch(iter(nonces), packets, aads)
        assert sealed == [s.seal(*each) for each in zip(nonces, packets, aads)]
        assert s.open_batch(nonces, sealed, aads) == packets
        assert s.seal_batch(nonces, packets, None) == [s.seal(*each) for each in zip(nonces, packets)]
        for forged in (3, 9):  # before what is too short to be opened, and behind it
            sealed[forged] = sealed[forged][:-1] + bytes([sealed[forged][-1] ^ 1])
        sealed[7] = b"short"
        expected = [None if i in (3, 7, 9) else packet for i, packet in enumerate(packets)]
        assert s.open_batch(nonces, map(memoryview, sealed), aads) == expected
    assert s.seal_batch([], []) == s.open_batch([], [], []) == []


def test_batches_that_cannot_be():
    s = sealer("aes-128-ccm")
    good = [bytes(13), bytes(12)]
    with pytest.raises(ValueError, match="nonces has 1 items, packets 2"):
        s.seal_batch([bytes(12)], [b"", b""])
    with pytest.raises(ValueError, match="aads has 3 items, packets 2"):
        s.seal_batch(good, [b"", b""], [b""] * 3)
    with pytest.raises(runnel.IVLengthError, match=r"nonces\[1\] has 14 bytes, must have 7 to 13"):
        s.seal_batch([bytes(12), bytes(14)], [b"", b""])
    with pytest.raises(TypeError, match=r"packets\[1\] must be a buffer"):
        s.seal_batch(good, [b"", "text"])
    with pytest.raises(TypeError, match=r"aads\[0\] must be a buffer"):
        s.open_batch(good, [b"", b""], [None, b""])
    with pytest.raises(runnel.LimitError, match="a message of 65536 bytes; under a nonce of 13 it") as caught:
        s.seal_batch([bytes(12), bytes(13)], [bytes(65536), bytes(65536)])
    assert caught.value.end == 65535


def test_packets_in_their_places():
    """As many as a call works on at a time, one less and one more; the last one shorter, or with no text at all."""
    for name in AEADS:
        s = sealer(name)
        nonce_bytes = AEADS[name].nonce_bytes
        for count, text_bytes in ((1, 100), (63, 48), (64, 16), (65, 33), (3, 0), (20, 4080)):
            for short in {0, min(1, text_bytes), text_bytes}:
                nonces = [i.to_bytes(nonce_bytes, "big") for i in range(count)]
                texts = [random.randbytes(text_bytes - short * (i == count - 1)) for i in range(count)]
                sealed = b"".join(s.seal(*each) for each in zip(nonces, texts))
                size = text_bytes + s.tag_bytes
                memory = bytearray(b"".join(wire(name, text, bytes(s.tag_bytes)) for text in texts))
                assert s.seal_in_place(b"".join(nonces), memory, size) == count and memory == sealed, (name, count)
                for bad in {count - 1, count // 2, 0} if count * text_bytes else ():
                    broken = bytearray(sealed)
                    broken[min(bad * size + size, len(sealed)) - 1] ^= 1
                    assert s.open_in_place(b"".join(nonces), broken, size) == bad
                    part = broken[bad * size : (bad + 1) * size]
                    text = part[s.tag_bytes :] if AEADS[name].tag_first else part[: -s.tag_bytes]
                    assert not any(text)
                    opened = [s.open(*each) for each in zip(nonces[:bad], cut(sealed, size))]
                    assert opened == texts[:bad]
                assert s.open_in_place(b"".join(nonces), memory, size) == count
                parts = cut(memory, size)
                assert texts == [p[s.tag_bytes :] if AEADS[name].tag_first else p[: -s.tag_bytes] for p in parts]
    assert s.seal_in_place(b"", bytearray(), 100) == s.open_in_place(b"", bytearray(), 100) == 0


def cut(data: bytes, size: int) -> list[bytes]:
    return [bytes(data[at : at + size]) for at in range(0, len(data), size)]


def test_packets_in_places_that_cannot_be():
    s, memory = sealer("aes-128-ccm"), bytearray(200)
    for call in (s.seal_in_place, s.open_in_place):
        for arguments, error, message in (
            ((bytes(24), memory, 50), runnel.IVLengthError, "each of nonces has 6 bytes, must have 7 to 13"),
            ((bytes(25), memory, 100), runnel.IVLengthError, "nonces has 25 bytes, which are not 2 nonces"),
            ((b"x", bytearray(), 100), runnel.IVLengthError, "which are not 0 nonces"),
            ((bytes(28), memory, 100), runnel.IVLengthError, "each of nonces has 14 bytes, must have 7 to 13"),
            ((bytes(12), memory, 15), ValueError, "a packet has 15 bytes, fewer than the 16 of its tag"),
            ((bytes(24), memory, 190), ValueError, "a packet has 10 bytes, fewer than the 16 of its tag"),
            ((bytes(12), memory, 0), ValueError, "packet_bytes must be at least 1, not 0"),
            ((bytes(12), memory, -1), ValueError, "not -1"),
            ((bytes(12), memory), TypeError, "takes 3 arguments"),
            ((bytes(12), bytes(200), 200), BufferError, "packets must be a contiguous writable"),
            ((None, memory, 200), TypeError, "nonces must be a buffer"),
            ((bytes(12), memory, "200"), TypeError, "interpreted as an integer"),
        ):
            with pytest.raises(error, match=message):
                call(*arguments)
            assert memory == bytearray(200)
        with pytest.raises(runnel.OverlapError, match="nonces overlaps packets"), memoryview(memory) as view:
            call(view[188:], memory, 200)
    with pytest.raises(runnel.LimitError, match="a message of 65536 bytes; under a nonce of 13 it"):
        s.seal_in_place(bytes(26), bytearray(2 * 65552), 65552)
    s.wipe()
    with pytest.raises(runnel.StateError):
        s.seal_in_place(bytes(12), memory, 200)
    memory.extend(b"released")
