# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the ciphers say of themselves."""

from typing import NamedTuple

from . import _native


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
