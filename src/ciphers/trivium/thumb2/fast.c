/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For Thumb-2 (Cortex-M3 and later): fast_blocks.S. */
#include "ciphers/trivium/kernels.h"

#if RUNNEL_THUMB2

void runnel_trivium_thumb2_xor(runnel_trivium_registers *r, uint8_t *out, const uint8_t *in, size_t nblocks);

/* Made in the state itself: nothing of it stays on the stack. */
static void trivium_set_iv(void *states, const uint8_t *iv, size_t iv_bytes)
{
    runnel_trivium_state *state = states;
    runnel_trivium_load(&state->now, state->key, iv, iv_bytes);
    runnel_trivium_thumb2_xor(&state->now, NULL, NULL, TRIVIUM_SETUP_STEPS / (8 * TRIVIUM_BLOCK));
}

static void trivium_xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    (void)index;
    runnel_trivium_thumb2_xor(&((runnel_trivium_state *)states)->now, out, in, nblocks);
}

const runnel_kernel runnel_trivium_thumb2 = {
    .name = RUNNEL_TEXT("thumb2"),
    .citation = RUNNEL_TEXT("32 steps at once, all words in registers"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_trivium_set_key,
    .stream = {.iv = trivium_set_iv, .xor_blocks = trivium_xor_blocks},
};

#endif
