/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Byte i of many blocks in register i: the diffusion layer is XORs of registers, and an S-box is the same for a whole
 * register. AESENCLAST's ShiftRows moves all blocks alike and returns to the start after four rounds; AESDECLAST's
 * goes the other way, which a rotation by two columns makes up for. Round keys are added by these instructions, before
 * A instead of after it (schedule->folded).
 *
 * A kernel also defines BLOCKS (the bytes of a register), vec_load, vec_store, vec_unpack_low and vec_unpack_high
 * (bytes, inside 128-bit parts), vec_add8, vec_less8 (signed), vec_block_numbers (the block whose byte is at each
 * place after the transposition), key_byte, the type of a folded key's bytes, and vec_repeat_byte, which repeats
 * such a byte. */

INLINE void aria_store_key(runnel_aria_schedule *schedule, unsigned i, aria_vec key)
{
    _mm_store_si128((void *)schedule->keys[i], vec_low(key));
}

/* The operands of the sliced rounds in AESENCLAST and AESDECLAST, before A and, for S2, before Q. */
INLINE void aria_fold_keys(runnel_aria_schedule *schedule)
{
    for (unsigned r = 1; r <= schedule->rounds; r++) {
        aria_vec key = aria_rows_key(schedule, r);
        if (r < schedule->rounds)
            key = aria_rows_diffuse(key);
        /* S2 is in an odd round where S4 is in an even one. */
        key = vec_blend(key, P_OF(key), r & 1 ? EVEN_S4 : ODD_S4);
        _mm_store_si128((void *)schedule->folded[r], vec_low(key));
    }
}

/* Rotates rows 1 and 3 by two columns: from AESDECLAST's place to AESENCLAST's. Twice AESENCLAST's shift, too. */
#define TWO_COLUMNS TABLE(0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12, 5, 14, 7)
#define TURNED(x) vec_shuffle(x, TWO_COLUMNS)

/* The S-boxes; key is added to the result in which the rows are still where the instruction put them. */
#define SLICED_S1(x, key) vec_enc(x, key)
#define SLICED_S2(x, key) S2_FROM_S1(vec_enc(x, key))
#define SLICED_S3(x, key) vec_dec(x, key)
#define SLICED_S4(x, key) vec_dec(TO_S3(x), key)

/* x = A(x), in 48 XORs (found by search; by its definition there are 96). */
INLINE void aria_sliced_diffuse(aria_vec x[16])
{
    const aria_vec x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3], x4 = x[4], x5 = x[5], x6 = x[6], x7 = x[7], x8 = x[8],
                   x9 = x[9], x10 = x[10], x11 = x[11], x12 = x[12], x13 = x[13], x14 = x[14], x15 = x[15];
    const aria_vec t0 = x11 ^ x12, t1 = x5 ^ x11, t2 = x14 ^ t1, t3 = x0 ^ x13, t4 = x0 ^ t2, t5 = x7 ^ t3,
                   t6 = x10 ^ t3, t7 = x4 ^ x10, t8 = x1 ^ t7, t9 = x3 ^ x6, t10 = x13 ^ t9, t11 = x7 ^ x9,
                   t12 = x7 ^ t6;
    x[3] = t2 ^ t12;
    const aria_vec t13 = x8 ^ t12;
    x[13] = t9 ^ t13;
    const aria_vec t14 = x12 ^ t11, t15 = x1 ^ x12, t16 = x1 ^ t0, t17 = x6 ^ t0, t18 = x6 ^ t15;
    x[9] = t4 ^ t18;
    const aria_vec t19 = x15 ^ t8;
    x[8] = t19 ^ t5;
    const aria_vec t20 = x2 ^ x15, t21 = x8 ^ t20, t22 = x8 ^ t10, t23 = x2 ^ t14;
    x[6] = t6 ^ t23;
    x[7] = t22 ^ t16;
    const aria_vec t24 = t23 ^ t15, t25 = x5 ^ t21;
    x[4] = t21 ^ t4;
    x[12] = t17 ^ t24;
    x[1] = t14 ^ t25;
    x[15] = t8 ^ t25;
    x[10] = t25 ^ t10;
    x[2] = t19 ^ t17;
    const aria_vec t26 = x3 ^ x4, t27 = t26 ^ t23, t28 = x9 ^ t26;
    x[14] = t4 ^ t28;
    x[11] = x14 ^ t27;
    const aria_vec t29 = x9 ^ x14, t30 = t29 ^ t22;
    x[0] = x4 ^ t30;
    const aria_vec t31 = x3 ^ t29;
    x[5] = t19 ^ t31;
}

