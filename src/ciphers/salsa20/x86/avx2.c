/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 on 256-bit registers: eight blocks with one register a state word, and a ninth in general registers; two
 * blocks a set of four registers, one a diagonal, if there are few. */
#include "arch/x86/target.h"
#include "ciphers/salsa20/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2")
#include "arch/x86/blocks_256.h"
#include "one_more.h"
#include "setup.h"

/* 1 to 4 blocks. */
TARGET static void salsa20_xor_rows(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                                    size_t nblocks, uint8_t *leftover)
{
    salsa20_xor_diagonals(s, index, out, in, nblocks, leftover);
}

static void salsa20_xor_batch(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                              uint8_t *leftover)
{
    const size_t n = nblocks + (leftover != NULL);
    if (n > 8)
        salsa20_xor_one_more(state, index, out, in, nblocks, leftover);
    else if (n > 4)
        salsa20_xor_words(state, index, out, in, nblocks, leftover);
    else
        salsa20_xor_rows(state, index, out, in, nblocks, leftover);
}

static void salsa20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_xor_by_batches(salsa20_xor_batch, 4, 8, state, index, out, in, nblocks, 0, NULL);
}

static void salsa20_xor_tail(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks, size_t tail,
                             uint8_t *leftover)
{
    runnel_xor_by_batches(salsa20_xor_batch, 4, 8, state, index, out, in, nblocks, tail, leftover);
}

const runnel_kernel runnel_salsa20_avx2 = {
    .name = RUNNEL_TEXT("avx2"),
    .citation =
        RUNNEL_TEXT("eight blocks in parallel, a ninth in general registers; diagonals as in Bernstein's own x86 code"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_AVX2,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = salsa20_set_key,
    .stream = {.iv = salsa20_set_iv, .xor_blocks = salsa20_xor_blocks, .xor_tail = salsa20_xor_tail},
    .stack_bytes = 1024,
};

#endif
