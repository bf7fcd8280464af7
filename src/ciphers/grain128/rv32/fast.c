/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Grain-128 for RV32: what surrounds the assembly. */
#include "ciphers/grain128/kernels.h"

#if RUNNEL_RV32

#include "arch/common/aligned.h"
#include "job.h"

static void grain128_set_iv(void *states, const uint8_t *iv, size_t iv_bytes)
{
    runnel_grain128_state *state = states;
    uint32_t unused[GRAIN128_SETUP_STEPS / 32] = {0};
    uint8_t *const bytes = (uint8_t *)unused;
    (void)iv_bytes;
    memset(&state->now, 0, sizeof state->now); /* including its padding */
    runnel_grain128_load(&state->now, state->key, iv);
    grain128_rv32_job job = {.registers = &state->now, .feedback = (uint32_t)-1};
    runnel_grain128_rv32_blocks(&job, bytes, bytes, GRAIN128_SETUP_STEPS / 32);
    runnel_wipe(unused, sizeof unused);
}

static void grain128_xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    (void)index;
    grain128_rv32_job job = {.registers = &((runnel_grain128_state *)states)->now};
    runnel_xor_aligned(runnel_grain128_rv32_blocks, &job, out, in, nblocks, GRAIN128_BLOCK);
}

const runnel_kernel runnel_grain128_rv32 = {
    .name = RUNNEL_TEXT("rv32"),
    .citation = RUNNEL_TEXT("the specification, 32 steps at once, in registers"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_grain128_set_key,
    .stream = {.iv = grain128_set_iv, .xor_blocks = grain128_xor_blocks},
};

#endif
