/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Products in GF(2^128) by integer multiplication: of each factor only every fourth bit is taken at a time, so that what
 * carries is caught in the three bits between, which are cleared. GHASH's bits are mirrored: read as a big-endian number,
 * the highest bit belongs to 1, and a product of mirrored numbers comes out one bit too low. */
#ifndef RUNNEL_GHASH_PRODUCT_H
#define RUNNEL_GHASH_PRODUCT_H

#include "ghash.h"

static void set_subkey(runnel_ghash *c, const uint8_t *key)
{
    for (unsigned i = 0; i < 4; i++)
        c->h[i] = runnel_load32be(key + 12 - 4 * i);
}

static void store_sum(const runnel_ghash *c, uint8_t *tag)
{
    for (unsigned i = 0; i < 4; i++)
        runnel_store32be(tag + 12 - 4 * i, c->y[i]);
}

/* x * y without carries */
static uint64_t product32(uint32_t x, uint32_t y)
{
    const uint32_t x0 = x & 0x11111111, x1 = x & 0x22222222, x2 = x & 0x44444444, x3 = x & 0x88888888;
    const uint32_t y0 = y & 0x11111111, y1 = y & 0x22222222, y2 = y & 0x44444444, y3 = y & 0x88888888;
#define TIMES(a, b) ((uint64_t)(a) * (b))
    const uint64_t z0 = TIMES(x0, y0) ^ TIMES(x1, y3) ^ TIMES(x2, y2) ^ TIMES(x3, y1);
    const uint64_t z1 = TIMES(x0, y1) ^ TIMES(x1, y0) ^ TIMES(x2, y3) ^ TIMES(x3, y2);
    const uint64_t z2 = TIMES(x0, y2) ^ TIMES(x1, y1) ^ TIMES(x2, y0) ^ TIMES(x3, y3);
    const uint64_t z3 = TIMES(x0, y3) ^ TIMES(x1, y2) ^ TIMES(x2, y1) ^ TIMES(x3, y0);
#undef TIMES
    return (z0 & 0x1111111111111111) | (z1 & 0x2222222222222222) | (z2 & 0x4444444444444444) |
           (z3 & 0x8888888888888888);
}

/* z ^= x * y of two words each, with three products (Karatsuba) */
static void add_product64(uint32_t *z, const uint32_t *x, const uint32_t *y)
{
    const uint64_t low = product32(x[0], y[0]), high = product32(x[1], y[1]);
    const uint64_t middle = product32(x[0] ^ x[1], y[0] ^ y[1]) ^ low ^ high;
    z[0] ^= (uint32_t)low;
    z[1] ^= (uint32_t)(low >> 32) ^ (uint32_t)middle;
    z[2] ^= (uint32_t)high ^ (uint32_t)(middle >> 32);
    z[3] ^= (uint32_t)(high >> 32);
}

/* y = (y + block) * h */
static void add_and_multiply(runnel_ghash *c, const uint8_t *block)
{
    uint32_t z[8] = {0}, low[4] = {0}, high[4] = {0}, middle[4] = {0};
    for (unsigned i = 0; i < 4; i++)
        c->y[i] ^= runnel_load32be(block + 12 - 4 * i);
    const uint32_t y[2] = {c->y[0] ^ c->y[2], c->y[1] ^ c->y[3]}, h[2] = {c->h[0] ^ c->h[2], c->h[1] ^ c->h[3]};
    add_product64(low, c->y, c->h);
    add_product64(high, c->y + 2, c->h + 2);
    add_product64(middle, y, h);
    for (unsigned i = 0; i < 4; i++) {
        z[i] ^= low[i];
        z[i + 4] ^= high[i];
        z[i + 2] ^= low[i] ^ high[i] ^ middle[i];
    }
    for (unsigned i = 7; i > 0; i--) /* the bit that it is too low */
        z[i] = z[i] << 1 | z[i - 1] >> 31;
    z[0] <<= 1;
    for (unsigned i = 0; i < 4; i++) { /* x^128 is x^7 + x^2 + x + 1 */
        const uint32_t w = z[i];
        z[i + 3] ^= w << 31 ^ w << 30 ^ w << 25;
        z[i + 4] ^= w ^ w >> 1 ^ w >> 2 ^ w >> 7;
    }
    for (unsigned i = 0; i < 4; i++)
        c->y[i] = z[i + 4];
    runnel_wipe(z, sizeof z);
}

#endif
