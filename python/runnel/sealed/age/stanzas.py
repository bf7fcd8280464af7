# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Stanzas of an age file: its key, wrapped with ChaCha20-Poly1305 under a key that X25519 or scrypt makes."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from runnel import _native
from runnel._typing import TYPE_CHECKING
from runnel.errors import AuthenticationError, Error
from runnel.imports import imported
from runnel.sealed.age.header import Header, Stanza, from_base64, in_base64
from runnel.sealed.formats import key_material
from runnel.sealed.formats.age import FILE_KEY_BYTES

if TYPE_CHECKING:
    from typing import Any

    from runnel.sealed.passphrase import Passphrase

X25519, SCRYPT = "X25519", "scrypt"
POINT_BYTES = 32
_BASE_POINT = b"\x09" + bytes(POINT_BYTES - 1)
_SALT_BYTES = 16
_TAG_BYTES = 16
_X25519_LABEL, _SCRYPT_LABEL = b"age-encryption.org/v1/X25519", b"age-encryption.org/v1/scrypt"

LOG2_N = 18
"""The cost of scrypt in the files that age writes: 256 MiB and most of a second."""
LOG2_N_MAX = 22
"""What age accepts: 4 GiB."""


def x25519() -> tuple[Callable[[bytes], Any], Callable[[bytes], Any]]:
    """Return what makes a private and a public key of X25519 of their bytes. Raises Error: cryptography is not installed.

    They are those that the package's own module x25519 calls. That imports every cipher of the package, which takes longer
    than Python's start."""
    try:
        functions = imported("cryptography.hazmat.bindings._rust").openssl.x25519
        return functions.from_private_bytes, functions.from_public_bytes
    except (ImportError, AttributeError):  # another release has them elsewhere
        pass
    try:
        module = imported("cryptography.hazmat.primitives.asymmetric.x25519")
    except ImportError:
        raise Error("recipients and identities need the package cryptography: pip install 'runnel[age]'") from None
    return module.X25519PrivateKey.from_private_bytes, module.X25519PublicKey.from_public_bytes


def public_of(secret: bytes) -> bytes:
    """Return the public key that belongs to a secret one."""
    point = _exchanged(secret, _BASE_POINT)
    assert point is not None
    return point


def wrapped_for(recipient: bytes, file_key: bytes) -> Stanza:
    """Return a stanza for the holder of the secret key that belongs to a public one."""
    ephemeral = os.urandom(POINT_BYTES)
    share = public_of(ephemeral)
    shared = _exchanged(ephemeral, recipient)
    if shared is None:
        raise Error("the recipient is a point of low order, which anybody could open")
    return Stanza([X25519, in_base64(share).decode()], _sealed(_x25519_key(shared, share, recipient), file_key))


def wrapped_with(passphrase: Passphrase, file_key: bytes) -> Stanza:
    """Return a stanza for those who know a passphrase."""
    salt = os.urandom(_SALT_BYTES)
    arguments = [SCRYPT, in_base64(salt).decode(), str(LOG2_N)]
    return Stanza(arguments, _sealed(_scrypt_key(passphrase, salt, LOG2_N), file_key))


def opened_with_identities(name: str, header: Header, identities: Sequence[bytes]) -> bytes | None:
    """Return the key of a file called name, which one of the secret keys opens; None: none does. Raises
    AuthenticationError: a stanza is malformed."""
    stanzas = [_x25519_stanza(name, each) for each in header.stanzas if each.arguments[0] == X25519]
    for secret in identities:
        recipient = public_of(secret)
        for share, body in stanzas:
            shared = _exchanged(secret, share)
            if shared is None:
                raise AuthenticationError(f"{name}: malformed age header: an X25519 share of low order")
            if (file_key := _opened(_x25519_key(shared, share, recipient), body)) is not None:
                return file_key
    return None


def opened_with_passphrase(name: str, header: Header, passphrase: Passphrase) -> bytes | None:
    """Return the key of a file called name, which has one stanza, of scrypt; None: another passphrase. Raises
    AuthenticationError: the stanza is malformed, or wants more work than is accepted."""
    [stanza] = header.stanzas
    salt = from_base64(stanza.arguments[1].encode()) if len(stanza.arguments) == 3 else None
    if salt is None or len(salt) != _SALT_BYTES or len(stanza.body) != FILE_KEY_BYTES + _TAG_BYTES:
        raise AuthenticationError(f"{name}: malformed age header: malformed scrypt stanza")
    if not _is_decimal(stanza.arguments[2]):
        raise AuthenticationError(f"{name}: malformed age header: malformed work factor of scrypt")
    if len(stanza.arguments[2]) > 2 or int(stanza.arguments[2]) > LOG2_N_MAX:
        raise AuthenticationError(f"{name}: unsupported work factor of scrypt, more than 2^{LOG2_N_MAX}")
    return _opened(_scrypt_key(passphrase, salt, int(stanza.arguments[2])), stanza.body)


def _is_decimal(text: str) -> bool:
    return text.isascii() and text.isdigit() and text[0] != "0"


def _x25519_stanza(name: str, stanza: Stanza) -> tuple[bytes, bytes]:
    share = from_base64(stanza.arguments[1].encode()) if len(stanza.arguments) == 2 else None
    if share is None or len(share) != POINT_BYTES or len(stanza.body) != FILE_KEY_BYTES + _TAG_BYTES:
        raise AuthenticationError(f"{name}: malformed age header: malformed X25519 stanza")
    return share, stanza.body


def _exchanged(secret: bytes, point: bytes) -> bytes | None:
    """Return the shared secret; None: the point has a low order."""
    private, public = x25519()
    try:
        shared: bytes = private(secret).exchange(public(point))
    except ValueError:
        return None
    return shared


def _x25519_key(shared: bytes, share: bytes, recipient: bytes) -> bytes:
    pseudorandom = key_material.extract("SHA256", share + recipient, shared)
    return key_material.expand("SHA256", pseudorandom, _X25519_LABEL, 32)


def _scrypt_key(passphrase: Passphrase, salt: bytes, log2_n: int) -> bytes:
    return passphrase.stretched(_SCRYPT_LABEL + salt, log2_n, 8, 1)


def _sealed(key: bytes, file_key: bytes) -> bytes:
    """Return the file's key under a key that is used this once, and so under a nonce of zeros."""
    sealed: bytes = _native.aead("chacha20-poly1305", key).seal(bytes(12), file_key)
    return sealed


def _opened(key: bytes, body: bytes) -> bytes | None:
    try:
        opened: bytes = _native.aead("chacha20-poly1305", key).open(bytes(12), body)
    except AuthenticationError:
        return None
    return opened
