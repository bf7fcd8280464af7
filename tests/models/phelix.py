# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Phelix (Whiting, Schneier, Lucks and Muller, 2005), encryption alone: what it encrypts goes into its state."""

from models.bits import rotate, words

MASK = 0xFFFFFFFF


def half_block(z: list[int], first: int, second: int) -> None:
    def turn(i: int, by: int) -> None:
        z[i] = rotate(z[i], by)

    z[0] = z[0] + (z[3] ^ first) & MASK
    turn(3, 15)
    z[1] = z[1] + z[4] & MASK
    turn(4, 25)
    z[2] ^= z[0]
    turn(0, 9)
    z[3] ^= z[1]
    turn(1, 10)
    z[4] = z[4] + z[2] & MASK
    turn(2, 17)
    z[0] ^= z[3] + second & MASK
    turn(3, 30)
    z[1] ^= z[4]
    turn(4, 13)
    z[2] = z[2] + z[0] & MASK
    turn(0, 20)
    z[3] = z[3] + z[1] & MASK
    turn(1, 11)
    z[4] ^= z[2]
    turn(2, 5)


class Generator:
    def __init__(self, key: bytes, nonce: bytes, mac_bits: int):
        k = words(key.ljust(32, b"\0"))
        for r in range(8):
            taken, changed = 4 * (r % 2), 4 * (1 - r % 2)
            z = [*k[taken : taken + 4], len(key) + 64]
            half_block(z, 0, 0)
            half_block(z, 0, 0)
            for i in range(4):
                k[changed + i] ^= z[i]
        n = words(nonce)
        n += [j - n[j] & MASK for j in range(4)]
        self.k = k
        self.x = [k[(j + 4) % 8] + n[j] & MASK for j in range(8)]
        for j in (1, 5):
            self.x[j] = self.x[j] + 4 * len(key) + 256 * (mac_bits % 128) & MASK
        self.z = [*(k[j + 3] ^ n[j] for j in range(4)), k[7]]
        self.old = [0] * 4
        self.i = 0
        for _ in range(8):
            self.block(b"\0\0\0\0")

    def block(self, data: bytes) -> bytes:
        """Encrypts up to four bytes."""
        i = self.i
        half_block(self.z, 0, self.k[i % 8])
        stream = (self.z[4] + self.old[i % 4] & MASK).to_bytes(4, "little")
        extra = i >> 31 if i % 4 == 3 else 0
        half_block(self.z, int.from_bytes(data, "little"), self.x[i % 8] + i + extra & MASK)
        self.old[i % 4] = self.z[4]
        self.i += 1
        return bytes(a ^ b for a, b in zip(data, stream, strict=False))


def encrypt(mac_bits: int, key: bytes, nonce: bytes, data: bytes) -> bytes:
    generator = Generator(key, nonce, mac_bits)
    return b"".join(generator.block(data[i : i + 4]) for i in range(0, len(data), 4))
