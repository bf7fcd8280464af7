/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For Thumb-2 (Cortex-M3 and later): fast_steps.S. */
#include "ciphers/mickey128/kernels.h"

#if RUNNEL_THUMB2

typedef void mickey128_steps(runnel_mickey128_registers *g, uint8_t *out, const uint8_t *in, size_t bytes);

/* With in == NULL the keystream itself, or zeros as input. mix needs no out. */
mickey128_steps runnel_mickey128_thumb2_xor, runnel_mickey128_thumb2_mix;

static void mickey128_set_iv(void *states, const uint8_t *iv, size_t iv_bytes)
{
    runnel_mickey128_state *state = states;
    memset(&state->now, 0, sizeof state->now);
    if (iv_bytes > 0)
        runnel_mickey128_thumb2_mix(&state->now, NULL, iv, iv_bytes);
    runnel_mickey128_thumb2_mix(&state->now, NULL, state->key, MICKEY128_KEY);
    runnel_mickey128_thumb2_mix(&state->now, NULL, NULL, MICKEY128_SETUP_STEPS / 8);
}

static void mickey128_xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    (void)index;
    runnel_mickey128_thumb2_xor(&((runnel_mickey128_state *)states)->now, out, in, nblocks * MICKEY128_BLOCK);
}

const runnel_kernel runnel_mickey128_thumb2 = {
    .name = RUNNEL_TEXT("thumb2"),
    .citation = RUNNEL_TEXT("the specification, on words in registers, with masks for branches"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_mickey128_set_key,
    .stream = {.iv = mickey128_set_iv, .xor_blocks = mickey128_xor_blocks},
};

#endif
