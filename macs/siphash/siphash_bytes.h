/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SipHash's rounds in bytes: rotations by whole bytes are other places of the bytes, and what is left of them is at most
 * three bits. */
#ifndef RUNNEL_SIPHASH_ROUNDS_H
#define RUNNEL_SIPHASH_ROUNDS_H

#include "siphash.h"

static void start(runnel_siphash *c, uint8_t long_tag)
{
    static const uint8_t constants[4][8] RUNNEL_FLASH = {"uespemos", "modnarod", "arenegyl", "setybdet"};
    for (uint8_t i = 0; i < 4; i++)
        for (uint8_t j = 0; j < 8; j++)
            c->words[i][j] = c->key[i % 2 * 8 + j] ^ runnel_flash8(&constants[i][j]);
    c->words[1][0] ^= long_tag;
}

/* x += y */
static void add(uint8_t *x, const uint8_t *y)
{
    uint16_t sum = 0;
    for (uint8_t i = 0; i < 8; i++) {
        sum = (uint16_t)(sum + x[i] + y[i]);
        x[i] = (uint8_t)sum;
        sum >>= 8;
    }
}

/* x = (x <<< 8 * bytes + bits) ^ y, where 2^bits is `factor`. */
static void rotate_and_xor(uint8_t *x, const uint8_t *y, uint8_t bytes, uint8_t factor)
{
    uint8_t old[8];
    for (uint8_t i = 0; i < 8; i++)
        old[i] = x[i];
    uint8_t low = (uint8_t)((uint16_t)(old[(7 - bytes) & 7] * (uint16_t)factor) >> 8);
    for (uint8_t i = 0; i < 8; i++) {
        const uint16_t moved = (uint16_t)(old[(i - bytes) & 7] * (uint16_t)factor);
        x[i] = (uint8_t)(low | (uint8_t)moved) ^ y[i];
        low = (uint8_t)(moved >> 8);
    }
}

static void swap_halves(uint8_t *x)
{
    for (uint8_t i = 0; i < 4; i++) {
        const uint8_t kept = x[i];
        x[i] = x[i + 4];
        x[i + 4] = kept;
    }
}

static void rounds(uint8_t (*v)[8], uint8_t n)
{
    for (; n > 0; n--) {
        add(v[0], v[1]);
        add(v[2], v[3]);
        rotate_and_xor(v[1], v[0], 1, 1 << 5);
        rotate_and_xor(v[3], v[2], 2, 1);
        swap_halves(v[0]);
        add(v[2], v[1]);
        add(v[0], v[3]);
        rotate_and_xor(v[1], v[2], 2, 1 << 1);
        rotate_and_xor(v[3], v[0], 2, 1 << 5);
        swap_halves(v[2]);
    }
}

static void compress(runnel_siphash *c, const uint8_t *block)
{
    for (uint8_t i = 0; i < 8; i++)
        c->words[3][i] ^= block[i];
    rounds(c->words, 2);
    for (uint8_t i = 0; i < 8; i++)
        c->words[0][i] ^= block[i];
}

/* Four rounds after v[which] ^= value, and the sum of all words. */
static void finish_half(runnel_siphash *c, uint8_t which, uint8_t value, uint8_t *tag)
{
    c->words[which][0] ^= value;
    rounds(c->words, 4);
    for (uint8_t i = 0; i < 8; i++)
        tag[i] = c->words[0][i] ^ c->words[1][i] ^ c->words[2][i] ^ c->words[3][i];
}

#endif
