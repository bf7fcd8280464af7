# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Grain-128 (Hell, Johansson, Maximov and Meier, 2006), a clock at a time."""

from models import bits


class Generator:
    def __init__(self, key: bytes, iv: bytes):
        self.b = bits.low_first(key)
        self.s = bits.low_first(iv) + [1] * 32
        for _ in range(256):
            self.clock(starting=True)

    def clock(self, starting: bool = False) -> int:
        b, s = self.b, self.s
        h = b[12] & s[8] ^ s[13] & s[20] ^ b[95] & s[42] ^ s[60] & s[79] ^ b[12] & b[95] & s[95]
        z = h ^ s[93] ^ b[2] ^ b[15] ^ b[36] ^ b[45] ^ b[64] ^ b[73] ^ b[89]
        f = s[0] ^ s[7] ^ s[38] ^ s[70] ^ s[81] ^ s[96]
        g = s[0] ^ b[0] ^ b[26] ^ b[56] ^ b[91] ^ b[96] ^ b[3] & b[67] ^ b[11] & b[13] ^ b[17] & b[18]
        g ^= b[27] & b[59] ^ b[40] & b[48] ^ b[61] & b[65] ^ b[68] & b[84]
        if starting:
            f ^= z
            g ^= z
        self.b = [*b[1:], g]
        self.s = [*s[1:], f]
        return z


def keystream(key: bytes, iv: bytes, count: int) -> bytes:
    generator = Generator(key, iv)
    return bits.pack_low_first(generator.clock() for _ in range(8 * count))
