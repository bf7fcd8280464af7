/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Whole blocks in 128-bit parts of registers: for few blocks and for the key set-up. A kernel first includes rows_aes.h
 * or rows_gfni.h, which have aria_rows_round and aria_rows_last_round. A file with two widths includes both files
 * twice. */

#ifndef ARIA_ROWS_H
#define ARIA_ROWS_H
/* A alone. */
static const RUNNEL_LINE_ALIGNED uint8_t aria_plain_shuffles[7][16] = {
    {3, 2, 1, 0, 0, 1, 0, 1, 0, 0, 2, 2, 1, 0, 0, 1},
    {4, 5, 4, 5, 2, 3, 2, 3, 1, 1, 3, 3, 2, 3, 3, 2},
    {6, 7, 6, 7, 5, 4, 7, 6, 4, 5, 5, 4, 6, 6, 4, 4},
    {8, 8, 10, 10, 8, 9, 9, 8, 7, 6, 6, 7, 7, 7, 5, 5},
    {9, 9, 11, 11, 11, 10, 10, 11, 10, 11, 8, 9, 9, 8, 9, 8},
    {13, 12, 12, 13, 14, 14, 12, 12, 13, 12, 13, 12, 11, 10, 11, 10},
    {14, 15, 15, 14, 15, 15, 13, 13, 15, 14, 15, 14, 12, 13, 14, 15},
};
#endif

INLINE aria_vec aria_rows_diffuse(aria_vec x)
{
    aria_vec y = round_shuffle(x, aria_plain_shuffles[0]);
    UNROLL
    for (int i = 1; i < 7; i++)
        y ^= round_shuffle(x, aria_plain_shuffles[i]);
    return y;
}

INLINE aria_vec aria_rows_key(const runnel_aria_schedule *schedule, unsigned i)
{
    return LOAD_TABLE(schedule->keys[i]);
}

INLINE void aria_encrypt_rows(aria_vec *x, const int registers, const runnel_aria_schedule *schedule)
{
    aria_vec key = aria_rows_key(schedule, 0);
    UNROLL
    for (int i = 0; i < registers; i++)
        x[i] ^= key;
    for (unsigned r = 1;; r += 2) {
        key = aria_rows_key(schedule, r);
        UNROLL
        for (int i = 0; i < registers; i++)
            x[i] = aria_rows_round(x[i], 1, key);
        key = aria_rows_key(schedule, r + 1);
        if (r + 1 == schedule->rounds)
            break;
        UNROLL
        for (int i = 0; i < registers; i++)
            x[i] = aria_rows_round(x[i], 0, key);
    }
    UNROLL
    for (int i = 0; i < registers; i++)
        x[i] = aria_rows_last_round(x[i], key);
}
