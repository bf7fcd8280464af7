/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The rounds of rows.h by the AES instructions. A round takes both AESENCLAST and AESDECLAST of the block; the byte
 * shuffles take each of A's inputs from the result with its S-box, at the place where ShiftRows put it. The includer
 * defines TARGET and includes the vectors of its width. */
#ifndef ARIA_X86_ROWS_AES_H
#define ARIA_X86_ROWS_AES_H

#include "arch/common/barrier.h"
#include "maps.h"

typedef struct aria_shuffles {
    RUNNEL_LINE_ALIGNED uint8_t s1[2][16], s2[2][16], s34[4][16];
} aria_shuffles;

/* For even and odd rounds. */
static const aria_shuffles aria_round_shuffles[2] = {
    {{{14, 10, 14, 2, 10, 2, 10, 14, 2, 14, 10, 10, 10, 14, 6, 10},
      {6, ARIA_NONE, 2, 6, 6, 6, 2, ARIA_NONE, ARIA_NONE, 6, 14, 6, 14, 2, ARIA_NONE, 2}},
     {{7, 11, 15, 11, 15, 7, 11, 7, 11, 15, 7, 7, 11, 7, 7, 3},
      {ARIA_NONE, 3, 3, 15, 3, 3, ARIA_NONE, 15, 3, ARIA_NONE, 3, 11, 15, 11, 15, ARIA_NONE}},
     {{4, 9, 5, 0, 0, 5, 0, 5, 0, 0, 9, 4, 5, 0, 0, 5},
      {8, 8, 4, 9, 9, 4, 13, 8, 5, 5, 8, 13, 13, 8, 4, 4},
      {13, 13, 12, 1, 8, 13, 12, 12, 4, 9, 1, 12, 12, 1, 9, 9},
      {1, 12, ARIA_NONE, ARIA_NONE, ARIA_NONE, ARIA_NONE, 1, 1, 1, 12, ARIA_NONE, ARIA_NONE, ARIA_NONE, ARIA_NONE, 13,
       8}}},
    {{{4, 8, 4, 0, 0, 4, 0, 8, 0, 0, 8, 4, 12, 0, 0, 4},
      {8, 12, 12, ARIA_NONE, 8, ARIA_NONE, 12, 12, 4, 12, ARIA_NONE, 12, ARIA_NONE, 8, 4, 8}},
     {{5, 1, 13, 1, 1, 13, 5, 13, 13, 13, 1, 5, 13, 9, 1, 13},
      {9, 5, ARIA_NONE, 9, ARIA_NONE, 5, 9, 9, 9, 1, 9, ARIA_NONE, 5, ARIA_NONE, 5, 1}},
     {{15, 10, 14, 3, 10, 15, 10, 15, 3, 14, 10, 10, 10, 15, 15, 10},
      {14, 3, 2, 2, 7, 2, 3, 14, 2, 7, 15, 15, 14, 14, 7, 2},
      {6, 11, 7, 7, 6, 6, 2, 7, 11, 6, 14, 3, 3, 3, 6, 11},
      {ARIA_NONE, ARIA_NONE, 11, 6, 11, 11, ARIA_NONE, ARIA_NONE, ARIA_NONE, ARIA_NONE, 11, 6, 7, 2, ARIA_NONE,
       ARIA_NONE}}},
};

/* The last round has no A. */
static const RUNNEL_LINE_ALIGNED uint8_t aria_last_shuffles[3][16] = {
    {ARIA_NONE, ARIA_NONE, 10, ARIA_NONE, ARIA_NONE, ARIA_NONE, 14, ARIA_NONE, ARIA_NONE, ARIA_NONE, 2, ARIA_NONE,
     ARIA_NONE, ARIA_NONE, 6, ARIA_NONE},
    {ARIA_NONE, ARIA_NONE, ARIA_NONE, 7, ARIA_NONE, ARIA_NONE, ARIA_NONE, 11, ARIA_NONE, ARIA_NONE, ARIA_NONE, 15,
     ARIA_NONE, ARIA_NONE, ARIA_NONE, 3},
    {0, 5, ARIA_NONE, ARIA_NONE, 4, 9, ARIA_NONE, ARIA_NONE, 8, 13, ARIA_NONE, ARIA_NONE, 12, 1, ARIA_NONE, ARIA_NONE},
};

/* Each byte through S3 or, where they are in this round, through S4; the rows shifted as AESDECLAST does. */
TARGET RUNNEL_INLINE vector aria_rows_s34(vector x, const int odd)
{
    return vector_aes_last_inverse_round(vector_blend(x, aria_s4_to_s3(x), aria_s4_bytes(odd)), vector_zero());
}

TARGET RUNNEL_INLINE vector aria_two_shuffles(vector x, const uint8_t orders[2][16])
{
    const vector first = aria_shuffle(x, orders[0]);
    return vector_xor(first, aria_shuffle(x, orders[1]));
}

/* With SSE neither the order of sums nor the place of tables is for the compiler to choose: it would have more of them in
 * registers than there are, and spill what the next round waits for. */
TARGET RUNNEL_INLINE vector aria_in_order(vector sum)
{
#if LANES == 1
    RUNNEL_VECTOR_BARRIER(sum);
#endif
    return sum;
}

TARGET RUNNEL_INLINE const aria_shuffles *aria_shuffles_in_memory(const aria_shuffles *t)
{
#if LANES == 1
    RUNNEL_VALUE_BARRIER(t);
#endif
    return t;
}

/* A(SL1(x)) ^ key if odd is 1, A(SL2(x)) ^ key if it is 0. The shortest chain: what is ready first is added first. */
TARGET RUNNEL_INLINE vector aria_rows_round(vector x, const int odd, vector key)
{
    const aria_shuffles *t = aria_shuffles_in_memory(&aria_round_shuffles[odd]);
    const vector s34 = aria_rows_s34(x, odd);
    const vector s1 = vector_aes_last_round(x, vector_zero()), s2 = aria_s2_of_s1(s1);
    vector sum = aria_in_order(vector_xor(aria_two_shuffles(s1, t->s1), key));
    sum = aria_in_order(vector_xor(sum, aria_two_shuffles(s2, t->s2)));
    return vector_xor(vector_xor(sum, aria_two_shuffles(s34, t->s34)), aria_two_shuffles(s34, t->s34 + 2));
}

/* SL2(x) ^ key */
TARGET RUNNEL_INLINE vector aria_rows_last_round(vector x, vector key)
{
    const vector s34 = aria_rows_s34(x, 0);
    const vector s1 = vector_aes_last_round(x, vector_zero()), s2 = aria_s2_of_s1(s1);
    const vector sum =
        vector_xor(vector_xor(aria_shuffle(s1, aria_last_shuffles[0]), key), aria_shuffle(s2, aria_last_shuffles[1]));
    return vector_xor(sum, aria_shuffle(s34, aria_last_shuffles[2]));
}

#endif
