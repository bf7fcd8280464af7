/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Tables of 32-bit words looked up by secrets in constant time, with AVX-512: VPERMI2D looks sixteen indices up in the 32
 * words of two registers, by their low five bits; so eight of them read a table of 256 in full, and the other bits of
 * each index choose among the eight. No address depends on an index. */
#ifndef RUNNEL_ARCH_X86_LOOKUP_512_H
#define RUNNEL_ARCH_X86_LOOKUP_512_H

#include "target.h"

#if RUNNEL_X86_64

#define RUNNEL_LOOKUP_512 RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl")

/* In 32 entries. */
RUNNEL_LOOKUP_512 RUNNEL_INLINE __m512i runnel_look_into_32(const uint32_t *entries, __m512i indices)
{
    return _mm512_permutex2var_epi32(_mm512_loadu_si512(entries), indices, _mm512_loadu_si512(entries + 16));
}

/* In 64, also by bit 5. */
RUNNEL_LOOKUP_512 RUNNEL_INLINE __m512i runnel_look_into_64(const uint32_t *entries, __m512i indices, __mmask16 bit5)
{
    return _mm512_mask_blend_epi32(bit5, runnel_look_into_32(entries, indices),
                                   runnel_look_into_32(entries + 32, indices));
}

/* Bit `number` of each index. */
RUNNEL_LOOKUP_512 RUNNEL_INLINE __mmask16 runnel_index_bit(__m512i indices, unsigned number)
{
    return _mm512_test_epi32_mask(indices, _mm512_set1_epi32(1 << number));
}

/* In 256 entries, by the low byte of each element of indices, whatever is above. */
RUNNEL_LOOKUP_512 RUNNEL_INLINE __m512i runnel_look_up_256(const uint32_t *entries, __m512i indices)
{
    const __mmask16 bit5 = runnel_index_bit(indices, 5), bit6 = runnel_index_bit(indices, 6);
    const __m512i low = _mm512_mask_blend_epi32(bit6, runnel_look_into_64(entries, indices, bit5),
                                                runnel_look_into_64(entries + 64, indices, bit5));
    const __m512i high = _mm512_mask_blend_epi32(bit6, runnel_look_into_64(entries + 128, indices, bit5),
                                                 runnel_look_into_64(entries + 192, indices, bit5));
    return _mm512_mask_blend_epi32(runnel_index_bit(indices, 7), low, high);
}

#endif

#endif
