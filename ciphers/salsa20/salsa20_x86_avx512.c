/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 on 512-bit registers, which have a rotation: two sets of sixteen blocks with one register a state word hide the
 * latency of each other; four blocks a set of four registers, one a diagonal, where there are few; and a last single
 * block in the integer registers. */
#include "../../core/x86_words.h"
#include "salsa20_kernels.h"

#if RUNNEL_X86_64

#include "salsa20_x86_rounds.h"

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl")

#define ADD _mm512_add_epi32
#define XOR_ROTL(a, b, n) _mm512_xor_si512(a, _mm512_rol_epi32(b, n))
#define SHUFFLE _mm512_shuffle_epi32
#define PICK(a, b, c, d)                                                                                               \
    _mm512_mask_blend_epi32(0xcccc, _mm512_mask_blend_epi32(0x2222, a, b), _mm512_mask_blend_epi32(0x8888, c, d))

#define BROADCAST(i) _mm512_set1_epi32((int)w[i])
#define WORDS(low, high)                                                                                               \
    {                                                                                                                  \
        BROADCAST(0), BROADCAST(1), BROADCAST(2), BROADCAST(3), BROADCAST(4), BROADCAST(5), BROADCAST(6),              \
            BROADCAST(7), low, high, BROADCAST(10), BROADCAST(11), BROADCAST(12), BROADCAST(13), BROADCAST(14),        \
            BROADCAST(15)                                                                                              \
    }
#define ADD_INPUT(x, i) x[i] = ADD(x[i], BROADCAST(i))
#define ADD_WORDS(x, low, high)                                                                                        \
    do {                                                                                                               \
        ADD_INPUT(x, 0), ADD_INPUT(x, 1), ADD_INPUT(x, 2), ADD_INPUT(x, 3), ADD_INPUT(x, 4), ADD_INPUT(x, 5);          \
        ADD_INPUT(x, 6), ADD_INPUT(x, 7), ADD_INPUT(x, 10), ADD_INPUT(x, 11), ADD_INPUT(x, 12), ADD_INPUT(x, 13);      \
        ADD_INPUT(x, 14), ADD_INPUT(x, 15);                                                                            \
        x[8] = ADD(x[8], low), x[9] = ADD(x[9], high);                                                                 \
    } while (0)

