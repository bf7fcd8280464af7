/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The rounds of Salsa20 on vectors of any width, as words (arch/x86/keystream_words.h) and on diagonals. The includer
 * defines TARGET, and VECTOR_AVX512 if that has rotations, and includes the vectors of its width. */
#ifndef SALSA20_X86_ROUNDS_H
#define SALSA20_X86_ROUNDS_H

#include "arch/x86/keystream_words.h"
#include "ciphers/salsa20/kernels.h"

/* a XOR (b <<< n) */
TARGET RUNNEL_INLINE vector_words salsa20_xor_rotated(vector_words a, vector_words b, const int n)
{
#ifdef VECTOR_AVX512
    return a ^ words_rotate(b, n);
#else
    a ^= b << n;
    return a ^ b >> (32 - n);
#endif
}

TARGET RUNNEL_INLINE void salsa20_quarter_round(vector_words *x, const int a, const int b, const int c, const int d)
{
    x[b] = salsa20_xor_rotated(x[b], x[a] + x[d], 7);
    x[c] = salsa20_xor_rotated(x[c], x[b] + x[a], 9);
    x[d] = salsa20_xor_rotated(x[d], x[c] + x[b], 13);
    x[a] = salsa20_xor_rotated(x[a], x[d] + x[c], 18);
}

/* ---- words ---- */

/* Half a round. A kernel with rotations hides their latency by a second set of words; one without makes two quarter-rounds
 * at a time: each step waits for the one before, and compilers keep the order of the source. */
TARGET RUNNEL_INLINE void salsa20_half_round(vector_words x[16], const int a, const int b, const int c, const int d,
                                             const int e, const int f, const int g, const int h)
{
#ifdef VECTOR_AVX512
    salsa20_quarter_round(x, a, b, c, d);
    salsa20_quarter_round(x, e, f, g, h);
#else
    x[b] = salsa20_xor_rotated(x[b], x[a] + x[d], 7);
    x[f] = salsa20_xor_rotated(x[f], x[e] + x[h], 7);
    x[c] = salsa20_xor_rotated(x[c], x[b] + x[a], 9);
    x[g] = salsa20_xor_rotated(x[g], x[f] + x[e], 9);
    x[d] = salsa20_xor_rotated(x[d], x[c] + x[b], 13);
    x[h] = salsa20_xor_rotated(x[h], x[g] + x[f], 13);
    x[a] = salsa20_xor_rotated(x[a], x[d] + x[c], 18);
    x[e] = salsa20_xor_rotated(x[e], x[h] + x[g], 18);
#endif
}

TARGET RUNNEL_INLINE void salsa20_columns_01(vector_words x[16])
{
    salsa20_half_round(x, 0, 4, 8, 12, 5, 9, 13, 1);
}

TARGET RUNNEL_INLINE void salsa20_columns_23(vector_words x[16])
{
    salsa20_half_round(x, 10, 14, 2, 6, 15, 3, 7, 11);
}

TARGET RUNNEL_INLINE void salsa20_rows_01(vector_words x[16])
{
    salsa20_half_round(x, 0, 1, 2, 3, 5, 6, 7, 4);
}

TARGET RUNNEL_INLINE void salsa20_rows_23(vector_words x[16])
{
    salsa20_half_round(x, 10, 11, 8, 9, 15, 12, 13, 14);
}

/* Word 8 or 9 of the blocks from number index on. A low word that is less than the first one has wrapped. */
TARGET RUNNEL_INLINE vector_words salsa20_counters(uint64_t index, const int word)
{
    const vector_words low = (uint32_t)index + words_numbers();
    return word == 8 ? low : (uint32_t)(index >> 32) - (vector_words)(low < words_repeat((uint32_t)index));
}

/* Word i at the start, w being the state. */
TARGET RUNNEL_INLINE vector_words salsa20_start_word(const uint32_t *w, uint64_t index, const int i)
{
    return i == 8 || i == 9 ? salsa20_counters(index, i) : words_repeat(w[i]);
}

TARGET RUNNEL_INLINE void salsa20_start(vector_words x[16], const uint32_t *w, uint64_t index)
{
    RUNNEL_UNROLL
    for (int i = 0; i < 16; i++)
        x[i] = salsa20_start_word(w, index, i);
}

/* Adds words `from` to `to` - 1 of the start. */
TARGET RUNNEL_INLINE void salsa20_add_start(vector_words x[16], const int from, const int to, const uint32_t *w,
                                            uint64_t index)
{
    RUNNEL_UNROLL
    for (int i = from; i < to; i++)
        x[i] += salsa20_start_word(w, index, i);
}

/* ---- diagonals: four vectors that hold words 0 5 10 15, 4 9 14 3, 8 13 2 7 and 12 1 6 11 ---- */

