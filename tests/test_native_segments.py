# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Segments of AES-CTR-HMAC in one call of C: the bytes are OpenSSL's, and nothing is decrypted that does not verify."""

import random

import pytest
import runnel
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.hmac import HMAC
from runnel import _native

IV, TAG = 16, 20


class Row:
    """A number of segments in memory, with their keys: as plaintext, and as they are sealed."""

    def __init__(self, count: int, first: int, whole: int, last: int) -> None:
        self.key, self.mac_key, self.ivs = random.randbytes(32), random.randbytes(32), random.randbytes(IV * count)
        self.stream = _native.new("aes-256-ctr", self.key, bytes(IV))
        self.mac = _native.mac("hmac-sha-256", self.mac_key, tag_bytes=TAG)
        sizes = [first, *[whole] * (count - 2), last][:count] if count > 1 else [last]
        texts = [random.randbytes(size) for size in sizes]
        self.plain = b"".join(bytes(IV) + text + bytes(TAG) for text in texts)
        self.sealed = b"".join(self.seal_one(IV * i, text) for i, text in enumerate(texts))
        self.sizes = (IV + (first if count > 1 else last) + TAG, IV + whole + TAG)
        self.count = count
        self.starts = [sum(IV + size + TAG for size in sizes[:i]) for i in range(count + 1)]

    def seal_one(self, at: int, text: bytes) -> bytes:
        iv = self.ivs[at : at + IV]
        signed = iv + Cipher(algorithms.AES(self.key), modes.CTR(iv)).encryptor().update(text)
        mac = HMAC(self.mac_key, hashes.SHA256())
        mac.update(signed)
        return signed + mac.finalize()[:TAG]

    def seal(self, memory: bytearray) -> int:
        return _native._seal_segments(self.stream, self.mac, self.ivs, memory, *self.sizes)

    def open(self, memory: bytearray) -> int:
        return _native._open_segments(self.stream, self.mac, self.ivs, memory, *self.sizes)

    def text(self, memory: bytes, index: int) -> bytes:
        return bytes(memory[self.starts[index] + IV : self.starts[index + 1] - TAG])


ROWS = [
    *((count, 300, 300, 300) for count in (1, 2, 3, 15, 16, 17, 63, 64, 65, 130)),
    *((count, 10, 48, last) for count in (1, 2, 17, 65) for last in (0, 1, 47, 48)),
    (3, 70_000, 70_000, 5),
]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_both_ways(row):
    segments = Row(*row)
    memory = bytearray(segments.plain)
    assert segments.seal(memory) == segments.count
    assert memory == segments.sealed
    assert segments.open(memory) == segments.count
    assert [segments.text(memory, i) for i in range(segments.count)] == [
        segments.text(segments.plain, i) for i in range(segments.count)
    ]


@pytest.mark.parametrize("count", [1, 5, 17, 70])
def test_nothing_behind_damage_is_decrypted(count):
    segments = Row(count, 40, 60, 30)
    for index in {0, count // 2, count - 1}:
        for at in (IV, 39, segments.starts[index + 1] - segments.starts[index] - 1):  # text, text, tag
            damaged = bytearray(segments.sealed)
            damaged[segments.starts[index] + at] ^= 1 << random.randrange(8)
            memory = bytearray(damaged)
            assert segments.open(memory) == index
            for i in range(count):
                assert segments.text(memory, i) == segments.text(segments.plain if i < index else damaged, i)


def test_the_number_of_a_segment_counts():
    segments = Row(3, 40, 40, 40)
    segments.ivs = segments.ivs[IV:] + segments.ivs[:IV]
    memory = bytearray(segments.sealed)
    assert segments.open(memory) == 0
    assert segments.text(memory, 0) == segments.text(segments.sealed, 0)


def test_nothing():
    segments = Row(1, 40, 40, 40)
    segments.ivs = b""
    assert segments.seal(bytearray()) == segments.open(bytearray()) == 0


def test_arguments():
    segments = Row(3, 40, 60, 20)
    memory = bytearray(segments.plain)
    least, first, whole = IV + TAG, *segments.sizes
    stream, mac, ivs = segments.stream, segments.mac, segments.ivs
    both = (_native._seal_segments, _native._open_segments)
    shared = bytearray(segments.plain + ivs)
    view = memoryview(shared)
    other = _native.mac("siphash", bytes(16))
    salsa = _native.new("salsa20", bytes(32), bytes(8))
    for arguments, error, text in (
        ((stream, mac, ivs, memory, first), TypeError, "takes 6 arguments"),
        ((mac, stream, ivs, memory, first, whole), TypeError, "a Stream and an Authenticator"),
        ((stream, other, ivs, memory, first, whole), ValueError, "hmac-sha-256"),
        ((salsa, mac, ivs, memory, first, whole), ValueError, "counter mode"),
        ((stream, mac, ivs, memory, least - 1, whole), ValueError, f"less than {least}"),
        ((stream, mac, ivs, memory, first, -1), ValueError, f"less than {least}"),
        ((stream, mac, ivs, memory[: first + 10], first, whole), ValueError, "the last segment"),
        ((stream, mac, ivs, memory[:10], first, whole), ValueError, "the last segment"),
        ((stream, mac, ivs[1:], memory, first, whole), ValueError, "not 16 for each of 3 segments"),
        ((stream, mac, ivs, memory, first, 2**70), OverflowError, "."),
        ((stream, mac, ivs, bytes(memory), first, whole), (TypeError, BufferError), "memory"),
    ):
        for call in both:
            with pytest.raises(error, match=text):
                call(*arguments)
    assert memory == segments.plain
    for call in both:
        for begin, of_memory in ((0, 0), (20, 0), (0, 20)):  # the same place, IVs in the memory, memory in the IVs
            with pytest.raises(ValueError, match="overlaps"):
                call(
                    stream, mac, view[begin : begin + len(ivs)], view[of_memory : of_memory + len(memory)], first, whole
                )
    mac.wipe()
    for call in both:
        with pytest.raises(runnel.StateError):
            call(stream, mac, ivs, memory, first, whole)
