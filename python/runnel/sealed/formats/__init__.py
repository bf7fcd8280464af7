# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What a format of encrypted files is, and which there are. A format's own module is imported when it is needed.

Every format has a header with a salt, then segments of equal length, each ciphertext followed by its tag; the last may be
shorter. Every file has its own keys, derived from the keyset's by HKDF over the salt and the associated data. All other
code knows a format by the classes here: Parameters for lengths and keys, FileKeys and SegmentCipher for segments.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterator, Mapping

from runnel import _native
from runnel._typing import TYPE_CHECKING, Protocol
from runnel.buffers import flat
from runnel.errors import AuthenticationError
from runnel.imports import imported

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, ClassVar, Self

    from typing_extensions import Buffer


# Segments in memory, and what encrypts and decrypts them there


class Segment:
    """One segment in memory, as views into lead | body | tag; the lead is the format's own."""

    __slots__ = ("body", "sealed", "whole")

    def __init__(self, body: memoryview, sealed: memoryview, whole: memoryview) -> None:
        self.body = body
        self.sealed = sealed
        """Body and tag, as they lie in the file."""
        self.whole = whole


def segment_in(memory: memoryview, p: Parameters, body_bytes: int) -> Segment:
    """Return the views of one segment, whose lead begins where memory does."""
    body, tag = p.lead_bytes, p.lead_bytes + body_bytes
    end = tag + p.tag_bytes
    return Segment(memory[body:tag], memory[body:end], memory[:end])


class Segments:
    """Segments with successive numbers."""

    def __init__(self, each: Sequence[Segment], sealed: list[memoryview], memory: memoryview) -> None:
        self.each = each
        self.sealed = sealed
        """Their ciphertext with the tags, in as few pieces as it lies in memory: one where there is no lead."""
        self.memory = memory
        """All of them, leads too, one behind another."""

    @classmethod
    def one(cls, segment: Segment) -> Segments:
        return cls([segment], [segment.sealed], segment.whole)

    @property
    def bodies(self) -> list[memoryview]:
        return [segment.body for segment in self.each]


class SegmentCipher(Protocol):
    """Encrypts and decrypts segments in place. To be used by one thread at a time.

    start is the number of the first segment; last says whether the final one ends the file. encrypt encrypts the bodies
    and writes the tags. decrypt verifies and decrypts, and returns how many segments are authentic before the first that
    is not; what is in that one and behind it must not be used.
    """

    def encrypt(self, segments: Segments, start: int, last: bool) -> None: ...

    def decrypt(self, segments: Segments, start: int, last: bool) -> int: ...


class FileKeys(Protocol):
    """The keys of one file, derived from a keyset's key, the file's header and the associated data.

    cipher makes what one thread needs to work on segments.
    """

    @property
    def parameters(self) -> Parameters: ...

    @property
    def header(self) -> bytes: ...

    def cipher(self) -> SegmentCipher: ...


def describe_damage(keys: FileKeys, index: int) -> str:
    """Return the message for a segment that does not verify."""
    p = keys.parameters
    if index == 0 and p.header_in_first:  # a header that stands apart has been verified before
        return "authentication failed: wrong key or associated data, or damaged (first segment)"
    return f"authentication failed: damaged, truncated or extended (segment {index}, at byte {p.sealed_at(index)})"


# Segments that are messages of an AEAD without associated data: all of a block in one call of this package's C

NONCE_BYTES = 12
GCM_TAG_BYTES = 16

Nonces = Callable[[int, int, bool], bytes]
"""(start, count, last): the nonces of count segments from number start on, one after another; last: they end the file."""


class AeadCipher:
    """A SegmentCipher, for segments that lie in memory without anything between them. aead: the name of one whose nonces have
    12 bytes."""

    def __init__(self, aead: str, key: bytes, segment_bytes: int, nonces: Nonces) -> None:
        self._sealer = _native.aead(aead, key)
        self._segment_bytes = segment_bytes
        self._nonces = nonces

    def encrypt(self, segments: Segments, start: int, last: bool) -> None:
        self._work(self._sealer.seal_in_place, segments, start, last)

    def decrypt(self, segments: Segments, start: int, last: bool) -> int:
        return self._work(self._sealer.open_in_place, segments, start, last)

    def _work(self, call: Callable[[bytes, memoryview, int], int], segments: Segments, start: int, last: bool) -> int:
        memory = segments.memory
        count = len(segments.each)
        nonces = self._nonces(start, count, last)
        first = len(segments.each[0].sealed)
        if count == 1 or first == self._segment_bytes:
            return call(nonces, memory, self._segment_bytes)
        if not call(nonces[:NONCE_BYTES], memory[:first], first):
            return 0
        return 1 + call(nonces[NONCE_BYTES:], memory[first:], self._segment_bytes)


