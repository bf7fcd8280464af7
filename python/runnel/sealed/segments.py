# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One file's keys, and its segments: sealed and opened in place.

The cipher is this package's; HKDF and HMAC are OpenSSL's, through pyca/cryptography.
"""

from __future__ import annotations

import hmac
import os
import struct
from collections.abc import Sequence

from cryptography.hazmat.primitives.hmac import HMAC
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from runnel import _native
from runnel.errors import AuthenticationError
from runnel.sealed.keyset import Key
from runnel.sealed.parameters import DIGESTS, PREFIX_BYTES, Parameters

HMAC_KEY_BYTES = 32
IV_BYTES = 16

Segment = tuple[memoryview, memoryview, memoryview, memoryview, memoryview]
"""One segment in memory, as views into IV (16) | body | tag: (IV, body, IV and body, tag, body and tag)."""


def segment_in(memory: memoryview, body_bytes: int, tag_bytes: int | None = None) -> Segment:
    """The views of one segment that begins with its IV in memory; tag_bytes: None for all the rest."""
    body_end = IV_BYTES + body_bytes
    end = len(memory) if tag_bytes is None else body_end + tag_bytes
    return memory[:IV_BYTES], memory[IV_BYTES:body_end], memory[:body_end], memory[body_end:end], memory[IV_BYTES:end]


class FileKeys:
    """The keys of one file, derived from a keyset's key, the file's salt and the associated data."""

    def __init__(self, key: Key, salt: bytes, prefix: bytes, aad: bytes) -> None:
        p = key.parameters
        if len(salt) != p.derived_key_bytes or len(prefix) != PREFIX_BYTES:
            raise ValueError(f"the salt has {p.derived_key_bytes} bytes and the prefix {PREFIX_BYTES}")
        hkdf = HKDF(DIGESTS[p.hkdf_hash](), p.derived_key_bytes + HMAC_KEY_BYTES, salt, aad)
        derived = hkdf.derive(key.secret)
        self.parameters = p
        self.header = bytes([p.header_bytes]) + salt + prefix
        self.prefix = prefix
        self.aes_key = derived[: p.derived_key_bytes]
        self.hmac_key = derived[p.derived_key_bytes :]

    @classmethod
    def new(cls, key: Key, aad: bytes) -> FileKeys:
        """Keys for a new file: salt and prefix are random."""
        return cls(key, os.urandom(key.parameters.derived_key_bytes), os.urandom(PREFIX_BYTES), aad)

    @classmethod
    def from_header(cls, key: Key, header: bytes, aad: bytes) -> FileKeys:
        """Keys of the file with this header. Raises AuthenticationError: not a header for this key."""
        p = key.parameters
        if len(header) != p.header_bytes or header[0] != p.header_bytes:
            raise AuthenticationError(f"not a file for this key: its header does not say {p.header_bytes} bytes")
        return cls(key, header[1:-PREFIX_BYTES], header[-PREFIX_BYTES:], aad)

    def cipher(self) -> SegmentCipher:
        """What one thread needs to work on segments."""
        return SegmentCipher(self)


class SegmentCipher:
    """Seals and opens segments in place. To be used by one thread at a time."""

    def __init__(self, keys: FileKeys) -> None:
        p = keys.parameters
        self._stream = _native.new(f"aes-{8 * p.derived_key_bytes}-ctr", keys.aes_key, bytes(IV_BYTES))
        self._hmac = HMAC(keys.hmac_key, DIGESTS[p.hmac_hash]())
        self._prefix = keys.prefix
        self._tag_bytes = p.tag_bytes
        # prefix, number of the segment, whether it is the last, and the counter, which starts at 0
        self._pack_iv = struct.Struct(">7sIB4x").pack_into

    def seal(self, segments: Sequence[Segment], start: int, last: bool) -> None:
        """Encrypts the bodies in place and writes IVs and tags. start is the number of the first segment; last
        says whether the final one ends the file."""
        pack_iv, prefix, tag_bytes = self._pack_iv, self._prefix, self._tag_bytes
        reset, xor_into, copy_hmac = self._stream.reset, self._stream.xor_into, self._hmac.copy
        end = start + len(segments) - 1 if last else -1
        for index, (iv, body, signed, tag, _) in enumerate(segments, start):
            pack_iv(iv, 0, prefix, index, index == end)
            reset(iv)
            xor_into(body, body)
            mac = copy_hmac()
            mac.update(signed)
            tag[:] = mac.finalize()[:tag_bytes]

    def open(self, segments: Sequence[Segment], start: int, last: bool) -> int:
        """Verifies the segments in order and decrypts each in place. Returns how many verified: when it is fewer
        than there are, the next one did not, and neither it nor any after it was decrypted."""
        pack_iv, prefix, tag_bytes = self._pack_iv, self._prefix, self._tag_bytes
        reset, xor_into, copy_hmac = self._stream.reset, self._stream.xor_into, self._hmac.copy
        equal = hmac.compare_digest
        end = start + len(segments) - 1 if last else -1
        for index, (iv, body, signed, tag, _) in enumerate(segments, start):
            pack_iv(iv, 0, prefix, index, index == end)
            mac = copy_hmac()
            mac.update(signed)
            if not equal(mac.finalize()[:tag_bytes], tag):
                return index - start
            reset(iv)
            xor_into(body, body)
        return len(segments)


def damage(p: Parameters, index: int) -> str:
    """What it means that segment number index does not verify."""
    if index == 0:
        return "wrong key or associated data, or damaged (the first segment does not verify)"
    return f"damaged, cut or extended: segment {index}, from byte {p.sealed_at(index)} on, does not verify"
