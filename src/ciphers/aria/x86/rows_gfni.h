/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The rounds of rows.h by GFNI, to be included before it: each S-box of the whole register, and byte shuffles that
 * take each of A's inputs from the result with its S-box, at most two from each. A kernel also defines vec_xor3. */

#ifndef ARIA_ROWS_GFNI_H
#define ARIA_ROWS_GFNI_H
/* A's inputs, by their place in a word. */
static const RUNNEL_LINE_ALIGNED uint8_t aria_taps[4][2][16] = {
    {{4, 8, 4, 0, 0, 4, 0, 8, 0, 0, 8, 4, 12, 0, 0, 4},
     {8, 12, 12, NONE, 8, NONE, 12, 12, 4, 12, NONE, 12, NONE, 8, 4, 8}},
    {{9, 5, 1, 5, 5, 1, 9, 1, 1, 1, 5, 9, 1, 13, 5, 1},
     {13, 9, NONE, 13, NONE, 9, 13, 13, 13, 5, 13, NONE, 9, NONE, 9, 5}},
    {{6, 2, 6, 10, 2, 10, 2, 6, 10, 6, 2, 2, 2, 6, 14, 2},
     {14, NONE, 10, 14, 14, 14, 10, NONE, NONE, 14, 6, 14, 6, 10, NONE, 10}},
    {{3, 7, 11, 7, 11, 3, 7, 3, 7, 11, 3, 3, 7, 3, 3, 15},
     {NONE, 15, 15, 11, 15, 15, NONE, 11, 15, NONE, 15, 7, 11, 7, 11, NONE}},
};
#endif

INLINE aria_vec aria_two_taps(aria_vec x, const int place, aria_vec sum)
{
    return vec_xor3(round_shuffle(x, aria_taps[place][0]), round_shuffle(x, aria_taps[place][1]), sum);
}

/* A(SL1(x)) ^ key if odd is 1, A(SL2(x)) ^ key if it is 0. The shortest chain: what is ready first is added first. */
INLINE aria_vec aria_rows_round(aria_vec x, const int odd, aria_vec key)
{
    const int first = odd ? 0 : 2; /* the place of S1 */
    aria_vec sum = aria_two_taps(S1(x), first, key);
    sum = aria_two_taps(S2(x), first + 1, sum);
    sum = aria_two_taps(S3(x), 2 - first, sum);
    return aria_two_taps(S4(x), 3 - first, sum);
}

/* SL2(x) ^ key */
INLINE aria_vec aria_rows_last_round(aria_vec x, aria_vec key)
{
    const aria_vec word = aria_vec_repeat(_mm_set1_epi32(0xff));
    const aria_vec even = (S3(x) & word) ^ (S1(x) & (word << 16)), odd = (S4(x) & (word << 8)) ^ (S2(x) & (word << 24));
    return vec_xor3(even, odd, key);
}
