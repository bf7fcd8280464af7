# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tink's AES-GCM-HKDF: each segment is a message of AES-GCM. Its keys do not commit: see docs/file-formats.md."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import ClassVar, Self

from runnel.sealed import wire
from runnel.sealed.gcm import TAG_BYTES, GcmCipher
from runnel.sealed.secret import HoldsKey
from runnel.sealed.tink import TinkParameters, nonces


@dataclass(frozen=True)
class GcmHkdf(TinkParameters):
    tag_bytes: int = field(default=TAG_BYTES, init=False)

    type_name: ClassVar[str] = "AesGcmHkdfStreamingKey"

    @classmethod
    def read_key(cls, type_url: str, value: bytes) -> tuple[Self, bytes]:
        """Read message AesGcmHkdfStreamingKey: 1 version, 2 params, 3 key_value."""
        params, secret = wire.read_streaming_key(value)
        return cls(wire.number_of(params, 1), wire.number_of(params, 2), wire.hash_of(params, 3)), secret

    def write_key(self, secret: bytes) -> bytes:
        params = wire.field(1, self.segment_bytes) + wire.field(2, self.derived_key_bytes)
        return wire.field(2, params + wire.field(3, wire.hash_number(self.hkdf_hash))) + wire.field(3, secret)

    def derived(self, secret: bytes, header: bytes, aad: bytes) -> GcmHkdfKeys:
        return GcmHkdfKeys(self, secret, header, aad)


class GcmHkdfKeys(HoldsKey):
    """The keys of one file."""

    def __init__(self, parameters: GcmHkdf, secret: bytes, header: bytes, aad: bytes) -> None:
        self.parameters = parameters
        self.header = header
        self.aes_key = parameters.hkdf(secret, header, aad, parameters.derived_key_bytes)

    def cipher(self) -> GcmCipher:
        return GcmCipher(self.aes_key, self.parameters.segment_bytes, functools.partial(nonces, self.header))
