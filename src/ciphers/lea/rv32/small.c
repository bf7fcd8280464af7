/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA for RV32 where ROM counts most, block by block. */
#include "ciphers/lea/kernels.h"

#if RUNNEL_RV32

#include "job.h"

static void lea_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    (void)prefix;
    const runnel_lea_schedule *schedule = state;
    const uint32_t *const end = schedule->words + LEA_RV32_EACH * schedule->rounds;
    runnel_lea_rv32_small_ctr(schedule->words, end, block, out, in, nblocks);
}

/* Encrypts a block as the keystream of counter mode that begins with it. */
static void lea_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    for (; nblocks > 0; nblocks--, in += 16, out += 16)
        lea_ctr32(state, NULL, in, out, NULL, 1);
}

const runnel_kernel runnel_lea_rv32_small = {
    .name = RUNNEL_TEXT("rv32-small"),
    .citation = RUNNEL_TEXT("KS X 3246, a round in a loop"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_lea_rv32_set_key,
    .block = {.encrypt_blocks = lea_encrypt_blocks, .ctr32 = lea_ctr32},
};

#endif
