/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by ARIA's AArch64 kernels. Sixteen blocks, or more than ARIA_FEW_BLOCKS, go through the rounds in slices:
 * byte i of all of them in register i, so that the diffusion layer is XORs of registers; one to ARIA_FEW_BLOCKS as
 * rows: a block in a register, the diffusion layer seven look-ups of places.
 *
 * Counter mode: in a run, the blocks that differ in their last byte alone, that byte reaches seven bytes in round 1,
 * and those reach all in round 2. What the fifteen other bytes of round 1 and the nine others of round 2 contribute is
 * the same for the whole run. It is computed once, on a row, and goes into the keys of the next rounds: 1 instead of 16
 * S-boxes in round 1, 7 in round 2, and of the two diffusion layers 17 XORs.
 *
 * To be defined before: TARGET; ROW_PLACE(j, odd), the place of byte j after aria_sub_row; aria_sub_tables, and
 * functions of it
 *   aria_fold_row(t, x, odd): the kernel's form of a round key of the specification, except for a constant;
 *   aria_sub_row(t, x,
 *   key, odd): key addition and substitution layer on a row; aria_sub_slices(t, x, keys, odd): the same on 16 slices;
 *   aria_sub_same(t, y, keys, n, box, odd): the same on n slices whose bytes go through S-box number `box`, 1 to 4.
 * odd: 1 for SL1, 0 for SL2. Round keys are schedule->keys in the kernel's form. */
#ifndef ARIA_AARCH64_H
#define ARIA_AARCH64_H

#include <arm_neon.h>

#include "arch/common/bytes.h"
#include "ciphers/aria/kernels.h"

#define ARIA_SLICE uint8x16_t
#include "ciphers/aria/slices.h"

#define ARIA_INLINE TARGET RUNNEL_INLINE
#define EACH(i, n) _Pragma("GCC unroll 16") for (int i = 0; i < (n); i++)

enum { ARIA_RUN = 256, ARIA_GROUP = 16, ARIA_FEW_BLOCKS = 3 };

/* The seven taps of each byte, by columns; as places after aria_sub_row in odd and in even rounds. */
#define TAPS(p, o)                                                                                                     \
    {                                                                                                                  \
        {p(3, o), p(2, o), p(1, o), p(0, o), p(0, o), p(1, o), p(0, o), p(1, o), p(0, o), p(0, o), p(2, o), p(2, o),   \
         p(1, o), p(0, o), p(0, o), p(1, o)},                                                                          \
        {p(4, o), p(5, o), p(4, o), p(5, o), p(2, o), p(3, o), p(2, o), p(3, o), p(1, o), p(1, o), p(3, o), p(3, o),   \
         p(2, o), p(3, o), p(3, o), p(2, o)},                                                                          \
        {p(6, o), p(7, o), p(6, o), p(7, o), p(5, o), p(4, o), p(7, o), p(6, o), p(4, o), p(5, o), p(5, o), p(4, o),   \
         p(6, o), p(6, o), p(4, o), p(4, o)},                                                                          \
        {p(8, o), p(8, o), p(10, o), p(10, o), p(8, o), p(9, o), p(9, o), p(8, o), p(7, o), p(6, o), p(6, o), p(7, o), \
         p(7, o), p(7, o), p(5, o), p(5, o)},                                                                          \
        {p(9, o), p(9, o), p(11, o), p(11, o), p(11, o), p(10, o), p(10, o), p(11, o), p(10, o), p(11, o), p(8, o),    \
         p(9, o), p(9, o), p(8, o), p(9, o), p(8, o)},                                                                 \
        {p(13, o), p(12, o), p(12, o), p(13, o), p(14, o), p(14, o), p(12, o), p(12, o), p(13, o), p(12, o), p(13, o), \
         p(12, o), p(11, o), p(10, o), p(11, o), p(10, o)},                                                            \
        {p(14, o), p(15, o), p(15, o), p(14, o), p(15, o), p(15, o), p(13, o), p(13, o), p(15, o), p(14, o), p(15, o), \
         p(14, o), p(12, o), p(13, o), p(14, o), p(15, o)},                                                            \
    }
