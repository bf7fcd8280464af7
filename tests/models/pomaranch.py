# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pomaranch version 1 (Jansen, Helleseth and Kholosha, 2005), section by section. F is published as a table alone."""

from models import bits
from models.tables import POMARANCH_F as F

START = (0x090F, 0x36A8, 0x2216, 0x2308, 0x34C4, 0x3198, 0x28B8, 0x0370, 0x1CD1)
MASKS = (0x15C5, 0x2A3A)


def multiply(a: int, b: int) -> int:
    """Multiply in GF(2^9) of z^9 + z + 1."""
    product = 0
    for i in range(9):
        product ^= (b >> i & 1) * a << i
    for i in range(16, 8, -1):
        product ^= (product >> i & 1) * 0b1000000011 << (i - 9)
    return product


def power(a: int, exponent: int) -> int:
    result = 1
    for bit in f"{exponent:b}":
        result = multiply(result, result)
        if bit == "1":
            result = multiply(result, a)
    return result


S = [power(x, 510) >> 1 & 127 for x in range(512)]  # x^510 is the inverse, and 0 of 0


def updated(p: int, jump: int, injected: int) -> int:
    feedback = p >> 13 & 1 ^ p >> 5 & 1 ^ injected
    return ((p << 1 | feedback) ^ p & MASKS[jump]) & 0xFFFF


class Generator:
    def __init__(self, key: bytes, iv: bytes):
        self.key = [key[i] + 256 * key[i + 1] for i in range(0, 16, 2)]
        self.p = list(START)
        for _ in range(128):
            self.mix()
        v = bits.high_first(iv)
        for j in range(9):
            chosen = [v[(14 * j + i) % len(v)] for i in range(14)]
            self.p[j] ^= int("".join(map(str, chosen)), 2)
            if self.p[j] == 0:  # the designers' code looks at all 16 bits of the word
                self.p[j] = 1
        for _ in range(128):
            self.clock()

    def function(self, j: int) -> int:
        """Compute the function of the section's state and the key; the last section has none."""
        if j == 8:
            return 0
        a = (self.p[j] >> 6 & 31) << 4 | self.p[j] >> 1 & 15
        return F[S[a ^ self.key[j] & 511] ^ self.key[j] >> 9]

    def mix(self) -> None:
        injected = self.p[8] & 1
        for j in range(9):
            following = self.function(j)
            self.p[j] = updated(self.p[j], 0, injected)
            injected = following

    def clock(self) -> int:
        jump = z = 0
        for j in range(9):
            z ^= self.p[j] >> 12 & 1
            function = self.function(j)
            self.p[j] = updated(self.p[j], jump, 0)
            jump ^= function
        return z


def keystream(key: bytes, iv: bytes, count: int) -> bytes:
    generator = Generator(key, iv)
    return bits.pack_high_first(generator.clock() for _ in range(8 * count))
