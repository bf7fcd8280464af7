/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Byte i of many blocks in register i, S-boxes by GFNI: 24 instructions for them and 37 sums a round. Both ports of
 * 512-bit vectors are then busy all the time, so that the number of instructions is the speed. Round keys and constants
 * are spread (parts_avx512.h). The includer defines TARGET, with AVX-512, and includes the vectors of its width, 256 or 512
 * bits. */
#ifndef ARIA_X86_SLICES_GFNI_H
#define ARIA_X86_SLICES_GFNI_H

#include "boxes_gfni.h"
#include "parts_avx512.h"
#include "tables.h"
#include "transpose.h"

/* S3 by AESDECLAST, and a shuffle that undoes its shift of rows: GFNI and AES have one port for 512 bits, and without
 * this it would have too much to do. */
TARGET RUNNEL_INLINE vector aria_slice_s3(vector x)
{
    return vector_shuffle_bytes(vector_aes_last_inverse_round(x, vector_zero()),
                                _mm_setr_epi8(0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11));
}

TARGET RUNNEL_INLINE void aria_slices_substitute(vector x[16], const int odd)
{
    const int first = odd ? 0 : 2;
    RUNNEL_UNROLL
    for (int i = 0; i < 16; i += 4) {
        const int s1 = i + first, s2 = s1 + 1, s3 = i + 2 - first, s4 = s3 + 1;
        x[s1] = aria_s1(x[s1]);
        x[s2] = aria_s2(x[s2]);
        x[s3] = aria_slice_s3(x[s3]);
        x[s4] = aria_s4(x[s4]);
    }
}

/* a ^ b ^ a spread word, and the same of four. VPTERNLOGD overwrites its first operand: where one is not used again, it is
 * the first. */
TARGET RUNNEL_INLINE vector aria_add_word(vector a, vector b, uint32_t word)
{
    return vector_xor3(a, b, vector_repeat_word(word));
}

TARGET RUNNEL_INLINE vector aria_sum(vector a, vector b, vector c, vector d, uint32_t word)
{
    return aria_add_word(vector_xor3(a, b, c), d, word);
}

/* x = A(x) ^ key, folded. Four sums of four bytes are in four bytes of the result each, and three sums of two in two
 * bytes each: these six have their key from the sums. */
TARGET RUNNEL_INLINE void aria_slices_diffuse(vector x[16], const runnel_aria_spread *key)
{
    const uint32_t *k = key->word;
    const vector x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3], x4 = x[4], x5 = x[5], x6 = x[6], x7 = x[7], x8 = x[8],
                 x9 = x[9], x10 = x[10], x11 = x[11], x12 = x[12], x13 = x[13], x14 = x[14], x15 = x[15];
    const vector t0 = vector_xor3(vector_xor(x3, x14), x4, x9), t1 = aria_sum(x2, x5, x8, x15, k[10]);
    const vector t2 = aria_sum(x1, x6, x11, x12, k[12]), t3 = aria_sum(x0, x7, x10, x13, k[3]);
    const vector p1 = aria_add_word(x6, x13, k[0]), p2 = aria_add_word(x2, x7, k[11]),
                 p3 = aria_add_word(x5, x11, k[14]);
    x[0] = vector_xor3(t0, p1, x8);
    x[1] = aria_sum(x7, t1, x9, x12, k[1]);
    x[2] = aria_sum(t2, x4, x10, x15, k[2]);
    x[3] = vector_xor3(t3, p3, x14);
    x[4] = aria_sum(x11, t1, x0, x14, k[4]);
    x[5] = aria_sum(t0, x1, x10, x15, k[5]);
    x[6] = aria_sum(x2, t3, x9, x12, k[6]);
    x[7] = aria_sum(x13, t2, x3, x8, k[7]);
    x[8] = aria_sum(x15, t3, x1, x4, k[8]);
    x[9] = aria_sum(x5, t2, x0, x14, k[9]);
    x[10] = vector_xor3(p1, t1, x3);
    x[11] = vector_xor3(x12, t0, p2);
    x[12] = vector_xor3(x9, t2, p2);
    x[13] = aria_sum(x6, t3, x3, x8, k[13]);
    x[14] = vector_xor3(x0, t0, p3);
    x[15] = aria_sum(x1, t1, x4, x10, k[15]);
}

