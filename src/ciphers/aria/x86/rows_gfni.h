/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The rounds of rows.h by GFNI: each S-box of the whole register, and byte shuffles that take each of A's inputs from
 * the result with its S-box, at most two from each. The includer defines TARGET and includes the vectors of its width. */
#ifndef ARIA_X86_ROWS_GFNI_H
#define ARIA_X86_ROWS_GFNI_H

#include "boxes_gfni.h"
#include "tables.h"

/* A's inputs, by their place in a word. */
static const RUNNEL_LINE_ALIGNED uint8_t aria_taps[4][2][16] = {
    {{4, 8, 4, 0, 0, 4, 0, 8, 0, 0, 8, 4, 12, 0, 0, 4},
     {8, 12, 12, ARIA_NONE, 8, ARIA_NONE, 12, 12, 4, 12, ARIA_NONE, 12, ARIA_NONE, 8, 4, 8}},
    {{9, 5, 1, 5, 5, 1, 9, 1, 1, 1, 5, 9, 1, 13, 5, 1},
     {13, 9, ARIA_NONE, 13, ARIA_NONE, 9, 13, 13, 13, 5, 13, ARIA_NONE, 9, ARIA_NONE, 9, 5}},
    {{6, 2, 6, 10, 2, 10, 2, 6, 10, 6, 2, 2, 2, 6, 14, 2},
     {14, ARIA_NONE, 10, 14, 14, 14, 10, ARIA_NONE, ARIA_NONE, 14, 6, 14, 6, 10, ARIA_NONE, 10}},
    {{3, 7, 11, 7, 11, 3, 7, 3, 7, 11, 3, 3, 7, 3, 3, 15},
     {ARIA_NONE, 15, 15, 11, 15, 15, ARIA_NONE, 11, 15, ARIA_NONE, 15, 7, 11, 7, 11, ARIA_NONE}},
};

TARGET RUNNEL_INLINE vector aria_two_taps(vector x, const int place, vector sum)
{
    return vector_xor3(aria_shuffle(x, aria_taps[place][0]), aria_shuffle(x, aria_taps[place][1]), sum);
}

/* A(SL1(x)) ^ key if odd is 1, A(SL2(x)) ^ key if it is 0. The shortest chain: what is ready first is added first. */
TARGET RUNNEL_INLINE vector aria_rows_round(vector x, const int odd, vector key)
{
    const int first = odd ? 0 : 2; /* the place of S1 */
    vector sum = aria_two_taps(aria_s1(x), first, key);
    sum = aria_two_taps(aria_s2(x), first + 1, sum);
    sum = aria_two_taps(aria_s3(x), 2 - first, sum);
    return aria_two_taps(aria_s4(x), 3 - first, sum);
}

/* Byte number `place` of each word of x, and zeros. */
TARGET RUNNEL_INLINE vector aria_only_place(vector x, const int place)
{
    return vector_and(x, vector_repeat_word(UINT32_C(0xff) << 8 * place));
}

/* SL2(x) ^ key */
TARGET RUNNEL_INLINE vector aria_rows_last_round(vector x, vector key)
{
    const vector even = vector_xor(aria_only_place(aria_s3(x), 0), aria_only_place(aria_s1(x), 2));
    const vector odd = vector_xor(aria_only_place(aria_s4(x), 1), aria_only_place(aria_s2(x), 3));
    return vector_xor3(even, odd, key);
}

#endif
