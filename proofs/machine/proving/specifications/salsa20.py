# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Salsa20 as its specification of 2005 defines it, with any number of rounds."""

from __future__ import annotations

from ..words import Word, Words, constant, join, lanes, rotated_left


def quarter_round(w: Words, y: list[Word], a: int, b: int, c: int, d: int) -> None:
    """Do a quarter round on four words (3)."""
    y[b] = w.xor(y[b], rotated_left(w.add(y[a], y[d]), 7))
    y[c] = w.xor(y[c], rotated_left(w.add(y[b], y[a]), 9))
    y[d] = w.xor(y[d], rotated_left(w.add(y[c], y[b]), 13))
    y[a] = w.xor(y[a], rotated_left(w.add(y[d], y[c]), 18))


def block(w: Words, key: Word, index: Word, nonce: Word, rounds: int) -> list[Word]:
    """Return the bytes of a block of keystream (9, 10)."""
    words = lanes(key, 32)
    text = b"expand 32-byte k" if len(words) == 8 else b"expand 16-byte k"
    sigma = [constant(int.from_bytes(text[4 * i : 4 * i + 4], "little"), 32) for i in range(4)]
    count = lanes(index, 32)
    initial = [
        sigma[0], *words[:4], sigma[1], *lanes(nonce, 32), *count, sigma[2], *words[-4:], sigma[3],
    ]  # fmt: skip
    x = list(initial)
    for _ in range(rounds // 2):
        quarter_round(w, x, 0, 4, 8, 12)
        quarter_round(w, x, 5, 9, 13, 1)
        quarter_round(w, x, 10, 14, 2, 6)
        quarter_round(w, x, 15, 3, 7, 11)
        quarter_round(w, x, 0, 1, 2, 3)
        quarter_round(w, x, 5, 6, 7, 4)
        quarter_round(w, x, 10, 11, 8, 9)
        quarter_round(w, x, 15, 12, 13, 14)
    return lanes(join(w.add(a, b) for a, b in zip(x, initial)), 8)
