/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The smallest LEA for Thumb-2 (Cortex-M3 and later). Counter mode is left to core/counter.c. */
#include "ciphers/lea/kernels.h"

#if RUNNEL_THUMB2

/* small_blocks.S */
void runnel_lea_thumb2_small_blocks(const uint32_t *words, uint8_t *out, const uint8_t *in, size_t nblocks,
                                    unsigned rounds);

static void lea_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_lea_schedule *schedule = state;
    runnel_lea_thumb2_small_blocks(schedule->words, out, in, nblocks, schedule->rounds);
}

const runnel_kernel runnel_lea_thumb2_small = {
    .name = RUNNEL_TEXT("thumb2-small"),
    .citation = RUNNEL_TEXT("KS X 3246, rotations postponed into the next operand"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_lea_thumb2_key,
    .block = {.encrypt_blocks = lea_encrypt_blocks},
};

#endif
