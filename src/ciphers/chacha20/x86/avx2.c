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

/* 1 to 4 blocks. */
TARGET static void chacha20_xor_rows(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                                     uint8_t *leftover)
{
    const uint32_t counter = (uint32_t)index;
    const vector_words start[4] = {(vector_words)vector_repeat_at(w), (vector_words)vector_repeat_at(w + 4),
                                   (vector_words)vector_repeat_at(w + 8),
                                   (vector_words){counter, w[13], w[14], w[15], counter + 1, w[13], w[14], w[15]}};
    if (nblocks + (leftover != NULL) <= 2) {
        vector_words x[4] = {start[0], start[1], start[2], start[3]};
        chacha20_rounds_on_rows(x);
        chacha20_put_rows(out, in, 0, nblocks, leftover, x, start);
    } else {
        const vector_words next[4] = {start[0], start[1], start[2], start[3] + (vector_words){2, 0, 0, 0, 2, 0, 0, 0}};
        vector_words x[8] = {start[0], start[1], start[2], start[3], next[0], next[1], next[2], next[3]};
        chacha20_rounds_on_two_rows(x);
        chacha20_put_rows(out, in, 2, nblocks, leftover, x + 4, next);
        chacha20_put_rows(out, in, 0, nblocks, leftover, x, start);
    }
}

static void chacha20_xor_batch(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                               uint8_t *leftover)
{
    const size_t n = nblocks + (leftover != NULL);
    if (n > 8)
        chacha20_xor_one_more(state, index, out, in, nblocks, leftover);
    else if (n > 4)
        chacha20_xor_words(state, index, out, in, nblocks, leftover);
    else
        chacha20_xor_rows(state, index, out, in, nblocks, leftover);
}

static void chacha20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_xor_by_batches(chacha20_xor_batch, 4, 8, state, index, out, in, nblocks, 0, NULL);
}

static void chacha20_xor_tail(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks, size_t tail,
                              uint8_t *leftover)
{
    runnel_xor_by_batches(chacha20_xor_batch, 4, 8, state, index, out, in, nblocks, tail, leftover);
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
