# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runnel: from a key and a nonce to keystream, as fast as this CPU allows.

    stream = runnel.new("aes-256-ctr", key, iv)
    ciphertext = stream.xor(plaintext)

A keystream hides, it does not authenticate: whoever can change the ciphertext can change the plaintext. Never use a
key twice with the same IV. For files, `runnel encrypt` on the command line does both right.

Sizes and positions are in bytes. "Buffer" means any object with the buffer protocol whose memory is contiguous (bytes,
bytearray, memoryview, array, mmap, numpy arrays); it is never copied. Calls on 32768 bytes or more let other Python
threads run.
"""

from . import _interrupt  # noqa: F401  # isort: skip  # before all else

from typing import NamedTuple

from . import _native
from ._native import Stream, __version__, cpu_features, cpu_names, cpu_unknown, new, xor
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
    UnknownCipherError,
)

__all__ = [
    "AuthenticationError",
    "BrokenCipherError",
    "Cipher",
    "DirectionError",
    "Error",
    "IVLengthError",
    "Kernel",
    "KernelError",
    "KeyLengthError",
    "KeysetError",
    "LayoutError",
    "LimitError",
    "OutputLengthError",
    "OverlapError",
    "SeekError",
    "StateError",
    "Stream",
    "UnknownCipherError",
    "__version__",
    "ciphers",
    "cpu_features",
    "cpu_names",
    "cpu_unknown",
    "new",
    "xor",
]


class Kernel(NamedTuple):
    """One implementation technique of a cipher. All kernels of a cipher make the same bytes."""

    name: str
    timing_class: str
    """'constant-time', or 'secret-indexed': look-ups indexed by secrets, constant-time only without a data cache."""
    available: bool
    """This CPU, as restricted by the environment variable RUNNEL_CPU, can run it."""
    chosen: bool
    """It runs when no kernel is named."""
    citation: str
    """Where the technique comes from: a paper, a standard, or our own."""
    cpu: tuple[str, ...]
    """The CPU features it needs."""


class Cipher(NamedTuple):
    """What a cipher says of itself."""

    name: str
    family: str
    """As in the names of its C functions: 'aes_ctr' in runnel_aes_ctr_key."""
    title: str
    mode: str
    """'stream', a keystream of its own; a block cipher in counter mode, 'ctr', or cipher feedback, 'cfb'."""
    status: str
    """'recommended', 'legacy' or 'broken'."""
    key_bytes: tuple[int, ...]
    """The lengths that a key may have, ascending."""
    iv_bytes: tuple[int, ...]
    """The lengths that an IV may have, ascending."""
    iv_as_key: bool
    """The IV must be as long as the key."""
    seekable: bool
    directional: bool
    """Encryption and decryption differ: encrypt and decrypt instead of xor and keystream."""
    layouts: tuple[str, ...]
    """The counter layouts it counts in; empty if it is not a counter mode."""
    layout: str | None
    """The default counter layout."""
    context_bytes: int
    """Memory that a Stream takes, besides a few bytes for Python."""
    source: str
    """The specification."""
    remark: str | None
    """What a user must know: an attack, a limit."""
    kernels: tuple[Kernel, ...]
    """In order of preference."""


def ciphers() -> dict[str, Cipher]:
    """Return the ciphers of this build by name, in order of name."""
    found = {}
    for fields in _native.ciphers():
        fields["kernels"] = tuple(Kernel(**kernel) for kernel in fields["kernels"])
        found[fields["name"]] = Cipher(**fields)
    return found
