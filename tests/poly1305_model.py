# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Poly1305 with Python's integers, and messages that make its limbs as large as they get."""

from collections.abc import Iterator

PRIME = 2**130 - 5
MASK = 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF


def tag(key: bytes, message: bytes) -> bytes:
    r, s = int.from_bytes(key[:16], "little") & MASK, int.from_bytes(key[16:], "little")
    total = 0
    for at in range(0, len(message), 16):
        total = (total + int.from_bytes(message[at : at + 16] + b"\1", "little")) * r % PRIME
    return ((total + s) % 2**128).to_bytes(16, "little")


def extremes() -> Iterator[tuple[bytes, bytes]]:
    """Yields key and message: ones, zeros, sums just around the prime; every number of blocks that a kernel may take, with
    what it leaves."""
    factors = [b"\xff" * 16, b"\1" + bytes(15), b"\xfb" + b"\xff" * 15, b"\0" * 15 + b"\x0f", b"\xff" * 4 + bytes(12)]
    for factor in factors:
        for byte in (b"\xff", b"\0", b"\x80"):
            for length in (*range(240, 272), *range(496, 560, 7), 1023, 1024, 1025, 1536, 1999):
                yield factor + b"\xff" * 16, byte * length
    for low in range(16):  # 2^130 - 5 + (low - 8), by factors 1 and 2
        for n in (1, 2):
            blocks = bytes([0xFB - 8 + low if low < 13 else 0xFF]) + b"\xff" * 15
            yield bytes([n]) + bytes(15) + bytes(range(16)), b"\xff" * 16 * 40 + blocks
