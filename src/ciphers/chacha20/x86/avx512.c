/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 on 512-bit registers, which have a rotation: two sets of sixteen blocks with one register a state word fill
 * all 32 registers and hide the latency of each other; four blocks a set of four registers, one a row, if there are
 * few. */
#include "arch/x86/words.h"
#include "ciphers/chacha20/kernels.h"

#if RUNNEL_X86_64

#include "setup.h"

#include "rounds.h"

typedef runnel_words512 chacha20_words;

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl")

#define SHUFFLE(a, order) ((chacha20_words)_mm512_shuffle_epi32((__m512i)(a), order))
#define ROTL(rotations, a, n) RUNNEL_ROTL_WORDS(a, n)

static const chacha20_words chacha20_lanes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* 1 to 16 blocks. */
TARGET static void chacha20_xor_words(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in,
                                      size_t nblocks, uint8_t *leftover)
{
    uint32_t counter = (uint32_t)index;
    chacha20_words x[16] = WORDS(w, counter + chacha20_lanes);
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        COLUMNS_01(NULL, x);
        COLUMNS_23(NULL, x);
        DIAGONALS_01(NULL, x);
        DIAGONALS_23(NULL, x);
    }
    RUNNEL_VALUE_BARRIER(w);
    ADD_WORDS(x, w, counter + chacha20_lanes);
    runnel_put_words512(out, in, 0, nblocks, leftover, x);
}

/* 1 to 32 blocks. */
TARGET static void chacha20_xor_words_twice(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in,
                                            size_t nblocks, uint8_t *leftover)
{
    uint32_t counter = (uint32_t)index;
    chacha20_words x[16] = WORDS(w, counter + chacha20_lanes), y[16] = WORDS(w, counter + 16 + chacha20_lanes);
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        COLUMNS_01(NULL, x);
        COLUMNS_01(NULL, y);
        COLUMNS_23(NULL, x);
        COLUMNS_23(NULL, y);
        DIAGONALS_01(NULL, x);
        DIAGONALS_01(NULL, y);
        DIAGONALS_23(NULL, x);
        DIAGONALS_23(NULL, y);
    }
    RUNNEL_VALUE_BARRIER(w);
    RUNNEL_VALUE_BARRIER(counter);
    ADD_WORDS(x, w, counter + chacha20_lanes);
    runnel_put_words512(out, in, 0, nblocks, leftover, x);
    ADD_WORDS(y, w, counter + 16 + chacha20_lanes);
    runnel_put_words512(out, in, 16, nblocks, leftover, y);
}

/* 1 to 8 blocks. */
TARGET static void chacha20_xor_rows(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                                     uint8_t *leftover)
{
    uint32_t counter = (uint32_t)index;
    const chacha20_words row0 = (chacha20_words)_mm512_broadcast_i32x4(_mm_loadu_si128((const void *)w));
    const chacha20_words row1 = (chacha20_words)_mm512_broadcast_i32x4(_mm_loadu_si128((const void *)(w + 4)));
    const chacha20_words row2 = (chacha20_words)_mm512_broadcast_i32x4(_mm_loadu_si128((const void *)(w + 8)));
    const __m128i last = _mm_set_epi32((int)w[15], (int)w[14], (int)w[13], (int)counter);
    const chacha20_words row3 =
        (chacha20_words)_mm512_broadcast_i32x4(last) + (chacha20_words){0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0};
    chacha20_words a = row0, b = row1, c = row2, d = row3;
    if (nblocks + (leftover != NULL) <= 4) {
        ROUNDS_ON_ROWS(NULL, a, b, c, d)
    } else {
        const chacha20_words row3_next = row3 + (chacha20_words){4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0};
        chacha20_words e = row0, f = row1, g = row2, h = row3_next;
        ROUNDS_ON_ROWS_TWICE(NULL, a, b, c, d, e, f, g, h)
        runnel_put_rows512(out, in, 4, 1, nblocks, leftover, e + row0, f + row1, g + row2, h + row3_next);
    }
    runnel_put_rows512(out, in, 0, 1, nblocks, leftover, a + row0, b + row1, c + row2, d + row3);
}

/* One block, for out or leftover. A wider register takes longer on some processors. */
#undef SHUFFLE
#define SHUFFLE(a, order) ((runnel_words128)_mm_shuffle_epi32((__m128i)(a), order))
TARGET static void chacha20_xor_row(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                                    uint8_t *leftover)
{
    const runnel_words128 row0 = (runnel_words128)_mm_loadu_si128((const void *)w);
    const runnel_words128 row1 = (runnel_words128)_mm_loadu_si128((const void *)(w + 4));
    const runnel_words128 row2 = (runnel_words128)_mm_loadu_si128((const void *)(w + 8));
    const runnel_words128 row3 = {(uint32_t)index, w[13], w[14], w[15]};
    runnel_words128 a = row0, b = row1, c = row2, d = row3;
    ROUNDS_ON_ROWS(NULL, a, b, c, d)
    runnel_put_rows128(out, in, 0, nblocks, leftover, a + row0, b + row1, c + row2, d + row3);
}

/* 1 to 32 blocks. */
static void chacha20_xor_batch(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                               uint8_t *leftover)
{
    const size_t n = nblocks + (leftover != NULL);
    if (n > 24) {
        chacha20_xor_words_twice(state, index, out, in, nblocks, leftover);
    } else if (n > 16) { /* a second set of sixteen would cost twice as much as eight in rows */
        const size_t done = 16 * RUNNEL_WORDS_BLOCK;
        chacha20_xor_words(state, index, out, in, 16, NULL);
        chacha20_xor_rows(state, index + 16, out + done, in == NULL ? NULL : in + done, nblocks - 16, leftover);
    } else if (n > 8) {
        chacha20_xor_words(state, index, out, in, nblocks, leftover);
    } else if (n > 1) {
        chacha20_xor_rows(state, index, out, in, nblocks, leftover);
    } else {
        chacha20_xor_row(state, index, out, in, nblocks, leftover);
    }
}

RUNNEL_DEFINE_XOR_LOOP(chacha20_xor_blocks, chacha20_xor_tail, chacha20_xor_batch, 0, 32)

const runnel_kernel runnel_chacha20_avx512 = {
    .name = RUNNEL_TEXT("avx512"),
    .citation = RUNNEL_TEXT("two sets of sixteen blocks in parallel; rows as in Goll and Gueron (2014)"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_AVX512,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = chacha20_set_key,
    .stream = {.iv = runnel_chacha20_set_iv, .xor_blocks = chacha20_xor_blocks, .xor_tail = chacha20_xor_tail},
    .stack_bytes = 1536,
};

#endif
