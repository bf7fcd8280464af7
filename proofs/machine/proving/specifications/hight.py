# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HIGHT as TTAS.KO-12.0040 defines it. A block is a list of 8 bytes, byte 0 first, as in KISA's code."""

from __future__ import annotations

from dataclasses import dataclass

from ..words import Word, Words, constant, rotated_left


@dataclass(frozen=True)
class Schedule:
    """Whitening keys and subkeys."""

    whitening: list[Word]
    subkeys: list[Word]


def f0(w: Words, x: Word) -> Word:
    """Return F0 of a byte."""
    return w.exclusive([rotated_left(x, n) for n in (1, 2, 7)])


def f1(w: Words, x: Word) -> Word:
    """Return F1 of a byte."""
    return w.exclusive([rotated_left(x, n) for n in (3, 4, 6)])


def constants() -> list[int]:
    """Return the 128 numbers of 7 bits that a shift register makes."""
    s = [0, 1, 0, 1, 1, 0, 1]
    for i in range(1, 128):
        s.append(s[i + 2] ^ s[i - 1])
    return [sum(s[i + n] << n for n in range(7)) for i in range(128)]


def expand_key(w: Words, key: list[Word]) -> Schedule:
    """Return the whitening keys and subkeys."""
    delta = constants()
    subkeys = [
        w.add(key[(j - i) % 8 + half], constant(delta[16 * i + j + half], 8))
        for i in range(8)
        for half in (0, 8)
        for j in range(8)
    ]
    return Schedule(key[12:] + key[:4], subkeys)


def encrypt(w: Words, schedule: Schedule, block: list[Word]) -> list[Word]:
    """Return the encryption of a block."""
    k, x = schedule.whitening, list(block)
    x = [w.add(x[0], k[0]), x[1], w.xor(x[2], k[1]), x[3], w.add(x[4], k[2]), x[5], w.xor(x[6], k[3]), x[7]]
    for i in range(32):
        s = schedule.subkeys[4 * i : 4 * i + 4]
        x[1] = w.add(x[1], w.xor(f1(w, x[0]), s[0]))
        x[3] = w.xor(x[3], w.add(f0(w, x[2]), s[1]))
        x[5] = w.add(x[5], w.xor(f1(w, x[4]), s[2]))
        x[7] = w.xor(x[7], w.add(f0(w, x[6]), s[3]))
        if i < 31:
            x = [x[7], *x[:7]]
    return [w.add(x[0], k[4]), x[1], w.xor(x[2], k[5]), x[3], w.add(x[4], k[6]), x[5], w.xor(x[6], k[7]), x[7]]


def decrypt(w: Words, schedule: Schedule, block: list[Word]) -> list[Word]:
    """Return the decryption of a block."""
    k, x = schedule.whitening, list(block)
    x = [
        w.subtract(x[0], k[4]), x[1], w.xor(x[2], k[5]), x[3], w.subtract(x[4], k[6]), x[5], w.xor(x[6], k[7]), x[7],
    ]  # fmt: skip
    for i in range(31, -1, -1):
        s = schedule.subkeys[4 * i : 4 * i + 4]
        if i < 31:
            x = [*x[1:], x[0]]
        x[1] = w.subtract(x[1], w.xor(f1(w, x[0]), s[0]))
        x[3] = w.xor(x[3], w.add(f0(w, x[2]), s[1]))
        x[5] = w.subtract(x[5], w.xor(f1(w, x[4]), s[2]))
        x[7] = w.xor(x[7], w.add(f0(w, x[6]), s[3]))
    return [
        w.subtract(x[0], k[0]),
        x[1],
        w.xor(x[2], k[1]),
        x[3],
        w.subtract(x[4], k[2]),
        x[5],
        w.xor(x[6], k[3]),
        x[7],
    ]
