# SPDX-License-Identifier: Apache-2.0 OR MIT
"""CryptMT version 3 (Matsumoto, Saito, Nishimura and Hagita, 2006); vectors are lists of four words, and no array is used
twice."""

from collections.abc import Iterator

from models.bits import words

MASK = 0xFFFFFFFF
LANES = range(4)
Vector = list[int]


def plus(a: Vector, b: Vector) -> Vector:
    return [x + y & MASK for x, y in zip(a, b, strict=True)]


def multiplied(a: Vector, b: Vector) -> Vector:
    """Multiply an accumulator by a value, as the booter and the filter do."""
    return [(2 * x + 1) * y + x & MASK for x, y in zip(a, b, strict=True)]


class Booter:
    def __init__(self, key: bytes, iv: bytes):
        blocks = [words((iv + key)[i : i + 16]) for i in range(0, len(iv + key), 16)]
        self.x = [*blocks, *map(list, blocks)]
        self.length = len(self.x)
        self.acc = [lane | 1 for lane in self.x[4 * (len(iv) // 16 // 4)]]
        self.x[-1] = plus(self.x[-1], [314159, 265358, 979323, 846264])
        self.t = 0

    def step(self) -> Vector:
        """Returns the vector of this step after the first action."""
        x, t, length = self.x, self.t, self.length
        a = x[t] = plus(x[t], x[t + length - 2])
        p = [a[j - 1] ^ a[j] >> 13 for j in LANES]
        c = x[t + length - 1]
        b = [c[(3, 2, 0, 1)[j]] ^ c[j] >> 11 for j in LANES]
        self.acc = multiplied(b, self.acc)
        x.append([i - j & MASK for i, j in zip(p, self.acc, strict=True)])
        self.t += 1
        return a


def recursion(a: Vector, b: Vector, c: Vector) -> Vector:
    low, high = (b[1] << 32 | b[0]) >> 3, (b[3] << 32 | b[2]) >> 3
    s = [low & MASK, low >> 32, high & MASK, high >> 32]
    masks = (0xFFDFAFDF, 0xF5DABFFF, 0xFFDBFFFF, 0xEF7BFFFF)
    return [a[(1, 2, 3, 0)[j]] ^ b[(1, 3, 0, 2)[j]] ^ s[j] ^ c[j] & masks[j] for j in LANES]


def main_state(booter: Booter) -> Iterator[Vector]:
    y = []
    for _ in range(156):
        y.append(booter.step())
        yield y[-1]
    y[0] = [*y[0][:3], 0x4D734E48]
    skipped = True
    while True:
        y.append(recursion(y[-156], y[-48], y[-1]))
        if not skipped:
            yield y[-1]
        skipped = False


def keystream(key: bytes, iv: bytes, count: int) -> bytes:
    booter = Booter(key, iv)
    for _ in range(booter.length + 2):
        booter.step()
    f = list(booter.x[2 * booter.length + 1])
    vectors = main_state(booter)
    output = b""
    while len(output) < count:
        halves = []
        for _ in range(2):
            y = next(vectors)
            f = [f[j] ^ f[(j + 1) % 4] >> 1 for j in LANES]
            f = multiplied(f, y)
            halves.append([(lane ^ lane >> 16) & 0xFFFF for lane in f])
        output += b"".join((halves[0][j] | halves[1][j] << 16).to_bytes(4, "little") for j in LANES)
    return output[:count]
