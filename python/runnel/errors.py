# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every exception of the package. The base of all is Error; those about an argument are ValueErrors too.

Files that cannot be read or written raise OSError, with the name of the file in its attribute filename.
"""

from ._native import (
    AuthenticationError,
    BrokenCipherError,
    DirectionError,
    Error,
    IVLengthError,
    KernelError,
    KeyLengthError,
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


class KeysetError(Error, ValueError):
    """The keyset is malformed, or holds no key that can be used."""


__all__ = [
    "AuthenticationError",
    "BrokenCipherError",
    "DirectionError",
    "Error",
    "IVLengthError",
    "KernelError",
    "KeyLengthError",
    "KeysetError",
    "LayoutError",
    "LimitError",
    "OutputLengthError",
    "OverlapError",
    "SeekError",
    "StateError",
    "TagLengthError",
    "UnknownAEADError",
    "UnknownCipherError",
    "UnknownMACError",
]
