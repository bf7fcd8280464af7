# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Trivium (De Cannière and Preneel, 2005), a clock at a time, with the specification's numbers of cells."""

from models import bits


class Generator:
    def __init__(self, key: bytes, iv: bytes):
        a = bits.low_first(key)[::-1] + [0] * 13
        b = bits.low_first(iv)[::-1]
        b += [0] * (84 - len(b))
        self.s = [0, *a, *b, *[0] * 108, 1, 1, 1]  # s[1] is the first
        for _ in range(4 * 288):
            self.clock()

    def clock(self) -> int:
        s = self.s
        t1 = s[66] ^ s[93]
        t2 = s[162] ^ s[177]
        t3 = s[243] ^ s[288]
        z = t1 ^ t2 ^ t3
        t1 ^= s[91] & s[92] ^ s[171]
        t2 ^= s[175] & s[176] ^ s[264]
        t3 ^= s[286] & s[287] ^ s[69]
        self.s = [0, t3, *s[1:93], t1, *s[94:177], t2, *s[178:288]]
        return z


def keystream(key: bytes, iv: bytes, count: int) -> bytes:
    generator = Generator(key, iv)
    return bits.pack_low_first(generator.clock() for _ in range(8 * count))
