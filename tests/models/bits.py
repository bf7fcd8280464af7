# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Bytes as bits, in the two orders that specifications use."""

from collections.abc import Iterable


def low_first(data: bytes) -> list[int]:
    return [byte >> i & 1 for byte in data for i in range(8)]


def high_first(data: bytes) -> list[int]:
    return [byte >> i & 1 for byte in data for i in range(7, -1, -1)]


def pack_low_first(bits: Iterable[int]) -> bytes:
    listed = list(bits)
    return bytes(sum(bit << i for i, bit in enumerate(listed[n : n + 8])) for n in range(0, len(listed), 8))


def pack_high_first(bits: Iterable[int]) -> bytes:
    listed = list(bits)
    return bytes(sum(bit << 7 - i for i, bit in enumerate(listed[n : n + 8])) for n in range(0, len(listed), 8))


def rotate(word: int, by: int) -> int:
    """32 bits, to the left."""
    by %= 32
    return (word << by | word >> (32 - by)) & 0xFFFFFFFF


def words(data: bytes, order: str = "little") -> list[int]:
    """Return words of 32 bits."""
    return [int.from_bytes(data[i : i + 4], order) for i in range(0, len(data), 4)]
