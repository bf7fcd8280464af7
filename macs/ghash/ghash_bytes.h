/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Products in GF(2^128) in bytes: bit number b of all bytes of one factor at a time, each as a mask for the whole other
 * factor, which is moved by whole bytes only; between two of the eight bits the sum moves by one. A byte's highest bit
 * belongs to the lowest power. */
#ifndef RUNNEL_GHASH_PRODUCT_H
#define RUNNEL_GHASH_PRODUCT_H

#include "ghash.h"

static void set_subkey(runnel_ghash *c, const uint8_t *key)
{
    memcpy(c->h, key, 16);
}

static void store_sum(const runnel_ghash *c, uint8_t *tag)
{
    memcpy(tag, c->y, 16);
}

/* sum + a[0] & b[0] + a[1] & b[-1] + … of n terms */
static inline uint8_t add_terms(uint8_t sum, const uint8_t *a, const uint8_t *b, uint8_t n)
{
    b++;
    for (; n >= 4; n = (uint8_t)(n - 4)) {
        sum ^= (uint8_t)(*a++ & *--b);
        sum ^= (uint8_t)(*a++ & *--b);
        sum ^= (uint8_t)(*a++ & *--b);
        sum ^= (uint8_t)(*a++ & *--b);
    }
    for (; n > 0; n--)
        sum ^= (uint8_t)(*a++ & *--b);
    return sum;
}

/* y = (y + block) * h */
static void add_and_multiply(runnel_ghash *c, const uint8_t *block)
{
    uint8_t z[32] = {0}, masks[16];
    for (uint8_t i = 0; i < 16; i++)
        c->y[i] ^= block[i];
    for (uint8_t bit = 0; bit < 8; bit++) { /* from the lowest bit, the highest power, on */
        for (uint8_t i = 0; i < 16; i++) {
            masks[i] = (uint8_t)(0 - (c->y[i] & 1));
            c->y[i] >>= 1;
        }
        uint8_t carried = 0;
        for (uint8_t i = 0; i < 31; i++) {
            const uint8_t moved = (uint8_t)(carried | z[i] >> 1);
            carried = (uint8_t)(z[i] << 7);
            z[i] = i < 16 ? add_terms(moved, masks, c->h + i, (uint8_t)(i + 1))
                          : add_terms(moved, masks + i - 15, c->h + 15, (uint8_t)(31 - i));
        }
        z[31] = (uint8_t)(z[31] >> 1 | carried);
    }
    for (uint8_t i = 31; i >= 16; i--) { /* x^128 is x^7 + x^2 + x + 1 */
        const uint8_t w = z[i];
        z[i - 15] ^= (uint8_t)(w << 7 ^ w << 6 ^ w << 1);
        z[i - 16] ^= (uint8_t)(w ^ w >> 1 ^ w >> 2 ^ w >> 7);
    }
    memcpy(c->y, z, 16);
    runnel_wipe(z, sizeof z);
    runnel_wipe(masks, sizeof masks);
}

#endif
