/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Up to HIGHT_FEW blocks by pairs.h; on 512 bits few_avx512.c takes fewer. The includer defines TARGET and includes the
 * vectors of its width. */
#ifndef HIGHT_X86_FEW_H
#define HIGHT_X86_FEW_H

#include "arch/x86/words.h"
#include "few_avx512.h"
#include "pairs.h"
#include "rounds.h"

enum { HIGHT_FEW = HIGHT_LANES / 2 };

#if LANES == 1
TARGET RUNNEL_INLINE void hight_get_few(vector_bytes x[4], const uint8_t *in, size_t nblocks)
{
    vector_bytes y[4];
    vector z[4];
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        const size_t n = nblocks > 2 * i ? nblocks - 2 * i : 0;
        y[i] = n > 0 ? hight_order_pairs(hight_load(in + 16 * i, n < 2 ? n : 2)) : hight_repeat(0);
    }
    const vector low0 = vector_unpack_low16((vector)y[0], (vector)y[1]);
    const vector low1 = vector_unpack_low16((vector)y[2], (vector)y[3]);
    const vector high0 = vector_unpack_high16((vector)y[0], (vector)y[1]);
    const vector high1 = vector_unpack_high16((vector)y[2], (vector)y[3]);
    z[0] = vector_unpack_low32(low0, low1);
    z[1] = vector_unpack_high32(low0, low1);
    z[2] = vector_unpack_low32(high0, high1);
    z[3] = vector_unpack_high32(high0, high1);
    x[0] = (vector_bytes)vector_unpack_low64(z[0], z[2]);
    x[1] = (vector_bytes)vector_unpack_high64(z[0], z[2]);
    x[2] = (vector_bytes)vector_unpack_low64(z[1], z[3]);
    x[3] = (vector_bytes)vector_unpack_high64(z[1], z[3]);
}

TARGET RUNNEL_INLINE void hight_put_few(uint8_t *out, const uint8_t *in, const vector_bytes x[4], size_t nblocks,
                                        uint8_t *leftover)
{
    vector_bytes low[2], high[2], a[2], b[2], y[4];
    hight_unpack8(&low[0], &high[0], x[0], x[1]);
    hight_unpack8(&low[1], &high[1], x[2], x[3]);
    hight_unpack16(&a[0], &a[1], low[0], low[1]);
    hight_unpack16(&b[0], &b[1], high[0], high[1]);
    hight_unpack32(&y[0], &y[1], a[0], b[0]);
    hight_unpack32(&y[2], &y[3], a[1], b[1]);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        if (!hight_put_register(out, in, y[i], i, nblocks, leftover))
            return;
}

TARGET RUNNEL_INLINE vector_bytes hight_few_numbers(void)
{
    return (vector_bytes){0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
}
#else
/* Blocks of eight bytes each, and their first four bytes in one half and the others in the other. */
TARGET RUNNEL_INLINE vector hight_split(vector v)
{
#if LANES == 2
    return _mm256_permute4x64_epi64(_mm256_shuffle_epi32(v, 0xd8), 0xd8);
#else
    return _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15), v);
#endif
}

TARGET RUNNEL_INLINE vector hight_unite(vector v)
{
#if LANES == 2
    return _mm256_shuffle_epi32(_mm256_permute4x64_epi64(v, 0xd8), 0xd8);
#else
    return _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15), v);
#endif
}

TARGET RUNNEL_INLINE void hight_get_few(vector_bytes x[4], const uint8_t *in, size_t nblocks)
{
    const __m128i columns = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    vector v[4];
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        const size_t first = HIGHT_REGISTER_BLOCKS * i, n = nblocks > first ? nblocks - first : 0;
        v[i] = n > 0 ? hight_split(vector_load_halves(in + 8 * first, hight_minimum(n, HIGHT_REGISTER_BLOCKS)))
                     : vector_zero();
        v[i] = vector_shuffle_bytes(v[i], columns);
    }
    words_transpose_vectors(v);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        x[i] = (vector_bytes)v[i];
}

TARGET RUNNEL_INLINE void hight_put_few(uint8_t *out, const uint8_t *in, const vector_bytes x[4], size_t nblocks,
                                        uint8_t *leftover)
{
    vector_bytes low[2], high[2], y[4];
    hight_unpack8(&low[0], &high[0], x[0], x[1]);
    hight_unpack8(&low[1], &high[1], x[2], x[3]);
    hight_unpack16(&y[0], &y[1], low[0], low[1]);
    hight_unpack16(&y[2], &y[3], high[0], high[1]);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        if (!hight_put_register(out, in, (vector_bytes)hight_unite((vector)y[i]), i, nblocks, leftover))
            return;
}

TARGET RUNNEL_INLINE vector_bytes hight_few_numbers(void)
{
#if LANES == 2
    const __m128i numbers = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return (vector_bytes)vector_repeat(numbers);
#else
    const vector first = vector_repeat(_mm_setr_epi8(0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27));
    const long long four = 0x404040404040404;
    return (vector_bytes)vector_add8(first, _mm512_setr_epi64(0, 0, four, four, 0, 0, four, four));
#endif
}
#endif

TARGET RUNNEL_INLINE void hight_encrypt_few(const runnel_hight_schedule *schedule, const hight_tables *t, uint8_t *out,
                                            const uint8_t *in, size_t nblocks)
{
#if LANES == 4
    if (nblocks <= RUNNEL_HIGHT_FEW) {
        runnel_hight_encrypt_few(schedule, out, in, nblocks);
        return;
    }
#endif
    vector_bytes x[4];
    hight_get_few(x, in, nblocks);
    x[3] = hight_turn_halves(x[3]);
    hight_few_rounds(schedule, t, x);
    hight_put_few(out, NULL, x, nblocks, NULL);
}

TARGET RUNNEL_INLINE void hight_xor_few(const runnel_hight_schedule *schedule, const hight_tables *t,
                                        const uint8_t *block, uint32_t counter, uint8_t *out, const uint8_t *in,
                                        size_t nblocks, uint8_t *leftover)
{
#if LANES == 4
    if (nblocks + (leftover != NULL) <= RUNNEL_HIGHT_FEW) {
        runnel_hight_xor_few(schedule, block, counter, out, in, nblocks, leftover);
        return;
    }
#endif
    const uint32_t last = counter + HIGHT_FEW - 1; /* as above */
    const vector_bytes low = hight_repeat((uint8_t)counter), lanes = low + hight_few_numbers();
    const vector_bytes before_carry = (vector_bytes)(lanes >= low), second_half = hight_halves(0, 255);
    vector_bytes x[4];
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 3; i++) {
        const vector_bytes early = hight_halves(block[i], (uint8_t)(counter >> (24 - 8 * i)));
        const vector_bytes late = hight_halves(block[i], (uint8_t)(last >> (24 - 8 * i)));
        x[i] = (early & before_carry) | (late & ~before_carry);
    }
    x[3] = hight_turn_halves((lanes & second_half) | (hight_repeat(block[3]) & ~second_half));
    hight_few_rounds(schedule, t, x);
    hight_put_few(out, in, x, nblocks, leftover);
}

#endif
