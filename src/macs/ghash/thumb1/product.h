/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A product without carries for Cortex-M0 and M0+, which multiply words to words: 16 bits by 16 bits are exact there, so that
 * a product of 32 bits is three of these (Karatsuba), as product.h makes one of 128 bits of nine. */
#ifndef GHASH_THUMB1_PRODUCT_H
#define GHASH_THUMB1_PRODUCT_H

static RUNNEL_NOINLINE uint32_t ghash_product16(uint32_t x, uint32_t y)
{
    const uint32_t mask = 0x11111111;
    const uint32_t x0 = x & mask, x1 = x & mask << 1, x2 = x & mask << 2, x3 = x & mask << 3;
    const uint32_t y0 = y & mask, y1 = y & mask << 1, y2 = y & mask << 2, y3 = y & mask << 3;
    const uint32_t z0 = x0 * y0 ^ x1 * y3 ^ x2 * y2 ^ x3 * y1;
    const uint32_t z1 = x0 * y1 ^ x1 * y0 ^ x2 * y3 ^ x3 * y2;
    const uint32_t z2 = x0 * y2 ^ x1 * y1 ^ x2 * y0 ^ x3 * y3;
    const uint32_t z3 = x0 * y3 ^ x1 * y2 ^ x2 * y1 ^ x3 * y0;
    return (z0 & mask) | (z1 & mask << 1) | (z2 & mask << 2) | (z3 & mask << 3);
}

RUNNEL_INLINE uint64_t ghash_product32(uint32_t x, uint32_t y)
{
    const uint32_t low = ghash_product16((uint16_t)x, (uint16_t)y), high = ghash_product16(x >> 16, y >> 16);
    const uint32_t middle = ghash_product16((uint16_t)x ^ x >> 16, (uint16_t)y ^ y >> 16) ^ low ^ high;
    return (uint64_t)(high ^ middle >> 16) << 32 | (low ^ middle << 16);
}

#endif
