# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The wire format of protocol buffers, of which keys need two kinds of field: numbers and bytes."""

from __future__ import annotations

from collections.abc import Iterator

from runnel.errors import KeysetError

Message = dict[int, int | bytes]


def number_of(of: Message, number: int) -> int:
    """Return the number in a field, 0 where there is none. Raises KeysetError."""
    value = of.get(number, 0)
    if not isinstance(value, int):
        raise KeysetError("its value is malformed: a number is missing")
    return value


def bytes_of(of: Message, number: int, name: str) -> bytes:
    """Return the bytes in a field called name. Raises KeysetError: there is none."""
    value = of.get(number)
    if not isinstance(value, bytes):
        raise KeysetError(f"its value is malformed: {name} is missing")
    return value


def message(data: bytes) -> Message:
    """Return the fields of a message by their numbers. Of a field that is repeated the last counts."""
    return dict(fields(data))


def fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Return the fields of a message in order: (number, value)."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        number, kind = tag >> 3, tag & 7
        if number == 0:
            raise KeysetError("its value is malformed: a field has number 0")
        if kind == 0:
            value, at = _varint(data, at)
            yield number, value
            continue
        if kind == 2:
            length, at = _varint(data, at)
        elif kind in (1, 5):  # fixed 64 or 32 bits: no field of ours, skipped
            length = 8 if kind == 1 else 4
        else:
            raise KeysetError(f"its value is malformed: wire type {kind}")
        if length > len(data) - at:
            raise KeysetError("its value is malformed: a field ends beyond its message")
        if kind == 2:
            yield number, data[at : at + length]
        at += length


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            raise KeysetError("its value is malformed: it ends inside a number")
        value |= (data[at] & 0x7F) << shift
        at += 1
        if data[at - 1] < 0x80:
            return value, at
    raise KeysetError("its value is malformed: a number has more than 10 bytes")


def field(number: int, value: int | bytes) -> bytes:
    """Return a field as it is written."""
    if isinstance(value, bytes):
        return _varint_bytes(number << 3 | 2) + _varint_bytes(len(value)) + value
    return _varint_bytes(number << 3) + _varint_bytes(value)


def _varint_bytes(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
