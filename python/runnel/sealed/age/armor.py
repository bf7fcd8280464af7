# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Age's armor: a file as text, in base64 of 64 characters a line between two lines that mark it (strict PEM, RFC 7468)."""

from __future__ import annotations

import binascii
from collections.abc import Callable, Sequence

from runnel.errors import AuthenticationError
from runnel.sealed.io import PositionalSink, SequentialSink, SequentialSource, Sink, Source

_BEGIN, _END = b"-----BEGIN AGE ENCRYPTED FILE-----", b"-----END AGE ENCRYPTED FILE-----"
_SPACE = b" \t\r\n"
_LINE = 64
_LINE_BYTES = 48
_READ_BYTES = 1 << 16
_MARGIN_BYTES = 1024
"""White space that may stand before and behind an armored file."""


def is_armored(read: Callable[[int, int], bytes]) -> bool:
    """Return whether what read reads is an armored file."""
    if (read(0, 1) or b"a") not in _SPACE + b"-":
        return False
    return read(0, _MARGIN_BYTES + len(_BEGIN)).lstrip(_SPACE).startswith(_BEGIN)


def without_armor(source: Source) -> Source:
    """Return the source itself or, if it is armored, one of the bytes in the armor, to be read in order."""
    if not is_armored(source.peek):
        return source
    return SequentialSource(_Reader(source), source.name)  # type: ignore[arg-type]  # what of a file it needs it has


class _Reader:
    """The bytes in an armored source. Reading raises AuthenticationError where the armor is not well formed."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._name = source.name
        self._position = 0
        self._text = b""
        self._ended = False
        self._data = b""
        self._short = False
        self._finished = False
        self._skip_space()
        self._line()  # the one that begins it

    def readinto(self, view: memoryview) -> int:
        while not self._data and not self._finished:
            self._decode()
        count = min(len(view), len(self._data))
        view[:count] = self._data[:count]
        self._data = self._data[count:]
        return count

    def _decode(self) -> None:
        """Decode all whole lines that have been read, or the next one."""
        whole = 0
        lines = self._text.split(b"\n")
        while whole < len(lines) - 1 and len(lines[whole]) == _LINE and b"=" not in lines[whole]:
            whole += 1
        if whole and not self._short:
            self._text = self._text[whole * (_LINE + 1) :]
            self._data = self._bytes(b"".join(lines[:whole]))
            return
        line = self._line()
        if line == _END:
            self._finish()
        elif self._short or not line or len(line) > _LINE:
            self._refuse("an empty line, a long one, or one behind a short one")
        else:
            self._short = len(line) < _LINE
            self._data = self._bytes(line)
            self._short = self._short or len(self._data) < _LINE_BYTES

    def _line(self) -> bytes:
        while b"\n" not in self._text and not self._ended:
            self._more()
        line, _, self._text = self._text.partition(b"\n")
        if not line and self._ended and not self._text:
            self._refuse("truncated")
        return line.removesuffix(b"\r")

    def _more(self) -> None:
        data = bytearray(_READ_BYTES)
        if isinstance(self._source, SequentialSource):
            data = data[: self._source.read_into([memoryview(data)])]
        else:
            data = bytearray(self._source.peek(self._position, _READ_BYTES))
        self._position += len(data)
        self._ended = not data
        self._text += data

    def _skip_space(self) -> None:
        while not self._text.lstrip(_SPACE) and not self._ended:
            self._more()
        self._text = self._text.lstrip(_SPACE)

    def _finish(self) -> None:
        self._finished = True
        while not self._ended and not self._text.strip(_SPACE) and len(self._text) <= _MARGIN_BYTES:
            self._more()
        if self._text.strip(_SPACE) or len(self._text) > _MARGIN_BYTES:
            self._refuse("something follows it")

    def _bytes(self, text: bytes) -> bytes:
        try:
            data = binascii.a2b_base64(text, strict_mode=True)
        except ValueError:
            self._refuse("not base64")
        if binascii.b2a_base64(data, newline=False) != text:
            self._refuse("base64 that is not canonical")
        return data

    def _refuse(self, why: str) -> None:
        raise AuthenticationError(f"{self._name}: malformed armor: {why}")


class ArmoredSink(SequentialSink):
    """Writes bytes as armored text to another sink."""

    def __init__(self, sink: Sink) -> None:
        self.name = sink.name
        self.fd = sink.fd
        self._sink = sink
        self._at = 0
        self._rest = b""
        self._put(_BEGIN + b"\n")

    def write(self, views: Sequence[memoryview]) -> None:
        data = b"".join([self._rest, *views])
        whole = len(data) // _LINE_BYTES * _LINE_BYTES
        self._rest = data[whole:]
        text = binascii.b2a_base64(data[:whole], newline=False)
        self._put(b"".join(text[at : at + _LINE] + b"\n" for at in range(0, len(text), _LINE)))

    def finish(self) -> None:
        last = binascii.b2a_base64(self._rest) if self._rest else b""
        self._put(last + _END + b"\n")

    def _put(self, text: bytes) -> None:
        if isinstance(self._sink, PositionalSink):
            self._sink.write_at([memoryview(text)], self._at)
        else:
            self._sink.write([memoryview(text)])
        self._at += len(text)
