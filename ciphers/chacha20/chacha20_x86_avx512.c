/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 on 512-bit registers, which have a rotation: two sets of sixteen blocks with one register a state word fill
 * all 32 registers and hide the latency of each other; four blocks a set of four registers, one a row, where there are
 * few; and a last single block in the integer registers. */
#include "../../core/x86_words.h"
#include "chacha20_kernels.h"

#if RUNNEL_X86_64

#include "chacha20_x86_rounds.h"

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl")

#define ADD _mm512_add_epi32
#define XOR _mm512_xor_si512
#define ROTL _mm512_rol_epi32
#define SHUFFLE _mm512_shuffle_epi32

#define BROADCAST(i) _mm512_set1_epi32((int)w[i])
#define WORDS(counters)                                                                                                \
    {                                                                                                                  \
        BROADCAST(0), BROADCAST(1), BROADCAST(2), BROADCAST(3), BROADCAST(4), BROADCAST(5), BROADCAST(6),              \
            BROADCAST(7), BROADCAST(8), BROADCAST(9), BROADCAST(10), BROADCAST(11), counters, BROADCAST(13),           \
            BROADCAST(14), BROADCAST(15)                                                                               \
    }
#define ADD_INPUT(x, i) x[i] = ADD(x[i], BROADCAST(i))
#define ADD_WORDS(x, counters)                                                                                         \
    do {                                                                                                               \
        ADD_INPUT(x, 0), ADD_INPUT(x, 1), ADD_INPUT(x, 2), ADD_INPUT(x, 3), ADD_INPUT(x, 4), ADD_INPUT(x, 5);          \
        ADD_INPUT(x, 6), ADD_INPUT(x, 7), ADD_INPUT(x, 8), ADD_INPUT(x, 9), ADD_INPUT(x, 10), ADD_INPUT(x, 11);        \
        ADD_INPUT(x, 13), ADD_INPUT(x, 14), ADD_INPUT(x, 15);                                                          \
        x[12] = ADD(x[12], counters);                                                                                  \
    } while (0)

TARGET RUNNEL_INLINE __m512i counters_from(uint32_t counter)
{
    return ADD(_mm512_set1_epi32((int)counter),
               _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
}

/* 1 to 16 blocks. */
TARGET static void xor_words(const uint32_t *w, uint32_t counter, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    __m512i x[16] = WORDS(counters_from(counter));
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        COLUMNS_01(x);
        COLUMNS_23(x);
        DIAGONALS_01(x);
        DIAGONALS_23(x);
    }
    RUNNEL_FORGET(w);
    ADD_WORDS(x, counters_from(counter));
    runnel_put_words512(out, in, 0, nblocks, x);
}

/* 1 to 32 blocks. */
TARGET static void xor_words_twice(const uint32_t *w, uint32_t counter, uint8_t *out, const uint8_t *in,
                                   size_t nblocks)
{
    __m512i x[16] = WORDS(counters_from(counter)), y[16] = WORDS(counters_from(counter + 16));
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        COLUMNS_01(x);
        COLUMNS_01(y);
        COLUMNS_23(x);
        COLUMNS_23(y);
        DIAGONALS_01(x);
        DIAGONALS_01(y);
        DIAGONALS_23(x);
        DIAGONALS_23(y);
    }
    RUNNEL_FORGET(w);
    ADD_WORDS(x, counters_from(counter));
    runnel_put_words512(out, in, 0, nblocks, x);
    ADD_WORDS(y, counters_from(counter + 16));
    runnel_put_words512(out, in, 16, nblocks, y);
}

/* 1 to 8 blocks. */
TARGET static void xor_rows(const uint32_t *w, uint32_t counter, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const __m512i row0 = _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)w));
    const __m512i row1 = _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)(w + 4)));
    const __m512i row2 = _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)(w + 8)));
    const __m128i last = _mm_set_epi32((int)w[15], (int)w[14], (int)w[13], (int)counter);
    const __m512i lanes = _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0);
    const __m512i four = _mm512_set_epi32(0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4);
    const __m512i row3 = ADD(_mm512_broadcast_i32x4(last), lanes);

    __m512i a = row0, b = row1, c = row2, d = row3;
    if (nblocks <= 4) {
        for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
            QUARTER_ROUND(a, b, c, d);
            COLUMNS_TO_DIAGONALS(a, c, d);
            QUARTER_ROUND(a, b, c, d);
            DIAGONALS_TO_COLUMNS(a, c, d);
        }
        runnel_put_rows512(out, in, 0, 1, nblocks, ADD(a, row0), ADD(b, row1), ADD(c, row2), ADD(d, row3));
        return;
    }
    const __m512i row3_next = ADD(row3, four);
    __m512i e = row0, f = row1, g = row2, h = row3_next;
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        QUARTER_ROUNDS(a, b, c, d, e, f, g, h);
        COLUMNS_TO_DIAGONALS(a, c, d);
        COLUMNS_TO_DIAGONALS(e, g, h);
        QUARTER_ROUNDS(a, b, c, d, e, f, g, h);
        DIAGONALS_TO_COLUMNS(a, c, d);
        DIAGONALS_TO_COLUMNS(e, g, h);
    }
    runnel_put_rows512(out, in, 0, 1, nblocks, ADD(a, row0), ADD(b, row1), ADD(c, row2), ADD(d, row3));
    runnel_put_rows512(out, in, 4, 1, nblocks, ADD(e, row0), ADD(f, row1), ADD(g, row2), ADD(h, row3_next));
}

static void xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    while (nblocks > 0) {
        size_t n = nblocks < 32 ? nblocks : 32;
        if (n > 16)
            xor_words_twice(state, (uint32_t)index, out, in, n);
        else if (n > 8)
            xor_words(state, (uint32_t)index, out, in, n);
        else if (n > 1)
            xor_rows(state, (uint32_t)index, out, in, n);
        else
            runnel_chacha20_xor_blocks(state, index, out, in, 1);
        index += n;
        out += CHACHA20_BLOCK * n;
        if (in != NULL)
            in += CHACHA20_BLOCK * n;
        nblocks -= n;
    }
}

const runnel_kernel runnel_chacha20_x86_avx512 = {
    .name = "avx512",
    .source = "two sets of sixteen blocks in parallel; rows as in Goll and Gueron (2014)",
    .cpu = RUNNEL_CPU_AVX512,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_chacha20_set_key,
    .iv = runnel_chacha20_set_iv,
    .xor_blocks = xor_blocks,
};

#endif
