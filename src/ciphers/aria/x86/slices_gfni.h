/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Byte i of many blocks in register i, S-boxes by GFNI: 24 instructions for them and 37 sums a round. Both ports of
 * 512-bit vectors are then busy all the time, so that the number of instructions is the speed. Round keys and
 * constants are spread (spread.h), since an operand of VPTERNLOGD in memory can be repeated. To be included once for
 * each width.
 *
 * A kernel defines what boxes_gfni.h, transpose.h and tables.h name, vec_dec (AESDECLAST), vec_xor3, vec_xor_masked (a
 * ^ (b & mask)), vec_spread (a 32-bit word in all of a register), vec_load, vec_store, vec_add8, vec_bytes (one byte
 * repeated), aria_vec_block_numbers (the block whose byte is at each place after the transposition) and vec_after (a
 * mask of the bytes with a greater number). */

/* S3 by AESDECLAST, and a shuffle that undoes its shift of rows: GFNI and AES have one port for 512 bits, and without
 * this it would have too much to do. */
#define SLICE_S3(x) vec_shuffle(vec_dec(x, (x) ^ (x)), TABLE(0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11))

INLINE void aria_slices_substitute(aria_vec x[16], const int odd)
{
    const int first = odd ? 0 : 2;
    UNROLL
    for (int i = 0; i < 16; i += 4) {
        const int s1 = i + first, s2 = s1 + 1, s3 = i + 2 - first, s4 = s3 + 1;
        x[s1] = S1(x[s1]);
        x[s2] = S2(x[s2]);
        x[s3] = SLICE_S3(x[s3]);
        x[s4] = S4(x[s4]);
    }
}

#define KEYED(a, b, i) vec_xor3(a, b, vec_spread(key->word[i]))
#define SUM(a, b, c, d, i) KEYED(vec_xor3(a, b, c), d, i)

/* x = A(x) ^ key, folded. Four sums of four bytes are in four bytes of the result each, and three sums of two in two
 * bytes each: these six have their key from the sums. VPTERNLOGD overwrites its first operand: where one is not used
 * again, it is the first. */
INLINE void aria_slices_diffuse(aria_vec x[16], const aria_spread *key)
{
    const aria_vec x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3], x4 = x[4], x5 = x[5], x6 = x[6], x7 = x[7], x8 = x[8],
                   x9 = x[9], x10 = x[10], x11 = x[11], x12 = x[12], x13 = x[13], x14 = x[14], x15 = x[15];
    const aria_vec t0 = vec_xor3(x3 ^ x14, x4, x9), t1 = SUM(x2, x5, x8, x15, 10), t2 = SUM(x1, x6, x11, x12, 12);
    const aria_vec t3 = SUM(x0, x7, x10, x13, 3), p1 = KEYED(x6, x13, 0), p2 = KEYED(x2, x7, 11),
                   p3 = KEYED(x5, x11, 14);
    x[0] = vec_xor3(t0, p1, x8);
    x[1] = SUM(x7, t1, x9, x12, 1);
    x[2] = SUM(t2, x4, x10, x15, 2);
    x[3] = vec_xor3(t3, p3, x14);
    x[4] = SUM(x11, t1, x0, x14, 4);
    x[5] = SUM(t0, x1, x10, x15, 5);
    x[6] = SUM(x2, t3, x9, x12, 6);
    x[7] = SUM(x13, t2, x3, x8, 7);
    x[8] = SUM(x15, t3, x1, x4, 8);
    x[9] = SUM(x5, t2, x0, x14, 9);
    x[10] = vec_xor3(p1, t1, x3);
    x[11] = vec_xor3(x12, t0, p2);
    x[12] = vec_xor3(x9, t2, p2);
    x[13] = SUM(x6, t3, x3, x8, 13);
    x[14] = vec_xor3(x0, t0, p3);
    x[15] = SUM(x1, t1, x4, x10, 15);
}