def gcm_cipher(key: bytes, segment_bytes: int, nonces: Nonces) -> AeadCipher:
    return AeadCipher(f"aes-{8 * len(key)}-gcm", key, segment_bytes, nonces)


# Lengths, positions and keys


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
    last_may_be_empty: ClassVar[bool] = True
    """False: a last segment without plaintext is accepted only as the only one."""

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
        last_bytes = sealed_bytes - self.sealed_at(count - 1) - self.tag_bytes
        if last_bytes == 0 and count > 1 and not self.last_may_be_empty:
            raise AuthenticationError("damaged or extended: an empty segment at the end")
        if last_bytes < 0:
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

    def plaintext_range(self, first: int, after: int, size: int) -> tuple[int, int]:
        """Return where the plaintext of segments first to after - 1 begins and ends, of size bytes in all."""
        return self.plaintext_at(first), min(size, self.plaintext_at(after))

    def sealed_at(self, index: int) -> int:
        """Return the file position at which the ciphertext of segment number index begins."""
        if index == 0:
            return self.header_bytes
        return index * self.segment_bytes + (0 if self.header_in_first else self.header_bytes)


# The formats that there are, and the templates for new keys

_COBBLESTONE = "cobblestone", "Cobblestone"
_CTR_HMAC = "tink", "CtrHmac"
_GCM_HKDF = "tink", "GcmHkdf"

_TEMPLATES: dict[str, tuple[Any, ...]] = {
    "cobblestone-128": (_COBBLESTONE, 16),
    "cobblestone-256": (_COBBLESTONE, 32),
    "AES128_CTR_HMAC_SHA256_4KB": (_CTR_HMAC, 4096, 16),
    "AES128_CTR_HMAC_SHA256_1MB": (_CTR_HMAC, 1 << 20, 16),
    "AES256_CTR_HMAC_SHA256_4KB": (_CTR_HMAC, 4096, 32),
    "AES256_CTR_HMAC_SHA256_1MB": (_CTR_HMAC, 1 << 20, 32),
    "AES128_GCM_HKDF_4KB": (_GCM_HKDF, 4096, 16),
    "AES128_GCM_HKDF_1MB": (_GCM_HKDF, 1 << 20, 16),
    "AES256_GCM_HKDF_4KB": (_GCM_HKDF, 4096, 32),
    "AES256_GCM_HKDF_1MB": (_GCM_HKDF, 1 << 20, 32),
}
_TYPE_URLS = {
    "c2sp.org/chunked-encryption@v1+AEAD_AES_128_GCM": _COBBLESTONE,
    "c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM": _COBBLESTONE,
    "type.googleapis.com/google.crypto.tink.AesCtrHmacStreamingKey": _CTR_HMAC,
    "type.googleapis.com/google.crypto.tink.AesGcmHkdfStreamingKey": _GCM_HKDF,
}
DEFAULT_TEMPLATE = "cobblestone-256"


def _format(module: str, name: str) -> Any:
    return getattr(imported(f"runnel.sealed.formats.{module}"), name)


class _Templates(Mapping[str, Parameters]):
    def __getitem__(self, name: str) -> Parameters:
        where, *sizes = _TEMPLATES[name]
        parameters: Parameters = _format(*where)(*sizes)
        return parameters

    def __iter__(self) -> Iterator[str]:
        return iter(_TEMPLATES)

    def __len__(self) -> int:
        return len(_TEMPLATES)


class _Formats(Mapping[str, type[Parameters]]):
    def __getitem__(self, url: str) -> type[Parameters]:
        found: type[Parameters] = _format(*_TYPE_URLS[url])
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_TYPE_URLS)

    def __len__(self) -> int:
        return len(_TYPE_URLS)


TEMPLATES = _Templates()
"""By name. Tink's have its own names."""
BY_TYPE_URL = _Formats()
"""By the type of a key in a keyset."""


# Associated data with a name in it

_NAME_LABEL = b"runnel name v1\0"
_LENGTH_BYTES = 8


def bound(aad: Buffer, name: str) -> bytes:
    """Return the associated data of an object that is encrypted with aad and bound to name. No other pair has the same;
    docs/file-formats.md describes the encoding.

    name: relative to the prefix, with / between its parts; bytes that are not UTF-8 as surrogate escapes, as the names
    of local files have them. Raises ValueError: an empty name, or one that has no bytes.
    """
    if not name:
        raise ValueError("cannot bind to an empty name")
    try:
        data = name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise ValueError(f"{name!r}: cannot bind to a name that is not Unicode") from None
    return _NAME_LABEL + len(data).to_bytes(_LENGTH_BYTES, "big") + data + bytes(flat(aad))
