/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One block of Salsa20 in general registers, half a round at a time, beside one of vectors. Two of its words are barriers
 * after each, or a compiler would make vectors of quarter-rounds, which wait for the same units. */
#ifndef SALSA20_X86_SCALAR_H
#define SALSA20_X86_SCALAR_H

#include "arch/common/barrier.h"
#include "ciphers/salsa20/kernels.h"

/* Word i at the start of block number index. */
TARGET RUNNEL_INLINE uint32_t salsa20_scalar_word(const uint32_t *w, uint64_t index, const unsigned i)
{
    return i == 8 ? (uint32_t)index : i == 9 ? (uint32_t)(index >> 32) : w[i];
}

TARGET RUNNEL_INLINE void salsa20_scalar_start(uint32_t x[16], const uint32_t *w, uint64_t index)
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 16; i++)
        x[i] = salsa20_scalar_word(w, index, i);
}

TARGET RUNNEL_INLINE void salsa20_scalar_columns_01(uint32_t x[16])
{
    SALSA20_QUARTER_ROUND(x[0], x[4], x[8], x[12]);
    SALSA20_QUARTER_ROUND(x[5], x[9], x[13], x[1]);
    RUNNEL_VALUE_BARRIER(x[0]);
    RUNNEL_VALUE_BARRIER(x[5]);
}

TARGET RUNNEL_INLINE void salsa20_scalar_columns_23(uint32_t x[16])
{
    SALSA20_QUARTER_ROUND(x[10], x[14], x[2], x[6]);
    SALSA20_QUARTER_ROUND(x[15], x[3], x[7], x[11]);
    RUNNEL_VALUE_BARRIER(x[10]);
    RUNNEL_VALUE_BARRIER(x[15]);
}

TARGET RUNNEL_INLINE void salsa20_scalar_rows_01(uint32_t x[16])
{
    SALSA20_QUARTER_ROUND(x[0], x[1], x[2], x[3]);
    SALSA20_QUARTER_ROUND(x[5], x[6], x[7], x[4]);
    RUNNEL_VALUE_BARRIER(x[0]);
    RUNNEL_VALUE_BARRIER(x[5]);
}

TARGET RUNNEL_INLINE void salsa20_scalar_rows_23(uint32_t x[16])
{
    SALSA20_QUARTER_ROUND(x[10], x[11], x[8], x[9]);
    SALSA20_QUARTER_ROUND(x[15], x[12], x[13], x[14]);
    RUNNEL_VALUE_BARRIER(x[10]);
    RUNNEL_VALUE_BARRIER(x[15]);
}

/* Adds the start; in == NULL: the sums. */
TARGET RUNNEL_INLINE void salsa20_scalar_put(const uint32_t x[16], const uint32_t *w, uint64_t index, uint8_t *out,
                                             const uint8_t *in)
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 16; i++)
        runnel_xor32le(out, in, i, x[i] + salsa20_scalar_word(w, index, i));
}

#endif