static const uint8_t aria_taps[2][7][16] = {TAPS(ROW_PLACE, 0), TAPS(ROW_PLACE, 1)};

#define FOUR_PLACES(j, o) ROW_PLACE(j, o), ROW_PLACE((j) + 1, o), ROW_PLACE((j) + 2, o), ROW_PLACE((j) + 3, o)
#define PLACES(o) {FOUR_PLACES(0, o), FOUR_PLACES(4, o), FOUR_PLACES(8, o), FOUR_PLACES(12, o)}
static const uint8_t aria_places[2][16] = {PLACES(0), PLACES(1)};

/* The bytes that are the same for a run, after round 1 and after round 2, by their places. */
#define SAME(j, o) [ROW_PLACE(j, o)] = 0xff
static const uint8_t aria_same[2][16] = {
    {SAME(0, 0), SAME(3, 0), SAME(6, 0), SAME(7, 0), SAME(9, 0), SAME(11, 0), SAME(12, 0), SAME(13, 0), SAME(14, 0)},
    {SAME(0, 1), SAME(1, 1), SAME(2, 1), SAME(3, 1), SAME(4, 1), SAME(5, 1), SAME(6, 1), SAME(7, 1), SAME(8, 1),
     SAME(9, 1), SAME(10, 1), SAME(11, 1), SAME(12, 1), SAME(13, 1), SAME(14, 1)},
};

/* The bytes of a row back in their places. */
ARIA_INLINE uint8x16_t aria_ordered_row(uint8x16_t x, int odd)
{
    return vqtbl1q_u8(x, vld1q_u8(aria_places[odd]));
}

ARIA_INLINE uint8x16_t aria_diffuse_row(uint8x16_t x, int odd)
{
    uint8x16_t t[7];
    EACH(i, 7)
        t[i] = vqtbl1q_u8(x, vld1q_u8(aria_taps[odd][i]));
    return ((t[0] ^ t[1]) ^ (t[2] ^ t[3])) ^ ((t[4] ^ t[5]) ^ t[6]);
}

/* Key addition, substitution, diffusion on n rows. */
ARIA_INLINE void aria_row_round(const aria_sub_tables *t, uint8x16_t *x, int n, const uint8_t *key, int odd)
{
    const uint8x16_t k = vld1q_u8(key);
    EACH(i, n)
        x[i] = aria_diffuse_row(aria_sub_row(t, x[i], k, odd), odd);
}

ARIA_INLINE void aria_encrypt_rows(const aria_sub_tables *t, uint8x16_t *x, int n, const runnel_aria_schedule *schedule)
{
    const unsigned rounds = schedule->rounds;
    aria_row_round(t, x, n, schedule->keys[0], 1);
    for (unsigned r = 2; r < rounds; r += 2) {
        aria_row_round(t, x, n, schedule->keys[r - 1], 0);
        aria_row_round(t, x, n, schedule->keys[r], 1);
    }
    const uint8x16_t k = vld1q_u8(schedule->keys[rounds - 1]), last = vld1q_u8(schedule->keys[rounds]);
    EACH(i, n)
        x[i] = aria_ordered_row(aria_sub_row(t, x[i], k, 0), 0) ^ last;
}

/* n blocks x[i], XORed with in unless it is NULL. */
ARIA_INLINE void aria_put_rows(const aria_sub_tables *t, uint8x16_t *x, int n, const runnel_aria_schedule *schedule,
                               uint8_t *out, const uint8_t *in)
{
    aria_encrypt_rows(t, x, n, schedule);
    EACH(i, n)
        vst1q_u8(out + 16 * i, in == NULL ? x[i] : x[i] ^ vld1q_u8(in + 16 * i));
}

TARGET static RUNNEL_NOINLINE void aria_few_rows(const runnel_aria_schedule *schedule, const uint8x16_t *from,
                                                      int n, uint8_t *out, const uint8_t *in)
{
    const aria_sub_tables t = aria_load_sub_tables();
    uint8x16_t x[ARIA_FEW_BLOCKS];
    if (n == 1) {
        x[0] = from[0];
        aria_put_rows(&t, x, 1, schedule, out, in);
    } else {
        x[0] = from[0], x[1] = from[1], x[2] = from[n - 1];
        aria_put_rows(&t, x, 2, schedule, out, in);
        if (n == 3)
            aria_put_rows(&t, x + 2, 1, schedule, out + 32, in == NULL ? NULL : in + 32);
    }
}

