/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 on 128-bit vectors, for kernels: four blocks with one vector a state word, the last three with one vector a
 * diagonal of the matrix, side by side. The includer has included words.h of its processor (src/arch). */
#ifndef SALSA20_FOUR_BLOCKS_H
#define SALSA20_FOUR_BLOCKS_H

#include "kernels.h"

/* b ^= (a + d) <<< by, for n quarter-rounds side by side; A to D are macros that give a word of number i. Each step
 * waits for the one before, and compilers keep the order of the source. */
#define STEP(n, B, A, D, by)                                                                                           \
    do {                                                                                                               \
        runnel_words sum[4];                                                                                           \
        RUNNEL_EACH(i, n) sum[i] = A(i) + D(i);                                                                        \
        RUNNEL_EACH(i, n) sum[i] = RUNNEL_ROTL_WORDS(sum[i], by);                                                      \
        RUNNEL_EACH(i, n) B(i) ^= sum[i];                                                                              \
    } while (0)
#define QUARTER_ROUNDS(n, A, B, C, D)                                                                                  \
    do {                                                                                                               \
        STEP(n, B, A, D, 7);                                                                                           \
        STEP(n, C, B, A, 9);                                                                                           \
        STEP(n, D, C, B, 13);                                                                                          \
        STEP(n, A, D, C, 18);                                                                                          \
    } while (0)

/* Word number `down` below the diagonal in column i, and as far right of the diagonal in row i. */
#define COLUMN(i, down) x[(5 * (i) + 4 * (down)) % 16]
#define ROW(i, right) x[4 * (i) + ((i) + (right)) % 4]
#define COLUMN_0(i) COLUMN(i, 0)
#define COLUMN_1(i) COLUMN(i, 1)
#define COLUMN_2(i) COLUMN(i, 2)
#define COLUMN_3(i) COLUMN(i, 3)
#define ROW_0(i) ROW(i, 0)
#define ROW_1(i) ROW(i, 1)
#define ROW_2(i) ROW(i, 2)
#define ROW_3(i) ROW(i, 3)

/* The third row of block number i from here on: its first half is the block number. */
RUNNEL_INLINE runnel_words salsa20_third_row(runnel_words row, uint64_t i)
{
    const runnel_word_pairs ahead = {i, 0};
    return (runnel_words)((runnel_word_pairs)row + ahead);
}

RUNNEL_INLINE runnel_rows salsa20_rows_of(const uint32_t *w, uint64_t index)
{
    runnel_word_pairs third = (runnel_word_pairs)runnel_words_at(w + 8);
    third[0] = index;
    const runnel_rows r = {runnel_words_at(w), runnel_words_at(w + 4), (runnel_words)third, runnel_words_at(w + 12)};
    return r;
}

RUNNEL_INLINE runnel_rows salsa20_add_rows(runnel_rows x, runnel_rows y)
{
    const runnel_rows sum = {x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d};
    return sum;
}

/* Groups of four blocks. */
static void salsa20_xor_words(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                              size_t groups)
{
    runnel_rows r = salsa20_rows_of(s->words, index);
    for (; groups > 0; groups--) {
        const runnel_words lanes = {0, 1, 2, 3};
        RUNNEL_WORDS_BARRIER(r.a);
        RUNNEL_WORDS_BARRIER(r.b);
        RUNNEL_WORDS_BARRIER(r.d);
        runnel_words x[16] = {RUNNEL_WORDS_OF(r.a), RUNNEL_WORDS_OF(r.b), RUNNEL_WORDS_OF(r.c), RUNNEL_WORDS_OF(r.d)};
        const runnel_words low = x[8];
        x[8] = low + lanes;
        x[9] -= (runnel_words)(x[8] < low); /* a low word that is less than the first one has wrapped */
        for (unsigned round = s->rounds; round > 0; round -= 2) {
            QUARTER_ROUNDS(4, COLUMN_0, COLUMN_1, COLUMN_2, COLUMN_3);
            QUARTER_ROUNDS(4, ROW_0, ROW_1, ROW_2, ROW_3);
        }
        runnel_words_to_rows(x);
        RUNNEL_EACH(i, 4)
        {
            const runnel_rows of_block = {x[i], x[4 + i], x[8 + i], x[12 + i]};
            const runnel_rows first = {r.a, r.b, salsa20_third_row(r.c, (uint64_t)i), r.d};
            runnel_put_rows(out + RUNNEL_WORDS_BLOCK * i, in == NULL ? NULL : in + RUNNEL_WORDS_BLOCK * i,
                            salsa20_add_rows(of_block, first));
        }
        r.c = salsa20_third_row(r.c, 4);
        out += 4 * RUNNEL_WORDS_BLOCK;
        in = in == NULL ? NULL : in + 4 * RUNNEL_WORDS_BLOCK;
    }
}

