# SPDX-License-Identifier: Apache-2.0 OR MIT
"""AES as FIPS 197 defines it. A block is a list of 16 bytes, a round key too."""

from __future__ import annotations

from ..words import Word, Words, constant, cut, join

Block = list[Word]


def _s_box() -> bytes:
    """Return SubBytes of every byte (5.1.1): the inverse in GF(2^8), then an affine map."""
    table = bytearray(256)
    for x in range(256):
        inverse = next((y for y in range(256) if times(x, y) == 1), 0)
        table[x] = 0x63
        for turn in range(5):
            table[x] ^= (inverse << turn | inverse >> (8 - turn)) & 255
    return bytes(table)


def times(x: int, y: int) -> int:
    product = 0
    for i in range(8):
        product ^= (x << i) * (y >> i & 1)
    for i in range(14, 7, -1):
        product ^= (0x11B << (i - 8)) * (product >> i & 1)
    return product


S_BOX = _s_box()
INVERSE_S_BOX = bytes(S_BOX.index(x) for x in range(256))


def sub_byte(w: Words, x: Word) -> Word:
    """Return SubBytes of one byte."""
    return w.table(x, S_BOX, 8)


def inverse_sub_byte(w: Words, x: Word) -> Word:
    """Return InvSubBytes of one byte."""
    return w.table(x, INVERSE_S_BOX, 8)


def xtime(w: Words, x: Word) -> Word:
    """Return a byte times 02 (4.2.1)."""
    high = cut(x, 7, 1)
    zero = constant(0, 1)
    return w.xor(zero + cut(x, 0, 7), join([high, high, zero, high, high, zero, zero, zero]))


def shift_rows(block: Block) -> Block:
    """Return ShiftRows of a block (5.1.2)."""
    return [block[(i + 4 * (i % 4)) % 16] for i in range(16)]


def inverse_shift_rows(block: Block) -> Block:
    """Return InvShiftRows of a block (5.3.1)."""
    return [block[(i - 4 * (i % 4)) % 16] for i in range(16)]


def mix_columns(w: Words, block: Block) -> Block:
    """Return MixColumns of a block (5.1.3)."""
    mixed = []
    for at in range(0, 16, 4):
        column = block[at : at + 4]
        twice = [xtime(w, x) for x in column]
        for i in range(4):
            a, b, c, d = (column[(i + k) % 4] for k in range(4))
            mixed.append(w.exclusive([twice[i], twice[(i + 1) % 4], b, c, d]))
            del a
    return mixed


def inverse_mix_columns(w: Words, block: Block) -> Block:
    """Return InvMixColumns of a block (5.3.3)."""
    mixed = []
    for at in range(0, 16, 4):
        column = block[at : at + 4]
        twice = [xtime(w, x) for x in column]
        four = [xtime(w, x) for x in twice]
        eight = [xtime(w, x) for x in four]
        for i in range(4):
            j, k, n = (i + 1) % 4, (i + 2) % 4, (i + 3) % 4
            mixed.append(
                w.exclusive(
                    [
                        eight[i],
                        four[i],
                        twice[i],
                        eight[j],
                        twice[j],
                        column[j],
                        eight[k],
                        four[k],
                        column[k],
                        eight[n],
                        column[n],
                    ]
                )
            )
    return mixed


def add_round_key(w: Words, block: Block, key: Block) -> Block:
    """Return the XOR of two blocks."""
    return [w.xor(x, k) for x, k in zip(block, key)]


def expand_key(w: Words, key: Block) -> list[Block]:
    """Return the round keys (5.2)."""
    words = len(key) // 4
    schedule = [key[4 * i : 4 * i + 4] for i in range(words)]
    constant_of_round = 1
    for i in range(words, 4 * (words + 7)):
        last = schedule[-1]
        if i % words == 0:
            last = [sub_byte(w, x) for x in last[1:] + last[:1]]
            last[0] = w.xor(last[0], constant(constant_of_round, 8))
            constant_of_round = times(constant_of_round, 2)
        elif words > 6 and i % words == 4:
            last = [sub_byte(w, x) for x in last]
        schedule.append([w.xor(x, y) for x, y in zip(schedule[i - words], last)])
    return [[x for word in schedule[i : i + 4] for x in word] for i in range(0, len(schedule), 4)]


def encrypt(w: Words, keys: list[Block], block: Block) -> Block:
    """Return Cipher() of a block (5.1)."""
    state = add_round_key(w, block, keys[0])
    for key in keys[1:-1]:
        state = shift_rows([sub_byte(w, x) for x in state])
        state = add_round_key(w, mix_columns(w, state), key)
    state = shift_rows([sub_byte(w, x) for x in state])
    return add_round_key(w, state, keys[-1])


def decrypt(w: Words, keys: list[Block], block: Block) -> Block:
    """Return InvCipher() of a block (5.3)."""
    state = add_round_key(w, block, keys[-1])
    for key in keys[-2:0:-1]:
        state = [inverse_sub_byte(w, x) for x in inverse_shift_rows(state)]
        state = inverse_mix_columns(w, add_round_key(w, state, key))
    state = [inverse_sub_byte(w, x) for x in inverse_shift_rows(state)]
    return add_round_key(w, state, keys[0])
