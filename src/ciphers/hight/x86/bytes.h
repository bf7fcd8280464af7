/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Vectors of bytes, with the operators of C, for HIGHT. The includer defines TARGET and includes the vectors of its
 * width. */
#ifndef HIGHT_X86_BYTES_H
#define HIGHT_X86_BYTES_H

#include "arch/x86/target.h"
#include "ciphers/hight/kernels.h"

enum { HIGHT_LANES = VECTOR_BYTES, HIGHT_REGISTER_BLOCKS = VECTOR_BYTES / 8 };

TARGET RUNNEL_INLINE vector_bytes hight_repeat(uint8_t byte)
{
    return (vector_bytes)vector_repeat_byte(byte);
}

TARGET RUNNEL_INLINE vector_bytes hight_repeat_word(uint32_t word)
{
    return (vector_bytes)vector_repeat_word(word);
}

TARGET RUNNEL_INLINE vector_bytes hight_look_up(vector_bytes table, vector_bytes places)
{
    return (vector_bytes)vector_look_up((vector)table, (vector)places);
}

/* One byte in the first half of the register, another in the second. */
TARGET RUNNEL_INLINE vector_bytes hight_halves(uint8_t first, uint8_t second)
{
#if LANES == 1
    return (vector_bytes)_mm_unpacklo_epi64(_mm_set1_epi8((char)first), _mm_set1_epi8((char)second));
#elif LANES == 2
    return (vector_bytes)_mm256_inserti128_si256(_mm256_castsi128_si256(_mm_set1_epi8((char)first)),
                                                 _mm_set1_epi8((char)second), 1);
#else
    return (vector_bytes)_mm512_mask_mov_epi8(vector_repeat_byte(first), 0xffffffff00000000,
                                              vector_repeat_byte(second));
#endif
}

/* Exchanges the halves. */
TARGET RUNNEL_INLINE vector_bytes hight_turn_halves(vector_bytes v)
{
#if LANES == 1
    return (vector_bytes)vector_swap_halves((vector)v);
#elif LANES == 2
    return (vector_bytes)_mm256_permute2x128_si256((vector)v, (vector)v, 1);
#else
    return (vector_bytes)_mm512_shuffle_i64x2((vector)v, (vector)v, 0x4e);
#endif
}

#endif
