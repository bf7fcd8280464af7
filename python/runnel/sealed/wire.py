# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The key of a keyset in the wire format of protocol buffers, of which it needs two kinds of field: numbers and bytes."""

from __future__ import annotations

from collections.abc import Iterator

from runnel.errors import KeysetError
from runnel.sealed.parameters import Parameters

_HASHES = {1: "SHA1", 3: "SHA256", 4: "SHA512"}  # the numbers of Tink's HashType
_OTHER_HASHES = {2: "SHA384", 5: "SHA224"}


def read_key(wire: bytes) -> tuple[Parameters, bytes]:
    """Returns a key's parameters and secret. Message AesCtrHmacStreamingKey: 1 version, 2 params, 3 key_value."""
    key = dict(_fields(wire))
    if _number(key, 1):
        raise KeysetError(f"its version is {_number(key, 1)}, not 0")
    params = dict(_fields(_bytes(key, 2, "params")))
    hmac_params = dict(_fields(_bytes(params, 4, "hmac_params")))
    parameters = Parameters(
        segment_bytes=_number(params, 1),
        derived_key_bytes=_number(params, 2),
        hkdf_hash=_hash(_number(params, 3)),
        hmac_hash=_hash(_number(hmac_params, 1)),
        tag_bytes=_number(hmac_params, 2),
    )
    return parameters, _bytes(key, 3, "key_value")


def write_key(p: Parameters, secret: bytes) -> bytes:
    numbers = {name: number for number, name in _HASHES.items()}
    hmac_params = _field(1, numbers[p.hmac_hash]) + _field(2, p.tag_bytes)
    params = _field(1, p.segment_bytes) + _field(2, p.derived_key_bytes) + _field(3, numbers[p.hkdf_hash])
    return _field(2, params + _field(4, hmac_params)) + _field(3, secret)


def _hash(number: int) -> str:
    return _HASHES.get(number) or _OTHER_HASHES.get(number) or f"number {number}"


def _number(message: dict[int, int | bytes], number: int) -> int:
    value = message.get(number, 0)
    if not isinstance(value, int):
        raise KeysetError("its value is malformed: a number is missing")
    return value


def _bytes(message: dict[int, int | bytes], number: int, name: str) -> bytes:
    value = message.get(number)
    if not isinstance(value, bytes):
        raise KeysetError(f"its value is malformed: {name} is missing")
    return value


def _fields(wire: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a message in order: (number, value). Of a field that is repeated the last counts."""
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


def _field(number: int, value: int | bytes) -> bytes:
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
