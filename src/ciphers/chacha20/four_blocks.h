/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 on 128-bit vectors, for kernels: four blocks with one vector a state word, the last three with one vector a row
 * of the matrix, side by side. The includer has included words.h of its processor (src/arch). */
#ifndef CHACHA20_FOUR_BLOCKS_H
#define CHACHA20_FOUR_BLOCKS_H

#include "kernels.h"

/* n quarter-rounds side by side, on a[i], b[(i + shift_b) % 4] and so on. Each step waits for the one before, and
 * compilers keep the order of the source. */
RUNNEL_INLINE void chacha20_quarter_rounds(int n, runnel_words *a, runnel_words *b, runnel_words *c, runnel_words *d,
                                           int shift_b, int shift_c, int shift_d)
{
#define B(i) b[((i) + shift_b) % 4]
#define C(i) c[((i) + shift_c) % 4]
#define D(i) d[((i) + shift_d) % 4]
    RUNNEL_EACH(i, n) a[i] += B(i);
    RUNNEL_EACH(i, n) D(i) = runnel_rotl_words_16(D(i) ^ a[i]);
    RUNNEL_EACH(i, n) C(i) += D(i);
    RUNNEL_EACH(i, n) B(i) ^= C(i);
    RUNNEL_EACH(i, n) B(i) = RUNNEL_ROTL_WORDS(B(i), 12);
    RUNNEL_EACH(i, n) a[i] += B(i);
    RUNNEL_EACH(i, n) D(i) = runnel_rotl_words_8(D(i) ^ a[i]);
    RUNNEL_EACH(i, n) C(i) += D(i);
    RUNNEL_EACH(i, n) B(i) ^= C(i);
    RUNNEL_EACH(i, n) B(i) = RUNNEL_ROTL_WORDS(B(i), 7);
#undef B
#undef C
#undef D
}

/* The last row of block number i from here on. */
RUNNEL_INLINE runnel_words chacha20_last_row(runnel_words row, uint32_t i)
{
    const runnel_words ahead = {i, 0, 0, 0};
    return row + ahead;
}

/* Groups of four blocks. */
static void chacha20_xor_words(const uint32_t *w, uint32_t counter, uint8_t *out, const uint8_t *in, size_t groups)
{
    runnel_words first = runnel_words_at(w), second = runnel_words_at(w + 4), third = runnel_words_at(w + 8);
    runnel_words fourth = runnel_words_at(w + 12);
    fourth[0] = counter;
    for (; groups > 0; groups--) {
        const runnel_words lanes = {0, 1, 2, 3};
        RUNNEL_WORDS_BARRIER(first);
        RUNNEL_WORDS_BARRIER(second);
        RUNNEL_WORDS_BARRIER(third);
        runnel_words x[16] = {RUNNEL_WORDS_OF(first), RUNNEL_WORDS_OF(second), RUNNEL_WORDS_OF(third),
                              RUNNEL_WORDS_OF(fourth)};
        x[12] += lanes;
        for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
            chacha20_quarter_rounds(4, x, x + 4, x + 8, x + 12, 0, 0, 0);
            chacha20_quarter_rounds(4, x, x + 4, x + 8, x + 12, 1, 2, 3);
        }
        runnel_words_to_rows(x);
        RUNNEL_EACH(i, 4)
        {
            const runnel_rows r = {x[i] + first, x[4 + i] + second, x[8 + i] + third,
                                   x[12 + i] + chacha20_last_row(fourth, (uint32_t)i)};
            runnel_put_rows(out + RUNNEL_WORDS_BLOCK * i, in == NULL ? NULL : in + RUNNEL_WORDS_BLOCK * i, r);
        }
        fourth = chacha20_last_row(fourth, 4);
        out += 4 * RUNNEL_WORDS_BLOCK;
        in = in == NULL ? NULL : in + 4 * RUNNEL_WORDS_BLOCK;
    }
}

/* n blocks, at most three. */
RUNNEL_INLINE void chacha20_xor_rows(int n, const uint32_t *w, uint32_t counter, uint8_t *out, const uint8_t *in)
{
    const runnel_words first = runnel_words_at(w), second = runnel_words_at(w + 4), third = runnel_words_at(w + 8);
    runnel_words fourth = runnel_words_at(w + 12);
    fourth[0] = counter;
    runnel_words a[3], b[3], c[3], d[3];
    RUNNEL_EACH(i, n) a[i] = first, b[i] = second, c[i] = third, d[i] = chacha20_last_row(fourth, (uint32_t)i);
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        chacha20_quarter_rounds(n, a, b, c, d, 0, 0, 0);
        RUNNEL_EACH(i, n) a[i] = RUNNEL_TURN_WORDS(a[i], 3); /* row b, the last to be ready, stays */
        RUNNEL_EACH(i, n) d[i] = RUNNEL_TURN_WORDS(d[i], 2);
        RUNNEL_EACH(i, n) c[i] = RUNNEL_TURN_WORDS(c[i], 1);
        chacha20_quarter_rounds(n, a, b, c, d, 0, 0, 0);
        RUNNEL_EACH(i, n) a[i] = RUNNEL_TURN_WORDS(a[i], 1);
        RUNNEL_EACH(i, n) d[i] = RUNNEL_TURN_WORDS(d[i], 2);
        RUNNEL_EACH(i, n) c[i] = RUNNEL_TURN_WORDS(c[i], 3);
    }
    RUNNEL_EACH(i, n)
    {
        const runnel_rows r = {a[i] + first, b[i] + second, c[i] + third,
                               d[i] + chacha20_last_row(fourth, (uint32_t)i)};
        runnel_put_rows(out + RUNNEL_WORDS_BLOCK * i, in == NULL ? NULL : in + RUNNEL_WORDS_BLOCK * i, r);
    }
}

static void chacha20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const size_t groups = nblocks / 4;
    uint32_t counter = (uint32_t)index;
    if (groups > 0) {
        chacha20_xor_words(state, counter, out, in, groups);
        counter += (uint32_t)(4 * groups);
        out += 4 * RUNNEL_WORDS_BLOCK * groups;
        in = in == NULL ? NULL : in + 4 * RUNNEL_WORDS_BLOCK * groups;
    }
    if (nblocks % 4 == 1)
        chacha20_xor_rows(1, state, counter, out, in);
    else if (nblocks % 4 == 2)
        chacha20_xor_rows(2, state, counter, out, in);
    else if (nblocks % 4 == 3)
        chacha20_xor_rows(3, state, counter, out, in);
}

#endif
