/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Whole blocks, one in each lane: for few blocks and for the key set-up. The includer defines TARGET, and VECTOR_GFNI if
 * that has GFNI, and includes the vectors of its width. */
#ifndef ARIA_X86_ROWS_H
#define ARIA_X86_ROWS_H

#include "ciphers/aria/kernels.h"
#include "tables.h"
#ifdef VECTOR_GFNI
#include "rows_gfni.h"
#else
#include "rows_aes.h"
#endif

/* A without a substitution. */
static const RUNNEL_LINE_ALIGNED uint8_t aria_diffusion_shuffles[7][16] = {
    {3, 2, 1, 0, 0, 1, 0, 1, 0, 0, 2, 2, 1, 0, 0, 1},
    {4, 5, 4, 5, 2, 3, 2, 3, 1, 1, 3, 3, 2, 3, 3, 2},
    {6, 7, 6, 7, 5, 4, 7, 6, 4, 5, 5, 4, 6, 6, 4, 4},
    {8, 8, 10, 10, 8, 9, 9, 8, 7, 6, 6, 7, 7, 7, 5, 5},
    {9, 9, 11, 11, 11, 10, 10, 11, 10, 11, 8, 9, 9, 8, 9, 8},
    {13, 12, 12, 13, 14, 14, 12, 12, 13, 12, 13, 12, 11, 10, 11, 10},
    {14, 15, 15, 14, 15, 15, 13, 13, 15, 14, 15, 14, 12, 13, 14, 15},
};

TARGET RUNNEL_INLINE vector aria_rows_diffuse(vector x)
{
    vector y = aria_shuffle(x, aria_diffusion_shuffles[0]);
    RUNNEL_UNROLL
    for (int i = 1; i < 7; i++)
        y = vector_xor(y, aria_shuffle(x, aria_diffusion_shuffles[i]));
    return y;
}

TARGET RUNNEL_INLINE vector aria_rows_key(const runnel_aria_schedule *schedule, unsigned i)
{
    return aria_table(schedule->keys[i]);
}

TARGET RUNNEL_INLINE void aria_encrypt_rows(vector *x, const int registers, const runnel_aria_schedule *schedule)
{
    vector key = aria_rows_key(schedule, 0);
    RUNNEL_UNROLL
    for (int i = 0; i < registers; i++)
        x[i] = vector_xor(x[i], key);
    for (unsigned r = 1;; r += 2) {
        key = aria_rows_key(schedule, r);
        RUNNEL_UNROLL
        for (int i = 0; i < registers; i++)
            x[i] = aria_rows_round(x[i], 1, key);
        key = aria_rows_key(schedule, r + 1);
        if (r + 1 == schedule->rounds)
            break;
        RUNNEL_UNROLL
        for (int i = 0; i < registers; i++)
            x[i] = aria_rows_round(x[i], 0, key);
    }
    RUNNEL_UNROLL
    for (int i = 0; i < registers; i++)
        x[i] = aria_rows_last_round(x[i], key);
}

#endif
