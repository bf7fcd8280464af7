# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The header of an age file: stanzas, each with the file's key for one recipient, and a MAC under that key.

    age-encryption.org/v1
    -> X25519 <share in base64>
    <wrapped key in base64, in lines of 64 characters, of which the last is shorter>
    --- <MAC in base64>

Only the one spelling of a header is accepted that its specification allows: base64 is canonical and has no padding.
"""

from __future__ import annotations

import binascii
from collections.abc import Callable, Sequence

from runnel._typing import TYPE_CHECKING
from runnel.errors import AuthenticationError
from runnel.sealed.formats import key_material
from runnel.sealed.keyset import AGE_MAGIC

if TYPE_CHECKING:
    from typing import NoReturn

INTRODUCTION = b"age-encryption.org/v1\n"
_STANZA, _FOOTER = b"->", b"---"
_LINE = 64
"""Characters in a full line of a stanza's body."""
_FIRST_READ_BYTES = 1024
HEADER_BYTES_MAX = 1 << 22
"""Room for some 30,000 recipients."""


class Stanza:
    """One stanza. arguments: the type comes first."""

    def __init__(self, arguments: Sequence[str], body: bytes) -> None:
        self.arguments = tuple(arguments)
        self.body = body

    def to_bytes(self) -> bytes:
        text = in_base64(self.body)
        lines = [text[at : at + _LINE] for at in range(0, len(text) + 1, _LINE)]  # the last may be empty
        return b"\n".join([b" ".join([_STANZA, *(each.encode() for each in self.arguments)]), *lines, b""])


class Header:
    """A header that has been read. size: in bytes."""

    def __init__(self, stanzas: list[Stanza], authenticated: bytes, mac: bytes, size: int) -> None:
        self.stanzas = stanzas
        self._authenticated = authenticated
        self._mac = mac
        self.size = size

    def is_authentic(self, file_key: bytes) -> bool:
        return key_material.equal(_mac(file_key, self._authenticated), self._mac)


def written(stanzas: Sequence[Stanza], file_key: bytes) -> bytes:
    """Return a new header."""
    authenticated = INTRODUCTION + b"".join(stanza.to_bytes() for stanza in stanzas) + _FOOTER
    return authenticated + b" " + in_base64(_mac(file_key, authenticated)) + b"\n"


def begins(read: Callable[[int, int], bytes]) -> bool:
    """Return whether what read reads is an age file, of any version."""
    return read(0, len(AGE_MAGIC)) == AGE_MAGIC


def header_of(name: str, read: Callable[[int, int], bytes]) -> Header:
    """Return the header at the beginning of what read reads, called name. Raises AuthenticationError: there is none, or not
    a well-formed one."""
    reader = _Lines(name, read)
    if reader.next() + b"\n" != INTRODUCTION:
        reader.refuse("an age file of another version than 1" if begins(read) else "not an age file")
    stanzas = []
    while True:
        start = reader.at
        words = reader.next().split(b" ")
        if words[0] == _FOOTER:
            break
        if words[0] != _STANZA:
            reader.refuse(f"neither a stanza nor the header's end at byte {start}")
        stanzas.append(_stanza(reader, words[1:]))
    if not stanzas:
        reader.refuse("no recipient")
    mac = from_base64(words[1]) if len(words) == 2 else None
    if mac is None or len(mac) != key_material.DIGEST_BYTES["SHA256"]:
        reader.refuse("malformed MAC")
    return Header(stanzas, reader.taken(start + len(_FOOTER)), mac, reader.at)


def _stanza(reader: _Lines, words: list[bytes]) -> Stanza:
    if not words or not all(word and all(0x21 <= byte <= 0x7E for byte in word) for word in words):
        reader.refuse("malformed arguments of a stanza")
    body = b""
    while True:
        line = reader.next()
        part = from_base64(line)
        if part is None or len(line) > _LINE:
            reader.refuse("malformed body of a stanza")
        body += part
        if len(line) < _LINE:
            return Stanza([word.decode() for word in words], body)


class _Lines:
    """Lines of a header, of which more is read as it is needed."""

    def __init__(self, name: str, read: Callable[[int, int], bytes]) -> None:
        self.at = 0
        self._name = name
        self._read = read
        self._begin = read(0, _FIRST_READ_BYTES)

    def next(self) -> bytes:
        """Return the next line without its end."""
        while (end := self._begin.find(b"\n", self.at)) < 0:
            had = len(self._begin)
            if not self._begin.startswith(INTRODUCTION[:had]):
                self.refuse("an age file of another version than 1" if begins(self._read) else "not an age file")
            if had >= HEADER_BYTES_MAX:
                self.refuse(f"longer than {HEADER_BYTES_MAX >> 20} MiB")
            self._begin = self._read(0, 4 * max(had, _FIRST_READ_BYTES))
            if len(self._begin) == had:
                self.refuse("truncated")
        line = self._begin[self.at : end]
        self.at = end + 1
        return line

    def taken(self, end: int) -> bytes:
        """Return the header as far as end."""
        return self._begin[:end]

    def refuse(self, why: str) -> NoReturn:
        raise AuthenticationError(f"{self._name}: malformed age header: {why}")


def _mac(file_key: bytes, header: bytes) -> bytes:
    key = key_material.expand("SHA256", key_material.extract("SHA256", b"", file_key), b"header", 32)
    return key_material.hmac("SHA256", key, header)


def in_base64(data: bytes) -> bytes:
    """Return data in base64 without padding."""
    return binascii.b2a_base64(data, newline=False).rstrip(b"=")


def from_base64(text: bytes) -> bytes | None:
    """Return the bytes of canonical base64 without padding; None: it is not."""
    try:
        data = binascii.a2b_base64(text + b"=" * (-len(text) % 4), strict_mode=True)
    except ValueError:
        return None
    return data if in_base64(data) == text else None
