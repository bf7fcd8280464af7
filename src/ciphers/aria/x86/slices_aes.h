/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Byte i of many blocks in register i: the diffusion layer is XORs of registers, and an S-box is the same for a whole
 * register. AESENCLAST's ShiftRows moves all blocks alike and returns to the start after four rounds; AESDECLAST's
 * goes the other way, which a rotation by two columns makes up for. Round keys are added by these instructions, before
 * A instead of after it (schedule->folded). The includer defines TARGET, and VECTOR_GFNI if that has GFNI, and includes the
 * vectors of its width, 128 or 256 bits. */
#ifndef ARIA_X86_SLICES_AES_H
#define ARIA_X86_SLICES_AES_H

#include "maps.h"
#include "repeated_bytes.h"
#include "transpose.h"

/* The rows as AESENCLAST shifts them. */
TARGET RUNNEL_INLINE vector aria_shift_rows(vector x)
{
    return vector_shuffle_bytes(x, _mm_setr_epi8(0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11));
}

/* Rotates rows 1 and 3 by two columns: from AESDECLAST's place to AESENCLAST's. Twice AESENCLAST's shift, too. */
TARGET RUNNEL_INLINE vector aria_turn_rows(vector x)
{
    return vector_shuffle_bytes(x, _mm_setr_epi8(0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12, 5, 14, 7));
}

/* The S-boxes; key is added to the result in which the rows are still where the instruction put them. Of a key for S2
 * Q^-1 is added. */
TARGET RUNNEL_INLINE vector aria_slice_s1(vector x, vector key)
{
    return vector_aes_last_round(x, key);
}

TARGET RUNNEL_INLINE vector aria_slice_s2(vector x, vector key)
{
    return aria_s2_of_s1(vector_aes_last_round(x, key));
}

TARGET RUNNEL_INLINE vector aria_slice_s3(vector x, vector key)
{
    return vector_aes_last_inverse_round(x, key);
}

TARGET RUNNEL_INLINE vector aria_slice_s4(vector x, vector key)
{
    return vector_aes_last_inverse_round(aria_s4_to_s3(x), key);
}

/* x = A(x), in 48 XORs (found by search; by its definition there are 96). */
TARGET RUNNEL_INLINE void aria_slices_diffuse(vector x[16])
{
    const vector x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3], x4 = x[4], x5 = x[5], x6 = x[6], x7 = x[7], x8 = x[8],
                 x9 = x[9], x10 = x[10], x11 = x[11], x12 = x[12], x13 = x[13], x14 = x[14], x15 = x[15];
    const vector t0 = vector_xor(x11, x12), t1 = vector_xor(x5, x11), t2 = vector_xor(x14, t1),
                 t3 = vector_xor(x0, x13), t4 = vector_xor(x0, t2), t5 = vector_xor(x7, t3), t6 = vector_xor(x10, t3),
                 t7 = vector_xor(x4, x10), t8 = vector_xor(x1, t7), t9 = vector_xor(x3, x6), t10 = vector_xor(x13, t9),
                 t11 = vector_xor(x7, x9), t12 = vector_xor(x7, t6);
    x[3] = vector_xor(t2, t12);
    const vector t13 = vector_xor(x8, t12);
    x[13] = vector_xor(t9, t13);
    const vector t14 = vector_xor(x12, t11), t15 = vector_xor(x1, x12), t16 = vector_xor(x1, t0),
                 t17 = vector_xor(x6, t0), t18 = vector_xor(x6, t15);
    x[9] = vector_xor(t4, t18);
    const vector t19 = vector_xor(x15, t8);
    x[8] = vector_xor(t19, t5);
    const vector t20 = vector_xor(x2, x15), t21 = vector_xor(x8, t20), t22 = vector_xor(x8, t10),
                 t23 = vector_xor(x2, t14);
    x[6] = vector_xor(t6, t23);
    x[7] = vector_xor(t22, t16);
    const vector t24 = vector_xor(t23, t15), t25 = vector_xor(x5, t21);
    x[4] = vector_xor(t21, t4);
    x[12] = vector_xor(t17, t24);
    x[1] = vector_xor(t14, t25);
    x[15] = vector_xor(t8, t25);
    x[10] = vector_xor(t25, t10);
    x[2] = vector_xor(t19, t17);
    const vector t26 = vector_xor(x3, x4), t27 = vector_xor(t26, t23), t28 = vector_xor(x9, t26);
    x[14] = vector_xor(t4, t28);
    x[11] = vector_xor(x14, t27);
    const vector t29 = vector_xor(x9, x14), t30 = vector_xor(t29, t22);
    x[0] = vector_xor(x4, t30);
    const vector t31 = vector_xor(x3, t29);
    x[5] = vector_xor(t19, t31);
}

