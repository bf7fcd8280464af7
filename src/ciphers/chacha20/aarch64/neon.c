/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 on NEON: four blocks with one register a state word, the last three with one register a row of the matrix,
 * side by side. Rotations by 16 and 8 bits are one instruction, the others two. */
#include "arch/aarch64/words.h"
#include "ciphers/chacha20/kernels.h"

#if RUNNEL_AARCH64

static const uint8_t rotate_by_8[16] = {3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14};

RUNNEL_INLINE runnel_words rotl16(runnel_words x)
{
    return vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(x)));
}

RUNNEL_INLINE runnel_words rotl8(runnel_words x, uint8x16_t by_8)
{
    return vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(x), by_8));
}

/* n quarter-rounds side by side, on a[i], b[(i + shift_b) % 4] and so on. Each step waits for the one before, and
 * compilers keep the order of the source. */
RUNNEL_INLINE void quarter_rounds(int n, runnel_words *a, runnel_words *b, runnel_words *c, runnel_words *d,
                                  int shift_b, int shift_c, int shift_d, uint8x16_t by_8)
{
#define B(i) b[((i) + shift_b) % 4]
#define C(i) c[((i) + shift_c) % 4]
#define D(i) d[((i) + shift_d) % 4]
    RUNNEL_EACH(i, n) a[i] = vaddq_u32(a[i], B(i));
    RUNNEL_EACH(i, n) D(i) = rotl16(veorq_u32(D(i), a[i]));
    RUNNEL_EACH(i, n) C(i) = vaddq_u32(C(i), D(i));
    RUNNEL_EACH(i, n) B(i) = veorq_u32(B(i), C(i));
    RUNNEL_EACH(i, n) B(i) = RUNNEL_ROTL_WORDS(B(i), 12);
    RUNNEL_EACH(i, n) a[i] = vaddq_u32(a[i], B(i));
    RUNNEL_EACH(i, n) D(i) = rotl8(veorq_u32(D(i), a[i]), by_8);
    RUNNEL_EACH(i, n) C(i) = vaddq_u32(C(i), D(i));
    RUNNEL_EACH(i, n) B(i) = veorq_u32(B(i), C(i));
    RUNNEL_EACH(i, n) B(i) = RUNNEL_ROTL_WORDS(B(i), 7);
#undef B
#undef C
#undef D
}

/* The last row of block number i from here on. */
RUNNEL_INLINE runnel_words last_row(runnel_words row, uint32_t i)
{
    const runnel_words ahead = {i, 0, 0, 0};
    return vaddq_u32(row, ahead);
}

/* Groups of four blocks. */
static void xor_words(const uint32_t *w, uint32_t counter, uint8_t *out, const uint8_t *in, size_t groups)
{
    const uint8x16_t by_8 = vld1q_u8(rotate_by_8);
    runnel_words first = vld1q_u32(w), second = vld1q_u32(w + 4), third = vld1q_u32(w + 8);
    runnel_words fourth = vsetq_lane_u32(counter, vld1q_u32(w + 12), 0);
    for (; groups > 0; groups--) {
        const runnel_words lanes = {0, 1, 2, 3};
        RUNNEL_WORDS_BARRIER(first);
        RUNNEL_WORDS_BARRIER(second);
        RUNNEL_WORDS_BARRIER(third);
        runnel_words x[16] = {RUNNEL_WORDS_OF(first), RUNNEL_WORDS_OF(second), RUNNEL_WORDS_OF(third),
                              RUNNEL_WORDS_OF(fourth)};
        x[12] = vaddq_u32(x[12], lanes);
        for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
            quarter_rounds(4, x, x + 4, x + 8, x + 12, 0, 0, 0, by_8);
            quarter_rounds(4, x, x + 4, x + 8, x + 12, 1, 2, 3, by_8);
        }
        runnel_words_to_rows(x);
        RUNNEL_EACH(i, 4)
        {
            const runnel_rows r = {vaddq_u32(x[i], first), vaddq_u32(x[4 + i], second), vaddq_u32(x[8 + i], third),
                                   vaddq_u32(x[12 + i], last_row(fourth, (uint32_t)i))};
            runnel_put_rows(out + RUNNEL_WORDS_BLOCK * i, in == NULL ? NULL : in + RUNNEL_WORDS_BLOCK * i, r);
        }
        fourth = last_row(fourth, 4);
        out += 4 * RUNNEL_WORDS_BLOCK;
        in = in == NULL ? NULL : in + 4 * RUNNEL_WORDS_BLOCK;
    }
}

/* n blocks, at most three. */
RUNNEL_INLINE void xor_rows(int n, const uint32_t *w, uint32_t counter, uint8_t *out, const uint8_t *in)
{
    const uint8x16_t by_8 = vld1q_u8(rotate_by_8);
    const runnel_words first = vld1q_u32(w), second = vld1q_u32(w + 4), third = vld1q_u32(w + 8);
    const runnel_words fourth = vsetq_lane_u32(counter, vld1q_u32(w + 12), 0);
    runnel_words a[3], b[3], c[3], d[3];
    RUNNEL_EACH(i, n) a[i] = first, b[i] = second, c[i] = third, d[i] = last_row(fourth, (uint32_t)i);
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        quarter_rounds(n, a, b, c, d, 0, 0, 0, by_8);
        RUNNEL_EACH(i, n) a[i] = vextq_u32(a[i], a[i], 3); /* row b, the last to be ready, stays */
        RUNNEL_EACH(i, n) d[i] = vextq_u32(d[i], d[i], 2);
        RUNNEL_EACH(i, n) c[i] = vextq_u32(c[i], c[i], 1);
        quarter_rounds(n, a, b, c, d, 0, 0, 0, by_8);
        RUNNEL_EACH(i, n) a[i] = vextq_u32(a[i], a[i], 1);
        RUNNEL_EACH(i, n) d[i] = vextq_u32(d[i], d[i], 2);
        RUNNEL_EACH(i, n) c[i] = vextq_u32(c[i], c[i], 3);
    }
    RUNNEL_EACH(i, n)
    {
        const runnel_rows r = {vaddq_u32(a[i], first), vaddq_u32(b[i], second), vaddq_u32(c[i], third),
                               vaddq_u32(d[i], last_row(fourth, (uint32_t)i))};
        runnel_put_rows(out + RUNNEL_WORDS_BLOCK * i, in == NULL ? NULL : in + RUNNEL_WORDS_BLOCK * i, r);
    }
}

static void xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const size_t groups = nblocks / 4;
    uint32_t counter = (uint32_t)index;
    if (groups > 0) {
        xor_words(state, counter, out, in, groups);
        counter += (uint32_t)(4 * groups);
        out += 4 * RUNNEL_WORDS_BLOCK * groups;
        in = in == NULL ? NULL : in + 4 * RUNNEL_WORDS_BLOCK * groups;
    }
    if (nblocks % 4 == 1)
        xor_rows(1, state, counter, out, in);
    else if (nblocks % 4 == 2)
        xor_rows(2, state, counter, out, in);
    else if (nblocks % 4 == 3)
        xor_rows(3, state, counter, out, in);
}

const runnel_kernel runnel_chacha20_aarch64_neon = {
    .name = RUNNEL_TEXT("aarch64-neon"),
    .citation = RUNNEL_TEXT("four blocks in parallel; Goll, Gueron 2014 (rows) for fewer"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_NEON,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_chacha20_set_key,
    .stream = {.iv = runnel_chacha20_set_iv, .xor_blocks = xor_blocks},
};

#endif
