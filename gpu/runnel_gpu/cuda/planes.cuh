/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 32 blocks of 16 bytes in 128 words: bit j of plane 8 * i + b is bit b of byte i of block j. */
#ifndef RUNNEL_GPU_PLANES
#define RUNNEL_GPU_PLANES

#include "machine.cuh"

enum { PLANES = 128 };

/* Bits 0 to 4 of the numbers 0 to 31. */
#define COUNT_0 0xaaaaaaaau
#define COUNT_1 0xccccccccu
#define COUNT_2 0xf0f0f0f0u
#define COUNT_3 0xff00ff00u
#define COUNT_4 0xffff0000u

/* Exchanges the bits of b's columns that have bit n of their number clear with those of a's that have it set. */
#define EXCHANGE_BITS(a, b, n, low) \
    do { \
        const u32 left = (b) << (n), right = (a) >> (n); \
        LUT3(a, low, a, left, 0xca); \
        LUT3(b, low, right, b, 0xca); \
    } while (0)

/* Transposes the 32 planes of one of the blocks' words: x[j] is then that word of block j. The two wide stages move
 * bytes. */
DEVICE void transpose(u32 x[32])
{
    UNROLL
    for (u32 i = 0; i < 16; i++) {
        const u32 a = x[i], b = x[i + 16];
        x[i] = permute(a, b, 0x5410);
        x[i + 16] = permute(a, b, 0x7632);
    }
    UNROLL
    for (u32 k = 0; k < 16; k++) {
        const u32 i = (k & 8) * 2 + k % 8;
        const u32 a = x[i], b = x[i + 8];
        x[i] = permute(a, b, 0x6240);
        x[i + 8] = permute(a, b, 0x7351);
    }
    UNROLL
    for (u32 k = 0; k < 16; k++) {
        const u32 i = k / 4 * 8 + k % 4;
        EXCHANGE_BITS(x[i], x[i + 4], 4, 0x0f0f0f0fu);
    }
    UNROLL
    for (u32 k = 0; k < 16; k++) {
        const u32 i = k / 2 * 4 + k % 2;
        EXCHANGE_BITS(x[i], x[i + 2], 2, 0x33333333u);
    }
    UNROLL
    for (u32 i = 0; i < 32; i += 2)
        EXCHANGE_BITS(x[i], x[i + 1], 1, 0x55555555u);
}

#endif
