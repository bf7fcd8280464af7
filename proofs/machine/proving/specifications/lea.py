# SPDX-License-Identifier: Apache-2.0 OR MIT
"""LEA as KS X 3246 defines it. A block is a list of 16 bytes."""

from __future__ import annotations

from ..words import Word, Words, constant, join, lanes, rotated_left

DELTAS = (0xC3EFE9DB, 0x44626B02, 0x79E27C8A, 0x78DF30EC, 0x715EA49E, 0xC785DA0A, 0xE04EF22A, 0xE5C40957)

RoundKey = tuple[Word, Word, Word, Word, Word, Word]


def expand_key(w: Words, key: list[Word]) -> list[RoundKey]:
    """Return the round keys (4.1)."""
    t = lanes(join(key), 32)
    keys: list[RoundKey] = []
    turns = (1, 3, 6, 11, 13, 17)
    for i in range({4: 24, 6: 28, 8: 32}[len(t)]):
        number = DELTAS[i % len(t)]

        def turned(by: int, number: int = number, i: int = i) -> Word:
            return rotated_left(constant(number, 32), i + by)

        if len(t) == 4:
            t = [rotated_left(w.add(x, turned(k)), turns[k]) for k, x in enumerate(t)]
            keys.append((t[0], t[1], t[2], t[1], t[3], t[1]))
        elif len(t) == 6:
            t = [rotated_left(w.add(x, turned(k)), turns[k]) for k, x in enumerate(t)]
            keys.append((t[0], t[1], t[2], t[3], t[4], t[5]))
        else:
            for k in range(6):
                at = (6 * i + k) % 8
                t[at] = rotated_left(w.add(t[at], turned(k)), turns[k])
            a, b, c, d, e, f = (t[(6 * i + k) % 8] for k in range(6))
            keys.append((a, b, c, d, e, f))
    return keys


def encrypt(w: Words, keys: list[RoundKey], block: list[Word]) -> list[Word]:
    """Return the encryption of a block (4.2)."""
    a, b, c, d = lanes(join(block), 32)
    for k in keys:
        a, b, c, d = (
            rotated_left(w.add(w.xor(a, k[0]), w.xor(b, k[1])), 9),
            rotated_left(w.add(w.xor(b, k[2]), w.xor(c, k[3])), -5),
            rotated_left(w.add(w.xor(c, k[4]), w.xor(d, k[5])), -3),
            a,
        )
    return lanes(join([a, b, c, d]), 8)


def decrypt(w: Words, keys: list[RoundKey], block: list[Word]) -> list[Word]:
    """Return the decryption of a block (4.3)."""
    a, b, c, d = lanes(join(block), 32)
    for k in keys[::-1]:
        x = d
        y = w.xor(w.subtract(rotated_left(a, -9), w.xor(x, k[0])), k[1])
        z = w.xor(w.subtract(rotated_left(b, 5), w.xor(y, k[2])), k[3])
        a, b, c, d = x, y, z, w.xor(w.subtract(rotated_left(c, 3), w.xor(z, k[4])), k[5])
    return lanes(join([a, b, c, d]), 8)
