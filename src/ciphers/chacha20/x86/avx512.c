/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 on 512-bit registers, which have a rotation: two sets of sixteen blocks with one register a state word fill
 * all 32 registers and hide the latency of each other; four blocks a set of four registers, one a row, if there are
 * few. */
#include "arch/x86/target.h"
#include "ciphers/chacha20/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl")
#include "arch/x86/blocks_512.h"
#include "rounds.h"
#include "setup.h"

/* 1 to 16 blocks. */
TARGET static void chacha20_xor_words(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in,
                                      size_t nblocks, uint8_t *leftover)
{
    const uint32_t counter = (uint32_t)index;
    vector_words x[16];
    chacha20_start(x, w, counter + words_numbers());
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        chacha20_columns_01(x, NULL);
        chacha20_columns_23(x, NULL);
        chacha20_diagonals_01(x, NULL);
        chacha20_diagonals_23(x, NULL);
    }
    RUNNEL_VALUE_BARRIER(w);
    chacha20_add_start(x, 0, 16, w, counter + words_numbers());
    keystream_words_put_all(out, in, 0, nblocks, leftover, x);
}

/* 1 to 32 blocks. */
TARGET static void chacha20_xor_words_twice(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in,
                                            size_t nblocks, uint8_t *leftover)
{
    uint32_t counter = (uint32_t)index;
    vector_words x[16], y[16];
    chacha20_start(x, w, counter + words_numbers());
    chacha20_start(y, w, counter + 16 + words_numbers());
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        chacha20_columns_01(x, NULL);
        chacha20_columns_01(y, NULL);
        chacha20_columns_23(x, NULL);
        chacha20_columns_23(y, NULL);
        chacha20_diagonals_01(x, NULL);
        chacha20_diagonals_01(y, NULL);
        chacha20_diagonals_23(x, NULL);
        chacha20_diagonals_23(y, NULL);
    }
    RUNNEL_VALUE_BARRIER(w);
    RUNNEL_VALUE_BARRIER(counter);
    chacha20_add_start(x, 0, 16, w, counter + words_numbers());
    keystream_words_put_all(out, in, 0, nblocks, leftover, x);
    chacha20_add_start(y, 0, 16, w, counter + 16 + words_numbers());
    keystream_words_put_all(out, in, 16, nblocks, leftover, y);
}

/* 1 to 8 blocks. */
TARGET static void chacha20_xor_rows(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                                     uint8_t *leftover)
{
    const __m128i last = _mm_set_epi32((int)w[15], (int)w[14], (int)w[13], (int)(uint32_t)index);
    const vector_words numbers = {0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0};
    const vector_words start[4] = {(vector_words)vector_repeat_at(w), (vector_words)vector_repeat_at(w + 4),
                                   (vector_words)vector_repeat_at(w + 8), (vector_words)vector_repeat(last) + numbers};
    if (nblocks + (leftover != NULL) <= 4) {
        vector_words x[4] = {start[0], start[1], start[2], start[3]};
        chacha20_rounds_on_rows(x);
        chacha20_put_rows(out, in, 0, nblocks, leftover, x, start);
    } else {
        const vector_words four = {4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0};
        const vector_words next[4] = {start[0], start[1], start[2], start[3] + four};
        vector_words x[8] = {start[0], start[1], start[2], start[3], next[0], next[1], next[2], next[3]};
        chacha20_rounds_on_two_rows(x);
        chacha20_put_rows(out, in, 4, nblocks, leftover, x + 4, next);
        chacha20_put_rows(out, in, 0, nblocks, leftover, x, start);
    }
}

/* 1 to 32 blocks. */
static void chacha20_xor_batch(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                               uint8_t *leftover)
{
    const size_t n = nblocks + (leftover != NULL);
    if (n > 24) {
        chacha20_xor_words_twice(state, index, out, in, nblocks, leftover);
    } else if (n > 16) { /* a second set of sixteen would cost twice as much as eight in rows */
        const size_t done = 16 * CHACHA20_BLOCK;
        chacha20_xor_words(state, index, out, in, 16, NULL);
        chacha20_xor_rows(state, index + 16, out + done, in == NULL ? NULL : in + done, nblocks - 16, leftover);
    } else if (n > 8) {
        chacha20_xor_words(state, index, out, in, nblocks, leftover);
    } else if (n > 1) {
        chacha20_xor_rows(state, index, out, in, nblocks, leftover);
    } else {
        runnel_chacha20_avx512_xor_row(state, index, out, in, nblocks, leftover);
    }
}

static void chacha20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_xor_by_batches(chacha20_xor_batch, 0, 32, state, index, out, in, nblocks, 0, NULL);
}

static void chacha20_xor_tail(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks, size_t tail,
                              uint8_t *leftover)
{
    runnel_xor_by_batches(chacha20_xor_batch, 0, 32, state, index, out, in, nblocks, tail, leftover);
}

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
