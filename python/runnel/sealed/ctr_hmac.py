# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tink's AES-CTR-HMAC: each segment is encrypted in counter mode and authenticated by HMAC.

The cipher and HMAC-SHA-256 are this package's, all segments of a block in one call of its C; the other HMACs are the
standard library's.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from runnel import _native
from runnel.errors import KeysetError
from runnel.sealed import wire
from runnel.sealed.hkdf import DIGEST_BYTES
from runnel.sealed.secret import HoldsKey
from runnel.sealed.segments import Segment, SegmentCipher, Segments
from runnel.sealed.tink import TinkParameters, check_hash, nonces

HMAC_KEY_BYTES = 32
IV_BYTES = 16  # a nonce, and the counter, which starts at 0
NATIVE_TAG_BYTES_MIN = 16


@dataclass(frozen=True)
class CtrHmac(TinkParameters):
    hmac_hash: str = "SHA256"  # or SHA1, SHA512
    tag_bytes: int = 32

    type_name: ClassVar[str] = "AesCtrHmacStreamingKey"
    lead_bytes: ClassVar[int] = IV_BYTES  # HMAC is of the IV and what follows it
    segments_at_once: ClassVar[int] = 16

    def __post_init__(self) -> None:
        check_hash(self.hmac_hash)
        largest = DIGEST_BYTES[self.hmac_hash]
        if not 10 <= self.tag_bytes <= largest:
            raise KeysetError(f"the tag size is {self.tag_bytes} bytes, not 10 to {largest} ({self.hmac_hash})")
        super().__post_init__()

    @classmethod
    def read_key(cls, type_url: str, value: bytes) -> tuple[Self, bytes]:
        """Read message AesCtrHmacStreamingKey: 1 version, 2 params, 3 key_value."""
        params, secret = wire.read_streaming_key(value)
        hmac_params = wire.message(wire.bytes_of(params, 4, "hmac_params"))
        parameters = cls(
            segment_bytes=wire.number_of(params, 1),
            derived_key_bytes=wire.number_of(params, 2),
            hkdf_hash=wire.hash_of(params, 3),
            hmac_hash=wire.hash_of(hmac_params, 1),
            tag_bytes=wire.number_of(hmac_params, 2),
        )
        return parameters, secret

    def write_key(self, secret: bytes) -> bytes:
        hmac_params = wire.field(1, wire.hash_number(self.hmac_hash)) + wire.field(2, self.tag_bytes)
        params = wire.field(1, self.segment_bytes) + wire.field(2, self.derived_key_bytes)
        params += wire.field(3, wire.hash_number(self.hkdf_hash)) + wire.field(4, hmac_params)
        return wire.field(2, params) + wire.field(3, secret)

    def derived(self, secret: bytes, header: bytes, aad: bytes) -> CtrHmacKeys:
        return CtrHmacKeys(self, secret, header, aad)


class CtrHmacKeys(HoldsKey):
    """The keys of one file."""

    def __init__(self, parameters: CtrHmac, secret: bytes, header: bytes, aad: bytes) -> None:
        derived = parameters.hkdf(secret, header, aad, parameters.derived_key_bytes + HMAC_KEY_BYTES)
        self.parameters = parameters
        self.header = header
        self.aes_key = derived[: parameters.derived_key_bytes]
        self.hmac_key = derived[parameters.derived_key_bytes :]

    def cipher(self) -> SegmentCipher:
        p = self.parameters
        return (Sha256Cipher if p.hmac_hash == "SHA256" and p.tag_bytes >= NATIVE_TAG_BYTES_MIN else OtherCipher)(self)

    def stream(self) -> _native.Stream:
        return _native.new(f"aes-{8 * len(self.aes_key)}-ctr", self.aes_key, bytes(IV_BYTES))


class Sha256Cipher:
    """A SegmentCipher."""

    def __init__(self, keys: CtrHmacKeys) -> None:
        p = keys.parameters
        self._header = keys.header
        self._stream = keys.stream()
        self._mac = _native.mac("hmac-sha-256", keys.hmac_key, tag_bytes=p.tag_bytes)
        self._stride = IV_BYTES + p.segment_bytes

    def seal(self, segments: Segments, start: int, last: bool) -> None:
        self._work(_native._seal_segments, segments, start, last)

    def open(self, segments: Segments, start: int, last: bool) -> int:
        return self._work(_native._open_segments, segments, start, last)

    def _work(self, call: Callable[..., int], segments: Segments, start: int, last: bool) -> int:
        ivs = nonces(self._header, start, len(segments.each), last, IV_BYTES)
        return call(self._stream, self._mac, ivs, segments.memory, len(segments.each[0].whole), self._stride)


class OtherCipher:
    """A SegmentCipher for HMAC with another hash, or with shorter tags than the C library makes."""

    def __init__(self, keys: CtrHmacKeys) -> None:
        p = keys.parameters
        self._header = keys.header
        self._stream = keys.stream()
        self._hmac = hmac.new(keys.hmac_key, digestmod=p.hmac_hash)
        self._tag_bytes = p.tag_bytes

    def seal(self, segments: Segments, start: int, last: bool) -> None:
        for iv, segment in self._begun(segments, start, last):
            self._xor(iv, segment.body)
            segment.whole[-self._tag_bytes :] = self._tag(segment)

    def open(self, segments: Segments, start: int, last: bool) -> int:
        for done, (iv, segment) in enumerate(self._begun(segments, start, last)):
            if not hmac.compare_digest(self._tag(segment), segment.whole[-self._tag_bytes :]):
                return done
            self._xor(iv, segment.body)
        return len(segments.each)

    def _begun(self, segments: Segments, start: int, last: bool) -> Iterator[tuple[bytes, Segment]]:
        """Yield each segment with its IV, written before it."""
        end = start + len(segments.each) - 1 if last else -1
        for index, segment in enumerate(segments.each, start):
            iv = nonces(self._header, index, 1, index == end, IV_BYTES)
            segment.whole[:IV_BYTES] = iv
            yield iv, segment

    def _xor(self, iv: bytes, body: memoryview) -> None:
        self._stream.reset(iv)
        self._stream.xor_into(body, body)

    def _tag(self, segment: Segment) -> bytes:
        mac = self._hmac.copy()
        mac.update(segment.whole[: -self._tag_bytes])
        return mac.digest()[: self._tag_bytes]
