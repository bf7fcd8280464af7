/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Vectors of 32-bit words, with the operators of C. The includer defines TARGET and includes the vectors of its width. */
#ifndef X86_WORDS_H
#define X86_WORDS_H

#include "arch/common/barrier.h"
#include "target.h"

/* To the left. Where processors rotate, compilers make one instruction of it. */
TARGET RUNNEL_INLINE vector_words words_rotate(vector_words x, const int n)
{
    return x << n | x >> (32 - n);
}

TARGET RUNNEL_INLINE vector_words words_repeat(uint32_t word)
{
    return word + (vector_words){0};
}

TARGET RUNNEL_INLINE vector_words words_numbers(void)
{
    return (vector_words)vector_word_numbers();
}

TARGET RUNNEL_INLINE vector_words words_turn(vector_words x, const int first)
{
    return (vector_words)vector_turn_words((vector)x, first);
}

/* Transposes the 4 x 4 words in each lane: word i of x[0] becomes word 0 of x[i], and so on. */
TARGET RUNNEL_INLINE void words_transpose_vectors(vector x[4])
{
    const vector ab_low = vector_unpack_low32(x[0], x[1]), ab_high = vector_unpack_high32(x[0], x[1]);
    const vector cd_low = vector_unpack_low32(x[2], x[3]), cd_high = vector_unpack_high32(x[2], x[3]);
    x[0] = vector_unpack_low64(ab_low, cd_low);
    x[1] = vector_unpack_high64(ab_low, cd_low);
    x[2] = vector_unpack_low64(ab_high, cd_high);
    x[3] = vector_unpack_high64(ab_high, cd_high);
}

TARGET RUNNEL_INLINE void words_transpose(vector_words x[4])
{
    vector v[4] = {(vector)x[0], (vector)x[1], (vector)x[2], (vector)x[3]};
    words_transpose_vectors(v);
    RUNNEL_UNROLL
    for (int i = 0; i < 4; i++)
        x[i] = (vector_words)v[i];
}

/* For kernels with sixteen registers: stores two words that are not needed for half a round, and loads the two that were
 * there. Fourteen words stay in registers and leave two for the rotations; a compiler's own choice costs more. */
TARGET RUNNEL_INLINE void words_exchange(volatile vector_words parked[2], const vector_words out[2], vector_words in[2])
{
    in[0] = parked[0];
    parked[0] = out[0];
    in[1] = parked[1];
    parked[1] = out[1];
}

TARGET RUNNEL_INLINE void words_park(volatile vector_words parked[2], const vector_words out[2])
{
    parked[0] = out[0];
    parked[1] = out[1];
}

/* And wipes. */
TARGET RUNNEL_INLINE void words_unpark(volatile vector_words parked[2], vector_words in[2])
{
    in[0] = parked[0];
    in[1] = parked[1];
    parked[0] = parked[1] = (vector_words){0};
}

#endif
