# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HKDF (RFC 5869) on the HMAC of the standard library. With SHA-512, which the default format has, it does not load
OpenSSL, as `hmac` does: that takes longer than to encrypt a small file."""

from __future__ import annotations

import sys
from _operator import _compare_digest as equal  # hmac.compare_digest

from runnel._typing import TYPE_CHECKING
from runnel.imports import imported

if TYPE_CHECKING:
    from typing import Any

DIGEST_BYTES = {"SHA1": 20, "SHA256": 32, "SHA512": 64}
"""The hashes, by the names that Tink gives them."""
_SHA512_BLOCK_BYTES = 128
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))

__all__ = ["DIGEST_BYTES", "equal", "expand", "extract"]


def extract(digest: str, salt: bytes, secret: bytes) -> bytes:
    """Return a pseudorandom key."""
    return _hmac(digest, salt, secret)


def expand(digest: str, key: bytes, info: bytes, count: int) -> bytes:
    """Return count bytes, of which there may be 255 digests. key: a pseudorandom key."""
    if count > 255 * DIGEST_BYTES[digest]:
        raise ValueError(f"HKDF with {digest} makes at most {255 * DIGEST_BYTES[digest]} bytes, not {count}")
    block, blocks = b"", []
    for number in range(1, -(-count // DIGEST_BYTES[digest]) + 1):
        block = _hmac(digest, key, block + info + bytes([number]))
        blocks.append(block)
    return b"".join(blocks)[:count]


def _hmac(digest: str, key: bytes, message: bytes) -> bytes:
    if digest == "SHA512" and (sha512 := _sha512()) is not None:
        padded = (key if len(key) <= _SHA512_BLOCK_BYTES else sha512(key).digest()).ljust(_SHA512_BLOCK_BYTES, b"\0")
        inner = sha512(padded.translate(_INNER))
        inner.update(message)
        outer = sha512(padded.translate(_OUTER))
        outer.update(inner.digest())
        return bytes(outer.digest())
    return bytes(imported("hmac").digest(key, message, digest))


def _sha512() -> Any:
    """Return the hash that hashlib takes where there is no OpenSSL; None: this Python has it elsewhere."""
    module = "_sha2" if sys.version_info >= (3, 12) else "_sha512"
    try:
        return imported(module).sha512
    except (ImportError, AttributeError):
        return None
