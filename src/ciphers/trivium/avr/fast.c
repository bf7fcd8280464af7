/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For 8-bit AVR: fast_blocks.S. */
#include "state.h"

#if RUNNEL_AVR_MUL

trivium_steps runnel_trivium_avr_clock, runnel_trivium_avr_xor;

static void trivium_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    trivium_start(state, iv, iv_bytes, runnel_trivium_avr_clock);
}

static void trivium_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    (void)index;
    trivium_generate(state, out, in, nblocks, runnel_trivium_avr_xor);
}

const runnel_kernel runnel_trivium_avr = {
    .name = RUNNEL_TEXT("avr"),
    .citation = RUNNEL_TEXT("eight steps at once, windows in registers"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_trivium_set_key,
    .stream = {.iv = trivium_set_iv, .xor_blocks = trivium_xor_blocks},
};

#endif
