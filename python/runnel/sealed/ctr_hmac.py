# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tink's AES-CTR-HMAC: each segment is encrypted in counter mode and authenticated by HMAC.

The cipher is this package's; HKDF and HMAC are OpenSSL's, through pyca/cryptography.
"""

from __future__ import annotations

import hmac
import struct
from dataclasses import dataclass
from typing import ClassVar, Self

from cryptography.hazmat.primitives.hmac import HMAC

from runnel import _native
from runnel.errors import KeysetError
from runnel.sealed import wire
from runnel.sealed.parameters import DIGESTS
from runnel.sealed.segments import Segments
from runnel.sealed.tink import PREFIX_BYTES, TinkParameters, check_hash

HMAC_KEY_BYTES = 32
IV_BYTES = 16


@dataclass(frozen=True)
class CtrHmac(TinkParameters):
    hmac_hash: str = "SHA256"  # or SHA1, SHA512
    tag_bytes: int = 32

    type_name: ClassVar[str] = "AesCtrHmacStreamingKey"
    lead_bytes: ClassVar[int] = IV_BYTES  # HMAC is of the IV and what follows it

    def __post_init__(self) -> None:
        check_hash(self.hmac_hash)
        largest = DIGESTS[self.hmac_hash]().digest_size
        if not 10 <= self.tag_bytes <= largest:
            raise KeysetError(f"the tag size is {self.tag_bytes} bytes, not 10 to {largest} ({self.hmac_hash})")
        super().__post_init__()

    @classmethod
    def read_key(cls, type_url: str, value: bytes) -> tuple[Self, bytes]:
        """Message AesCtrHmacStreamingKey: 1 version, 2 params, 3 key_value."""
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


class CtrHmacKeys:
    """The keys of one file."""

    def __init__(self, parameters: CtrHmac, secret: bytes, header: bytes, aad: bytes) -> None:
        derived = parameters.hkdf(secret, header, aad, parameters.derived_key_bytes + HMAC_KEY_BYTES)
        self.parameters = parameters
        self.header = header
        self.aes_key = derived[: parameters.derived_key_bytes]
        self.hmac_key = derived[parameters.derived_key_bytes :]

    def cipher(self) -> CtrHmacCipher:
        return CtrHmacCipher(self)


class CtrHmacCipher:
    """A SegmentCipher."""

    def __init__(self, keys: CtrHmacKeys) -> None:
        p = keys.parameters
        self._stream = _native.new(f"aes-{8 * p.derived_key_bytes}-ctr", keys.aes_key, bytes(IV_BYTES))
        self._hmac = HMAC(keys.hmac_key, DIGESTS[p.hmac_hash]())
        self._prefix = keys.header[-PREFIX_BYTES:]
        self._tag_bytes = p.tag_bytes
        # prefix, number of the segment, whether it is the last, and the counter, which starts at 0
        self._pack_iv = struct.Struct(">7sIB4x").pack_into

    def seal(self, segments: Segments, start: int, last: bool) -> None:
        pack_iv, prefix, tag_bytes = self._pack_iv, self._prefix, self._tag_bytes
        reset, xor_into, copy_hmac = self._stream.reset, self._stream.xor_into, self._hmac.copy
        end = start + len(segments.each) - 1 if last else -1
        for index, (iv, body, signed, tag, _) in enumerate(segments.each, start):
            pack_iv(iv, 0, prefix, index, index == end)
            reset(iv)
            xor_into(body, body)
            mac = copy_hmac()
            mac.update(signed)
            tag[:] = mac.finalize()[:tag_bytes]

    def open(self, segments: Segments, start: int, last: bool) -> int:
        pack_iv, prefix, tag_bytes = self._pack_iv, self._prefix, self._tag_bytes
        reset, xor_into, copy_hmac = self._stream.reset, self._stream.xor_into, self._hmac.copy
        equal = hmac.compare_digest
        end = start + len(segments.each) - 1 if last else -1
        for index, (iv, body, signed, tag, _) in enumerate(segments.each, start):
            pack_iv(iv, 0, prefix, index, index == end)
            mac = copy_hmac()
            mac.update(signed)
            if not equal(mac.finalize()[:tag_bytes], tag):
                return index - start
            reset(iv)
            xor_into(body, body)
        return len(segments.each)
