/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 on 512-bit registers, which have a rotation: two sets of sixteen blocks with one register a state word hide
 * the latency of each other; four blocks a set of four registers, one a diagonal, if there are few. */
#include "arch/x86/words.h"
#include "ciphers/salsa20/kernels.h"

#if RUNNEL_X86_64

#include "setup.h"

typedef runnel_words512 salsa20_words;

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl")

#define XOR_ROTL(a, b, n) ((a) ^ salsa20_rotl(b, n))
#define SHUFFLE(a, order) ((salsa20_words)_mm512_shuffle_epi32((__m512i)(a), order))
#define BLEND(a, b, mask) _mm512_mask_blend_epi32(mask, (__m512i)(a), (__m512i)(b))
#define PICK(a, b, c, d) ((salsa20_words)BLEND(BLEND(a, b, 0x2222), BLEND(c, d, 0x8888), 0xcccc))

#include "rounds.h"

static const salsa20_words salsa20_lanes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

TARGET RUNNEL_INLINE salsa20_words salsa20_rotl(salsa20_words x, const int n)
{
    return RUNNEL_ROTL_WORDS(x, n);
}

/* 1 to 16 blocks. */
TARGET static void salsa20_xor_words(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                                     size_t nblocks, uint8_t *leftover)
{
    const uint32_t *w = s->words;
    salsa20_words x[16] = WORDS(w, LOW(index), HIGH(index));
    for (uint32_t round = s->rounds; round > 0; round -= 2) {
        COLUMNS_01(x);
        COLUMNS_23(x);
        ROWS_01(x);
        ROWS_23(x);
    }
    RUNNEL_VALUE_BARRIER(w);
    ADD_WORDS(x, w, LOW(index), HIGH(index));
    runnel_put_words512(out, in, 0, nblocks, leftover, x);
}

/* 1 to 32 blocks. */
TARGET static void salsa20_xor_words_twice(const runnel_salsa20_state *s, uint64_t index, uint8_t *out,
                                           const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    const uint32_t *w = s->words;
    salsa20_words x[16] = WORDS(w, LOW(index), HIGH(index)), y[16] = WORDS(w, LOW(index + 16), HIGH(index + 16));
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
    RUNNEL_VALUE_BARRIER(w);
    RUNNEL_VALUE_BARRIER(index);
    ADD_WORDS(x, w, LOW(index), HIGH(index));
    runnel_put_words512(out, in, 0, nblocks, leftover, x);
    ADD_WORDS(y, w, LOW(index + 16), HIGH(index + 16));
    runnel_put_words512(out, in, 16, nblocks, leftover, y);
}

/* 1 to 8 blocks. */
TARGET static void salsa20_xor_rows(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                                    size_t nblocks, uint8_t *leftover)
{
    const uint32_t *w = s->words;
    /* The IV is loaded with the width of its recent store, 8 bytes, for store-forwarding. */
    const __m128i iv = _mm_loadl_epi64((const void *)(w + 6)), counter = _mm_cvtsi64_si128((long long)index);
    const salsa20_words r0 = (salsa20_words)_mm512_broadcast_i32x4(_mm_loadu_si128((const void *)w));
    const salsa20_words r1 =
        (salsa20_words)_mm512_broadcast_i32x4(_mm_unpacklo_epi64(_mm_loadl_epi64((const void *)(w + 4)), iv));
    const salsa20_words r2 = (salsa20_words)_mm512_add_epi64(
        _mm512_broadcast_i32x4(_mm_unpacklo_epi64(counter, _mm_loadl_epi64((const void *)(w + 10)))),
        _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0));
    const salsa20_words r3 = (salsa20_words)_mm512_broadcast_i32x4(_mm_loadu_si128((const void *)(w + 12)));
    salsa20_words a = DIAGONAL0(r0, r1, r2, r3), b = DIAGONAL1(r0, r1, r2, r3);
    salsa20_words c = DIAGONAL2(r0, r1, r2, r3), d = DIAGONAL3(r0, r1, r2, r3);
    if (nblocks + (leftover != NULL) <= 4) {
        for (uint32_t round = s->rounds; round > 0; round--) {
            QUARTER_ROUND(a, b, c, d);
            TURN(b, c, d);
        }
    } else {
        const salsa20_words r2_next =
            (salsa20_words)_mm512_add_epi64((__m512i)r2, _mm512_set_epi64(0, 4, 0, 4, 0, 4, 0, 4));
        salsa20_words e = a, f = DIAGONAL1(r0, r1, r2_next, r3), g = DIAGONAL2(r0, r1, r2_next, r3), h = d;
        for (uint32_t round = s->rounds; round > 0; round--) {
            QUARTER_ROUND(a, b, c, d);
            QUARTER_ROUND(e, f, g, h);
            TURN(b, c, d);
            TURN(f, g, h);
        }
        runnel_put_rows512(out, in, 4, 1, nblocks, leftover, ROW0(e, f, g, h) + r0, ROW1(e, f, g, h) + r1,
                           ROW2(e, f, g, h) + r2_next, ROW3(e, f, g, h) + r3);
    }
    runnel_put_rows512(out, in, 0, 1, nblocks, leftover, ROW0(a, b, c, d) + r0, ROW1(a, b, c, d) + r1,
                       ROW2(a, b, c, d) + r2, ROW3(a, b, c, d) + r3);
}

TARGET RUNNEL_INLINE runnel_words128 salsa20_rotl128(runnel_words128 x, const int n)
{
    return RUNNEL_ROTL_WORDS(x, n);
}

/* A wider register takes longer for a single block on some processors. */
#undef XOR_ROTL
#define XOR_ROTL(a, b, n) ((a) ^ salsa20_rotl128(b, n))
#include "row.h"

TARGET static void salsa20_xor_few(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                                   uint8_t *leftover)
{
    if (nblocks + (leftover != NULL) > 1)
        salsa20_xor_rows(state, index, out, in, nblocks, leftover);
    else
        salsa20_xor_row_beside(state, index, out, in, nblocks, leftover, 0);
}

RUNNEL_DEFINE_XOR_BATCH(salsa20_xor_batch, 8, salsa20_xor_few, 16, salsa20_xor_words, salsa20_xor_words_twice)
RUNNEL_DEFINE_XOR_LOOP(salsa20_xor_blocks, salsa20_xor_tail, salsa20_xor_batch, 0, 32)

const runnel_kernel runnel_salsa20_avx512 = {
    .name = RUNNEL_TEXT("avx512"),
    .citation = RUNNEL_TEXT("two sets of sixteen blocks in parallel; diagonals as in Bernstein's own x86 code"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_AVX512,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = salsa20_set_key,
    .stream = {.iv = salsa20_set_iv, .xor_blocks = salsa20_xor_blocks, .xor_tail = salsa20_xor_tail},
    .stack_bytes = 1536,
};

#endif
