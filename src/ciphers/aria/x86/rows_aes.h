/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The rounds of rows.h by the AES instructions, to be included before it. A round takes both AESENCLAST and AESDECLAST
 * of the block; the byte shuffles take each of A's inputs from the result with its S-box, at the place where ShiftRows
 * put it. A kernel also defines vec_blend (by the top bit of the mask's bytes). */

typedef struct aria_shuffles {
    RUNNEL_LINE_ALIGNED uint8_t s1[2][16], s2[2][16], s34[4][16];
} aria_shuffles;

/* For even and odd rounds. */
static const aria_shuffles aria_round_shuffles[2] = {
    {{{14, 10, 14, 2, 10, 2, 10, 14, 2, 14, 10, 10, 10, 14, 6, 10},
      {6, NONE, 2, 6, 6, 6, 2, NONE, NONE, 6, 14, 6, 14, 2, NONE, 2}},
     {{7, 11, 15, 11, 15, 7, 11, 7, 11, 15, 7, 7, 11, 7, 7, 3},
      {NONE, 3, 3, 15, 3, 3, NONE, 15, 3, NONE, 3, 11, 15, 11, 15, NONE}},
     {{4, 9, 5, 0, 0, 5, 0, 5, 0, 0, 9, 4, 5, 0, 0, 5},
      {8, 8, 4, 9, 9, 4, 13, 8, 5, 5, 8, 13, 13, 8, 4, 4},
      {13, 13, 12, 1, 8, 13, 12, 12, 4, 9, 1, 12, 12, 1, 9, 9},
      {1, 12, NONE, NONE, NONE, NONE, 1, 1, 1, 12, NONE, NONE, NONE, NONE, 13, 8}}},
    {{{4, 8, 4, 0, 0, 4, 0, 8, 0, 0, 8, 4, 12, 0, 0, 4},
      {8, 12, 12, NONE, 8, NONE, 12, 12, 4, 12, NONE, 12, NONE, 8, 4, 8}},
     {{5, 1, 13, 1, 1, 13, 5, 13, 13, 13, 1, 5, 13, 9, 1, 13},
      {9, 5, NONE, 9, NONE, 5, 9, 9, 9, 1, 9, NONE, 5, NONE, 5, 1}},
     {{15, 10, 14, 3, 10, 15, 10, 15, 3, 14, 10, 10, 10, 15, 15, 10},
      {14, 3, 2, 2, 7, 2, 3, 14, 2, 7, 15, 15, 14, 14, 7, 2},
      {6, 11, 7, 7, 6, 6, 2, 7, 11, 6, 14, 3, 3, 3, 6, 11},
      {NONE, NONE, 11, 6, 11, 11, NONE, NONE, NONE, NONE, 11, 6, 7, 2, NONE, NONE}}},
};

/* The last round has no A. */
static const RUNNEL_LINE_ALIGNED uint8_t aria_last_shuffles[3][16] = {
    {NONE, NONE, 10, NONE, NONE, NONE, 14, NONE, NONE, NONE, 2, NONE, NONE, NONE, 6, NONE},
    {NONE, NONE, NONE, 7, NONE, NONE, NONE, 11, NONE, NONE, NONE, 15, NONE, NONE, NONE, 3},
    {0, 5, NONE, NONE, 4, 9, NONE, NONE, 8, 13, NONE, NONE, 12, 1, NONE, NONE},
};

/* A(SL1(x)) ^ key if odd is 1, A(SL2(x)) ^ key if it is 0. The shortest chain: what is ready first is added first. */
INLINE aria_vec aria_rows_round(aria_vec x, const int odd, aria_vec key)
{
    const aria_shuffles *t = &aria_round_shuffles[odd];
    const aria_vec zero = x ^ x;
    const aria_vec s34 = vec_dec(vec_blend(x, TO_S3(x), odd ? ODD_S4 : EVEN_S4), zero);
    const aria_vec s1 = vec_enc(x, zero), s2 = S2_FROM_S1(s1);
    const aria_vec sum = round_shuffle(s1, t->s1[0]) ^ round_shuffle(s1, t->s1[1]) ^ key ^
                         (round_shuffle(s2, t->s2[0]) ^ round_shuffle(s2, t->s2[1]));
    return sum ^ (round_shuffle(s34, t->s34[0]) ^ round_shuffle(s34, t->s34[1])) ^
           (round_shuffle(s34, t->s34[2]) ^ round_shuffle(s34, t->s34[3]));
}

/* SL2(x) ^ key */
INLINE aria_vec aria_rows_last_round(aria_vec x, aria_vec key)
{
    const aria_vec zero = x ^ x;
    const aria_vec s34 = vec_dec(vec_blend(x, TO_S3(x), EVEN_S4), zero);
    const aria_vec s1 = vec_enc(x, zero), s2 = S2_FROM_S1(s1);
    return round_shuffle(s1, aria_last_shuffles[0]) ^ key ^ round_shuffle(s2, aria_last_shuffles[1]) ^
           round_shuffle(s34, aria_last_shuffles[2]);
}
