# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Descriptions of the ciphers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from . import _native
from ._names import unknown
from .errors import UnknownCipherError

if TYPE_CHECKING:
    from typing_extensions import Buffer


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
    """Describe a cipher."""

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
    """A remark for users: an attack, a limit."""
    kernels: tuple[Kernel, ...]
    """In order of preference."""


@cache
def _known() -> dict[str, Cipher]:
    """Return the descriptions, for callers that do not change them: asking each cipher takes a millisecond."""
    found = {}
    for fields in _native.ciphers():
        fields["kernels"] = tuple(Kernel(**kernel) for kernel in fields["kernels"])
        found[fields["name"]] = Cipher(**fields)
    return found


def ciphers() -> dict[str, Cipher]:
    """Return the ciphers of this build by name, in order of name."""
    return dict(_known())


def cipher(name: str) -> Cipher:
    """Return what the cipher of this name says of itself. Raises UnknownCipherError, with the name that was meant;
    TypeError: no str."""
    if not isinstance(name, str):
        raise TypeError(f"the name of a cipher is a str, not {type(name).__name__}")
    found = _known()
    if name.lower() not in found:
        raise UnknownCipherError(unknown("cipher", name, found, "; runnel.ciphers() lists them"))
    return found[name.lower()]


def xor_packets(
    cipher: str,
    key: Buffer,
    ivs: Iterable[Buffer],
    packets: Iterable[Buffer],
    *,
    layout: str | None = None,
    kernel: str | None = None,
    allow_broken: bool = False,
) -> list[bytes]:
    """Return each packet XOR the keystream of its own IV, under one key: encryption and decryption alike.

    ivs, packets: equally many C-contiguous buffers. All else as for new(). With many calls under one key, keep a
    Stream and call its xor_packets. Never use an IV twice under one key, nor one whose keystream overlaps another's.

    Raises as new(), and ValueError (unequal numbers), LimitError, DirectionError.

        >>> key, ivs = bytes(range(16)), [number.to_bytes(12, "big") + bytes(4) for number in (1, 2)]
        >>> packets = runnel.xor_packets("aes-128-ctr", key, ivs, [b"one", b"two"])
        >>> runnel.xor_packets("aes-128-ctr", key, ivs, packets)
        [b'one', b'two']
    """
    ivs = tuple(ivs)
    first = ivs[0] if ivs else bytes(_iv_bytes(cipher, key))
    with _native.new(cipher, key, first, layout=layout, kernel=kernel, allow_broken=allow_broken) as stream:
        return stream.xor_packets(ivs, packets)


def _iv_bytes(name: str, key: Buffer) -> int:
    """Return a length of IV that goes with the key."""
    known = cipher(name)
    return memoryview(key).nbytes if known.iv_as_key else known.iv_bytes[-1]
