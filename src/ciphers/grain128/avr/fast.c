/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernel for 8-bit AVR whose steps are in assembly (steps.inc), in a state of its own. */
#include "ciphers/grain128/kernels.h"

#if RUNNEL_AVR_MUL

#include "state.h"

typedef grain128_avr_state grain128_state;

_Static_assert(sizeof(grain128_state) <= 32 + RUNNEL_GRAIN128_MORE_avr, "the header leaves room for the state");

void runnel_grain128_avr_clock(grain128_state *s, uint8_t *out, const uint8_t *in, size_t bytes);
void runnel_grain128_avr_xor(grain128_state *s, uint8_t *out, const uint8_t *in, size_t bytes);

static void grain128_set_iv(void *states, const uint8_t *iv, size_t iv_bytes)
{
    runnel_grain128_state *whole = states;
    grain128_state *now = (grain128_state *)(void *)&whole->now;
    memcpy(now->b, whole->key, GRAIN128_KEY);
    memcpy(now->s, iv, iv_bytes);
    memset(now->s + GRAIN128_IV, 0xff, 4);
    grain128_avr_begin(now);
    runnel_grain128_avr_clock(now, NULL, NULL, GRAIN128_SETUP_STEPS / 8);
}

static void grain128_xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_grain128_state *whole = states;
    const size_t bytes = nblocks * GRAIN128_BLOCK;
    (void)index;
    if (in == NULL) {
        memset(out, 0, bytes);
        in = out;
    }
    runnel_grain128_avr_xor((grain128_state *)(void *)&whole->now, out, in, bytes);
}

const runnel_kernel runnel_grain128_avr = {
    .name = RUNNEL_TEXT("avr"),
    .citation = RUNNEL_TEXT("eight steps at once, taps with the same shift together"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_grain128_set_key,
    .stream = {.iv = grain128_set_iv, .xor_blocks = grain128_xor_blocks},
};

#endif
