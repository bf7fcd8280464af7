# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cobblestone-128 and Cobblestone-256: C2SP chunked encryption (c2sp.org/chunked-encryption).

A file is a salt of 24 bytes, a commitment of 32, and chunks of 16384 bytes of plaintext, each a message of AES-GCM;
the last chunk is shorter, possibly empty, and always there. The context is the associated data.
"""

from __future__ import annotations

import os

from runnel._typing import TYPE_CHECKING
from runnel.errors import AuthenticationError, KeysetError
from runnel.sealed.formats import GCM_TAG_BYTES, NONCE_BYTES, AeadCipher, Parameters, gcm_cipher, key_material
from runnel.sealed.formats.key_material import HoldsKey, Immutable

if TYPE_CHECKING:
    from typing import ClassVar, Self

SALT_BYTES = 24
COMMITMENT_BYTES = 32
CHUNK_BYTES = 16384

_NAME = "c2sp.org/chunked-encryption@v1+AEAD_AES_{}_GCM"
_KEY_BYTES = {_NAME.format(8 * key_bytes): key_bytes for key_bytes in (16, 32)}


class Cobblestone(Immutable, Parameters):
    """key_bytes: 16: Cobblestone-128; 32: Cobblestone-256."""

    segment_bytes: int = CHUNK_BYTES + GCM_TAG_BYTES
    tag_bytes: int = GCM_TAG_BYTES
    _shown = ("key_bytes",)

    segments_max: ClassVar[int] = 1 << 38
    header_in_first: ClassVar[bool] = False
    last_may_be_full: ClassVar[bool] = False

    def __init__(self, key_bytes: int) -> None:
        self._set(key_bytes=key_bytes)

    @property
    def header_bytes(self) -> int:
        return SALT_BYTES + COMMITMENT_BYTES

    @property
    def type_url(self) -> str:
        return _NAME.format(8 * self.key_bytes)

    @classmethod
    def read_key(cls, type_url: str, value: bytes) -> tuple[Self, bytes]:
        """Return the value, which is the key itself."""
        return cls(_KEY_BYTES[type_url]), value

    def write_key(self, secret: bytes) -> bytes:
        return secret

    def check_secret(self, secret: bytes) -> None:
        if len(secret) != self.key_bytes:
            raise KeysetError(f"the key has {len(secret)} bytes, not {self.key_bytes}")

    def may_begin_with(self, byte: int) -> bool:
        return True

    def _new_file(self, secret: bytes, aad: bytes) -> CobblestoneKeys:
        return CobblestoneKeys(self, secret, os.urandom(SALT_BYTES), aad)

    def _file_keys(self, secret: bytes, header: bytes, aad: bytes) -> CobblestoneKeys:
        if len(header) != self.header_bytes:
            raise AuthenticationError("truncated inside the header")
        keys = CobblestoneKeys(self, secret, header[:SALT_BYTES], aad)
        if not key_material.equal(keys.header, header):
            raise AuthenticationError("authentication failed: wrong key or associated data, or damaged (header)")
        return keys


class CobblestoneKeys(HoldsKey):
    """The keys of one file."""

    def __init__(self, parameters: Cobblestone, secret: bytes, salt: bytes, aad: bytes) -> None:
        info = parameters.type_url.encode() + b"\0" + salt + aad
        key_end = parameters.key_bytes
        nonce_end = key_end + NONCE_BYTES
        derived = key_material.expand("SHA512", secret, info, nonce_end + COMMITMENT_BYTES)
        self.parameters = parameters
        self.header = salt + derived[nonce_end:]
        self.aes_key = derived[:key_end]
        self.base_nonce = derived[key_end:nonce_end]

    def cipher(self) -> AeadCipher:
        return gcm_cipher(self.aes_key, self.parameters.segment_bytes, self._nonces)

    def _nonces(self, start: int, count: int, last: bool) -> bytes:
        base = int.from_bytes(self.base_nonce, "big")
        return b"".join([(base ^ index).to_bytes(NONCE_BYTES, "big") for index in range(start, start + count)])
