# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Dragon (Dawson and others, 2005), with a register that moves."""

from models.bits import words
from models.tables import DRAGON_S1 as S1
from models.tables import DRAGON_S2 as S2

MASK = 0xFFFFFFFF


def looked_up(x: int, odd_byte: int, odd: list[int], others: list[int]) -> int:
    result = 0
    for i in range(4):
        result ^= (odd if i == odd_byte else others)[x >> 8 * i & 255]
    return result


def g(n: int, x: int) -> int:
    return looked_up(x, n - 1, S2, S1)


def h(n: int, x: int) -> int:
    return looked_up(x, n - 1, S1, S2)


def update(a: int, b: int, c: int, d: int, e: int, f: int) -> tuple[int, ...]:
    b, d, f = b ^ a, d ^ c, f ^ e
    c, e, a = c + b & MASK, e + d & MASK, a + f & MASK
    d, f, b = d ^ g(1, a), f ^ g(2, c), b ^ g(3, e)
    a, c, e = a ^ h(1, b), c ^ h(2, d), e ^ h(3, f)
    b, d, f = b + e & MASK, d + a & MASK, f + c & MASK
    c, e, a = c ^ b, e ^ d, a ^ f
    return a, b, c, d, e, f


def both(x: list[int], y: list[int]) -> list[int]:
    return [i ^ j for i, j in zip(x, y, strict=True)]


def keystream(key: bytes, iv: bytes, count: int) -> bytes:
    k, v = words(key, "big"), words(iv, "big")
    if len(key) == 16:
        k2, v2 = [*k[2:], *k[:2]], [*v[2:], *v[:2]]
        groups = [k, both(k2, v2), v, both(k, v2), k2, both(k, v), v2, both(k2, v)]
    else:
        groups = [k, both(k, v), [~word & MASK for word in both(k, v)], v]
    register = [word for group in groups for word in group]
    m = 0x0000447261676F6E
    for _ in range(16):
        mixed = [register[j] ^ register[24 + j] ^ register[28 + j] for j in range(4)]
        a, b, c, d, e, f = update(*mixed, m >> 32, m & MASK)
        register = [*both([a, b, c, d], register[16:20]), *register[:28]]
        m = e << 32 | f
    output = b""
    while len(output) < count:
        taken = [register[i] for i in (0, 9, 16, 19)]
        a, b, c, d, e, f = update(*taken, register[30] ^ m >> 32, register[31] ^ m & MASK)
        output += a.to_bytes(4, "big") + e.to_bytes(4, "big")
        register = [b, c, *register[:30]]
        m = (m + 1) % 2**64
    return output[:count]
