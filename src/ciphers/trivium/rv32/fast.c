/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Trivium for RV32: what surrounds the assembly. */
#include "ciphers/trivium/kernels.h"

#if RUNNEL_RV32

#include "arch/common/aligned.h"

/* As arch/common/aligned.h says; the job is a runnel_trivium_registers. */
void runnel_trivium_rv32_blocks(void *job, uint8_t *out, const uint8_t *in, size_t nblocks);

static void trivium_set_iv(void *states, const uint8_t *iv, size_t iv_bytes)
{
    runnel_trivium_state *state = states;
    uint32_t unused[12] = {0};
    uint8_t *const bytes = (uint8_t *)unused;
    runnel_trivium_load(&state->now, state->key, iv, iv_bytes);
    for (unsigned bits = 0; bits < TRIVIUM_SETUP_STEPS; bits += 8 * sizeof unused)
        runnel_trivium_rv32_blocks(&state->now, bytes, bytes, sizeof unused / TRIVIUM_BLOCK);
    runnel_wipe(unused, sizeof unused);
}

static void trivium_xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    (void)index;
    runnel_xor_aligned(runnel_trivium_rv32_blocks, &((runnel_trivium_state *)states)->now, out, in, nblocks,
                       TRIVIUM_BLOCK);
}

const runnel_kernel runnel_trivium_rv32 = {
    .name = RUNNEL_TEXT("rv32"),
    .citation = RUNNEL_TEXT("the specification, 32 steps at once, in registers"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_trivium_set_key,
    .stream = {.iv = trivium_set_iv, .xor_blocks = trivium_xor_blocks},
};

#endif