/* A(x) ^ constants, where only bytes 1, 2, 4, 5, 8, 10 and 15 of x are not zero. */
TARGET RUNNEL_INLINE void aria_slices_diffuse_seven(vector x[16], const vector constants[16])
{
    const vector x1 = x[1], x2 = x[2], x4 = x[4], x5 = x[5], x8 = x[8], x10 = x[10], x15 = x[15];
    const vector t0 = vector_xor(x5, x8), t1 = vector_xor(x2, t0), t2 = vector_xor(x4, x10), t3 = vector_xor(x1, x15),
                 t4 = vector_xor(t2, t3), t5 = vector_xor(x15, t1);
    const vector y[16] = {vector_xor(x4, x8),
                          t5,
                          t4,
                          vector_xor(x5, x10),
                          t5,
                          t4,
                          vector_xor(x2, x10),
                          vector_xor(x1, x8),
                          t4,
                          vector_xor(x1, x5),
                          t5,
                          vector_xor(x2, x4),
                          vector_xor(x1, x2),
                          vector_xor(x8, x10),
                          vector_xor(x4, x5),
                          vector_xor(t4, t1)};
    RUNNEL_UNROLL
    for (int i = 0; i < 16; i++)
        x[i] = vector_xor(y[i], constants[i]);
}

/* SL1 if odd is 1, SL2 if it is 0. */
TARGET RUNNEL_INLINE void aria_slices_substitute(vector x[16], const int odd, const aria_key_byte key[16])
{
    const int first = odd ? 0 : 2;
    RUNNEL_UNROLL
    for (int i = 0; i < 16; i += 4) {
        const int s1 = i + first, s2 = s1 + 1, s3 = i + 2 - first, s4 = s3 + 1;
        x[s1] = aria_slice_s1(x[s1], aria_repeat_key_byte(key + s1));
        x[s2] = aria_slice_s2(x[s2], aria_repeat_key_byte(key + s2));
        x[s3] = aria_turn_rows(aria_slice_s3(x[s3], aria_repeat_key_byte(key + s3)));
        x[s4] = aria_turn_rows(aria_slice_s4(x[s4], aria_repeat_key_byte(key + s4)));
    }
}

/* The last round; undoes what 14 rounds of ShiftRows leave. */
TARGET RUNNEL_INLINE void aria_slices_last(vector x[16], const aria_key_byte key[16], const int turned)
{
    RUNNEL_UNROLL
    for (int i = 0; i < 16; i += 4) {
        x[i] = aria_slice_s3(x[i], aria_repeat_key_byte(key + i));
        x[i + 1] = aria_slice_s4(x[i + 1], aria_repeat_key_byte(key + i + 1));
        x[i + 2] = aria_slice_s1(x[i + 2], aria_repeat_key_byte(key + i + 2));
        x[i + 3] = aria_slice_s2(x[i + 3], aria_repeat_key_byte(key + i + 3));
        const int to_turn = turned ? i + 2 : i;
        x[to_turn] = aria_turn_rows(x[to_turn]);
        x[to_turn + 1] = aria_turn_rows(x[to_turn + 1]);
    }
}

/* Rounds first (odd) to the last, then out = in XOR the blocks (in == NULL: the blocks). */
TARGET RUNNEL_INLINE void aria_slices_finish(vector x[16], const aria_call_keys *keys,
                                             const runnel_aria_schedule *schedule, unsigned first, uint8_t *out,
                                             const uint8_t *in)
{
    vector y[16];
    const unsigned rounds = schedule->rounds;
    for (unsigned r = first;; r += 2) {
        aria_slices_substitute(x, 1, aria_round_key(keys, schedule, r));
        aria_slices_diffuse(x);
        if (r + 1 == rounds)
            break;
        aria_slices_substitute(x, 0, aria_round_key(keys, schedule, r + 1));
        aria_slices_diffuse(x);
    }
    if (rounds & 2)
        aria_slices_last(x, aria_round_key(keys, schedule, rounds), 1);
    else
        aria_slices_last(x, aria_round_key(keys, schedule, rounds), 0);
    aria_transpose_half(y, x);
    RUNNEL_UNROLL
    for (int i = 0; i < 4; i++) {
        aria_transpose_part(x, y, i);
        RUNNEL_UNROLL
        for (int j = 0; j < 4; j++) {
            const int at = VECTOR_BYTES * (4 * i + j);
            vector_store(out + at, in == NULL ? x[j] : vector_xor(x[j], vector_load(in + at)));
        }
    }
}

#endif
