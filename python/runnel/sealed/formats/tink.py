# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Google Tink's two streaming formats, AES-GCM-HKDF and AES-CTR-HMAC, and the encoding of their keys.

A file is a header (its own length, a salt, a nonce prefix of 7 bytes) and segments; the header takes room in the first
one. HKDF makes the file's keys from the keyset's key, the salt and the associated data. A segment's nonce is the
prefix, the segment's number in 32 bits and a byte that is 1 for the last one.

AES-GCM-HKDF: each segment is a message of AES-GCM. Its keys do not commit: see docs/file-formats.md.

AES-CTR-HMAC: each segment is encrypted in counter mode and authenticated by HMAC. The cipher and HMAC-SHA-256 are this
package's, all segments of a block in one call of its C; the other HMACs are the standard library's.
"""

from __future__ import annotations

import abc
import functools
import hmac
import os
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Self

from runnel import _native
from runnel.errors import AuthenticationError, KeysetError
from runnel.sealed.formats import (
    GCM_TAG_BYTES,
    AeadCipher,
    FileKeys,
    Parameters,
    Segment,
    SegmentCipher,
    Segments,
    gcm_cipher,
    key_material,
    wire,
)
from runnel.sealed.formats.key_material import HoldsKey

PREFIX_BYTES = 7
NONCE_BYTES = 12
_TYPES = "type.googleapis.com/google.crypto.tink."
HMAC_KEY_BYTES = 32
IV_BYTES = 16  # a nonce, and the counter, which starts at 0
NATIVE_TAG_BYTES_MIN = 16


@dataclass(frozen=True)
class TinkParameters(Parameters):
    """The header is a part of the first segment: segment_bytes counts it."""

    segment_bytes: int
    derived_key_bytes: int  # 16 or 32: AES-128 or AES-256
    hkdf_hash: str = "SHA256"  # or SHA1, SHA512

    type_name: ClassVar[str]
    segments_max: ClassVar[int] = 1 << 32
    header_in_first: ClassVar[bool] = True
    last_may_be_full: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.derived_key_bytes not in (16, 32):
            raise KeysetError(f"the derived key size is {self.derived_key_bytes} bytes, not 16 or 32")
        check_hash(self.hkdf_hash)
        least = self.header_bytes + self.tag_bytes + 1
        if not least <= self.segment_bytes < 1 << 31:
            raise KeysetError(f"the segment size is {self.segment_bytes} bytes, not {least} to {2**31 - 1}")

    @property
    def header_bytes(self) -> int:
        return 1 + self.derived_key_bytes + PREFIX_BYTES

    @property
    def key_bytes(self) -> int:  # type: ignore[override]
        return self.derived_key_bytes

    @property
    def type_url(self) -> str:
        return _TYPES + self.type_name

    def check_secret(self, secret: bytes) -> None:
        if len(secret) < self.derived_key_bytes:
            needed = self.derived_key_bytes
            raise KeysetError(f"the key has {len(secret)} bytes, fewer than the {needed} derived from it")

    def may_begin_with(self, byte: int) -> bool:
        return byte == self.header_bytes

    def _new_file(self, secret: bytes, aad: bytes) -> FileKeys:
        return self._file_keys(secret, bytes([self.header_bytes]) + os.urandom(self.header_bytes - 1), aad)

    def _file_keys(self, secret: bytes, header: bytes, aad: bytes) -> FileKeys:
        if len(header) != self.header_bytes:
            raise AuthenticationError("truncated inside the header")
        if not self.may_begin_with(header[0]):
            raise AuthenticationError("not a file for this key: its first byte is not the header's length")
        return self.derived(secret, header, aad)

    @abc.abstractmethod
    def derived(self, secret: bytes, header: bytes, aad: bytes) -> FileKeys:
        """Return the keys of the file with a header that has the right length."""

    def hkdf(self, secret: bytes, header: bytes, aad: bytes, count: int) -> bytes:
        """Return count bytes of key material for the file with this header."""
        key = key_material.extract(self.hkdf_hash, header[1:-PREFIX_BYTES], secret)
        return key_material.expand(self.hkdf_hash, key, aad, count)


@functools.lru_cache(16)
def _packer(count: int, zeros: int) -> struct.Struct:
    """Make count nonces of pairs of a prefix and a segment's number: five times as fast as one by one."""
    return struct.Struct(">" + count * f"{PREFIX_BYTES}sI{zeros}x")


def nonces(header: bytes, start: int, count: int, last: bool, size: int = NONCE_BYTES) -> bytes:
    """Return the nonces of count segments from number start on, each filled up to size bytes with zeros, one after another;
    last: they end the file with this header."""
    pairs: list[bytes | int] = [header[-PREFIX_BYTES:]] * (2 * count)
    pairs[1::2] = range(start, start + count)
    packed = _packer(count, size - PREFIX_BYTES - 4).pack(*pairs)
    if not last:
        return packed
    flag = len(packed) - size + NONCE_BYTES - 1
    return packed[:flag] + b"\1" + packed[flag + 1 :]