ARIA_INLINE void aria_load_slices(uint8x16_t x[16], const uint8_t *in)
{
    uint8x16x4_t q[4];
    EACH(g, 4)
        q[g] = vld4q_u8(in + 64 * g);
    EACH(j, 4) {
        const uint8x16_t even_low = vuzp1q_u8(q[0].val[j], q[1].val[j]);
        const uint8x16_t odd_low = vuzp2q_u8(q[0].val[j], q[1].val[j]);
        const uint8x16_t even_high = vuzp1q_u8(q[2].val[j], q[3].val[j]);
        const uint8x16_t odd_high = vuzp2q_u8(q[2].val[j], q[3].val[j]);
        x[j] = vuzp1q_u8(even_low, even_high);
        x[8 + j] = vuzp2q_u8(even_low, even_high);
        x[4 + j] = vuzp1q_u8(odd_low, odd_high);
        x[12 + j] = vuzp2q_u8(odd_low, odd_high);
    }
}

/* in == NULL: the slices alone. */
ARIA_INLINE void aria_store_slices(uint8_t *out, const uint8_t *in, const uint8x16_t x[16])
{
    uint8x16_t q[4][4];
    EACH(j, 4) {
        const uint8x16_t even_low = vzip1q_u8(x[j], x[8 + j]), even_high = vzip2q_u8(x[j], x[8 + j]);
        const uint8x16_t odd_low = vzip1q_u8(x[4 + j], x[12 + j]), odd_high = vzip2q_u8(x[4 + j], x[12 + j]);
        q[0][j] = vzip1q_u8(even_low, odd_low);
        q[1][j] = vzip2q_u8(even_low, odd_low);
        q[2][j] = vzip1q_u8(even_high, odd_high);
        q[3][j] = vzip2q_u8(even_high, odd_high);
    }
    if (in != NULL)
        EACH(g, 4) {
            const uint8x16x4_t text = vld4q_u8(in + 64 * g);
            EACH(j, 4)
                q[g][j] ^= text.val[j];
        }
    EACH(g, 4) {
        const uint8x16x4_t words = {{q[g][0], q[g][1], q[g][2], q[g][3]}};
        vst4q_u8(out + 64 * g, words);
    }
}

/* The rounds from `next`, an odd one, to the last; `key` is the first of their keys. */
ARIA_INLINE void aria_finish_slices(const aria_sub_tables *t, uint8x16_t x[16], const runnel_aria_schedule *schedule,
                                    const uint8_t *key, unsigned next)
{
    const unsigned rounds = schedule->rounds;
    for (;; next += 2) {
        aria_sub_slices(t, x, key, 1);
        aria_diffuse_slices(x);
        aria_sub_slices(t, x, schedule->keys[next], 0);
        if (next + 1 == rounds)
            break;
        aria_diffuse_slices(x);
        key = schedule->keys[next + 1];
    }
    EACH(w, 4) {
        const uint8x16x4_t last = vld4q_dup_u8(schedule->keys[rounds] + 4 * w);
        EACH(j, 4)
            x[4 * w + j] ^= last.val[j];
    }
}

/* The first n blocks, XORed with in unless it is NULL. */
ARIA_INLINE void aria_put_slices(uint8_t *out, const uint8_t *in, const uint8x16_t x[16], size_t n)
{
    if (n == ARIA_GROUP) {
        aria_store_slices(out, in, x);
    } else {
        uint8_t blocks[16 * ARIA_GROUP];
        aria_store_slices(blocks, NULL, x);
        runnel_xor_bytes(out, in, blocks, 16 * n);
        runnel_wipe(blocks, sizeof blocks);
    }
}

