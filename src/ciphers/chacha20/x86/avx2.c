/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 on 256-bit registers: eight blocks with one register a state word, and a ninth in general registers; two
 * blocks in a set of four registers, one a row, if there are few. */
#include "arch/x86/target.h"
#include "ciphers/chacha20/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2")
#include "arch/x86/blocks_256.h"
#include "one_more.h"
#include "setup.h"

TARGET void runnel_chacha20_avx2_begin(const uint32_t *w, uint8_t *first, uint8_t *out, const uint8_t *in)
{
    chacha20_xor_words_and_one(w, 1, 0, out, in, first, NULL);
}

/* Two blocks from number counter on, and the next two. */
TARGET RUNNEL_INLINE void chacha20_start_rows(vector_words start[4], vector_words next[4], const uint32_t *w,
                                              uint32_t counter)
{
    RUNNEL_UNROLL
    for (int i = 0; i < 3; i++)
        start[i] = next[i] = (vector_words)vector_repeat_at(w + 4 * i);
    start[3] = (vector_words){counter, w[13], w[14], w[15], counter + 1, w[13], w[14], w[15]};
    next[3] = start[3] + (vector_words){2, 0, 0, 0, 2, 0, 0, 0};
}

/* 1 to 4 blocks. */
TARGET static void chacha20_xor_rows(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                                     uint8_t *leftover)
{
    vector_words start[4], next[4];
    chacha20_start_rows(start, next, w, (uint32_t)index);
    if (nblocks + (leftover != NULL) <= 2) {
        vector_words x[4] = {start[0], start[1], start[2], start[3]};
        chacha20_rounds_on_rows(x);
        chacha20_put_rows(out, in, 0, nblocks, leftover, x, start);
    } else {
        vector_words x[8] = {start[0], start[1], start[2], start[3], next[0], next[1], next[2], next[3]};
        chacha20_rounds_on_two_rows(x);
        chacha20_put_rows(out, in, 2, nblocks, leftover, x + 4, next);
        chacha20_put_rows(out, in, 0, nblocks, leftover, x, start);
    }
}

/* 5 blocks, the last of them, for out or leftover, in general registers: for that there is room between the rounds of rows
 * too, where two sets of them are not done before it. */
TARGET static void chacha20_xor_five(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                                     uint8_t *leftover)
{
    const uint32_t counter = (uint32_t)index;
    const int to_out = nblocks > 4;
    const uint8_t *patterns = chacha20_patterns[0][0];
    vector_words start[4], next[4];
    chacha20_start_rows(start, next, w, counter);
    vector_words x[8] = {start[0], start[1], start[2], start[3], next[0], next[1], next[2], next[3]};
    uint32_t one[16];
    chacha20_scalar_start(one, w, counter + 4);
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        chacha20_two_quarter_rounds(x, 0, 1, 2, 3, 4, 5, 6, 7, &patterns);
        chacha20_to_diagonals(x);
        chacha20_scalar_columns_01(one);
        chacha20_to_diagonals(x + 4);
        chacha20_scalar_columns_23(one);
        chacha20_two_quarter_rounds(x, 0, 1, 2, 3, 4, 5, 6, 7, &patterns);
        chacha20_to_columns(x);
        chacha20_scalar_diagonals_01(one);
        chacha20_to_columns(x + 4);
        chacha20_scalar_diagonals_23(one);
    }
    chacha20_put_rows(out, in, 0, 4, NULL, x, start);
    chacha20_put_rows(out, in, 2, 4, NULL, x + 4, next);
    chacha20_scalar_put(one, w, counter + 4, to_out ? out + 4 * CHACHA20_BLOCK : leftover,
                        to_out && in != NULL ? in + 4 * CHACHA20_BLOCK : NULL);
}

static void chacha20_xor_batch(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                               uint8_t *leftover)
{
    const size_t n = nblocks + (leftover != NULL);
    if (n > 8)
        chacha20_xor_one_more(state, index, out, in, nblocks, leftover);
    else if (n > 5)
        chacha20_xor_words(state, index, out, in, nblocks, leftover);
    else if (n == 5)
        chacha20_xor_five(state, index, out, in, nblocks, leftover);
    else
        chacha20_xor_rows(state, index, out, in, nblocks, leftover);
}

/* Of a text that no cache holds, most: nine blocks at a time, and what will be needed soon is on its way. Returns how many
 * blocks were made. */
static RUNNEL_NOINLINE size_t chacha20_xor_from_memory(void *state, uint64_t index, uint8_t *out, const uint8_t *in,
                                                       size_t nblocks)
{
    enum { AT_ONCE = 9, AHEAD = 32, REST = AHEAD + AT_ONCE };
    size_t done = 0;
    for (; nblocks - done >= REST; done += AT_ONCE) {
        const uint8_t *const from = in + CHACHA20_BLOCK * done;
        RUNNEL_UNROLL
        for (size_t i = 0; i < AT_ONCE; i++)
            _mm_prefetch((const void *)(from + CHACHA20_BLOCK * (AHEAD + i)), _MM_HINT_T0);
        chacha20_xor_one_more(state, index + done, out + CHACHA20_BLOCK * done, from, AT_ONCE, NULL);
    }
    return done;
}

RUNNEL_INLINE void chacha20_xor_all(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                                    size_t tail, uint8_t *leftover)
{
    enum { FROM_MEMORY = 1 << 16 };
    if (nblocks >= FROM_MEMORY && in != NULL) {
        const size_t done = chacha20_xor_from_memory(state, index, out, in, nblocks);
        index += done;
        out += CHACHA20_BLOCK * done;
        in += CHACHA20_BLOCK * done;
        nblocks -= done;
    }
    runnel_xor_by_batches(chacha20_xor_batch, 4, 8, state, index, out, in, nblocks, tail, leftover);
}

static void chacha20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    chacha20_xor_all(state, index, out, in, nblocks, 0, NULL);
}

static void chacha20_xor_tail(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks, size_t tail,
                              uint8_t *leftover)
{
    chacha20_xor_all(state, index, out, in, nblocks, tail, leftover);
}

const runnel_kernel runnel_chacha20_avx2 = {
    .name = RUNNEL_TEXT("avx2"),
    .citation = RUNNEL_TEXT("eight blocks in parallel, a ninth in general registers; rows as in Goll and Gueron, "
                            "Vectorization on ChaCha stream cipher (2014)"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_AVX2,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = chacha20_set_key,
    .stream = {.iv = runnel_chacha20_set_iv, .xor_blocks = chacha20_xor_blocks, .xor_tail = chacha20_xor_tail},
    .stack_bytes = 1024,
};

#endif
