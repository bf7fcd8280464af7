/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For Thumb-2 (Cortex-M3 and later): fast_blocks.S. */
#include "ciphers/grain128/kernels.h"

#if RUNNEL_THUMB2

void runnel_grain128_thumb2_xor(runnel_grain128_registers *r, uint8_t *out, const uint8_t *in, size_t nblocks);

/* The output goes into the newest words, which no step of the same block reads. */
static void grain128_set_iv(void *states, const uint8_t *iv, size_t iv_bytes)
{
    runnel_grain128_registers *r = &((runnel_grain128_state *)states)->now;
    uint32_t output;
    (void)iv_bytes;
    runnel_grain128_load(r, ((runnel_grain128_state *)states)->key, iv);
    for (unsigned i = 0; i < GRAIN128_SETUP_STEPS / 32; i++) {
        runnel_grain128_thumb2_xor(r, (uint8_t *)&output, NULL, 1);
        r->b[3] ^= output;
        r->s[3] ^= output;
    }
    runnel_wipe(&output, sizeof output);
}

static void grain128_xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    (void)index;
    runnel_grain128_thumb2_xor(&((runnel_grain128_state *)states)->now, out, in, nblocks);
}

const runnel_kernel runnel_grain128_thumb2 = {
    .name = RUNNEL_TEXT("thumb2"),
    .citation = RUNNEL_TEXT("32 steps at once, both registers in the processor's"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_grain128_set_key,
    .stream = {.iv = grain128_set_iv, .xor_blocks = grain128_xor_blocks},
};

#endif
