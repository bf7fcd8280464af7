/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA on NEON without AES instructions: S-boxes are looked up by quarters of their table, four registers each, for
 * the four slices that share a box: 32 instructions for 64 bytes. Every quarter is looked up for every byte, in
 * registers: constant time. */
#include "ciphers/aria/kernels.h"
#include "ciphers/aria/sboxes.h"

#if RUNNEL_AARCH64

#define TARGET
#define ROW_PLACE(j, odd) (j)

#include <arm_neon.h>

#define STEP RUNNEL_INLINE
#define EACH_OF(i, n) _Pragma("GCC unroll 4") for (int i = 0; i < (n); i++)

#define ROW(...) __VA_ARGS__,

static const uint8_t aria_s_box[4][256] = {
    {RUNNEL_ARIA_S1(ROW)}, {RUNNEL_ARIA_S2(ROW)}, {RUNNEL_ARIA_S3(ROW)}, {RUNNEL_ARIA_S4(ROW)}};

typedef struct aria_sub_tables {
    uint8x16_t quarter; /* as many bytes */
} aria_sub_tables;

STEP aria_sub_tables aria_load_sub_tables(void)
{
    return (aria_sub_tables){vdupq_n_u8(64)};
}

/* Vectors are made in the order of the source: compilers that look far ahead run out of registers. */
#define HERE(x) __asm__ volatile("" : "+w"(x))

/* S-box number `box` on n registers. */
STEP void aria_look_up(const aria_sub_tables *t, uint8x16_t *y, int n, int box)
{
    uint8x16_t x[4];
    EACH_OF(q, 4) {
        const uint8x16x4_t quarter = vld1q_u8_x4(aria_s_box[box - 1] + 64 * q);
        EACH_OF(i, n) {
            x[i] = q == 0 ? y[i] : x[i] - t->quarter;
            HERE(x[i]);
        }
        EACH_OF(i, n) {
            y[i] = q == 0 ? vqtbl4q_u8(quarter, x[i]) : vqtbx4q_u8(y[i], quarter, x[i]);
            HERE(y[i]);
        }
    }
}

STEP void aria_sub_same(const aria_sub_tables *t, uint8x16_t *y, const uint8x16_t *keys, int n, int box, int odd)
{
    (void)odd;
    EACH_OF(i, n)
        y[i] ^= keys[i];
    aria_look_up(t, y, n, box);
}

STEP void aria_sub_slices(const aria_sub_tables *t, uint8x16_t x[16], const uint8_t *keys, int odd)
{
    EACH_OF(w, 4) {
        const uint8x16x4_t key = vld4q_dup_u8(keys + 4 * w);
        EACH_OF(j, 4)
            x[4 * w + j] ^= key.val[j];
    }
    EACH_OF(j, 4) {
        uint8x16_t y[4] = {x[j], x[4 + j], x[8 + j], x[12 + j]};
        aria_look_up(t, y, 4, (odd ? j : j ^ 2) + 1);
        EACH_OF(w, 4)
            x[4 * w + j] = y[w];
    }
}

STEP uint8x16_t aria_fold_row(const aria_sub_tables *t, uint8x16_t x, int odd)
{
    (void)t;
    (void)odd;
    return x;
}

/* All four boxes on the whole row; a mask takes the bytes that each is for. */
STEP uint8x16_t aria_sub_row(const aria_sub_tables *t, uint8x16_t x, uint8x16_t key, int odd)
{
    uint8x16_t y[4];
    EACH_OF(j, 4) {
        y[j] = x ^ key;
        aria_look_up(t, &y[j], 1, (odd ? j : j ^ 2) + 1);
    }
    const uint8x16_t even = vreinterpretq_u8_u16(vdupq_n_u16(0xff)), low = vreinterpretq_u8_u32(vdupq_n_u32(0xffff));
    return vbslq_u8(low, vbslq_u8(even, y[0], y[1]), vbslq_u8(even, y[2], y[3]));
}

#include "rounds.h"

static void aria_substitute(uint8_t block[16], int odd)
{
    const aria_sub_tables t = aria_load_sub_tables();
    const uint8x16_t x = vld1q_u8(block), zero = vdupq_n_u8(0);
    vst1q_u8(block, odd ? aria_sub_row(&t, x, zero, 1) : aria_sub_row(&t, x, zero, 0));
}

static void aria_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aria_expand(state, key, key_bytes, aria_substitute);
}

RUNNEL_DECRYPT_KEY(aria_set_decrypt_key, aria_set_key, runnel_aria_invert)

const runnel_kernel runnel_aria_aarch64_neon = {
    .name = RUNNEL_TEXT("aarch64-neon"),
    .citation = RUNNEL_TEXT("S-boxes by TBL and TBX of 64 bytes; 16 blocks in slices of bytes"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_NEON,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = aria_set_key,
    .block = {.encrypt_blocks = aria_encrypt_blocks,
              .ctr32 = aria_ctr32,
              .ctr32_little = aria_ctr32_little,
              RUNNEL_DECRYPTION(aria_set_decrypt_key, aria_encrypt_blocks)},
};

#endif
