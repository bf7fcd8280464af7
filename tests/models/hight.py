# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HIGHT (TTAS.KO-12.0040) in counter and feedback mode. Element 0 of an array is byte 0, as in KISA's code."""


def turned(x: int, *by: int) -> int:
    result = 0
    for n in by:
        result ^= (x << n | x >> (8 - n)) & 255
    return result


def f0(x: int) -> int:
    return turned(x, 1, 2, 7)


def f1(x: int) -> int:
    return turned(x, 3, 4, 6)


def constants() -> list[int]:
    s = [0, 1, 0, 1, 1, 0, 1]
    for i in range(1, 128):
        s.append(s[i + 2] ^ s[i - 1])
    return [sum(s[i + n] << n for n in range(7)) for i in range(128)]


class Block:
    def __init__(self, key: bytes):
        self.whitening = [*key[12:], *key[:4]]
        self.keys = [0] * 128
        delta = constants()
        for i in range(8):
            for j in range(8):
                for half in (0, 8):
                    n = 16 * i + j + half
                    self.keys[n] = (key[(j - i) % 8 + half] + delta[n]) % 256

    def encrypt(self, block: bytes) -> bytes:
        wk, x = self.whitening, list(block)
        x = [x[0] + wk[0] & 255, x[1], x[2] ^ wk[1], x[3], x[4] + wk[2] & 255, x[5], x[6] ^ wk[3], x[7]]
        for i in range(32):
            k = self.keys[4 * i : 4 * i + 4]
            x[1] = x[1] + (f1(x[0]) ^ k[0]) & 255
            x[3] ^= f0(x[2]) + k[1] & 255
            x[5] = x[5] + (f1(x[4]) ^ k[2]) & 255
            x[7] ^= f0(x[6]) + k[3] & 255
            if i < 31:
                x = [x[7], *x[:7]]
        x = [x[0] + wk[4] & 255, x[1], x[2] ^ wk[5], x[3], x[4] + wk[6] & 255, x[5], x[6] ^ wk[7], x[7]]
        return bytes(x)


def counter_mode(key: bytes, iv: bytes, count: int) -> bytes:
    block, first = Block(key), int.from_bytes(iv, "big")
    numbers = range(first, first + (count + 7) // 8)
    return b"".join(block.encrypt((n % 2**64).to_bytes(8, "big")) for n in numbers)[:count]


def feedback_mode(key: bytes, iv: bytes, data: bytes) -> bytes:
    block, output, last = Block(key), b"", iv
    for i in range(0, len(data), 8):
        last = bytes(a ^ b for a, b in zip(data[i : i + 8], block.encrypt(last), strict=False))
        output += last
    return output
