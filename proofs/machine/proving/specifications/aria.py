# SPDX-License-Identifier: Apache-2.0 OR MIT
"""ARIA as RFC 5794 defines it. A block is a list of 16 bytes, a round key too."""

from __future__ import annotations

from ..words import Word, Words, join, lanes, of_octets, rotated_left
from . import aes

Block = list[Word]

S1 = aes.S_BOX
S2 = bytes.fromhex(
    "e24e54fc94c24acc620d6a463c4d8bd15efa64cbb497be2bbc772e03d31959c11d06416b55f09969ea9c18ae63dfe7bb007366fb"
    "964c85e43a0945aa0fee10eb2d7ff429accfad918d78c895f92fcecd087a88385c832a2847dbb8c793a41253ff870e3136215848"
    "018e377432cae9b1b7ab0cd7c4564226079860d9b6b91140ec208cbda0c984044923f14f501f13dcd8c09e57e3c37b653b028f3e"
    "e82592e515ddfd17a9bfd49a7ec53967fe769d43a7e1d0f568f21b347005a38ad57986a830c6514b1ea627f635d26e2416825fda"
    "e675a2ef2cb21c9f5d6f800a72449b6c900b5b337d5a52f361a1f7b0d63f7c6ded14e0a53d22b3f889de711aafbab581"
)
S3 = bytes(S1.index(x) for x in range(256))
S4 = bytes(S2.index(x) for x in range(256))

CONSTANTS = (
    bytes.fromhex("517cc1b727220a94fe13abe8fa9a6ee0"),
    bytes.fromhex("6db14acc9e21c820ff28b1d5ef5de2b0"),
    bytes.fromhex("db92371d2126e9700324977504e8c90e"),
)

DIFFUSION = (
    (3, 4, 6, 8, 9, 13, 14), (2, 5, 7, 8, 9, 12, 15), (1, 4, 6, 10, 11, 12, 15), (0, 5, 7, 10, 11, 13, 14),
    (0, 2, 5, 8, 11, 14, 15), (1, 3, 4, 9, 10, 14, 15), (0, 2, 7, 9, 10, 12, 13), (1, 3, 6, 8, 11, 12, 13),
    (0, 1, 4, 7, 10, 13, 15), (0, 1, 5, 6, 11, 12, 14), (2, 3, 5, 6, 8, 13, 15), (2, 3, 4, 7, 9, 12, 14),
    (1, 2, 6, 7, 9, 11, 12), (0, 3, 6, 7, 8, 10, 13), (0, 3, 4, 5, 9, 11, 14), (1, 2, 4, 5, 8, 10, 15),
)  # fmt: skip
"""Of which bytes each byte of A(x) is the sum (2.4.3)."""


def substitute(w: Words, block: Block, odd: bool) -> Block:
    """Return SL1 of a block, or SL2 (2.4.2)."""
    boxes = (S1, S2, S3, S4) if odd else (S3, S4, S1, S2)
    return [w.table(x, boxes[i % 4], 8) for i, x in enumerate(block)]


def diffuse(w: Words, block: Block) -> Block:
    """Return A of a block (2.4.3)."""
    return [w.exclusive([block[i] for i in row]) for row in DIFFUSION]


def add(w: Words, x: Block, y: Block) -> Block:
    """Return the XOR of two blocks."""
    return [w.xor(a, b) for a, b in zip(x, y)]


def rotated_right(block: Block, bits: int) -> Block:
    """Return a block, the first byte of which is the highest, rotated."""
    return lanes(rotated_left(join(block[::-1]), -bits), 8)[::-1]


def expand_key(w: Words, key: Block) -> list[Block]:
    """Return the round keys (2.2)."""
    kl, kr = key[:16], key[16:] + [of_octets(b"\0")] * (32 - len(key))
    size = (len(key) - 16) // 8
    constants = [lanes(of_octets(CONSTANTS[(i + size) % 3]), 8) for i in range(3)]
    w0 = kl
    w1 = add(w, diffuse(w, substitute(w, add(w, w0, constants[0]), True)), kr)
    w2 = add(w, diffuse(w, substitute(w, add(w, w1, constants[1]), False)), w0)
    w3 = add(w, diffuse(w, substitute(w, add(w, w2, constants[2]), True)), w1)
    parts = [w0, w1, w2, w3]
    rotations = (19, 31, -61, -31, -19)
    rounds = len(key) // 4 + 8
    return [add(w, parts[i % 4], rotated_right(parts[(i + 1) % 4], rotations[i // 4])) for i in range(rounds + 1)]


def encrypt(w: Words, keys: list[Block], block: Block) -> Block:
    """Return the encryption of a block (2.3.1)."""
    state = block
    for i, key in enumerate(keys[:-2]):
        state = diffuse(w, substitute(w, add(w, state, key), i % 2 == 0))
    return add(w, substitute(w, add(w, state, keys[-2]), False), keys[-1])


def decrypt(w: Words, keys: list[Block], block: Block) -> Block:
    """Return the decryption of a block (2.3.2)."""
    return encrypt(w, [keys[-1], *(diffuse(w, key) for key in keys[-2:0:-1]), keys[0]], block)
