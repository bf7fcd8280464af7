/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 on 512-bit registers, which have a rotation: two sets of sixteen blocks with one register a state word hide
 * the latency of each other; four blocks a set of four registers, one a diagonal, if there are few. */
#include "arch/x86/target.h"
#include "ciphers/salsa20/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl")
#include "arch/x86/blocks_512.h"
#include "rounds.h"
#include "setup.h"

/* 1 to 16 blocks. */
TARGET static void salsa20_xor_words(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                                     size_t nblocks, uint8_t *leftover)
{
    const uint32_t *w = s->words;
    vector_words x[16];
    salsa20_start(x, w, index);
    for (uint32_t round = s->rounds; round > 0; round -= 2) {
        salsa20_columns_01(x);
        salsa20_columns_23(x);
        salsa20_rows_01(x);
        salsa20_rows_23(x);
    }
    RUNNEL_VALUE_BARRIER(w);
    salsa20_add_start(x, 0, 16, w, index);
    keystream_words_put_all(out, in, 0, nblocks, leftover, x);
}

/* 1 to 32 blocks. */
TARGET static void salsa20_xor_words_twice(const runnel_salsa20_state *s, uint64_t index, uint8_t *out,
                                           const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    const uint32_t *w = s->words;
    vector_words x[16], y[16];
    salsa20_start(x, w, index);
    salsa20_start(y, w, index + 16);
    for (uint32_t round = s->rounds; round > 0; round -= 2) {
        salsa20_columns_01(x);
        salsa20_columns_01(y);
        salsa20_columns_23(x);
        salsa20_columns_23(y);
        salsa20_rows_01(x);
        salsa20_rows_01(y);
        salsa20_rows_23(x);
        salsa20_rows_23(y);
    }
    RUNNEL_VALUE_BARRIER(w);
    RUNNEL_VALUE_BARRIER(index);
    salsa20_add_start(x, 0, 16, w, index);
    keystream_words_put_all(out, in, 0, nblocks, leftover, x);
    salsa20_add_start(y, 0, 16, w, index + 16);
    keystream_words_put_all(out, in, 16, nblocks, leftover, y);
}

/* 1 to 8 blocks. */
TARGET static void salsa20_xor_few(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                                   size_t nblocks, uint8_t *leftover)
{
    if (nblocks + (leftover != NULL) > 1)
        salsa20_xor_diagonals(s, index, out, in, nblocks, leftover);
    else
        runnel_salsa20_avx512_xor_row(s, index, out, in, nblocks, leftover);
}

static void salsa20_xor_batch(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                              uint8_t *leftover)
{
    const size_t n = nblocks + (leftover != NULL);
    if (n > 16)
        salsa20_xor_words_twice(state, index, out, in, nblocks, leftover);
    else if (n > 8)
        salsa20_xor_words(state, index, out, in, nblocks, leftover);
    else
        salsa20_xor_few(state, index, out, in, nblocks, leftover);
}

static void salsa20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_xor_by_batches(salsa20_xor_batch, 0, 32, state, index, out, in, nblocks, 0, NULL);
}

static void salsa20_xor_tail(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks, size_t tail,
                             uint8_t *leftover)
{
    runnel_xor_by_batches(salsa20_xor_batch, 0, 32, state, index, out, in, nblocks, tail, leftover);
}

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
