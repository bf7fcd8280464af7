/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Bits of a word at even and at odd places, taken apart and put together. */
#ifndef RUNNEL_ARCH_COMMON_INTERLEAVE_H
#define RUNNEL_ARCH_COMMON_INTERLEAVE_H

#include <stdint.h>

#include "inline.h"

/* Moves the bits at even places to the lower half, those at odd places to the upper, in order. */
RUNNEL_INLINE uint32_t runnel_separate_bits(uint32_t x)
{
    uint32_t t = (x ^ x >> 1) & 0x22222222;
    x ^= t ^ t << 1;
    t = (x ^ x >> 2) & 0x0c0c0c0c;
    x ^= t ^ t << 2;
    t = (x ^ x >> 4) & 0x00f000f0;
    x ^= t ^ t << 4;
    t = (x ^ x >> 8) & 0x0000ff00;
    return x ^ t ^ t << 8;
}

/* Exchanges the bits of x whose number has the bit `shift` and those of y whose number has it not. */
RUNNEL_INLINE void runnel_exchange_bits(uint32_t *x, uint32_t *y, unsigned shift, uint32_t mask)
{
    const uint32_t t = (*x >> shift ^ *y) & mask;
    *y ^= t;
    *x ^= t << shift;
}

/* Of a number of 64 bits, x its lower half and y its upper: x becomes the bits at even places, y those at odd places, in
 * order. The bits of a bit's number move on by one, each by an exchange with the one that tells x from y. */
RUNNEL_INLINE void runnel_separate_bits_of_two(uint32_t *x, uint32_t *y)
{
    runnel_exchange_bits(x, y, 16, 0x0000ffff);
    runnel_exchange_bits(x, y, 8, 0x00ff00ff);
    runnel_exchange_bits(x, y, 4, 0x0f0f0f0f);
    runnel_exchange_bits(x, y, 2, 0x33333333);
    runnel_exchange_bits(x, y, 1, 0x55555555);
}

/* The reverse. */
RUNNEL_INLINE void runnel_mix_bits_of_two(uint32_t *x, uint32_t *y)
{
    runnel_exchange_bits(x, y, 1, 0x55555555);
    runnel_exchange_bits(x, y, 2, 0x33333333);
    runnel_exchange_bits(x, y, 4, 0x0f0f0f0f);
    runnel_exchange_bits(x, y, 8, 0x00ff00ff);
    runnel_exchange_bits(x, y, 16, 0x0000ffff);
}

#endif
