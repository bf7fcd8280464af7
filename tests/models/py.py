# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Py (Biham and Seberry, 2005), with arrays that roll. The fixed permutation is made as the designers made it."""

from models.bits import rotate

MASK = 0xFFFFFFFF
TEXT = b"This is the seed for generating the fixed internal permutation for Py. "
TEXT += b"The permutation is used in the key setup and IV setup as a source of nonlinearity. "
TEXT += b"The shifted special keys on a keyboard are ~!@#$%^&*()_+{}:|<>?"


def fixed_permutation() -> list[int]:
    permutation = list(range(256))
    j = 0
    for i in range(4096):
        j = (j + TEXT[i % len(TEXT)]) % 256
        permutation[i % 256], permutation[j] = permutation[j], permutation[i % 256]
    return permutation


IP = fixed_permutation()


class Words:
    """Y: the first index is -3; it rolls."""

    def __init__(self, values: list[int]):
        self.values = values

    def __getitem__(self, i: int) -> int:
        return self.values[i + 3]

    def roll(self, value: int) -> None:
        self.values = [*self.values[1:], value & MASK]


def key_schedule(key: bytes, iv_bytes: int) -> list[int]:
    s = IP[len(key) - 1]
    for x in (iv_bytes - 1, key[0], key[-1]):
        s = 256 * s + IP[(s ^ x) % 256]
    for k in key:
        s = s + k & MASK
        s = rotate(s, 8) ^ IP[s % 256]
    for k in key:
        s = s + k & MASK
        s ^= rotate(s, 8) + IP[s % 256] & MASK
    output = []
    for i in range(260):
        s = s + key[i % len(key)] & MASK
        s = rotate(s, 8) ^ IP[s % 256]
        output.append(s)
    return output


class Generator:
    def __init__(self, key: bytes, iv: bytes):
        y = self.y = Words(key_schedule(key, len(iv)))
        v = len(iv)
        q = iv[0] ^ y[0] >> 16 & 255
        d = (iv[1 % v] ^ y[1] >> 16 & 255) | 1
        self.p = [IP[(q + i * d) % 256] for i in range(256)]
        s = q << 24 ^ d << 16 ^ self.p[254] << 8 ^ self.p[255]
        s ^= y[-3] + y[256] & MASK
        e = []
        for i in range(v):
            s = s + iv[i] + y[-3 + i] & MASK
            e.append(self.p[s % 256])
            s = rotate(s, 8) ^ e[i]
        for i in range(v):
            s = s + iv[i] + y[256 - i] & MASK
            found = self.p[s % 256]
            e[i] = (e[i] + found) % 256
            s = rotate(s, 8) ^ found
        for _ in range(260):
            x = e[0] ^ s % 256
            e = [*e[1:], x]
            self.exchange(x)
            s = (s ^ y[-3]) + y[x] & MASK
            y.roll(s)
        s = s + y[26] + y[153] + y[208] & MASK
        self.s = s or 8 * len(key) + 65536 * 8 * v + 0x87654321

    def exchange(self, x: int) -> None:
        p = self.p
        p[0], p[x] = p[x], p[0]
        self.p = [*p[1:], p[0]]

    def round(self) -> bytes:
        y = self.y
        self.exchange(y[185] % 256)
        p = self.p
        s = self.s + y[p[72]] - y[p[239]] & MASK
        s = self.s = rotate(s, p[116] + 18)
        first = (rotate(s, 25) ^ y[256]) + y[p[26]] & MASK
        second = (s ^ y[-1]) + y[p[208]] & MASK
        y.roll((rotate(s, 14) ^ y[-3]) + y[p[153]])
        return first.to_bytes(4, "little") + second.to_bytes(4, "little")


def keystream(key: bytes, iv: bytes, count: int) -> bytes:
    generator = Generator(key, iv)
    return b"".join(generator.round() for _ in range((count + 7) // 8))[:count]
