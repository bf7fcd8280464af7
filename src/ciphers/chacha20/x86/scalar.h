/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One block of ChaCha20 in general registers, half a round at a time, beside one of vectors. Two of its words are barriers
 * after each, or a compiler would make vectors of quarter-rounds, which wait for the same units. */
#ifndef CHACHA20_X86_SCALAR_H
#define CHACHA20_X86_SCALAR_H

#include "arch/common/barrier.h"
#include "ciphers/chacha20/kernels.h"

TARGET RUNNEL_INLINE void chacha20_scalar_start(uint32_t x[16], const uint32_t *w, uint32_t counter)
{
    RUNNEL_UNROLL
    for (int i = 0; i < 16; i++)
        x[i] = i == 12 ? counter : w[i];
}

TARGET RUNNEL_INLINE void chacha20_scalar_columns_01(uint32_t x[16])
{
    CHACHA20_QUARTER_ROUND(x[0], x[4], x[8], x[12]);
    CHACHA20_QUARTER_ROUND(x[1], x[5], x[9], x[13]);
    RUNNEL_VALUE_BARRIER(x[4]);
    RUNNEL_VALUE_BARRIER(x[5]);
}

TARGET RUNNEL_INLINE void chacha20_scalar_columns_23(uint32_t x[16])
{
    CHACHA20_QUARTER_ROUND(x[2], x[6], x[10], x[14]);
    CHACHA20_QUARTER_ROUND(x[3], x[7], x[11], x[15]);
    RUNNEL_VALUE_BARRIER(x[6]);
    RUNNEL_VALUE_BARRIER(x[7]);
}

TARGET RUNNEL_INLINE void chacha20_scalar_diagonals_01(uint32_t x[16])
{
    CHACHA20_QUARTER_ROUND(x[0], x[5], x[10], x[15]);
    CHACHA20_QUARTER_ROUND(x[1], x[6], x[11], x[12]);
    RUNNEL_VALUE_BARRIER(x[5]);
    RUNNEL_VALUE_BARRIER(x[6]);
}

TARGET RUNNEL_INLINE void chacha20_scalar_diagonals_23(uint32_t x[16])
{
    CHACHA20_QUARTER_ROUND(x[2], x[7], x[8], x[13]);
    CHACHA20_QUARTER_ROUND(x[3], x[4], x[9], x[14]);
    RUNNEL_VALUE_BARRIER(x[7]);
    RUNNEL_VALUE_BARRIER(x[4]);
}

/* Adds the start; in == NULL: the sums. */
TARGET RUNNEL_INLINE void chacha20_scalar_put(const uint32_t x[16], const uint32_t *w, uint32_t counter, uint8_t *out,
                                              const uint8_t *in)
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 16; i++)
        runnel_xor32le(out, in, i, x[i] + (i == 12 ? counter : w[i]));
}

#endif