/* x = A(x) ^ second, where only bytes 1, 2, 4, 5, 8, 10 and 15 of x are not zero. */
TARGET RUNNEL_INLINE void aria_slices_diffuse_seven(vector x[16], const runnel_aria_spread *second)
{
    const uint32_t *k = second->word;
    const vector x1 = x[1], x2 = x[2], x4 = x[4], x5 = x[5], x8 = x[8], x10 = x[10], x15 = x[15];
    const vector t1 = vector_xor3(x2, x5, x8), t4 = vector_xor(vector_xor3(x1, x4, x10), x15);
    x[0] = aria_add_word(x4, x8, k[0]);
    x[1] = aria_add_word(t1, x15, k[1]);
    x[2] = vector_xor(t4, vector_repeat_word(k[2]));
    x[3] = aria_add_word(x5, x10, k[3]);
    x[4] = aria_add_word(t1, x15, k[4]);
    x[5] = vector_xor(t4, vector_repeat_word(k[5]));
    x[6] = aria_add_word(x2, x10, k[6]);
    x[7] = aria_add_word(x1, x8, k[7]);
    x[8] = vector_xor(t4, vector_repeat_word(k[8]));
    x[9] = aria_add_word(x1, x5, k[9]);
    x[10] = aria_add_word(t1, x15, k[10]);
    x[11] = aria_add_word(x2, x4, k[11]);
    x[12] = aria_add_word(x1, x2, k[12]);
    x[13] = aria_add_word(x8, x10, k[13]);
    x[14] = aria_add_word(x4, x5, k[14]);
    x[15] = aria_add_word(t4, t1, k[15]);
}

/* Rounds first (odd) to the last, then out = in XOR the blocks (in == NULL: the blocks). */
TARGET RUNNEL_INLINE void aria_slices_finish(vector x[16], const runnel_aria_spread *keys, unsigned first,
                                             const runnel_aria_schedule *schedule, uint8_t *out, const uint8_t *in)
{
    vector y[16];
    const unsigned rounds = schedule->rounds;
    for (unsigned r = first;; r += 2) {
        aria_slices_substitute(x, 1);
        aria_slices_diffuse(x, &keys[r]);
        if (r + 1 == rounds)
            break;
        aria_slices_substitute(x, 0);
        aria_slices_diffuse(x, &keys[r + 1]);
    }
    aria_slices_substitute(x, 0);
    const vector last = aria_table(schedule->keys[rounds]);
    aria_transpose_half(y, x);
    RUNNEL_UNROLL
    for (int i = 0; i < 4; i++) {
        vector z[4];
        aria_transpose_part(z, y, i);
        RUNNEL_UNROLL
        for (int j = 0; j < 4; j++) {
            const int at = VECTOR_BYTES * (4 * i + j);
            vector_store(out + at, in == NULL ? vector_xor(z[j], last) : vector_xor3(z[j], vector_load(in + at), last));
        }
    }
}

/* As many blocks as a register has bytes. */
TARGET RUNNEL_INLINE void aria_slices_blocks(const runnel_aria_spread *keys, const runnel_aria_schedule *schedule,
                                             uint8_t *out, const uint8_t *in)
{
    vector x[16], y[16];
    const vector key = aria_table(schedule->keys[0]);
    RUNNEL_UNROLL
    for (int i = 0; i < 16; i++)
        x[i] = vector_xor(vector_load(in + VECTOR_BYTES * i), key);
    aria_transpose_half(y, x);
    aria_transpose_half(x, y);
    aria_slices_finish(x, keys, 1, schedule, out, NULL);
}

/* As many blocks of counter mode, of which `left` after the first are of one run and the others of the next. */
TARGET RUNNEL_INLINE void aria_slices_ctr(const runnel_aria_spread *keys, const runnel_aria_schedule *schedule,
                                          const runnel_aria_spread_run *run, uint32_t counter, unsigned left,
                                          uint8_t *out, const uint8_t *in)
{
    const vector numbers = vector_transposed_byte_numbers();
    const vector of_next = vector_greater8(numbers, vector_repeat_byte((uint8_t)left));
    const vector counters = vector_add8(numbers, vector_repeat_byte((uint8_t)counter));
    const vector v = aria_s4(vector_xor(counters, vector_repeat_byte(schedule->keys[0][15])));
    const int ends = left < VECTOR_BYTES - 1;
    static const uint8_t seven[7] = {1, 2, 4, 5, 8, 10, 15}; /* bytes that differ after round 1 */
    vector x[16];
    RUNNEL_UNROLL
    for (int i = 0; i < 7; i++)
        x[seven[i]] = vector_xor(v, vector_repeat_word(run->first.word[seven[i]]));
    if (ends) {
        RUNNEL_UNROLL
        for (int i = 0; i < 7; i++)
            x[seven[i]] = vector_xor_and(x[seven[i]], vector_repeat_word(run->first_change.word[seven[i]]), of_next);
    }
    x[1] = aria_s4(x[1]);
    x[2] = aria_s1(x[2]);
    x[4] = aria_s3(x[4]);
    x[5] = aria_s4(x[5]);
    x[8] = aria_s3(x[8]);
    x[10] = aria_s1(x[10]);
    x[15] = aria_s2(x[15]);
    aria_slices_diffuse_seven(x, &run->second);
    if (ends) {
        RUNNEL_UNROLL
        for (int i = 0; i < 16; i++)
            x[i] = vector_xor_and(x[i], vector_repeat_word(run->second_change.word[i]), of_next);
    }
    aria_slices_finish(x, keys, 3, schedule, out, in);
}

#endif