/* Rounds first (odd) to the last, then out = in XOR the blocks (in == NULL: the blocks). */
INLINE void aria_slices_finish(aria_vec x[16], const aria_spread *keys, unsigned first,
                               const runnel_aria_schedule *schedule, uint8_t *out, const uint8_t *in)
{
    aria_vec y[16];
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
    const aria_vec last = LOAD_TABLE(schedule->keys[rounds]);
    aria_transpose_half(y, x);
    UNROLL
    for (int i = 0; i < 4; i++) {
        aria_vec z[4];
        aria_transpose_part(z, y, i);
        UNROLL
        for (int j = 0; j < 4; j++) {
            const size_t at = sizeof(aria_vec) * (size_t)(4 * i + j);
            vec_store(out + at, in == NULL ? (aria_vec)(z[j] ^ last) : vec_xor3(z[j], vec_load(in + at), last));
        }
    }
}

/* As many blocks as a register has bytes. */
TARGET static RUNNEL_NOINLINE void aria_slices_blocks(const aria_spread *keys, const runnel_aria_schedule *schedule,
                                                      uint8_t *out, const uint8_t *in)
{
    aria_vec x[16], y[16];
    const aria_vec key = LOAD_TABLE(schedule->keys[0]);
    UNROLL
    for (int i = 0; i < 16; i++)
        x[i] = vec_load(in + (int)sizeof(aria_vec) * i) ^ key;
    aria_transpose_half(y, x);
    aria_transpose_half(x, y);
    aria_slices_finish(x, keys, 1, schedule, out, NULL);
}

/* As many blocks of counter mode, of which `left` after the first are of one run and the others of the next. */
TARGET static RUNNEL_NOINLINE void aria_slices_ctr(const aria_spread *keys, const runnel_aria_schedule *schedule,
                                                   const aria_spread_run *run, uint32_t counter, unsigned left,
                                                   uint8_t *out, const uint8_t *in)
{
    const aria_vec numbers = aria_vec_block_numbers, mask = vec_after(numbers, left);
    const aria_vec v = S4(vec_add8(numbers, vec_bytes((char)counter)) ^ vec_bytes((char)schedule->keys[0][15]));
    const int ends = left < sizeof(aria_vec) - 1;
    static const uint8_t seven[7] = {1, 2, 4, 5, 8, 10, 15}; /* bytes that differ after round 1 */
    aria_vec x[16];
    UNROLL
    for (int i = 0; i < 7; i++)
        x[seven[i]] = v ^ vec_spread(run->first.word[seven[i]]);
    if (ends)
        UNROLL
    for (int i = 0; i < 7; i++)
        x[seven[i]] = vec_xor_masked(x[seven[i]], vec_spread(run->first_change.word[seven[i]]), mask);
    const aria_vec x1 = S4(x[1]), x2 = S1(x[2]), x4 = S3(x[4]), x5 = S4(x[5]), x8 = S3(x[8]), x10 = S1(x[10]),
                   x15 = S2(x[15]);
    const aria_vec t1 = vec_xor3(x2, x5, x8), t4 = vec_xor3(x1, x4, x10) ^ x15;
#define AND_SECOND(a, b, i) vec_xor3(a, b, vec_spread(run->second.word[i]))
    x[0] = AND_SECOND(x4, x8, 0);
    x[1] = AND_SECOND(t1, x15, 1);
    x[2] = t4 ^ vec_spread(run->second.word[2]);
    x[3] = AND_SECOND(x5, x10, 3);
    x[4] = AND_SECOND(t1, x15, 4);
    x[5] = t4 ^ vec_spread(run->second.word[5]);
    x[6] = AND_SECOND(x2, x10, 6);
    x[7] = AND_SECOND(x1, x8, 7);
    x[8] = t4 ^ vec_spread(run->second.word[8]);
    x[9] = AND_SECOND(x1, x5, 9);
    x[10] = AND_SECOND(t1, x15, 10);
    x[11] = AND_SECOND(x2, x4, 11);
    x[12] = AND_SECOND(x1, x2, 12);
    x[13] = AND_SECOND(x8, x10, 13);
    x[14] = AND_SECOND(x4, x5, 14);
    x[15] = AND_SECOND(t4, t1, 15);
    if (ends)
        UNROLL
    for (int i = 0; i < 16; i++)
        x[i] = vec_xor_masked(x[i], vec_spread(run->second_change.word[i]), mask);
    aria_slices_finish(x, keys, 3, schedule, out, in);
}

#undef SLICE_S3
#undef KEYED
#undef SUM
#undef AND_SECOND
