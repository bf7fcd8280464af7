/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA by the AES instructions of Armv8-A: with a zero key AESE is S1 and AESD is S3, S2 is an affine map of S1, and S4
 * is S3 of an affine map. The maps are look-ups of nibbles. The instructions add the round key by themselves, for S4
 * after the map: such keys are stored mapped.
 *
 * AESE and AESD also shift rows, in slices: exchange blocks, in opposite directions. In each round half of the slices
 * is realigned with the other half, which goes through AESE in odd rounds and AESD in even ones, so that after two
 * rounds all blocks are in their places. In rows the look-ups that follow make up for it. */
#include "ciphers/aria/kernels.h"

#if RUNNEL_AARCH64

#if defined(__clang__)
#define TARGET __attribute__((target("aes")))
#else
#define TARGET __attribute__((target("+crypto")))
#endif

/* ShiftRows and its inverse move row 1 by one column, row 2 by two, row 3 by one the other way. In odd rounds rows 0
 * and 1 go through AESE, in even rounds rows 2 and 3. */
#define COLUMNS_ON(row, odd) ((row) == 2 ? 2 : (row) == 0 ? 0 : (odd) ? 3 : 1)
#define ROW_PLACE(j, odd) (((j) / 4 + COLUMNS_ON((j) % 4, odd)) % 4 * 4 + (j) % 4)

#include <arm_neon.h>

#define STEP TARGET RUNNEL_INLINE
#define EACH_OF(i, n) _Pragma("GCC unroll 4") for (int i = 0; i < (n); i++)

/* The linear map whose columns these are, of all values of the low and of the high nibble, plus a constant. */
#define BIT(x, n, column) ((x) >> (n) & 1 ? (column) : 0)
#define Q(x)                                                                                                           \
    (BIT(x, 0, 0x85) ^ BIT(x, 1, 0xbf) ^ BIT(x, 2, 0x88) ^ BIT(x, 3, 0x20) ^ BIT(x, 4, 0x3e) ^ BIT(x, 5, 0xd4) ^       \
     BIT(x, 6, 0x84) ^ BIT(x, 7, 0xcd))
#define INVERSE_Q(x)                                                                                                   \
    (BIT(x, 0, 0x41) ^ BIT(x, 1, 0xea) ^ BIT(x, 2, 0x13) ^ BIT(x, 3, 0x57) ^ BIT(x, 4, 0xb6) ^ BIT(x, 5, 0x08) ^       \
     BIT(x, 6, 0xd6) ^ BIT(x, 7, 0x53))
#define FOUR(f, x, step, c) f(x) ^ (c), f((x) + (step)) ^ (c), f((x) + 2 * (step)) ^ (c), f((x) + 3 * (step)) ^ (c)
#define NIBBLES(f, step, c)                                                                                            \
    {FOUR(f, 0, step, c), FOUR(f, 4 * (step), step, c), FOUR(f, 8 * (step), step, c), FOUR(f, 12 * (step), step, c)}

typedef uint8_t aria_nibble_map[2][16];
static const aria_nibble_map aria_behind_s1 = {NIBBLES(Q, 1, 0x88), NIBBLES(Q, 16, 0)};
static const aria_nibble_map aria_before_s3 = {NIBBLES(INVERSE_Q, 1, 0), NIBBLES(INVERSE_Q, 16, 0)};
enum { ARIA_BEFORE_S3 = 0x04 }; /* the constant of the map before S3, which is in the keys */

/* Constants of the substitution layers in registers. */
typedef struct aria_sub_tables {
    uint8x16_t behind_low, behind_high, before_low, before_high, nibble, odd_halves;
} aria_sub_tables;

/* A value barrier: the vector stays in its register and is not reloaded. */
#define KEEP(x) __asm__("" : "+w"(x))

STEP aria_sub_tables aria_load_sub_tables(void)
{
    static const uint8_t odd_halves[16] = {0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12, 5, 14, 7};
    aria_sub_tables t = {vld1q_u8(aria_behind_s1[0]),
                         vld1q_u8(aria_behind_s1[1]),
                         vld1q_u8(aria_before_s3[0]),
                         vld1q_u8(aria_before_s3[1]),
                         vdupq_n_u8(15),
                         vld1q_u8(odd_halves)};
    KEEP(t.behind_low);
    KEEP(t.behind_high);
    KEEP(t.before_low);
    KEEP(t.before_high);
    KEEP(t.nibble);
    KEEP(t.odd_halves);
    return t;
}

STEP uint8x16_t aria_map_behind_s1(const aria_sub_tables *t, uint8x16_t x)
{
    return vqtbl1q_u8(t->behind_low, x & t->nibble) ^ vqtbl1q_u8(t->behind_high, vshrq_n_u8(x, 4));
}