def check_hash(name: str) -> None:
    if name not in key_material.DIGEST_BYTES:
        raise KeysetError(f"the hash is {name}, not SHA1, SHA256 or SHA512")


# AES-GCM-HKDF


@dataclass(frozen=True)
class GcmHkdf(TinkParameters):
    tag_bytes: int = field(default=GCM_TAG_BYTES, init=False)

    type_name: ClassVar[str] = "AesGcmHkdfStreamingKey"

    @classmethod
    def read_key(cls, type_url: str, value: bytes) -> tuple[Self, bytes]:
        """Read message AesGcmHkdfStreamingKey: 1 version, 2 params, 3 key_value."""
        params, secret = _read_streaming_key(value)
        return cls(wire.number_of(params, 1), wire.number_of(params, 2), _hash_of(params, 3)), secret

    def write_key(self, secret: bytes) -> bytes:
        params = wire.field(1, self.segment_bytes) + wire.field(2, self.derived_key_bytes)
        return wire.field(2, params + wire.field(3, _hash_number(self.hkdf_hash))) + wire.field(3, secret)

    def derived(self, secret: bytes, header: bytes, aad: bytes) -> GcmHkdfKeys:
        return GcmHkdfKeys(self, secret, header, aad)


class GcmHkdfKeys(HoldsKey):
    """The keys of one file."""

    def __init__(self, parameters: GcmHkdf, secret: bytes, header: bytes, aad: bytes) -> None:
        self.parameters = parameters
        self.header = header
        self.aes_key = parameters.hkdf(secret, header, aad, parameters.derived_key_bytes)

    def cipher(self) -> AeadCipher:
        return gcm_cipher(self.aes_key, self.parameters.segment_bytes, functools.partial(nonces, self.header))


# AES-CTR-HMAC


@dataclass(frozen=True)
class CtrHmac(TinkParameters):
    hmac_hash: str = "SHA256"  # or SHA1, SHA512
    tag_bytes: int = 32

    type_name: ClassVar[str] = "AesCtrHmacStreamingKey"
    lead_bytes: ClassVar[int] = IV_BYTES  # HMAC is of the IV and what follows it
    segments_at_once: ClassVar[int] = 16

    def __post_init__(self) -> None:
        check_hash(self.hmac_hash)
        largest = key_material.DIGEST_BYTES[self.hmac_hash]
        if not 10 <= self.tag_bytes <= largest:
            raise KeysetError(f"the tag size is {self.tag_bytes} bytes, not 10 to {largest} ({self.hmac_hash})")
        super().__post_init__()

    @classmethod
    def read_key(cls, type_url: str, value: bytes) -> tuple[Self, bytes]:
        """Read message AesCtrHmacStreamingKey: 1 version, 2 params, 3 key_value."""
        params, secret = _read_streaming_key(value)
        hmac_params = wire.message(wire.bytes_of(params, 4, "hmac_params"))
        parameters = cls(
            segment_bytes=wire.number_of(params, 1),
            derived_key_bytes=wire.number_of(params, 2),
            hkdf_hash=_hash_of(params, 3),
            hmac_hash=_hash_of(hmac_params, 1),
            tag_bytes=wire.number_of(hmac_params, 2),
        )
        return parameters, secret

    def write_key(self, secret: bytes) -> bytes:
        hmac_params = wire.field(1, _hash_number(self.hmac_hash)) + wire.field(2, self.tag_bytes)
        params = wire.field(1, self.segment_bytes) + wire.field(2, self.derived_key_bytes)
        params += wire.field(3, _hash_number(self.hkdf_hash)) + wire.field(4, hmac_params)
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

    def encrypt(self, segments: Segments, start: int, last: bool) -> None:
        self._work(_native._seal_segments, segments, start, last)

    def decrypt(self, segments: Segments, start: int, last: bool) -> int:
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

    def encrypt(self, segments: Segments, start: int, last: bool) -> None:
        for iv, segment in self._begun(segments, start, last):
            self._xor(iv, segment.body)
            segment.whole[-self._tag_bytes :] = self._tag(segment)

    def decrypt(self, segments: Segments, start: int, last: bool) -> int:
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


# The values of keys, which are messages of protocol buffers

_HASHES = {1: "SHA1", 3: "SHA256", 4: "SHA512"}  # the numbers of Tink's HashType
_OTHER_HASHES = {2: "SHA384", 5: "SHA224"}


def _read_streaming_key(value: bytes) -> tuple[wire.Message, bytes]:
    """Return (params, secret) of the message that Tink's streaming keys share: 1 version, 2 params, 3 key_value."""
    key = wire.message(value)
    if wire.number_of(key, 1):
        raise KeysetError(f"its version is {wire.number_of(key, 1)}, not 0")
    return wire.message(wire.bytes_of(key, 2, "params")), wire.bytes_of(key, 3, "key_value")


def _hash_of(fields: wire.Message, number: int) -> str:
    """Return the hash that a field names."""
    value = wire.number_of(fields, number)
    return _HASHES.get(value) or _OTHER_HASHES.get(value) or f"number {value}"


def _hash_number(name: str) -> int:
    return next(number for number, known in _HASHES.items() if known == name)
