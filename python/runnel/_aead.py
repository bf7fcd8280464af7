# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Descriptions of the AEADs, and nonces from a counter."""

from __future__ import annotations

from _thread import allocate_lock  # threading loads much that nobody else here needs
from functools import cache
from operator import index
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from . import _native
from ._ciphers import Kernel
from .buffers import flat
from .errors import IVLengthError, LimitError, StateError
from .imports import imported
from .process import this_process

if TYPE_CHECKING:
    from typing_extensions import Buffer


class AEAD(NamedTuple):
    """Describe an AEAD, authenticated encryption with associated data."""

    name: str
    family: str
    """As in the names of its C functions: 'aes_gcm' in runnel_aes_gcm_key."""
    title: str
    status: str
    """'recommended', 'legacy' or 'broken'."""
    key_bytes: int
    nonce_bytes: int
    """The length of a nonce to be preferred, and that of a random one."""
    nonce_min: int
    nonce_max: int | None
    """The longest nonce; None: of any length."""
    nonce_random: bool
    """Nonces may be drawn at random: seal takes None for one."""
    tag_bytes: int
    """The length of a tag if none is asked for, the longest."""
    tag_lengths: tuple[int, ...]
    """The lengths that a tag may have, ascending."""
    tag_first: bool
    """The tag comes before the ciphertext."""
    multipart: bool
    """A message may come in pieces: in C, for a Sealer takes it whole."""
    lengths_first: bool
    """Before its pieces the lengths of the message and of the associated data must be known."""
    message_bytes: int | None
    """Bytes of the longest message, under a nonce of nonce_bytes bytes; None: no limit."""
    aad_bytes: int | None
    """Bytes of the longest associated data; None: no limit."""
    messages: int | None
    """Messages that one key may seal, where nonce_random under random nonces; None: as many as anybody can send."""
    nonce_reuse: str
    """The damage of two messages under one key and nonce."""
    commits: bool
    """No sealed message opens under two keys."""
    context_bytes: int
    """Memory that a Sealer takes, besides a few bytes for Python."""
    source: str
    """The specification."""
    remark: str | None
    """A remark for users: a limit, a choice that is discouraged."""
    kernels: tuple[Kernel, ...]
    """In order of preference."""


@cache
def _known() -> dict[str, AEAD]:
    found = {}
    for fields in _native.aeads():
        fields["kernels"] = tuple(Kernel(**kernel) for kernel in fields["kernels"])
        found[fields["name"]] = AEAD(**fields)
    return dict(sorted(found.items()))


def aeads() -> dict[str, AEAD]:
    """Return the AEADs of this build by name, in order of name."""
    return dict(_known())


_NONCE_BYTES_MAX = 255
"""Of a counter: no AEAD needs as many, and a text that asks for millions would take the memory for them."""


class NonceCounter:
    """Nonces that never repeat: a fixed part, and a number that counts up behind it.

        >>> nonces = runnel.NonceCounter(b"\\x00\\x00\\x00\\x07")  # the sender's own number
        >>> next(nonces).hex(), next(nonces).hex()
        ('000000070000000000000000', '000000070000000000000001')

    fixed: what all these nonces begin with: different for every sender under one key, so that no two senders make the
    same nonce. nonce_bytes: the length of a nonce, at most 255; the number has what fixed leaves, at least 1 byte, most
    significant byte first. first: the number to begin with. Raises IVLengthError, ValueError (first), TypeError.

    After the last number next() raises LimitError: it never starts again. It may be used by several threads. It is not
    copied and not pickled, because a copy would make the same nonces; save and restore go from one process to the next.
    For the same reason a process that was forked has no use of its parent's: there next() and save() raise StateError.
    """

    def __init__(self, fixed: Buffer = b"", *, nonce_bytes: int = 12, first: int = 0) -> None:
        self._fixed = bytes(flat(fixed))
        nonce_bytes, first = index(nonce_bytes), index(first)
        self._number_bytes = nonce_bytes - len(self._fixed)
        self._next = first
        self._lock = allocate_lock()
        self._process = this_process()
        if self._number_bytes < 1:
            raise IVLengthError(
                f"the fixed part has {len(self._fixed)} bytes, which leaves no byte of {nonce_bytes} for the number"
            )
        if nonce_bytes > _NONCE_BYTES_MAX:
            raise IVLengthError(f"a nonce of a counter has at most {_NONCE_BYTES_MAX} bytes, not {nonce_bytes}")
        if not 0 <= first <= self.end:
            raise ValueError(f"first must be from 0 to {self.end}, not {first}")

    @property
    def fixed(self) -> bytes:
        """Return the bytes that all nonces begin with."""
        return self._fixed

    @property
    def nonce_bytes(self) -> int:
        """Return the length of a nonce."""
        return len(self._fixed) + self._number_bytes

    @property
    def number(self) -> int:
        """Return the number of the next nonce."""
        return self._next

    @property
    def end(self) -> int:
        """Return how many numbers there are; the last is one less."""
        return 1 << 8 * self._number_bytes

    def __iter__(self) -> NonceCounter:
        return self

    def __next__(self) -> bytes:
        """Return the next nonce. Raises LimitError when all have been used, StateError in a process that was forked."""
        self._check_process()  # before the lock, which a thread may have held that the fork left behind
        with self._lock:
            number = self._next
            if number >= self.end:
                error = LimitError(f"all {self.end} nonces of this counter have been used; take another key")
                error.position, error.end = number, self.end
                raise error
            self._next = number + 1
        return self._fixed + number.to_bytes(self._number_bytes, "big")

    def save(self, ahead: int = 0) -> str:
        """Return text from which restore makes a counter that continues where this one is, or so many numbers later.

        Save before the nonces are used: with ahead=1000, and again before the thousandth, a crash in between leads to
        numbers that were skipped and never to one that comes twice.
        """
        self._check_process()
        ahead = index(ahead)
        if ahead < 0:
            raise ValueError(f"ahead must not be negative, as {ahead} is: nonces would come twice")
        state = {
            "fixed": self._fixed.hex(),
            "nonce_bytes": self.nonce_bytes,
            "number": min(self._next + ahead, self.end),
        }
        return str(imported("json").dumps(state))  # not loaded where it is not used

    @classmethod
    def restore(cls, text: str) -> NonceCounter:
        """Return the counter that save made text of. Restore each text once. Raises ValueError for other text."""
        try:
            state = imported("json").loads(text)
            fixed, nonce_bytes, first = bytes.fromhex(state["fixed"]), state["nonce_bytes"], state["number"]
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            raise ValueError("not what NonceCounter.save returns") from error
        if type(nonce_bytes) is not int or type(first) is not int:
            raise ValueError("not what NonceCounter.save returns")
        return cls(fixed, nonce_bytes=nonce_bytes, first=first)

    def _check_process(self) -> None:
        if this_process() != self._process:
            raise StateError(
                "this counter belongs to the process that forked this one, which would make the same nonces"
            )

    def __reduce__(self) -> NoReturn:
        raise TypeError("a runnel.NonceCounter cannot be copied or pickled: two copies would make the same nonces")

    def __repr__(self) -> str:
        return f"<runnel.NonceCounter {self._fixed.hex() or 'without a fixed part'}, number {self._next} of {self.end}>"
