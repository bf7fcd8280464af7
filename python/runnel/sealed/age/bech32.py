# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Bech32 (BIP 173), without its limit of 90 characters: how age writes recipients and identities."""

from __future__ import annotations

_DIGITS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_GENERATORS = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_CHECKSUM_DIGITS = 6


def encode(prefix: str, data: bytes) -> str:
    """Return data with its prefix, which is in lower case."""
    digits = _regrouped(data, 8, 5)
    polymod = _polymod([*_expanded(prefix), *digits, *[0] * _CHECKSUM_DIGITS]) ^ 1
    checksum = [polymod >> 5 * (_CHECKSUM_DIGITS - 1 - place) & 31 for place in range(_CHECKSUM_DIGITS)]
    return prefix + "1" + "".join(_DIGITS[digit] for digit in [*digits, *checksum])


def decode(text: str) -> tuple[str, bytes]:
    """Return prefix and data. Raises ValueError, without the text, which may be a secret."""
    if text not in (text.lower(), text.upper()):
        raise ValueError("mixed upper and lower case")
    prefix, separator, rest = text.rpartition("1")
    if not separator or not prefix or len(rest) < _CHECKSUM_DIGITS or not prefix.isascii():
        raise ValueError("not Bech32")
    found = [_DIGITS.find(digit) for digit in rest.lower()]
    if -1 in found:
        raise ValueError(f"character {len(prefix) + 2 + found.index(-1)} is none of Bech32")
    if _polymod([*_expanded(prefix.lower()), *found]) != 1:
        raise ValueError("wrong checksum: mistyped or cut")
    data = found[:-_CHECKSUM_DIGITS]
    spare = len(data) * 5 % 8
    if spare >= 5 or (spare and data[-1] & (1 << spare) - 1):
        raise ValueError("wrong padding")
    return prefix, bytes(_regrouped(data, 5, 8)[: len(data) * 5 // 8])


def _expanded(prefix: str) -> list[int]:
    return [*(ord(c) >> 5 for c in prefix), 0, *(ord(c) & 31 for c in prefix)]


def _polymod(digits: list[int]) -> int:
    value = 1
    for digit in digits:
        top = value >> 25
        value = (value & 0x1FFFFFF) << 5 ^ digit
        for place, generator in enumerate(_GENERATORS):
            value ^= generator if top >> place & 1 else 0
    return value


def _regrouped(values: bytes | list[int], bits: int, into: int) -> list[int]:
    """Return the bits of values in groups of another size, the last one filled up with zeros."""
    number = 0
    for value in values:
        number = number << bits | value
    total = len(values) * bits
    count = -(-total // into)
    number <<= count * into - total
    return [number >> into * (count - 1 - place) & (1 << into) - 1 for place in range(count)]
