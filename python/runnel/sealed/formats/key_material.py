# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keys: what derives them, HKDF (RFC 5869), and bases of the objects that hold them.

HKDF is built on HMAC over the standard library's hashes. With SHA-512, which the default format has, and SHA-256, which age's
has, it does not load OpenSSL, as `hmac` does: that takes longer than to encrypt a small file.
"""

from __future__ import annotations

import sys
from _operator import _compare_digest as equal  # hmac.compare_digest

from runnel._typing import TYPE_CHECKING
from runnel.imports import imported

if TYPE_CHECKING:
    from typing import Any, ClassVar, NoReturn, Self

__all__ = ["DIGEST_BYTES", "HoldsKey", "Immutable", "equal", "expand", "extract", "hmac"]

DIGEST_BYTES = {"SHA1": 20, "SHA256": 32, "SHA512": 64}
"""The hashes, by the names that Tink gives them."""
_BLOCK_BYTES = {"SHA256": 64, "SHA512": 128}
"""Of those that are taken from Python itself."""
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


def extract(digest: str, salt: bytes, secret: bytes) -> bytes:
    """Return a pseudorandom key."""
    return hmac(digest, salt, secret)


def expand(digest: str, key: bytes, info: bytes, count: int) -> bytes:
    """Return count bytes, of which there may be 255 digests. key: a pseudorandom key."""
    if count > 255 * DIGEST_BYTES[digest]:
        raise ValueError(f"HKDF with {digest} makes at most {255 * DIGEST_BYTES[digest]} bytes, not {count}")
    block, blocks = b"", []
    for number in range(1, -(-count // DIGEST_BYTES[digest]) + 1):
        block = hmac(digest, key, block + info + bytes([number]))
        blocks.append(block)
    return b"".join(blocks)[:count]


def hmac(digest: str, key: bytes, message: bytes) -> bytes:
    """Return the HMAC of a message."""
    if (new := _built_in(digest)) is None:
        return bytes(imported("hmac").digest(key, message, digest))
    block = _BLOCK_BYTES[digest]
    padded = (key if len(key) <= block else new(key).digest()).ljust(block, b"\0")
    inner = new(padded.translate(_INNER))
    inner.update(message)
    outer = new(padded.translate(_OUTER))
    outer.update(inner.digest())
    return bytes(outer.digest())


def _built_in(digest: str) -> Any:
    """Return Python's own hash, which needs no OpenSSL; None for SHA-1, or if this Python keeps it in another module."""
    if digest not in _BLOCK_BYTES:
        return None
    name = digest.lower()
    try:
        return getattr(imported("_sha2" if sys.version_info >= (3, 12) else f"_{name}"), name)
    except (ImportError, AttributeError):
        return None


class HoldsKey:
    """A base of immutable classes with a key among their attributes.

    Libraries for tasks on many machines pickle what they are given, and write it to sockets, disks and logs. These objects
    refuse that. A copy in the same process is the object itself."""

    __slots__ = ()
    _alternative: ClassVar[str] = ""
    """Ends the error message: the alternative to pickling."""

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            f"a runnel.{type(self).__name__} cannot be pickled: its key would be in clear text{self._alternative}"
        )

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


class Immutable:
    """A base of classes whose objects do not change, and are equal if their fields are.

    It does what a frozen dataclass does, without the module dataclasses, whose import takes longer than encrypting a file."""

    _shown: ClassVar[tuple[str, ...]] = ()
    """The fields that repr shows. All of them count for equality."""

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"cannot delete field {name!r}")

    def _set(self, **fields: Any) -> None:
        """Set the fields, in __init__."""
        self.__dict__.update(fields)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__dict__ == self.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *self.__dict__.values()))

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._shown)})"
