/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Whole blocks in 128-bit parts of registers: for few blocks and for the key set-up. A round takes both AESENCLAST and
 * AESDECLAST of the block; the byte shuffles that gather A's seven inputs take each from the result with its S-box, at
 * the place where ShiftRows put it. A kernel also defines vec_blend (by the top bit of the mask's bytes). */

typedef struct shuffles {
    RUNNEL_LINE_ALIGNED uint8_t s1[2][16], s2[2][16], s34[4][16];
} shuffles;

#define NONE 0x80 /* a zero byte */
#define LOAD_TABLE(p) vec_repeat(_mm_load_si128((const void *)(p)))

/* For even and odd rounds. */
static const shuffles round_shuffles[2] = {
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
static const RUNNEL_LINE_ALIGNED uint8_t last_shuffles[3][16] = {
    {NONE, NONE, 10, NONE, NONE, NONE, 14, NONE, NONE, NONE, 2, NONE, NONE, NONE, 6, NONE},
    {NONE, NONE, NONE, 7, NONE, NONE, NONE, 11, NONE, NONE, NONE, 15, NONE, NONE, NONE, 3},
    {0, 5, NONE, NONE, 4, 9, NONE, NONE, 8, 13, NONE, NONE, 12, 1, NONE, NONE},
};

/* A alone. */
static const RUNNEL_LINE_ALIGNED uint8_t plain_shuffles[7][16] = {
    {3, 2, 1, 0, 0, 1, 0, 1, 0, 0, 2, 2, 1, 0, 0, 1},
    {4, 5, 4, 5, 2, 3, 2, 3, 1, 1, 3, 3, 2, 3, 3, 2},
    {6, 7, 6, 7, 5, 4, 7, 6, 4, 5, 5, 4, 6, 6, 4, 4},
    {8, 8, 10, 10, 8, 9, 9, 8, 7, 6, 6, 7, 7, 7, 5, 5},
    {9, 9, 11, 11, 11, 10, 10, 11, 10, 11, 8, 9, 9, 8, 9, 8},
    {13, 12, 12, 13, 14, 14, 12, 12, 13, 12, 13, 12, 11, 10, 11, 10},
    {14, 15, 15, 14, 15, 15, 13, 13, 15, 14, 15, 14, 12, 13, 14, 15},
};

/* The bytes of a word that go through S4 in odd rounds, and in even ones. */
#define ODD_S4 vec_repeat(_mm_set1_epi32((int)0xff000000))
#define EVEN_S4 vec_repeat(_mm_set1_epi32(0x0000ff00))

INLINE vec round_shuffle(vec x, const uint8_t table[16])
{
    return vec_shuffle(x, LOAD_TABLE(table));
}

INLINE vec rows_diffuse(vec x)
{
    vec y = round_shuffle(x, plain_shuffles[0]);
    UNROLL
    for (int i = 1; i < 7; i++)
        y ^= round_shuffle(x, plain_shuffles[i]);
    return y;
}

/* A(SL1(x)) ^ key if odd is 1, A(SL2(x)) ^ key if it is 0. The shortest chain: what is ready first is added first. */
INLINE vec rows_round(vec x, const int odd, vec key)
{
    const shuffles *t = &round_shuffles[odd];
    const vec zero = x ^ x;
    const vec s34 = vec_dec(vec_blend(x, map_bytes(x, P_LOW, P_HIGH_04), odd ? ODD_S4 : EVEN_S4), zero);
    const vec s1 = vec_enc(x, zero), s2 = map_bytes(s1, Q_LOW, Q_HIGH_88);
    const vec sum = round_shuffle(s1, t->s1[0]) ^ round_shuffle(s1, t->s1[1]) ^ key ^
                    (round_shuffle(s2, t->s2[0]) ^ round_shuffle(s2, t->s2[1]));
    return sum ^ (round_shuffle(s34, t->s34[0]) ^ round_shuffle(s34, t->s34[1])) ^
           (round_shuffle(s34, t->s34[2]) ^ round_shuffle(s34, t->s34[3]));
}

/* SL2(x) ^ key */
INLINE vec rows_last_round(vec x, vec key)
{
    const vec zero = x ^ x;
    const vec s34 = vec_dec(vec_blend(x, map_bytes(x, P_LOW, P_HIGH_04), EVEN_S4), zero);
    const vec s1 = vec_enc(x, zero), s2 = map_bytes(s1, Q_LOW, Q_HIGH_88);
    return round_shuffle(s1, last_shuffles[0]) ^ key ^ round_shuffle(s2, last_shuffles[1]) ^
           round_shuffle(s34, last_shuffles[2]);
}

INLINE vec rows_key(const runnel_aria_schedule *schedule, unsigned i)
{
    return LOAD_TABLE(schedule->keys[i]);
}

INLINE void encrypt_rows(vec *x, const int registers, const runnel_aria_schedule *schedule)
{
    vec key = rows_key(schedule, 0);
    UNROLL
    for (int i = 0; i < registers; i++)
        x[i] ^= key;
    for (unsigned r = 1;; r += 2) {
        key = rows_key(schedule, r);
        UNROLL
        for (int i = 0; i < registers; i++)
            x[i] = rows_round(x[i], 1, key);
        key = rows_key(schedule, r + 1);
        if (r + 1 == schedule->rounds)
            break;
        UNROLL
        for (int i = 0; i < registers; i++)
            x[i] = rows_round(x[i], 0, key);
    }
    UNROLL
    for (int i = 0; i < registers; i++)
        x[i] = rows_last_round(x[i], key);
}
