# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tink's keys in the wire format of protocol buffers, of which they need two kinds of field: numbers and bytes."""

from __future__ import annotations

from collections.abc import Iterator

from runnel.errors import KeysetError

_HASHES = {1: "SHA1", 3: "SHA256", 4: "SHA512"}  # the numbers of Tink's HashType
_OTHER_HASHES = {2: "SHA384", 5: "SHA224"}

Message = dict[int, int | bytes]


def read_streaming_key(wire: bytes) -> tuple[Message, bytes]:
    """Return (params, secret) of the message that Tink's streaming keys share: 1 version, 2 params, 3 key_value."""
    key = message(wire)
    if number_of(key, 1):
        raise KeysetError(f"its version is {number_of(key, 1)}, not 0")
    return message(bytes_of(key, 2, "params")), bytes_of(key, 3, "key_value")


def hash_of(fields: Message, number: int) -> str:
    """Return the hash that a field names."""
    value = number_of(fields, number)
    return _HASHES.get(value) or _OTHER_HASHES.get(value) or f"number {value}"


def hash_number(name: str) -> int:
    return next(number for number, known in _HASHES.items() if known == name)


def number_of(fields: Message, number: int) -> int:
    value = fields.get(number, 0)
    if not isinstance(value, int):
        raise KeysetError("its value is malformed: a number is missing")
    return value


def bytes_of(fields: Message, number: int, name: str) -> bytes:
    value = fields.get(number)
    if not isinstance(value, bytes):
        raise KeysetError(f"its value is malformed: {name} is missing")
    return value


def message(wire: bytes) -> Message:
    """Return the fields of a message by their numbers. Of a field that is repeated the last counts."""
    return dict(_fields(wire))


def _fields(wire: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Return the fields of a message in order: (number, value)."""
    at = 0
    while at < len(wire):
        tag, at = _varint(wire, at)
        number, kind = tag >> 3, tag & 7
        if number == 0:
            raise KeysetError("its value is malformed: a field has number 0")
        if kind == 0:
            value, at = _varint(wire, at)
            yield number, value
            continue
        if kind == 2:
            length, at = _varint(wire, at)
        elif kind in (1, 5):  # fixed 64 or 32 bits: no field of ours, skipped
            length = 8 if kind == 1 else 4
        else:
            raise KeysetError(f"its value is malformed: wire type {kind}")
        if length > len(wire) - at:
            raise KeysetError("its value is malformed: a field ends beyond its message")
        if kind == 2:
            yield number, wire[at : at + length]
        at += length


def _varint(wire: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(wire):
            raise KeysetError("its value is malformed: it ends inside a number")
        value |= (wire[at] & 0x7F) << shift
        at += 1
        if wire[at - 1] < 0x80:
            return value, at
    raise KeysetError("its value is malformed: a number has more than 10 bytes")


def field(number: int, value: int | bytes) -> bytes:
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
