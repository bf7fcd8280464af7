# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Passphrases in the place of key files: a keyset, wrapped, before the file that it encrypts or in a file of its own.

A wrapped keyset is 55 bytes (a magic, the parameters of scrypt, how many bytes follow, a salt) and a Cobblestone-256 file
of the keyset's JSON: its key is what scrypt makes of the passphrase, its context those 55 bytes. Cobblestone commits to
its key, so that no file opens with two passphrases.
"""

from __future__ import annotations

import io
import os
import struct

from runnel._typing import TYPE_CHECKING
from runnel.buffers import flat
from runnel.errors import AuthenticationError
from runnel.imports import imported
from runnel.sealed.files import Job
from runnel.sealed.formats.cobblestone import Cobblestone
from runnel.sealed.formats.key_material import HoldsKey
from runnel.sealed.io import SequentialSink, SequentialSource
from runnel.sealed.keyset import KEYSET_BYTES_MAX, WRAPPED_MAGIC, FileLock, Key, Keys, Keyset, unwrapped
from runnel.sealed.opening import ReadAt

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from runnel.sealed.io import Source

_HEAD = struct.Struct(">16sBBBI32s")  # magic, log2 N, r, p, bytes that follow, salt
_SALT_BYTES = 32
_WRAPPING = Cobblestone(32)

# 128 MiB and, in 2026, a third of a second.
LOG2_N, R, P = 17, 8, 1
_WORK_MAX = 1 << 23
"""The largest N * r * p that is accepted: 1 GiB of memory, eight times the work of a new file."""


class Passphrase(FileLock, HoldsKey):
    """A passphrase that locks files, and keysets in files.

        >>> runnel.encrypt_file("photos.tar", "photos.locked", runnel.Passphrase("correct horse battery staple"))

    secret: any C-contiguous buffer of bytes, or text, which stands for its UTF-8; 1 to 1024 bytes. The key is made of it
    by scrypt, which takes 128 MiB of memory and a third of a second for each file. Raises ValueError: empty, too long or
    text that UTF-8 has no bytes for; TypeError: neither text nor bytes.
    """

    __slots__ = ("_secret",)

    def __init__(self, secret: str | Buffer) -> None:
        self._secret = _utf8(secret) if isinstance(secret, str) else bytes(flat(secret))
        if not 1 <= len(self._secret) <= 1024:
            raise ValueError(f"a passphrase has 1 to 1024 bytes, not {len(self._secret)}")

    def __repr__(self) -> str:
        return "<runnel.Passphrase>"

    def stretched(self, salt: bytes, log2_n: int, r: int, p: int) -> bytes:
        """Return 32 bytes of scrypt."""
        hashlib = imported("hashlib")  # which takes longer to load than all else here
        memory = 128 * r * ((1 << log2_n) + p + 3)
        try:
            secret: bytes = hashlib.scrypt(self._secret, salt=salt, n=1 << log2_n, r=r, p=p, maxmem=memory, dklen=32)
        except ValueError as error:
            if "malloc" not in str(error):
                raise
            raise MemoryError(f"scrypt needs {memory} bytes of memory") from None
        return secret

    def _key(self, log2_n: int, r: int, p: int, salt: bytes) -> Keyset:
        key = Key(1, _WRAPPING, self.stretched(salt, log2_n, r, p))
        return Keyset(key, (key,))

    def keyset_for_new_file(self) -> tuple[Keyset, bytes]:
        """Return a new keyset, and that locked with the passphrase."""
        keyset = Keyset.generate()
        return keyset, keyset.to_bytes(self)

    def source(self, source: Source) -> Source:
        """Return the source itself, or one of what is in its armor: a file in age's format may be text."""
        return imported("runnel.sealed.age.armor").without_armor(source)  # type: ignore[no-any-return]

    def keys_of_file(self, name: str, read: ReadAt) -> tuple[Keys, int]:
        """Return the keys of a file that begins with what a passphrase opens, and how many bytes that has. Raises
        AuthenticationError."""
        if imported("runnel.sealed.age.header").begins(read):
            opened: tuple[Keys, int] = imported("runnel.sealed.age.people").AgePassphrase(self).keys_of_file(name, read)
            return opened
        return unwrapped(self, name, read)

    def wrap(self, text: bytes) -> bytes:
        """Return a keyset's JSON as it stands before a file, or in one of its own."""
        head = _HEAD.pack(
            WRAPPED_MAGIC, LOG2_N, R, P, _WRAPPING.sealed_bytes(len(text)), salt := os.urandom(_SALT_BYTES)
        )
        wrapped = io.BytesIO(head)
        wrapped.seek(0, os.SEEK_END)
        self._job(self._key(LOG2_N, R, P, salt), text, wrapped, head).encrypt()
        return wrapped.getvalue()

    def unwrap(self, name: str, read: ReadAt) -> tuple[bytes, int]:
        """Return a keyset's JSON from the beginning of what read reads, called name, and how many bytes it takes there.
        Raises AuthenticationError: another passphrase, damaged, or no such beginning."""
        head = read(0, _HEAD.size)
        if not head.startswith(WRAPPED_MAGIC):
            raise AuthenticationError(f"{name}: not encrypted with a passphrase")
        if len(head) < _HEAD.size:
            raise AuthenticationError(f"{name}: truncated inside the header")
        _, log2_n, r, p, count, salt = _HEAD.unpack(head)
        if not (1 <= log2_n < min(32, 16 * r) and r and p and r * p << log2_n <= _WORK_MAX):
            raise AuthenticationError(f"{name}: unsupported scrypt parameters 2^{log2_n}, {r}, {p}")
        if count > KEYSET_BYTES_MAX:
            raise AuthenticationError(f"{name}: the wrapped keyset is too large: {count} bytes")
        wrapped = read(_HEAD.size, count)
        if len(wrapped) < count:
            raise AuthenticationError(f"{name}: truncated inside the header")
        try:
            text = io.BytesIO()
            self._job(self._key(log2_n, r, p, salt), wrapped, text, head).decrypt()
        except AuthenticationError:
            raise AuthenticationError(f"{name}: authentication failed: wrong passphrase, or damaged") from None
        return text.getvalue(), _HEAD.size + count

    @staticmethod
    def _job(key: Keyset, source: bytes, target: io.BytesIO, head: bytes) -> Job:
        ends = SequentialSource(io.BytesIO(source), "keyset"), SequentialSink(target, "keyset")
        return Job(key, *ends, aad=head, threads=1)


def _utf8(secret: str) -> bytes:
    try:
        return secret.encode()
    except UnicodeEncodeError:  # it holds the passphrase, and so does an error that is raised here
        pass
    raise ValueError("the passphrase cannot be encoded as UTF-8")
