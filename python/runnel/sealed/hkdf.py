# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HKDF (RFC 5869) on the HMAC of the standard library, which is OpenSSL's."""

from __future__ import annotations

import hmac

DIGEST_BYTES = {"SHA1": 20, "SHA256": 32, "SHA512": 64}
"""The hashes, by the names that Tink gives them."""


def extract(digest: str, salt: bytes, secret: bytes) -> bytes:
    """Return a pseudorandom key."""
    return hmac.digest(salt, secret, digest)


def expand(digest: str, key: bytes, info: bytes, count: int) -> bytes:
    """Return count bytes, of which there may be 255 digests. key: a pseudorandom key."""
    if count > 255 * DIGEST_BYTES[digest]:
        raise ValueError(f"HKDF with {digest} makes at most {255 * DIGEST_BYTES[digest]} bytes, not {count}")
    block, blocks = b"", []
    for number in range(1, -(-count // DIGEST_BYTES[digest]) + 1):
        block = hmac.digest(key, block + info + bytes([number]), digest)
        blocks.append(block)
    return b"".join(blocks)[:count]
