/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA for Thumb-2 (Cortex-M3 and later): what surrounds the assembly. */
#include "arch/common/bytes.h"
#include "ciphers/lea/kernels.h"

#if RUNNEL_THUMB2

#include "job.h"

static void lea_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_lea_schedule *schedule = state;
    runnel_lea_thumb2_encrypt(schedule->words, out, in, nblocks, schedule->rounds);
}

static inline void lea_begin_run(runnel_lea_thumb2_run *run, const runnel_lea_schedule *schedule, const uint8_t *block,
                                 unsigned each)
{
    const uint32_t *words = schedule->words;
    const uint32_t x0 = runnel_load32le(block), x1 = runnel_load32le(block + 4), x2 = runnel_load32le(block + 8);
    runnel_lea_set_first_rounds(run->list, words, x0, x1, x2, each);
    run->rounds = schedule->rounds;
    /* The fifth round's; for 28 rounds the assembly skips four of its 32, so the pointer is four rounds back. */
    run->keys = schedule->rounds == 28 ? words : words + 4 * each;
}

/* in XOR one block's keystream. */
static void lea_xor_block(const void *state, const uint8_t *block, uint32_t counter, uint8_t *out, const uint8_t *in)
{
    uint8_t keystream[16];
    memcpy(keystream, block, 12);
    runnel_store32be(keystream + 12, counter);
    lea_encrypt_blocks(state, keystream, keystream, 1);
    runnel_xor_bytes(out, in, keystream, 16);
    runnel_wipe(keystream, sizeof keystream);
}

static void lea_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    (void)prefix;
    const runnel_lea_schedule *schedule = state;
    const size_t even = nblocks & ~(size_t)1;
    const uint32_t counter = runnel_load32be(block + 12);
    if (in == NULL) {
        memset(out, 0, 16 * nblocks);
        in = out;
    }
    if (even > 0) {
        runnel_lea_thumb2_run run = {.counter = counter};
        if (schedule->rounds == 24)
            lea_begin_run(&run, schedule, block, 4);
        else
            lea_begin_run(&run, schedule, block, 6);
        runnel_lea_thumb2_pairs(&run, out, in, even / 2);
        runnel_wipe(&run, sizeof run);
    }
    if (nblocks > even)
        lea_xor_block(state, block, counter + (uint32_t)even, out + 16 * even, in + 16 * even);
}

const runnel_kernel runnel_lea_thumb2 = {
    .name = RUNNEL_TEXT("thumb2"),
    .citation = RUNNEL_TEXT("rotations postponed into the next operand, two counter blocks at once"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_lea_thumb2_key,
    .block = {.encrypt_blocks = lea_encrypt_blocks, .ctr32 = lea_ctr32},
};

#endif
