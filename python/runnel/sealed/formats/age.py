# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The encrypted data of an age file, behind its header: a nonce of 16 bytes, and chunks of 64 KiB of plaintext, each a
message of ChaCha20-Poly1305; the last may be shorter, and is empty only if all is.

The key of the chunks is derived from the file's key and that nonce. A chunk's own nonce is its number in 11 bytes and a byte
that is 1 for the last one.
"""

from __future__ import annotations

import os

from runnel._typing import TYPE_CHECKING
from runnel.errors import AuthenticationError, Error, KeysetError
from runnel.sealed.formats import AeadCipher, Parameters, key_material
from runnel.sealed.formats.key_material import HoldsKey, Immutable

if TYPE_CHECKING:
    from typing import ClassVar, NoReturn

FILE_KEY_BYTES = 16
CHUNK_BYTES = 1 << 16
_NONCE_BYTES = 16
_TAG_BYTES = 16


class Age(Immutable, Parameters):
    """Of every age file."""

    segment_bytes: int = CHUNK_BYTES + _TAG_BYTES
    tag_bytes: int = _TAG_BYTES
    key_bytes: int = FILE_KEY_BYTES

    segments_max: ClassVar[int] = 1 << 88
    header_in_first: ClassVar[bool] = False
    last_may_be_full: ClassVar[bool] = True
    last_may_be_empty: ClassVar[bool] = False

    @property
    def header_bytes(self) -> int:
        return _NONCE_BYTES

    @property
    def type_url(self) -> str:
        self._in_no_keyset()

    @classmethod
    def read_key(cls, type_url: str, value: bytes) -> NoReturn:
        cls._in_no_keyset()

    def write_key(self, secret: bytes) -> bytes:
        self._in_no_keyset()

    @staticmethod
    def _in_no_keyset() -> NoReturn:
        raise KeysetError("the key of an age file is for that file alone, and in no keyset")

    def check_secret(self, secret: bytes) -> None:
        if len(secret) != FILE_KEY_BYTES:
            raise KeysetError(f"the key has {len(secret)} bytes, not {FILE_KEY_BYTES}")

    def may_begin_with(self, byte: int) -> bool:
        return True

    def _new_file(self, secret: bytes, aad: bytes) -> AgeKeys:
        return self._file_keys(secret, os.urandom(_NONCE_BYTES), aad)

    def _file_keys(self, secret: bytes, header: bytes, aad: bytes) -> AgeKeys:
        if aad:
            raise Error("age's format has no associated data and binds to no name")
        if len(header) != _NONCE_BYTES:
            raise AuthenticationError("truncated inside the header")
        return AgeKeys(self, secret, header)


class AgeKeys(HoldsKey):
    """The keys of one file."""

    def __init__(self, parameters: Age, secret: bytes, nonce: bytes) -> None:
        self.parameters = parameters
        self.header = nonce
        pseudorandom = key_material.extract("SHA256", nonce, secret)
        self.key = key_material.expand("SHA256", pseudorandom, b"payload", 32)

    def cipher(self) -> AeadCipher:
        return AeadCipher("chacha20-poly1305", self.key, self.parameters.segment_bytes, _nonces)


def _nonces(start: int, count: int, last: bool) -> bytes:
    packed = b"".join([(index << 8).to_bytes(12, "big") for index in range(start, start + count)])
    return packed[:-1] + b"\1" if last else packed
