/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* From blocks to slices of bytes and back. The includer defines TARGET and includes the vectors of its width. */
#ifndef ARIA_X86_TRANSPOSE_H
#define ARIA_X86_TRANSPOSE_H

#include "arch/x86/target.h"

/* Four of the registers of a 16 x 16 transposition in each lane, which is this twice for i = 0 … 3. */
TARGET RUNNEL_INLINE void aria_transpose_part(vector to[4], const vector *x, const int i)
{
    const vector a = vector_unpack_low8(x[i], x[i + 8]), b = vector_unpack_high8(x[i], x[i + 8]);
    const vector c = vector_unpack_low8(x[i + 4], x[i + 12]), d = vector_unpack_high8(x[i + 4], x[i + 12]);
    to[0] = vector_unpack_low8(a, c);
    to[1] = vector_unpack_high8(a, c);
    to[2] = vector_unpack_low8(b, d);
    to[3] = vector_unpack_high8(b, d);
}

TARGET RUNNEL_INLINE void aria_transpose_half(vector to[16], const vector from[16])
{
    RUNNEL_UNROLL
    for (int i = 0; i < 4; i++)
        aria_transpose_part(to + 4 * i, from, i);
}

#endif