TARGET static void aria_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aria_schedule *schedule = state;
    const aria_sub_tables t = aria_load_sub_tables();
    while (nblocks > ARIA_FEW_BLOCKS) {
        const size_t n = nblocks < ARIA_GROUP ? nblocks : ARIA_GROUP;
        uint8_t blocks[16 * ARIA_GROUP];
        const uint8_t *from = in;
        if (n < ARIA_GROUP) {
            memset(blocks, 0, sizeof blocks);
            from = memcpy(blocks, in, 16 * n);
        }
        uint8x16_t x[16];
        aria_load_slices(x, from);
        aria_finish_slices(&t, x, schedule, schedule->keys[0], 1);
        aria_put_slices(out, NULL, x, n);
        in += 16 * n;
        out += 16 * n;
        nblocks -= n;
    }
    if (nblocks > 0) {
        uint8x16_t x[ARIA_FEW_BLOCKS];
        for (size_t i = 0; i < nblocks; i++)
            x[i] = vld1q_u8(in + 16 * i);
        aria_few_rows(schedule, x, (int)nblocks, out, NULL);
    }
}

/* The keys of rounds 2 and 3 with all that is the same for a run. */
typedef struct aria_run_keys {
    uint8_t second[16], third[16];
} aria_run_keys;

ARIA_INLINE void aria_find_run(const aria_sub_tables *t, aria_run_keys *run, const runnel_aria_schedule *schedule,
                               uint8x16_t block)
{
    const uint8x16_t second = vld1q_u8(schedule->keys[1]), third = vld1q_u8(schedule->keys[2]);
    uint8x16_t x = aria_sub_row(t, block, vld1q_u8(schedule->keys[0]), 1) & vld1q_u8(aria_same[1]);
    x = aria_diffuse_row(x, 1);
    vst1q_u8(run->second, second ^ aria_fold_row(t, x, 0));
    x = aria_sub_row(t, x, second, 0) & vld1q_u8(aria_same[0]);
    x = aria_diffuse_row(x, 0);
    vst1q_u8(run->third, third ^ aria_fold_row(t, x, 1));
}

/* Rounds 1 and 2 of the blocks of a run that end with these bytes. */
ARIA_INLINE void aria_start_slices(const aria_sub_tables *t, uint8x16_t x[16], uint8x16_t counters,
                                   const runnel_aria_schedule *schedule, const aria_run_keys *run)
{
    uint8x16_t key = vld1q_dup_u8(schedule->keys[0] + 15);
    aria_sub_same(t, &counters, &key, 1, 4, 1);
    uint8x16_t a[2] = {counters, counters}, b[2] = {counters, counters}, c[2] = {counters, counters};
    const uint8x16_t keys_a[2] = {vld1q_dup_u8(run->second + 1), vld1q_dup_u8(run->second + 5)};
    const uint8x16_t keys_b[2] = {vld1q_dup_u8(run->second + 4), vld1q_dup_u8(run->second + 8)};
    const uint8x16_t keys_c[2] = {vld1q_dup_u8(run->second + 2), vld1q_dup_u8(run->second + 10)};
    key = vld1q_dup_u8(run->second + 15);
    aria_sub_same(t, a, keys_a, 2, 4, 0);
    aria_sub_same(t, b, keys_b, 2, 3, 0);
    aria_sub_same(t, c, keys_c, 2, 1, 0);
    aria_sub_same(t, &counters, &key, 1, 2, 0);
    const uint8x16_t z1 = a[0], z2 = c[0], z4 = b[0], z5 = a[1], z8 = b[1], z10 = c[1], z15 = counters;
    x[0] = z4 ^ z8;
    x[3] = z5 ^ z10;
    x[6] = z2 ^ z10;
    x[7] = z1 ^ z8;
    x[9] = z1 ^ z5;
    x[11] = z2 ^ z4;
    x[12] = z1 ^ z2;
    x[13] = z8 ^ z10;
    x[14] = z4 ^ z5;
    x[2] = x[7] ^ x[13] ^ z15 ^ z4; /* 1 4 10 15 */
    x[5] = x[8] = x[2];
    x[1] = x[3] ^ x[13] ^ z15 ^ z2; /* 2 5 8 15 */
    x[4] = x[10] = x[1];
    x[15] = x[1] ^ x[2] ^ z15;
}