/* Element i of each lane from the i-th of them. */
TARGET RUNNEL_INLINE vector_words salsa20_pick(vector_words a, vector_words b, vector_words c, vector_words d)
{
#if LANES == 1
    return (a & (vector_words){~0u, 0, 0, 0}) | (b & (vector_words){0, ~0u, 0, 0}) |
           (c & (vector_words){0, 0, ~0u, 0}) | (d & (vector_words){0, 0, 0, ~0u});
#elif LANES == 2
    const vector ab = _mm256_blend_epi32((vector)a, (vector)b, 0x22);
    return (vector_words)_mm256_blend_epi32(ab, _mm256_blend_epi32((vector)c, (vector)d, 0x88), 0xcc);
#else
    const vector ab = _mm512_mask_blend_epi32(0x2222, (vector)a, (vector)b);
    return (vector_words)_mm512_mask_blend_epi32(0xcccc, ab, _mm512_mask_blend_epi32(0x8888, (vector)c, (vector)d));
#endif
}

/* From the rows of the matrix of words. */
TARGET RUNNEL_INLINE void salsa20_to_diagonals(vector_words x[4], const vector_words row[4])
{
    x[0] = salsa20_pick(row[0], row[1], row[2], row[3]);
    x[1] = salsa20_pick(row[1], row[2], row[3], row[0]);
    x[2] = salsa20_pick(row[2], row[3], row[0], row[1]);
    x[3] = salsa20_pick(row[3], row[0], row[1], row[2]);
}

/* A column round is one quarter-round of the four. This makes a row round of the next one, and the other way round: it
 * transposes the matrix, and x[0], the last to be ready, stays as it is. */
TARGET RUNNEL_INLINE void salsa20_turn(vector_words x[4])
{
    const vector_words turned = words_turn(x[1], 3);
    x[1] = words_turn(x[3], 1);
    x[2] = words_turn(x[2], 2);
    x[3] = turned;
}

/* Adds the rows of the start, and writes the blocks from number `block` on. */
TARGET RUNNEL_INLINE void salsa20_put_diagonals(uint8_t *out, const uint8_t *in, size_t block, size_t nblocks,
                                                uint8_t *leftover, const vector_words x[4], const vector_words start[4])
{
    const vector_words row[4] = {
        salsa20_pick(x[0], x[3], x[2], x[1]) + start[0], salsa20_pick(x[1], x[0], x[3], x[2]) + start[1],
        salsa20_pick(x[2], x[1], x[0], x[3]) + start[2], salsa20_pick(x[3], x[2], x[1], x[0]) + start[3]};
    keystream_words_put_rows(out, in, block, 1, nblocks, leftover, row);
}

/* The rows at the start of the blocks from number index on. What was stored recently is loaded with that width, 8 bytes,
 * for store-forwarding. */
TARGET RUNNEL_INLINE void salsa20_start_rows(vector_words row[4], const uint32_t *w, uint64_t index)
{
    const __m128i iv = _mm_loadl_epi64((const void *)(w + 6)), counter = _mm_cvtsi64_si128((long long)index);
    row[0] = (vector_words)vector_repeat_at(w);
    row[1] = (vector_words)vector_repeat(_mm_unpacklo_epi64(_mm_loadl_epi64((const void *)(w + 4)), iv));
    row[2] = (vector_words)vector_add64(
        vector_repeat(_mm_unpacklo_epi64(counter, _mm_loadl_epi64((const void *)(w + 10)))), vector_low_lane_numbers());
    row[3] = (vector_words)vector_repeat_at(w + 12);
}

/* 1 to 2 * LANES blocks, of which the last is for out or leftover. */
TARGET RUNNEL_INLINE void salsa20_xor_diagonals(const runnel_salsa20_state *s, uint64_t index, uint8_t *out,
                                                const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    vector_words start[4], x[4];
    salsa20_start_rows(start, s->words, index);
    salsa20_to_diagonals(x, start);
    if (nblocks + (leftover != NULL) <= LANES) {
        for (uint32_t round = s->rounds; round > 0; round--) {
            salsa20_quarter_round(x, 0, 1, 2, 3);
            salsa20_turn(x);
        }
    } else {
        vector_words next[4], y[4];
        salsa20_start_rows(next, s->words, index + LANES);
        salsa20_to_diagonals(y, next);
        for (uint32_t round = s->rounds; round > 0; round--) {
            salsa20_quarter_round(x, 0, 1, 2, 3);
            salsa20_quarter_round(y, 0, 1, 2, 3);
            salsa20_turn(x);
            salsa20_turn(y);
        }
        salsa20_put_diagonals(out, in, LANES, nblocks, leftover, y, next);
    }
    salsa20_put_diagonals(out, in, 0, nblocks, leftover, x, start);
}

#endif
