# SPDX-License-Identifier: Apache-2.0 OR MIT
"""NLS version 2 (Hawkes and others, 2006), without its MAC."""

from models.bits import rotate
from models.tables import NLS_SBOX as SBOX

MASK = 0xFFFFFFFF


class Generator:
    def __init__(self, key: bytes, iv: bytes):
        self.r = [1, 1]
        while len(self.r) < 17:
            self.r.append(self.r[-1] + self.r[-2])
        self.begin()
        self.load(key)
        self.cycle()
        self.begin()
        self.load(iv)
        self.cycle()
        self.konst = self.filtered()
        self.words = self.sum = 0

    def begin(self) -> None:
        self.konst = 0x6996C53A
        self.words = self.sum = 0

    def filtered(self) -> int:
        r = self.r
        return (r[0] + r[16] & MASK) ^ (r[1] + r[13] & MASK) ^ (r[6] + self.konst & MASK)

    def cycle(self) -> None:
        r = self.r
        t = rotate(r[0], 19) + rotate(r[15], 9) + self.konst & MASK
        t ^= SBOX[t >> 24] ^ r[4]
        self.r = [*r[1:], t]
        self.words += 1
        if self.words == 65537:
            self.sum = self.sum + 65537 & MASK
            self.r[2] = self.r[2] + self.sum & MASK
            self.words = 0
            self.konst = self.filtered()
            self.cycle()

    def load(self, data: bytes) -> None:
        padded = data + bytes(-len(data) % 4)
        values = [int.from_bytes(padded[i : i + 4], "little") for i in range(0, len(padded), 4)]
        for n, value in enumerate([*values, len(data)]):
            self.r[15] = self.r[15] + value & MASK
            for _ in range(17 if n == len(values) else 1):
                self.cycle()
                self.r[4] ^= self.filtered()

    def word(self) -> bytes:
        self.cycle()
        return self.filtered().to_bytes(4, "little")


def keystream(key: bytes, iv: bytes, count: int) -> bytes:
    generator = Generator(key, iv)
    return b"".join(generator.word() for _ in range((count + 3) // 4))[:count]
