# SPDX-License-Identifier: Apache-2.0 OR MIT
"""ChaCha20 as RFC 8439 defines it."""

from __future__ import annotations

from ..words import Word, Words, constant, join, lanes, rotated_left


def quarter_round(w: Words, x: list[Word], a: int, b: int, c: int, d: int) -> None:
    """Do a quarter round on four words of a state (2.1)."""
    x[a] = w.add(x[a], x[b])
    x[d] = rotated_left(w.xor(x[d], x[a]), 16)
    x[c] = w.add(x[c], x[d])
    x[b] = rotated_left(w.xor(x[b], x[c]), 12)
    x[a] = w.add(x[a], x[b])
    x[d] = rotated_left(w.xor(x[d], x[a]), 8)
    x[c] = w.add(x[c], x[d])
    x[b] = rotated_left(w.xor(x[b], x[c]), 7)


def block(w: Words, key: Word, counter: Word, nonce: Word) -> list[Word]:
    """Return the bytes of a block of keystream (2.3)."""
    constants = [constant(int.from_bytes(b"expand 32-byte k"[4 * i : 4 * i + 4], "little"), 32) for i in range(4)]
    initial = [*constants, *lanes(key, 32), counter, *lanes(nonce, 32)]
    x = list(initial)
    for _ in range(10):
        quarter_round(w, x, 0, 4, 8, 12)
        quarter_round(w, x, 1, 5, 9, 13)
        quarter_round(w, x, 2, 6, 10, 14)
        quarter_round(w, x, 3, 7, 11, 15)
        quarter_round(w, x, 0, 5, 10, 15)
        quarter_round(w, x, 1, 6, 11, 12)
        quarter_round(w, x, 2, 7, 8, 13)
        quarter_round(w, x, 3, 4, 9, 14)
    return lanes(join(w.add(a, b) for a, b in zip(x, initial)), 8)
