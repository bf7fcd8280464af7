/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Products in GF(2^128), from nine of 32 bits (Karatsuba). GHASH's bits are mirrored: read as a big-endian number, the
 * highest bit belongs to 1, and a product of mirrored numbers comes out one bit too low. */
#ifndef GHASH_PRODUCT_H
#define GHASH_PRODUCT_H

#include "arch/common/multiply.h"
#include "kernels.h"

static void ghash_set_subkey(runnel_ghash_state *c, const uint8_t *key)
{
    for (unsigned i = 0; i < 4; i++)
        c->h[i] = runnel_load32be(key + 12 - 4 * i);
}

#if RUNNEL_THUMB2_DSP_IN_C
#include "thumb2/product.h"
#elif RUNNEL_RV32_MUL
#include "rv32/product.h"
#else
#if RUNNEL_THUMB1
#include "thumb1/product.h"
#else

/* z = x * y without carries: only every fourth bit of each factor is taken at a time, so that the carries of an
 * integer product stay in the three bits between, which are cleared. */
RUNNEL_INLINE uint64_t ghash_product32(uint32_t x, uint32_t y)
{
    const uint32_t x0 = x & 0x11111111, x1 = x & 0x22222222, x2 = x & 0x44444444, x3 = x & 0x88888888;
    const uint32_t y0 = y & 0x11111111, y1 = y & 0x22222222, y2 = y & 0x44444444, y3 = y & 0x88888888;
#define TIMES RUNNEL_PRODUCT64
    const uint64_t z0 = TIMES(x0, y0) ^ TIMES(x1, y3) ^ TIMES(x2, y2) ^ TIMES(x3, y1);
    const uint64_t z1 = TIMES(x0, y1) ^ TIMES(x1, y0) ^ TIMES(x2, y3) ^ TIMES(x3, y2);
    const uint64_t z2 = TIMES(x0, y2) ^ TIMES(x1, y1) ^ TIMES(x2, y0) ^ TIMES(x3, y3);
    const uint64_t z3 = TIMES(x0, y3) ^ TIMES(x1, y2) ^ TIMES(x2, y1) ^ TIMES(x3, y0);
#undef TIMES
    return (z0 & 0x1111111111111111) | (z1 & 0x2222222222222222) | (z2 & 0x4444444444444444) |
           (z3 & 0x8888888888888888);
}

#endif

/* For nine pairs of words: (x, y) becomes the product's lower and upper half. */
static RUNNEL_NOINLINE void ghash_products(uint32_t pairs[9][2])
{
    for (unsigned i = 0; i < 9; i++) {
        const uint64_t z = ghash_product32(pairs[i][0], pairs[i][1]);
        pairs[i][0] = (uint32_t)z;
        pairs[i][1] = (uint32_t)(z >> 32);
    }
}

#endif

/* y = y * h. In single words, since loops would go through memory. */
static void ghash_multiply(uint32_t *y, const uint32_t *h)
{
    uint32_t p[9][2];
#define PAIR(n, x, y) p[n][0] = (x), p[n][1] = (y)
#define PAIRS(n, x0, x1, y0, y1) PAIR(n, x0, y0), PAIR(n + 1, x1, y1), PAIR(n + 2, (x0) ^ (x1), (y0) ^ (y1))
    PAIRS(0, y[0], y[1], h[0], h[1]); /* Karatsuba's method twice */
    PAIRS(3, y[2], y[3], h[2], h[3]);
    PAIRS(6, y[0] ^ y[2], y[1] ^ y[3], h[0] ^ h[2], h[1] ^ h[3]);
#undef PAIRS
#undef PAIR
    ghash_products(p);

    uint32_t z0 = p[0][0], z1 = p[0][1], z2 = p[1][0], z3 = p[1][1];
    uint32_t z4 = p[3][0], z5 = p[3][1], z6 = p[4][0], z7 = p[4][1];
    uint32_t m0 = p[6][0], m1 = p[6][1], m2 = p[7][0], m3 = p[7][1], low, high;
#define JOIN(x0, x1, x2, x3, n)                                                                                        \
    low = (x0) ^ (x2) ^ p[n][0], high = (x1) ^ (x3) ^ p[n][1], (x1) ^= low, (x2) ^= high
    JOIN(z0, z1, z2, z3, 2);
    JOIN(z4, z5, z6, z7, 5);
    JOIN(m0, m1, m2, m3, 8);
#undef JOIN
    for (unsigned i = 0; i < 9; i++)
        p[i][0] = p[i][1] = 0;
    __asm__ volatile("" : : "r"(p) : "memory");
    m0 ^= z0 ^ z4;
    m1 ^= z1 ^ z5;
    m2 ^= z2 ^ z6;
    m3 ^= z3 ^ z7;
    z2 ^= m0;
    z3 ^= m1;
    z4 ^= m2;
    z5 ^= m3;

    z7 = z7 << 1 | z6 >> 31; /* the product comes out one bit too low */
    z6 = z6 << 1 | z5 >> 31;
    z5 = z5 << 1 | z4 >> 31;
    z4 = z4 << 1 | z3 >> 31;
    z3 = z3 << 1 | z2 >> 31;
    z2 = z2 << 1 | z1 >> 31;
    z1 = z1 << 1 | z0 >> 31;
    z0 <<= 1;
#define REDUCE(w, below, above) /* x^128 is x^7 + x^2 + x + 1 */                                                       \
    (below) ^= (w) << 31 ^ (w) << 30 ^ (w) << 25, (above) ^= (w) ^ (w) >> 1 ^ (w) >> 2 ^ (w) >> 7
    REDUCE(z0, z3, z4);
    REDUCE(z1, z4, z5);
    REDUCE(z2, z5, z6);
    REDUCE(z3, z6, z7);
#undef REDUCE
    y[0] = z4;
    y[1] = z5;
    y[2] = z6;
    y[3] = z7;
}

/* y = (y + block) * h */
static void ghash_add_and_multiply(runnel_ghash_state *c, const uint8_t *block)
{
    for (unsigned i = 0; i < 4; i++)
        c->y[i] ^= runnel_load32be(block + 12 - 4 * i);
    ghash_multiply(c->y, c->h);
}

static void ghash_absorb_blocks(runnel_ghash_state *s, const uint8_t *data, size_t nblocks)
{
    for (; nblocks > 0; nblocks--, data += 16)
        ghash_add_and_multiply(s, data);
}

#endif