#define DIAGONAL_0(i) x[i].a
#define DIAGONAL_1(i) x[i].b
#define DIAGONAL_2(i) x[i].c
#define DIAGONAL_3(i) x[i].d

/* n blocks, at most three. Diagonals are words 0 5 10 15, 4 9 14 3, 8 13 2 7 and 12 1 6 11, so that a column round is
 * one quarter-round on them; a row round is one with the words of the second and the fourth exchanged, and turned. */
RUNNEL_INLINE void salsa20_xor_rows(int n, const runnel_salsa20_state *s, uint64_t index, uint8_t *out,
                                    const uint8_t *in)
{
    const runnel_rows r = salsa20_rows_of(s->words, index);
    runnel_rows x[3];
    RUNNEL_EACH(i, n)
    {
        const runnel_words third = salsa20_third_row(r.c, (uint64_t)i);
        x[i].a = runnel_pick_words(r.a, r.b, third, r.d);
        x[i].b = runnel_pick_words(r.b, third, r.d, r.a);
        x[i].c = runnel_pick_words(third, r.d, r.a, r.b);
        x[i].d = runnel_pick_words(r.d, r.a, r.b, third);
    }
    for (unsigned round = s->rounds; round > 0; round -= 2) {
        QUARTER_ROUNDS(n, DIAGONAL_0, DIAGONAL_1, DIAGONAL_2, DIAGONAL_3);
        RUNNEL_EACH(i, n) x[i].b = RUNNEL_TURN_WORDS(x[i].b, 3);
        RUNNEL_EACH(i, n) x[i].c = RUNNEL_TURN_WORDS(x[i].c, 2);
        RUNNEL_EACH(i, n) x[i].d = RUNNEL_TURN_WORDS(x[i].d, 1);
        QUARTER_ROUNDS(n, DIAGONAL_0, DIAGONAL_3, DIAGONAL_2, DIAGONAL_1);
        RUNNEL_EACH(i, n) x[i].d = RUNNEL_TURN_WORDS(x[i].d, 3);
        RUNNEL_EACH(i, n) x[i].c = RUNNEL_TURN_WORDS(x[i].c, 2);
        RUNNEL_EACH(i, n) x[i].b = RUNNEL_TURN_WORDS(x[i].b, 1);
    }
    RUNNEL_EACH(i, n)
    {
        const runnel_words a = x[i].a, b = x[i].b, c = x[i].c, d = x[i].d;
        const runnel_rows of_block = {runnel_pick_words(a, d, c, b), runnel_pick_words(b, a, d, c),
                                      runnel_pick_words(c, b, a, d), runnel_pick_words(d, c, b, a)};
        const runnel_rows first = {r.a, r.b, salsa20_third_row(r.c, (uint64_t)i), r.d};
        runnel_put_rows(out + RUNNEL_WORDS_BLOCK * i, in == NULL ? NULL : in + RUNNEL_WORDS_BLOCK * i,
                        salsa20_add_rows(of_block, first));
    }
}

static void salsa20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const size_t groups = nblocks / 4;
    if (groups > 0) {
        salsa20_xor_words(state, index, out, in, groups);
        index += 4 * groups;
        out += 4 * RUNNEL_WORDS_BLOCK * groups;
        in = in == NULL ? NULL : in + 4 * RUNNEL_WORDS_BLOCK * groups;
    }
    if (nblocks % 4 == 1)
        salsa20_xor_rows(1, state, index, out, in);
    else if (nblocks % 4 == 2)
        salsa20_xor_rows(2, state, index, out, in);
    else if (nblocks % 4 == 3)
        salsa20_xor_rows(3, state, index, out, in);
}

#endif