/* The low and high words of sixteen counters from index on. */
TARGET RUNNEL_INLINE void make_counters(uint64_t index, __m512i *low, __m512i *high)
{
    const __m512i first = _mm512_set1_epi32((int)(uint32_t)index);
    const __m512i first_high = _mm512_set1_epi32((int)(uint32_t)(index >> 32));
    *low = ADD(first, _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
    *high = _mm512_mask_add_epi32(first_high, _mm512_cmplt_epu32_mask(*low, first), first_high, _mm512_set1_epi32(1));
}

/* 1 to 16 blocks. */
TARGET static void xor_words(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                             size_t nblocks)
{
    const uint32_t *w = s->words;
    __m512i low, high;
    make_counters(index, &low, &high);
    __m512i x[16] = WORDS(low, high);
    for (uint32_t round = s->rounds; round > 0; round -= 2) {
        COLUMNS_01(x);
        COLUMNS_23(x);
        ROWS_01(x);
        ROWS_23(x);
    }
    RUNNEL_FORGET(w);
    ADD_WORDS(x, low, high);
    runnel_put_words512(out, in, 0, nblocks, x);
}

/* 1 to 32 blocks. */
TARGET static void xor_words_twice(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                                   size_t nblocks)
{
    const uint32_t *w = s->words;
    __m512i low, high, low_next, high_next;
    make_counters(index, &low, &high);
    make_counters(index + 16, &low_next, &high_next);
    __m512i x[16] = WORDS(low, high), y[16] = WORDS(low_next, high_next);
    for (uint32_t round = s->rounds; round > 0; round -= 2) {
        COLUMNS_01(x);
        COLUMNS_01(y);
        COLUMNS_23(x);
        COLUMNS_23(y);
        ROWS_01(x);
        ROWS_01(y);
        ROWS_23(x);
        ROWS_23(y);
    }
    RUNNEL_FORGET(w);
    RUNNEL_FORGET(index);
    make_counters(index, &low, &high);
    ADD_WORDS(x, low, high);
    runnel_put_words512(out, in, 0, nblocks, x);
    make_counters(index + 16, &low_next, &high_next);
    ADD_WORDS(y, low_next, high_next);
    runnel_put_words512(out, in, 16, nblocks, y);
}

/* 1 to 8 blocks. */
TARGET static void xor_rows(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                            size_t nblocks)
{
    const uint32_t *w = s->words;
    /* The IV is read as it was written a moment ago, in 8 bytes, so that it comes straight from the store. */
    const __m128i iv = _mm_loadl_epi64((const void *)(w + 6)), counter = _mm_cvtsi64_si128((long long)index);
    const __m512i r0 = _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)w));
    const __m512i r1 = _mm512_broadcast_i32x4(_mm_unpacklo_epi64(_mm_loadl_epi64((const void *)(w + 4)), iv));
    const __m512i r2 = _mm512_add_epi64(
        _mm512_broadcast_i32x4(_mm_unpacklo_epi64(counter, _mm_loadl_epi64((const void *)(w + 10)))),
        _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0));
    const __m512i r3 = _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)(w + 12)));
    __m512i a = DIAGONAL0(r0, r1, r2, r3), b = DIAGONAL1(r0, r1, r2, r3);
    __m512i c = DIAGONAL2(r0, r1, r2, r3), d = DIAGONAL3(r0, r1, r2, r3);
    if (nblocks <= 4) {
        for (uint32_t round = s->rounds; round > 0; round--) {
            QUARTER_ROUND(a, b, c, d);
            TURN(__m512i, b, c, d);
        }
    } else {
        const __m512i r2_next = _mm512_add_epi64(r2, _mm512_set_epi64(0, 4, 0, 4, 0, 4, 0, 4));
        __m512i e = a, f = DIAGONAL1(r0, r1, r2_next, r3), g = DIAGONAL2(r0, r1, r2_next, r3), h = d;
        for (uint32_t round = s->rounds; round > 0; round--) {
            QUARTER_ROUND(a, b, c, d);
            QUARTER_ROUND(e, f, g, h);
            TURN(__m512i, b, c, d);
            TURN(__m512i, f, g, h);
        }
        runnel_put_rows512(out, in, 4, 1, nblocks, ADD(ROW0(e, f, g, h), r0), ADD(ROW1(e, f, g, h), r1),
                           ADD(ROW2(e, f, g, h), r2_next), ADD(ROW3(e, f, g, h), r3));
    }
    runnel_put_rows512(out, in, 0, 1, nblocks, ADD(ROW0(a, b, c, d), r0), ADD(ROW1(a, b, c, d), r1),
                       ADD(ROW2(a, b, c, d), r2), ADD(ROW3(a, b, c, d), r3));
}

static void xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    while (nblocks > 0) {
        size_t n = nblocks < 32 ? nblocks : 32;
        if (n > 16)
            xor_words_twice(state, index, out, in, n);
        else if (n > 8)
            xor_words(state, index, out, in, n);
        else if (n > 1)
            xor_rows(state, index, out, in, n);
        else
            runnel_salsa20_xor_blocks(state, index, out, in, 1);
        index += n;
        out += SALSA20_BLOCK * n;
        if (in != NULL)
            in += SALSA20_BLOCK * n;
        nblocks -= n;
    }
}

const runnel_kernel runnel_salsa20_x86_avx512 = {
    .name = "avx512",
    .source = "two sets of sixteen blocks in parallel; diagonals as in Bernstein's amd64-xmm implementations (2005)",
    .cpu = RUNNEL_CPU_AVX512,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_salsa20_set_key_20,
    .iv = runnel_salsa20_set_iv,
    .xor_blocks = xor_blocks,
};

#endif
