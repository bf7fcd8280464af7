/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The rounds of ChaCha20 on vectors of any width, as words and as rows (arch/x86/keystream_words.h). The includer defines
 * TARGET, and VECTOR_AVX512 if that has rotations, and includes the vectors of its width. */
#ifndef CHACHA20_X86_ROUNDS_H
#define CHACHA20_X86_ROUNDS_H

#include "arch/common/aligned.h"
#include "arch/x86/keystream_words.h"
#include "ciphers/chacha20/kernels.h"

/* Without rotations, those by whole bytes are byte shuffles. Their patterns stay in memory, which saves two registers;
 * compilers leave them there only if they cannot know that the pattern is the same each time. So each function that has
 * rounds has a pointer to them of its own. */
static const RUNNEL_LINE_ALIGNED uint8_t chacha20_patterns[2][2][16] = {
    {{2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13}, {2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13}},
    {{3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14}, {3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14}},
};

TARGET RUNNEL_INLINE vector_words chacha20_rotate(vector_words x, const int n, const uint8_t **patterns)
{
#ifdef VECTOR_AVX512
    (void)patterns;
#else
    if (n % 8 == 0) {
        RUNNEL_VALUE_BARRIER(*patterns);
        return (vector_words)vector_look_up((vector)x, vector_load_aligned(*patterns + (n == 16 ? 0 : 32)));
    }
#endif
    return words_rotate(x, n);
}

TARGET RUNNEL_INLINE void chacha20_quarter_round(vector_words *x, const int a, const int b, const int c, const int d,
                                                 const uint8_t **patterns)
{
    x[a] = x[a] + x[b];
    x[d] = chacha20_rotate(x[d] ^ x[a], 16, patterns);
    x[c] = x[c] + x[d];
    x[b] = chacha20_rotate(x[b] ^ x[c], 12, patterns);
    x[a] = x[a] + x[b];
    x[d] = chacha20_rotate(x[d] ^ x[a], 8, patterns);
    x[c] = x[c] + x[d];
    x[b] = chacha20_rotate(x[b] ^ x[c], 7, patterns);
}

/* a += b, d = (d ^ a) <<< n, and the same of e, f and h. */
TARGET RUNNEL_INLINE void chacha20_two_steps(vector_words *x, const int a, const int b, const int d, const int e,
                                             const int f, const int h, const int n, const uint8_t **patterns)
{
    x[a] = x[a] + x[b];
    x[e] = x[e] + x[f];
    x[d] = x[d] ^ x[a];
    x[h] = x[h] ^ x[e];
    x[d] = chacha20_rotate(x[d], n, patterns);
    x[h] = chacha20_rotate(x[h], n, patterns);
}

/* Two at a time: each step waits for the one before, and compilers keep the order of the source. */
TARGET RUNNEL_INLINE void chacha20_two_quarter_rounds(vector_words *x, const int a, const int b, const int c,
                                                      const int d, const int e, const int f, const int g, const int h,
                                                      const uint8_t **patterns)
{
    chacha20_two_steps(x, a, b, d, e, f, h, 16, patterns);
    chacha20_two_steps(x, c, d, b, g, h, f, 12, patterns);
    chacha20_two_steps(x, a, b, d, e, f, h, 8, patterns);
    chacha20_two_steps(x, c, d, b, g, h, f, 7, patterns);
}

/* ---- words ---- */

/* Half a round. A kernel with rotations hides their latency by a second set of words; one without makes two quarter-rounds
 * at a time. */
TARGET RUNNEL_INLINE void chacha20_half_round(vector_words x[16], const int a, const int b, const int c, const int d,
                                              const int e, const int f, const int g, const int h,
                                              const uint8_t **patterns)
{
#ifdef VECTOR_AVX512
    chacha20_quarter_round(x, a, b, c, d, patterns);
    chacha20_quarter_round(x, e, f, g, h, patterns);
#else
    chacha20_two_quarter_rounds(x, a, b, c, d, e, f, g, h, patterns);
#endif
}

