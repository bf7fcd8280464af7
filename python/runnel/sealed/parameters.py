# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Common to every format: the layout of a file's segments, and the interface of a format."""

from __future__ import annotations

import abc

from runnel._typing import TYPE_CHECKING
from runnel.buffers import flat
from runnel.errors import AuthenticationError
from runnel.sealed.segments import FileKeys

if TYPE_CHECKING:
    from typing import ClassVar, Self

    from typing_extensions import Buffer


class Parameters(abc.ABC):
    """Properties that a key fixes for its files: the format, and the lengths in that. All lengths in bytes.

    A file is a header and segments, each a part of the ciphertext and its tag, all whole but the last. A format says
    in class variables what kinds of files it has, and in methods how keys are written and files' keys are derived.
    """

    segment_bytes: int
    """Of a whole segment, tag included."""
    tag_bytes: int
    key_bytes: int
    """Of a new key."""

    lead_bytes: ClassVar[int] = 0
    """Bytes of memory that the format's cipher wants before each segment."""
    segments_at_once: ClassVar[int] = 1
    """So many whole segments take less time at once than one by one, however long they are."""
    segments_max: ClassVar[int]
    header_in_first: ClassVar[bool]
    """The header takes room in the first segment, which then holds less."""
    last_may_be_full: ClassVar[bool]
    """False: a whole segment is never the last, one without plaintext may be."""

    @property
    @abc.abstractmethod
    def header_bytes(self) -> int: ...

    @property
    @abc.abstractmethod
    def type_url(self) -> str:
        """Return the type of the key in a keyset."""

    @classmethod
    @abc.abstractmethod
    def read_key(cls, type_url: str, value: bytes) -> tuple[Self, bytes]:
        """Read the value of a key in a keyset: parameters and secret. Raises KeysetError."""

    @abc.abstractmethod
    def write_key(self, secret: bytes) -> bytes:
        """Return the value of a key in a keyset."""

    @abc.abstractmethod
    def check_secret(self, secret: bytes) -> None:
        """Raise KeysetError if a key of this length is not allowed."""

    @abc.abstractmethod
    def may_begin_with(self, byte: int) -> bool:
        """Return whether a file of this key may begin with this byte."""

    def new_file(self, secret: bytes, aad: Buffer) -> FileKeys:
        """Return keys for a new file, whose header has a random salt. Raises TypeError: the associated data is no buffer."""
        return self._new_file(secret, bytes(flat(aad)))

    def file_keys(self, secret: bytes, header: bytes, aad: Buffer) -> FileKeys:
        """Return the keys of the file with this header of header_bytes bytes. Raises AuthenticationError: not of this key;
        TypeError as new_file."""
        return self._file_keys(secret, header, bytes(flat(aad)))

    @abc.abstractmethod
    def _new_file(self, secret: bytes, aad: bytes) -> FileKeys: ...

    @abc.abstractmethod
    def _file_keys(self, secret: bytes, header: bytes, aad: bytes) -> FileKeys: ...

    @property
    def first_bytes(self) -> int:
        """Return plaintext bytes in the first segment when it is full."""
        return self.rest_bytes - (self.header_bytes if self.header_in_first else 0)

    @property
    def rest_bytes(self) -> int:
        """Return plaintext bytes in any later segment when it is full."""
        return self.segment_bytes - self.tag_bytes

    def capacity(self, index: int) -> int:
        """Return plaintext bytes in segment number index (from 0) when it is full."""
        return self.rest_bytes if index else self.first_bytes

    def segments(self, plaintext_bytes: int) -> int:
        """Return the number of segments that a plaintext makes. At least 1."""
        beyond = plaintext_bytes - self.first_bytes
        if self.last_may_be_full:
            return 1 + max(0, -(-beyond // self.rest_bytes))
        return 1 + max(0, beyond // self.rest_bytes + 1)

    def sealed_bytes(self, plaintext_bytes: int) -> int:
        """Return the length of the file that a plaintext makes."""
        return self.header_bytes + plaintext_bytes + self.segments(plaintext_bytes) * self.tag_bytes

    def opened(self, sealed_bytes: int) -> tuple[int, int]:
        """Return (number of segments, plaintext bytes) of a file of this length. Raises AuthenticationError: no such
        length."""
        beyond = max(0, sealed_bytes - self.sealed_at(1))
        if self.last_may_be_full:
            count = 1 + -(-beyond // self.segment_bytes)
        else:
            count = 1 + (beyond // self.segment_bytes + 1 if sealed_bytes >= self.sealed_at(1) else 0)
        if sealed_bytes - self.sealed_at(count - 1) < self.tag_bytes:
            raise AuthenticationError(
                f"truncated: {sealed_bytes} bytes end inside {'the header or ' if count == 1 else ''}a tag"
            )
        if count > self.segments_max:
            raise AuthenticationError(f"{sealed_bytes} bytes are {self.too_long()}")
        return count, sealed_bytes - self.header_bytes - count * self.tag_bytes

    def too_long(self) -> str:
        """Return the description of a file that is too long."""
        return f"more than 2^{self.segments_max.bit_length() - 1} segments of {self.segment_bytes} bytes"

    def segment_of(self, position: int) -> int:
        """Return the number of the segment that holds the plaintext byte at this position."""
        return 0 if position < self.first_bytes else 1 + (position - self.first_bytes) // self.rest_bytes

    def plaintext_at(self, index: int) -> int:
        """Return the plaintext position at which segment number index begins."""
        return 0 if index == 0 else self.first_bytes + (index - 1) * self.rest_bytes

    def sealed_at(self, index: int) -> int:
        """Return the file position at which the ciphertext of segment number index begins."""
        if index == 0:
            return self.header_bytes
        return index * self.segment_bytes + (0 if self.header_in_first else self.header_bytes)
