# SPDX-License-Identifier: Apache-2.0 OR MIT
"""SEED as RFC 4269 defines it. A block is a list of 16 bytes."""

from __future__ import annotations

from ..words import Word, Words, constant, cut, join, lanes, rotated_left

S0 = bytes.fromhex(
    "a985d6d3541dac255d43181e51fcca632844209de0e2c817a58f037bbb13d2ee708c3fa832ddf674ec950b575c5bbd01241c7398"
    "10ccf2d92ce772839bd186c96050a3eb0db69e4fb75ac678a612afd561c3b441527d8d081f9900190453f7e1fd762f27b08b0eab"
    "a26e934d697c090abfeff3c58714fe64de2e4b1a06216b6602f5928a0cb37ed07a4796e52680addfa13037ae36152238f4a7454c"
    "81e9849735cbce3c7111c78975fbdaf8945982c4ff493967c0cfd7b80f8e4223916cdba434f148c26f3d2d40be3ebcc1aaba4e55"
    "3bdc687f9cd84a5677a0ed46b52b65fae3b9b19f5ef9e6b231ea6d5fe4f0cd88163a58d462290733e81b0579906a2a9a"
)
S1 = bytes.fromhex(
    "38e82da6cfdeb3b8af6055c7446f6b5bc36233b529a0e2a7d39111061cbc364bef886ca817c416f4c245e1d63f3d8e98284ef63e"
    "a5f90ddfd82b667a272ff17242d441c07367ac8bf7ad801fca2caa34d20beee95d9418f857ae08c513cd86b9ff7dc131f58a6ab1"
    "d120d7022204687107db9d9961bee659dd5190dc9aa3abd0810f471ae3ec8dbf967b5ca2a163234dc89e9c3a0c2eba6e9f5af292"
    "f34978cc15fb70757f351003646dc674d5b4ea097619fe4012e0bd05fa01f02a5ea956438514899bb0e5487997fc1e82218c1b5f"
    "7754b21d254f0046ed5852eb7edac9fd3095653cb6e4bb7c0e5039263284699337e724a4cb530a87d94c838fce3b4ab7"
)
MASKS = (0xFC, 0xF3, 0xCF, 0x3F)

Halves = tuple[Word, Word]


def g(w: Words, x: Word) -> Word:
    """Return G of a word (2.2)."""
    y = [w.table(byte, S1 if i % 2 else S0, 8) for i, byte in enumerate(lanes(x, 8))]
    parts = []
    for i in range(4):
        masked = [w.and_(y[k], constant(MASKS[(i + k) % 4], 8)) for k in range(4)]
        parts.append(w.exclusive(masked))
    return join(parts)


def f(w: Words, c: Word, d: Word, k0: Word, k1: Word) -> Halves:
    """Return F of the halves of 64 bits (2.1)."""
    c, d = w.xor(c, k0), w.xor(d, k1)
    d = g(w, w.xor(d, c))
    c = g(w, w.add(c, d))
    d = g(w, w.add(d, c))
    return w.add(c, d), d


def words(block: list[Word]) -> list[Word]:
    """Return the words of bytes, the first of which is the highest."""
    return [join(block[i : i + 4][::-1]) for i in range(0, len(block), 4)]


def octets(numbers: list[Word]) -> list[Word]:
    """Return the bytes of words."""
    return [byte for number in numbers for byte in lanes(number, 8)[::-1]]


def expand_key(w: Words, key: list[Word]) -> list[Halves]:
    """Return the round keys (2.4)."""
    a, b, c, d = words(key)
    keys = []
    for i in range(16):
        golden = 0x9E3779B9
        number = constant((golden << i | golden >> (32 - i)) & 0xFFFFFFFF, 32)
        keys.append((g(w, w.subtract(w.add(a, c), number)), g(w, w.add(w.subtract(b, d), number))))
        if i % 2 == 0:
            pair = rotated_left(b + a, -8)
            b, a = cut(pair, 0, 32), cut(pair, 32, 32)
        else:
            pair = rotated_left(d + c, 8)
            d, c = cut(pair, 0, 32), cut(pair, 32, 32)
    return keys


def encrypt(w: Words, keys: list[Halves], block: list[Word]) -> list[Word]:
    """Return the encryption of a block (2)."""
    l0, l1, r0, r1 = words(block)
    for k0, k1 in keys:
        c, d = f(w, r0, r1, k0, k1)
        l0, l1, r0, r1 = r0, r1, w.xor(l0, c), w.xor(l1, d)
    return octets([r0, r1, l0, l1])


def decrypt(w: Words, keys: list[Halves], block: list[Word]) -> list[Word]:
    """Return the decryption of a block: the round keys in the other order."""
    return encrypt(w, keys[::-1], block)
