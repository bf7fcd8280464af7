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

/* The reverse. */
RUNNEL_INLINE uint32_t runnel_mix_bits(uint32_t x)
{
    uint32_t t = (x ^ x >> 8) & 0x0000ff00;
    x ^= t ^ t << 8;
    t = (x ^ x >> 4) & 0x00f000f0;
    x ^= t ^ t << 4;
    t = (x ^ x >> 2) & 0x0c0c0c0c;
    x ^= t ^ t << 2;
    t = (x ^ x >> 1) & 0x22222222;
    return x ^ t ^ t << 1;
}

#endif
