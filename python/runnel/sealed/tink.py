# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Common to Google Tink's two streaming formats.

A file is a header (its own length, a salt, a nonce prefix of 7 bytes) and segments; the header takes room in the first
one. HKDF makes the file's keys from the keyset's key, the salt and the associated data. A segment's nonce is the
prefix, the segment's number in 32 bits and a byte that is 1 for the last one.
"""

from __future__ import annotations

import abc
import functools
import os
import struct
from dataclasses import dataclass
from typing import ClassVar

from runnel.errors import AuthenticationError, KeysetError
from runnel.sealed import hkdf
from runnel.sealed.parameters import Parameters
from runnel.sealed.segments import FileKeys

PREFIX_BYTES = 7
NONCE_BYTES = 12
_TYPES = "type.googleapis.com/google.crypto.tink."


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
        key = hkdf.extract(self.hkdf_hash, header[1:-PREFIX_BYTES], secret)
        return hkdf.expand(self.hkdf_hash, key, aad, count)


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
    if name not in hkdf.DIGEST_BYTES:
        raise KeysetError(f"the hash is {name}, not SHA1, SHA256 or SHA512")
