# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Fingerprints, which identify a key to other processes and to later ones. The number of a key does not: two may have one."""

from __future__ import annotations

import hashlib
import hmac

from runnel.sealed.keyset import Key, Keyset


def fingerprint(key: Key, what: bytes, aad: bytes) -> bytes:
    """Return a fingerprint, by which others see that they have the same key and associated data; it reveals nothing
    of them."""
    p = key.parameters
    whole = f"runnel store fingerprint {p.type_url} ".encode() + p.write_key(key.secret)
    return hmac.digest(hashlib.sha512(whole).digest(), len(what).to_bytes(8, "big") + what + aad, "sha256")[:16]


def key_of(keyset: Keyset, wanted: bytes, what: bytes, aad: bytes) -> Key | None:
    """Return the key that has this fingerprint."""
    keys = (keyset.primary, *keyset.keys)
    return next((key for key in keys if hmac.compare_digest(fingerprint(key, what, aad), wanted)), None)
