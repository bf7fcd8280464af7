# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runnel: encrypted files and streams, and keystream from a key and a nonce, as fast as this CPU allows.

Files, authenticated:

    >>> import runnel
    >>> keyset = runnel.Keyset.generate()
    >>> keyset.save("key.json")  # only its owner may read it
    >>> runnel.encrypt_file("photos.tar", "photos.sealed", keyset, aad=b"for Ann")
    >>> runnel.decrypt_file("photos.sealed", "again.tar", keyset, aad=b"for Ann")
    >>> with runnel.open_encrypted("photos.sealed", "rb", keyset, aad=b"for Ann") as photos:
    ...     position = photos.seek(100_000)
    ...     part = photos.read(24)

AuthenticationError is raised if a file was changed, truncated or extended, or if the key or the associated data are wrong;
unverified data is never released. The key determines the format: Cobblestone, or one of Google Tink's.

Packets, each authenticated under its own nonce:

    >>> import os
    >>> sealer = runnel.aead("aes-256-gcm", os.urandom(32))
    >>> packet = sealer.seal(None, b"20.5 degrees", aad=b"kitchen")  # None: a random nonce, which the packet begins with
    >>> sealer.open(None, packet, aad=b"kitchen")
    b'20.5 degrees'

Raw ciphers do not authenticate: anyone who can change the ciphertext can change the plaintext. Use them only where a
format requires them, and never use the same key and IV twice:

    >>> key = os.urandom(32)
    >>> nonce = os.urandom(12)  # another one for each message
    >>> ciphertext = runnel.xor("aes-256-ctr", key, nonce + bytes(4), b"attack at dawn")
    >>> runnel.xor("aes-256-ctr", key, nonce + bytes(4), ciphertext)
    b'attack at dawn'

Sizes and positions are in bytes. "Buffer" means any object with the buffer protocol whose memory is C-contiguous (bytes,
bytearray, memoryview, array, mmap, numpy arrays, but none in Fortran's order); it is never copied. Calls on 32768 bytes or
more let other Python threads run. Names of ciphers, AEADs, layouts and kernels are found in upper and lower case.
"""

from ._native import (
    Authenticator,
    Sealer,
    Stream,
    __version__,
    aead,
    cpu_features,
    cpu_names,
    cpu_unknown,
    mac,
    new,
    new_batch,
    xor,
)
from ._typing import TYPE_CHECKING
from .errors import (
    AuthenticationError,
    BrokenCipherError,
    DirectionError,
    Error,
    IVLengthError,
    KernelError,
    KeyLengthError,
    KeysetError,
    LayoutError,
    LimitError,
    OutputLengthError,
    OverlapError,
    SeekError,
    StateError,
    TagLengthError,
    UnknownAEADError,
    UnknownCipherError,
    UnknownMACError,
)
from .imports import imported as _imported

if TYPE_CHECKING:
    from typing import Any

    from ._aead import AEAD, NonceCounter, aeads
    from ._ciphers import Cipher, Kernel, cipher, ciphers, xor_packets
    from ._macs import MAC, macs
    from .sealed.age.people import Identities, Recipients
    from .sealed.files import decrypt_file, decrypt_stream, encrypt_file, encrypt_stream, open_encrypted
    from .sealed.keyset import Keyset
    from .sealed.open_files import EncryptedReader, EncryptedWriter
    from .sealed.passphrase import Passphrase

__all__ = [
    "AEAD",
    "MAC",
    "AuthenticationError",
    "Authenticator",
    "BrokenCipherError",
    "Cipher",
    "DirectionError",
    "EncryptedReader",
    "EncryptedWriter",
    "Error",
    "IVLengthError",
    "Identities",
    "Kernel",
    "KernelError",
    "KeyLengthError",
    "Keyset",
    "KeysetError",
    "LayoutError",
    "LimitError",
    "NonceCounter",
    "OutputLengthError",
    "OverlapError",
    "Passphrase",
    "Recipients",
    "Sealer",
    "SeekError",
    "StateError",
    "Stream",
    "TagLengthError",
    "UnknownAEADError",
    "UnknownCipherError",
    "UnknownMACError",
    "__version__",
    "aead",
    "aeads",
    "cipher",
    "ciphers",
    "cpu_features",
    "cpu_names",
    "cpu_unknown",
    "decrypt_file",
    "decrypt_stream",
    "encrypt_file",
    "encrypt_stream",
    "mac",
    "macs",
    "new",
    "new_batch",
    "open_encrypted",
    "xor",
    "xor_packets",
]

# Imported when they are first asked for: a command needs few of them, and files need much more.
_LATER = {
    "AEAD": "_aead",
    "Cipher": "_ciphers",
    "EncryptedReader": "sealed.open_files",
    "EncryptedWriter": "sealed.open_files",
    "Identities": "sealed.age.people",
    "Kernel": "_ciphers",
    "Keyset": "sealed.keyset",
    "MAC": "_macs",
    "NonceCounter": "_aead",
    "Passphrase": "sealed.passphrase",
    "Recipients": "sealed.age.people",
    "aeads": "_aead",
    "cipher": "_ciphers",
    "ciphers": "_ciphers",
    "decrypt_file": "sealed.files",
    "decrypt_stream": "sealed.files",
    "encrypt_file": "sealed.files",
    "encrypt_stream": "sealed.files",
    "macs": "_macs",
    "open_encrypted": "sealed.files",
    "xor_packets": "_ciphers",
}


if not TYPE_CHECKING:  # to a type checker any name would be one of the package's

    def __getattr__(name: str) -> "Any":
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(_imported(f"{__name__}.{_LATER[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