TARGET RUNNEL_INLINE void chacha20_columns_01(vector_words x[16], const uint8_t **patterns)
{
    chacha20_half_round(x, 0, 4, 8, 12, 1, 5, 9, 13, patterns);
}

TARGET RUNNEL_INLINE void chacha20_columns_23(vector_words x[16], const uint8_t **patterns)
{
    chacha20_half_round(x, 2, 6, 10, 14, 3, 7, 11, 15, patterns);
}

TARGET RUNNEL_INLINE void chacha20_diagonals_01(vector_words x[16], const uint8_t **patterns)
{
    chacha20_half_round(x, 0, 5, 10, 15, 1, 6, 11, 12, patterns);
}

TARGET RUNNEL_INLINE void chacha20_diagonals_23(vector_words x[16], const uint8_t **patterns)
{
    chacha20_half_round(x, 2, 7, 8, 13, 3, 4, 9, 14, patterns);
}

/* The words at the start, w being the state and counters the blocks' numbers. */
TARGET RUNNEL_INLINE void chacha20_start(vector_words x[16], const uint32_t *w, vector_words counters)
{
    RUNNEL_UNROLL
    for (int i = 0; i < 16; i++)
        x[i] = i == 12 ? counters : words_repeat(w[i]);
}

/* Adds words `from` to `to` - 1 of the start. */
TARGET RUNNEL_INLINE void chacha20_add_start(vector_words x[16], const int from, const int to, const uint32_t *w,
                                             vector_words counters)
{
    RUNNEL_UNROLL
    for (int i = from; i < to; i++)
        x[i] += i == 12 ? counters : words_repeat(w[i]);
}

/* ---- rows ---- */

/* Row 1, the last to be ready, stays where it is and the others turn. */
TARGET RUNNEL_INLINE void chacha20_to_diagonals(vector_words x[4])
{
    x[0] = words_turn(x[0], 3);
    x[3] = words_turn(x[3], 2);
    x[2] = words_turn(x[2], 1);
}

TARGET RUNNEL_INLINE void chacha20_to_columns(vector_words x[4])
{
    x[0] = words_turn(x[0], 1);
    x[3] = words_turn(x[3], 2);
    x[2] = words_turn(x[2], 3);
}

/* All rounds. */
TARGET RUNNEL_INLINE void chacha20_rounds_on_rows(vector_words x[4])
{
    const uint8_t *patterns = chacha20_patterns[0][0];
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        chacha20_quarter_round(x, 0, 1, 2, 3, &patterns);
        chacha20_to_diagonals(x);
        chacha20_quarter_round(x, 0, 1, 2, 3, &patterns);
        chacha20_to_columns(x);
    }
}

/* And on two sets of rows. */
TARGET RUNNEL_INLINE void chacha20_rounds_on_two_rows(vector_words x[8])
{
    const uint8_t *patterns = chacha20_patterns[0][0];
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        chacha20_two_quarter_rounds(x, 0, 1, 2, 3, 4, 5, 6, 7, &patterns);
        chacha20_to_diagonals(x);
        chacha20_to_diagonals(x + 4);
        chacha20_two_quarter_rounds(x, 0, 1, 2, 3, 4, 5, 6, 7, &patterns);
        chacha20_to_columns(x);
        chacha20_to_columns(x + 4);
    }
}

/* Adds the rows of the start, and writes the blocks from number `block` on. */
TARGET RUNNEL_INLINE void chacha20_put_rows(uint8_t *out, const uint8_t *in, size_t block, size_t nblocks,
                                            uint8_t *leftover, const vector_words x[4], const vector_words start[4])
{
    const vector_words row[4] = {x[0] + start[0], x[1] + start[1], x[2] + start[2], x[3] + start[3]};
    keystream_words_put_rows(out, in, block, 1, nblocks, leftover, row);
}

#endif
