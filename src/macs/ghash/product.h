/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Products in GF(2^128), from nine of 32 bits (Karatsuba). GHASH's bits are mirrored: read as a big-endian number, the
 * highest bit belongs to 1, and a product of mirrored numbers comes out one bit too low. */
#ifndef RUNNEL_GHASH_PRODUCT_H
#define RUNNEL_GHASH_PRODUCT_H

#include "kernels.h"

static void set_subkey(runnel_ghash_state *c, const uint8_t *key)
{
    for (unsigned i = 0; i < 4; i++)
        c->h[i] = runnel_load32be(key + 12 - 4 * i);
}


/* z = x * y without carries: only every fourth bit of each factor is taken at a time, so that the carries of an
 * integer product stay in the three bits between, which are cleared. */
static RUNNEL_NOINLINE void product32(uint32_t *z, uint32_t x, uint32_t y)
{
    const uint32_t x0 = x & 0x11111111, x1 = x & 0x22222222, x2 = x & 0x44444444, x3 = x & 0x88888888;
    const uint32_t y0 = y & 0x11111111, y1 = y & 0x22222222, y2 = y & 0x44444444, y3 = y & 0x88888888;
#define TIMES(a, b) ((uint64_t)(a) * (b))
    const uint64_t z0 = TIMES(x0, y0) ^ TIMES(x1, y3) ^ TIMES(x2, y2) ^ TIMES(x3, y1);
    const uint64_t z1 = TIMES(x0, y1) ^ TIMES(x1, y0) ^ TIMES(x2, y3) ^ TIMES(x3, y2);
    const uint64_t z2 = TIMES(x0, y2) ^ TIMES(x1, y1) ^ TIMES(x2, y0) ^ TIMES(x3, y3);
    const uint64_t z3 = TIMES(x0, y3) ^ TIMES(x1, y2) ^ TIMES(x2, y1) ^ TIMES(x3, y0);
#undef TIMES
    const uint64_t product = (z0 & 0x1111111111111111) | (z1 & 0x2222222222222222) | (z2 & 0x4444444444444444) |
                             (z3 & 0x8888888888888888);
    z[0] = (uint32_t)product;
    z[1] = (uint32_t)(product >> 32);
}

/* z = x * y of two words each, with three products */
static RUNNEL_NOINLINE void product64(uint32_t *z, const uint32_t *x, const uint32_t *y)
{
    uint32_t middle[2];
    product32(z, x[0], y[0]);
    product32(z + 2, x[1], y[1]);
    product32(middle, x[0] ^ x[1], y[0] ^ y[1]);
    middle[0] ^= z[0] ^ z[2];
    middle[1] ^= z[1] ^ z[3];
    z[1] ^= middle[0];
    z[2] ^= middle[1];
}

/* y = (y + block) * h */
static void add_and_multiply(runnel_ghash_state *c, const uint8_t *block)
{
    uint32_t z[8], middle[4];
    for (unsigned i = 0; i < 4; i++)
        c->y[i] ^= runnel_load32be(block + 12 - 4 * i);
    const uint32_t y[2] = {c->y[0] ^ c->y[2], c->y[1] ^ c->y[3]}, h[2] = {c->h[0] ^ c->h[2], c->h[1] ^ c->h[3]};
    product64(z, c->y, c->h);
    product64(z + 4, c->y + 2, c->h + 2);
    product64(middle, y, h);
    for (unsigned i = 0; i < 4; i++)
        middle[i] ^= z[i] ^ z[i + 4];
    for (unsigned i = 0; i < 4; i++)
        z[i + 2] ^= middle[i];
    for (unsigned i = 7; i > 0; i--) /* the product comes out one bit too low */
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

static void absorb_blocks(runnel_ghash_state *s, const uint8_t *data, size_t nblocks)
{
    for (; nblocks > 0; nblocks--, data += 16)
        add_and_multiply(s, data);
}

#endif