STEP uint8x16_t aria_map_before_s3(const aria_sub_tables *t, uint8x16_t x)
{
    return vqtbl1q_u8(t->before_low, x & t->nibble) ^ vqtbl1q_u8(t->before_high, vshrq_n_u8(x, 4));
}

STEP uint8x16_t aria_sub_slice(const aria_sub_tables *t, uint8x16_t x, uint8x16_t key, int box)
{
    switch (box) {
    case 1:
        return vaeseq_u8(x, key);
    case 2:
        return aria_map_behind_s1(t, vaeseq_u8(x, key));
    case 3:
        return vaesdq_u8(x, key);
    default:
        return vaesdq_u8(aria_map_before_s3(t, x), key);
    }
}

/* S-box number `box` is for slice box - 1 of a word in odd rounds, and two further on in even ones. */
STEP void aria_sub_same(const aria_sub_tables *t, uint8x16_t *y, const uint8x16_t *keys, int n, int box, int odd)
{
    EACH_OF (i, n) {
        y[i] = aria_sub_slice(t, y[i], keys[i], box);
        if ((box > 2) == odd) /* slices 2 and 3 are realigned */
            y[i] = vqtbl1q_u8(y[i], t->odd_halves);
    }
}

STEP void aria_sub_slices(const aria_sub_tables *t, uint8x16_t x[16], const uint8_t *keys, int odd)
{
    EACH_OF (w, 4) {
        const uint8x16x4_t key = vld4q_dup_u8(keys + 4 * w);
        EACH_OF (j, 4)
            aria_sub_same(t, &x[4 * w + j], &key.val[j], 1, (odd ? j : j ^ 2) + 1, odd);
    }
}

/* Byte number `row` of each word of a row. */
STEP uint8x16_t aria_bytes_of(unsigned row)
{
    return vreinterpretq_u8_u32(vdupq_n_u32(0xffu << 8 * row));
}

STEP uint8x16_t aria_fold_row(const aria_sub_tables *t, uint8x16_t x, int odd)
{
    return vbslq_u8(aria_bytes_of(odd ? 3 : 1), aria_map_before_s3(t, x), x);
}

STEP uint8x16_t aria_sub_row(const aria_sub_tables *t, uint8x16_t x, uint8x16_t key, int odd)
{
    const uint8x16_t folded = aria_fold_row(t, x, odd);
    const uint8x16_t by_s1 = vaeseq_u8(folded, key), by_s3 = vaesdq_u8(folded, key);
    const uint8x16_t in_s1 = vreinterpretq_u8_u32(vdupq_n_u32(odd ? 0xffff : 0xffff0000));
    return vbslq_u8(aria_bytes_of(odd ? 1 : 3), aria_map_behind_s1(t, by_s1), vbslq_u8(in_s1, by_s1, by_s3));
}

#include "rounds.h"

/* The constant that aria_fold_row leaves to be added. */
STEP uint8x16_t aria_fold_constant(int odd)
{
    return aria_bytes_of(odd ? 3 : 1) & vdupq_n_u8(ARIA_BEFORE_S3);
}

TARGET static void aria_substitute(uint8_t block[16], int odd)
{
    const aria_sub_tables t = aria_load_sub_tables();
    const uint8x16_t x = vld1q_u8(block);
    vst1q_u8(block, odd ? aria_ordered_row(aria_sub_row(&t, x, aria_fold_constant(1), 1), 1)
                        : aria_ordered_row(aria_sub_row(&t, x, aria_fold_constant(0), 0), 0));
}

TARGET static void aria_fold_keys(runnel_aria_schedule *schedule)
{
    const aria_sub_tables t = aria_load_sub_tables();
    for (unsigned r = 0; r < schedule->rounds; r += 2) {
        uint8_t *odd = schedule->keys[r], *even = schedule->keys[r + 1];
        vst1q_u8(odd, aria_fold_row(&t, vld1q_u8(odd), 1) ^ aria_fold_constant(1));
        vst1q_u8(even, aria_fold_row(&t, vld1q_u8(even), 0) ^ aria_fold_constant(0));
    }
}

static void aria_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aria_expand(state, key, key_bytes, aria_substitute);
    aria_fold_keys(state);
}

#if RUNNEL_DECRYPT
static void aria_set_decrypt_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aria_expand(state, key, key_bytes, aria_substitute);
    runnel_aria_invert(state);
    aria_fold_keys(state);
}
#endif

const runnel_kernel runnel_aria_aarch64_aes = {
    .name = RUNNEL_TEXT("aarch64-aes"),
    .citation = RUNNEL_TEXT("S-boxes by AESE and AESD with affine maps in TBL; 16 blocks in slices of bytes"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AES,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = aria_set_key,
    .block = {.encrypt_blocks = aria_encrypt_blocks,
              .ctr32 = aria_ctr32,
              .ctr32_little = aria_ctr32_little,
              RUNNEL_DECRYPTION(aria_set_decrypt_key, aria_encrypt_blocks)},
};

#endif