TARGET static void aria_ctr32(const void *state, void *prefix, const uint8_t *start, uint8_t *out, const uint8_t *in,
                              size_t nblocks)
{
    (void)prefix;
    static const uint8_t lanes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const runnel_aria_schedule *schedule = state;
    const aria_sub_tables t = aria_load_sub_tables();
    uint8x16_t block = vld1q_u8(start);
    uint32_t high = runnel_load32be(start + 12);
    unsigned first = start[15];
    aria_run_keys run;
    /* Not with run_bits: aarch64-aes takes 0.4 % longer for 4 KiB. */
    for (;;) {
        size_t left = nblocks < ARIA_RUN - first ? nblocks : ARIA_RUN - first;
        nblocks -= left;
        if (left > ARIA_FEW_BLOCKS)
            aria_find_run(&t, &run, schedule, block);
        while (left > 0) {
            size_t n = left;
            if (n > ARIA_FEW_BLOCKS) {
                n = n < ARIA_GROUP ? n : ARIA_GROUP;
                uint8x16_t x[16];
                aria_start_slices(&t, x, vdupq_n_u8((uint8_t)first) + vld1q_u8(lanes), schedule, &run);
                aria_finish_slices(&t, x, schedule, run.third, 3);
                aria_put_slices(out, in, x, n);
            } else {
                uint8x16_t x[ARIA_FEW_BLOCKS];
                for (size_t i = 0; i < n; i++)
                    x[i] = vsetq_lane_u8((uint8_t)(first + i), block, 15);
                aria_few_rows(schedule, x, (int)n, out, in);
            }
            left -= n;
            first += (unsigned)n;
            in = in == NULL ? NULL : in + 16 * n;
            out += 16 * n;
        }
        if (nblocks == 0)
            break;
        first = 0;
        high = (high & ~(uint32_t)0xff) + ARIA_RUN;
        block = vreinterpretq_u8_u32(vsetq_lane_u32(__builtin_bswap32(high), vreinterpretq_u32_u8(block), 3));
    }
    runnel_wipe(&run, sizeof run);
}

/* Without what a run has in common: the first byte counts here, which reaches other places. */
TARGET static void aria_ctr32_little(const void *state, void *prefix, const uint8_t *start, uint8_t *out,
                                     const uint8_t *in, size_t nblocks)
{
    (void)prefix;
    static const uint8_t lanes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const runnel_aria_schedule *schedule = state;
    const aria_sub_tables t = aria_load_sub_tables();
    uint32x4_t block = vreinterpretq_u32_u8(vld1q_u8(start));
    uint32_t counter = runnel_load32le(start);
    while (nblocks > ARIA_FEW_BLOCKS) {
        const size_t n = nblocks < ARIA_GROUP ? nblocks : ARIA_GROUP;
        const uint8x16_t low = vdupq_n_u8((uint8_t)counter) + vld1q_u8(lanes);
        const uint8x16_t carry = vcltq_u8(low, vdupq_n_u8((uint8_t)counter));
        uint8x16_t x[16];
        x[0] = low;
        EACH(j, 3)
            x[1 + j] = vbslq_u8(carry, vdupq_n_u8((uint8_t)((counter + ARIA_GROUP) >> (8 * (j + 1)))),
                                vdupq_n_u8((uint8_t)(counter >> (8 * (j + 1)))));
        EACH(j, 12)
            x[4 + j] = vdupq_n_u8(start[4 + j]);
        aria_finish_slices(&t, x, schedule, schedule->keys[0], 1);
        aria_put_slices(out, in, x, n);
        nblocks -= n;
        counter += (uint32_t)n;
        in = in == NULL ? NULL : in + 16 * n;
        out += 16 * n;
    }
    if (nblocks > 0) {
        uint8x16_t x[ARIA_FEW_BLOCKS];
        for (size_t i = 0; i < nblocks; i++) {
            block = vsetq_lane_u32(counter + (uint32_t)i, block, 0);
            x[i] = vreinterpretq_u8_u32(block);
        }
        aria_few_rows(schedule, x, (int)nblocks, out, in);
    }
}

#endif