/* A(x) ^ constants, where only bytes 1, 2, 4, 5, 8, 10 and 15 of x are not zero. */
INLINE void aria_sliced_diffuse_seven(aria_vec x[16], const aria_vec constants[16])
{
    const aria_vec x1 = x[1], x2 = x[2], x4 = x[4], x5 = x[5], x8 = x[8], x10 = x[10], x15 = x[15];
    const aria_vec t0 = x5 ^ x8, t1 = x2 ^ t0, t2 = x4 ^ x10, t3 = x1 ^ x15, t4 = t2 ^ t3, t5 = x15 ^ t1;
    const aria_vec y[16] = {x4 ^ x8, t5,      t4, x5 ^ x10, t5,      t4,       x2 ^ x10, x1 ^ x8,
                            t4,      x1 ^ x5, t5, x2 ^ x4,  x1 ^ x2, x8 ^ x10, x4 ^ x5,  t4 ^ t1};
    UNROLL
    for (int i = 0; i < 16; i++)
        x[i] = y[i] ^ constants[i];
}

/* SL1 if odd is 1, SL2 if it is 0; of the key's S2 bytes Q^-1 is added. */
INLINE void aria_sliced_substitute(aria_vec x[16], const int odd, const aria_key_byte key[16])
{
    const int first = odd ? 0 : 2;
    UNROLL
    for (int i = 0; i < 16; i += 4) {
        const int s1 = i + first, s2 = s1 + 1, s3 = i + 2 - first, s4 = s3 + 1;
        x[s1] = SLICED_S1(x[s1], vec_repeat_byte(key + s1));
        x[s2] = SLICED_S2(x[s2], vec_repeat_byte(key + s2));
        x[s3] = TURNED(SLICED_S3(x[s3], vec_repeat_byte(key + s3)));
        x[s4] = TURNED(SLICED_S4(x[s4], vec_repeat_byte(key + s4)));
    }
}

/* The last round; undoes what 14 rounds of ShiftRows leave. */
INLINE void aria_sliced_last(aria_vec x[16], const aria_key_byte key[16], const int turned)
{
    UNROLL
    for (int i = 0; i < 16; i += 4) {
        x[i] = SLICED_S3(x[i], vec_repeat_byte(key + i));
        x[i + 1] = SLICED_S4(x[i + 1], vec_repeat_byte(key + i + 1));
        x[i + 2] = SLICED_S1(x[i + 2], vec_repeat_byte(key + i + 2));
        x[i + 3] = SLICED_S2(x[i + 3], vec_repeat_byte(key + i + 3));
        if (turned) {
            x[i + 2] = TURNED(x[i + 2]);
            x[i + 3] = TURNED(x[i + 3]);
        } else {
            x[i] = TURNED(x[i]);
            x[i + 1] = TURNED(x[i + 1]);
        }
    }
}

/* Rounds first (odd) to the last, then out = in XOR the blocks (in == NULL: the blocks). */
INLINE void aria_finish_sliced(aria_vec x[16], const aria_key_byte (*keys)[16], unsigned first, unsigned rounds,
                               uint8_t *out, const uint8_t *in)
{
    aria_vec y[16];
    for (unsigned r = first;; r += 2) {
        aria_sliced_substitute(x, 1, keys[r]);
        aria_sliced_diffuse(x);
        if (r + 1 == rounds)
            break;
        aria_sliced_substitute(x, 0, keys[r + 1]);
        aria_sliced_diffuse(x);
    }
    if (rounds & 2)
        aria_sliced_last(x, keys[rounds], 1);
    else
        aria_sliced_last(x, keys[rounds], 0);
    aria_transpose_half(y, x);
    UNROLL
    for (int i = 0; i < 4; i++) {
        aria_transpose_part(x, y, i);
        UNROLL
        for (int j = 0; j < 4; j++) {
            const int at = BLOCKS * (4 * i + j);
            vec_store(out + at, in == NULL ? x[j] : (aria_vec)(x[j] ^ vec_load(in + at)));
        }
    }
}
