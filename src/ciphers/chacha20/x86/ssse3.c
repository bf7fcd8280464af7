/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 on 128-bit registers: four blocks with one register a state word, and a fifth in general registers; a single
 * one with one a row. For CPUs without AVX2. */
#include "arch/x86/target.h"
#include "ciphers/chacha20/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("ssse3")
#include "arch/x86/blocks_128.h"
#include "one_more.h"
#include "row.h"
#include "setup.h"

/* 1 or 2 blocks. */
TARGET static void chacha20_xor_row(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                                    uint8_t *leftover)
{
    if (nblocks + (leftover != NULL) > 1)
        chacha20_xor_row_beside(w, index, out, in, nblocks, leftover, 1);
    else
        chacha20_xor_row_beside(w, index, out, in, nblocks, leftover, 0);
}

static void chacha20_xor_batch(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                               uint8_t *leftover)
{
    const size_t n = nblocks + (leftover != NULL);
    if (n > 4)
        chacha20_xor_one_more(state, index, out, in, nblocks, leftover);
    else if (n > 2)
        chacha20_xor_words(state, index, out, in, nblocks, leftover);
    else
        chacha20_xor_row(state, index, out, in, nblocks, leftover);
}

static void chacha20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_xor_by_batches(chacha20_xor_batch, 2, 4, state, index, out, in, nblocks, 0, NULL);
}

static void chacha20_xor_tail(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks, size_t tail,
                              uint8_t *leftover)
{
    runnel_xor_by_batches(chacha20_xor_batch, 2, 4, state, index, out, in, nblocks, tail, leftover);
}

const runnel_kernel runnel_chacha20_ssse3 = {
    .name = RUNNEL_TEXT("ssse3"),
    .citation = RUNNEL_TEXT("four blocks in parallel, a fifth in general registers; rows as in Goll and Gueron (2014)"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_SSSE3,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = chacha20_set_key,
    .stream = {.iv = runnel_chacha20_set_iv, .xor_blocks = chacha20_xor_blocks, .xor_tail = chacha20_xor_tail},
    .stack_bytes = 1024,
};

#endif
