/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES on planes. KEY_BYTES is 16, 24 or 32.
 *
 * Adding a round key costs nothing: it goes into the sums of two neighbours, of which MixColumns is made and which leave
 * one input of a LOP3 free. See spread_key. */
#ifndef RUNNEL_GPU_AES
#define RUNNEL_GPU_AES

#include "aes_s_box.cuh"
#include "planes.cuh"

enum {
    ROUNDS = KEY_BYTES / 4 + 6,
    PREFIX_ROUNDS = 2,
    ROUND_KEYS = 4 * (ROUNDS + 1), /* words */
};

enum { LAST_KEY = ROUNDS * PLANES }; /* where its four words are, after the masks of the others */

DEVICE void substitute(u32 s[PLANES], u32 round)
{
    (void)round;
    UNROLL
    for (u32 i = 0; i < 16; i++)
        s_box(s + 8 * i);
}

/* ShiftRows, MixColumns and the round's key on what the S-boxes made. */
DEVICE void mix(u32 s[PLANES], const u32 *key)
{
    u32 out[PLANES];
    UNROLL
    for (u32 column = 0; column < 4; column++) {
        const u32x4 *masks = (const u32x4 *)(key + 32 * column);
        u32 sums[4][8]; /* of a row's bit, the next row's, and the key's */
        UNROLL
        for (u32 row = 0; row < 4; row++) {
            const u32 *a = s + 8 * (4 * ((column + row) % 4) + row);
            const u32 *b = s + 8 * (4 * ((column + row + 1) % 4) + (row + 1) % 4);
            const u32x4 low = masks[2 * row], high = masks[2 * row + 1];
            XOR3(sums[row][0], a[0], b[0], low.x);
            XOR3(sums[row][1], a[1], b[1], low.y);
            XOR3(sums[row][2], a[2], b[2], low.z);
            XOR3(sums[row][3], a[3], b[3], low.w);
            XOR3(sums[row][4], a[4], b[4], high.x);
            XOR3(sums[row][5], a[5], b[5], high.y);
            XOR3(sums[row][6], a[6], b[6], high.z);
            XOR3(sums[row][7], a[7], b[7], high.w);
        }
        UNROLL
        for (u32 row = 0; row < 4; row++) {
            const u32 *next = s + 8 * (4 * ((column + row + 1) % 4) + (row + 1) % 4);
            u32 *to = out + 32 * column + 8 * row;
            UNROLL
            for (u32 bit = 0; bit < 8; bit++) {
                XOR3(to[bit], sums[row][(bit + 7) % 8], sums[(row + 2) % 4][bit], next[bit]);
                if (bit == 1 || bit == 3 || bit == 4)
                    to[bit] ^= sums[row][7];
            }
        }
    }
    UNROLL
    for (u32 i = 0; i < PLANES; i++)
        s[i] = out[i];
}

/* Rounds 3 to ROUNDS - 1. */
DEVICE void middle_rounds(u32 s[PLANES], const u32 *keys)
{
    ROLLED
    for (u32 i = 0; i < ROUNDS - 3; i++) {
        substitute(s, i);
        mix(s, keys + i * PLANES);
    }
}

/* ShiftRows of the last round. */
DEVICE void finish(u32 s[PLANES])
{
    u32 out[PLANES];
    UNROLL
    for (u32 i = 0; i < PLANES; i++) {
        const u32 row = i / 8 % 4, column = i / 32;
        out[i] = s[8 * (4 * ((column + row) % 4) + row) + i % 8];
    }
    UNROLL
    for (u32 i = 0; i < PLANES; i++)
        s[i] = out[i];
}

/* The counter's byte at `moving` decides one column after round 1. What that column alone gives after round 2, with that
 * round's key if `with_key` is 1: the sum over the counter's four bytes is the state there. */
DEVICE void prefix(u32 s[PLANES], const u32 *masks, const u32 *no_key, u32 moving, u32 with_key)
{
    const u32 column = (moving / 4 + 4 - moving % 4) % 4;
    ROLLED
    for (u32 round = 1; round <= 2; round++) {
        substitute(s, round);
        UNROLL
        for (u32 i = 0; i < 16; i++) {
            const u32 keep = 0 - (u32)(round == 1 || i / 4 == column);
            UNROLL
            for (u32 bit = 0; bit < 8; bit++)
                s[8 * i + bit] &= keep;
        }
        mix(s, round == 1 || with_key ? masks + round * PLANES : no_key);
    }
}

DEVICE u32 s_box_of_word(u32 x)
{
    u32 q[8], out = 0;
    UNROLL
    for (u32 bit = 0; bit < 8; bit++)
        q[bit] = (x >> bit & 0x01010101) * 0x01020408 >> 24; /* bit n: of byte n */
    s_box(q);
    UNROLL
    for (u32 bit = 0; bit < 8; bit++)
        out |= ((q[bit] & 1) | (q[bit] & 2) << 7 | (q[bit] & 4) << 14 | (q[bit] & 8) << 21) << bit;
    return out ^ 0x01010101 * S_BOX_NOTS;
}

/* Twice each byte in GF(2^8). */
DEVICE u32 twice(u32 x)
{
    return (x << 1 & 0xfefefefe) ^ (x >> 7 & 0x01010101) * 0x1b;
}

/* Returns z with 2 z[r] + z[r + 2] = x[r] for the column's bytes: adding z to the sums of neighbours adds x to the
 * column. Twice the equation for r and that for r + 2 give (4 + 1) z[r] = 2 x[r] + x[r + 2], and 0x52 is 1/5. */
DEVICE u32 spread_key(u32 x)
{
    const u32 y = twice(x) ^ rotate(x, 16), y2 = twice(y), y16 = twice(twice(twice(y2)));
    return y2 ^ y16 ^ twice(twice(y16));
}

/* The key's words, the first byte the lowest, in w[0 .. KEY_BYTES / 4 - 1]: all round keys. By one thread. */
DEVICE void expand(u32 *w)
{
    const u32 n = KEY_BYTES / 4;
    u32 constant = 1;
    ROLLED
    for (u32 i = n; i < ROUND_KEYS; i++) {
        u32 x = w[i - 1];
        if (i % n == 0) {
            x = s_box_of_word(rotate(x, 24)) ^ constant;
            constant = twice(constant);
        } else if (n == 8 && i % n == 4) {
            x = s_box_of_word(x);
        }
        w[i] = w[i - n] ^ x;
    }
}

/* The mask of a plane of a round's key. */
DEVICE u32 key_mask(const u32 *w, u32 round, u32 plane)
{
    const u32 x = w[4 * round + plane / 32];
    return mask_of(round == 0 ? x : spread_key(x ^ 0x01010101 * S_BOX_NOTS), plane % 32);
}

DEVICE u32 last_key(const u32 *w, u32 word)
{
    return w[4 * ROUNDS + word] ^ 0x01010101 * S_BOX_NOTS;
}

#endif
