/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* MICKEY-128 2.0 for RV32: what surrounds the assembly. */
#include "ciphers/mickey128/kernels.h"

#if RUNNEL_RV32

/* As many steps as count (1 to 32), with the highest bits of input one after the other; mixing: 0, or all ones. Returns their
 * keystream, the last bit lowest. */
uint32_t runnel_mickey128_rv32_steps(runnel_mickey128_registers *g, uint32_t input, unsigned count, uint32_t mixing);

static void mickey128_mix(runnel_mickey128_registers *g, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        (void)runnel_mickey128_rv32_steps(g, (uint32_t)bytes[i] << 24, 8, (uint32_t)-1);
}

static void mickey128_set_iv(void *states, const uint8_t *iv, size_t iv_bytes)
{
    runnel_mickey128_state *state = states;
    memset(&state->now, 0, sizeof state->now);
    mickey128_mix(&state->now, iv, iv_bytes);
    mickey128_mix(&state->now, state->key, MICKEY128_KEY);
    for (unsigned i = 0; i < MICKEY128_SETUP_STEPS / 32; i++)
        (void)runnel_mickey128_rv32_steps(&state->now, 0, 32, (uint32_t)-1);
}

static void mickey128_xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_mickey128_registers *g = &((runnel_mickey128_state *)states)->now;
    (void)index;
    for (; nblocks > 0; nblocks--) {
        uint32_t keystream = runnel_mickey128_rv32_steps(g, 0, 32, 0);
        if (in != NULL) {
            keystream ^= runnel_load32be(in);
            in += MICKEY128_BLOCK;
        }
        runnel_store32be(out, keystream);
        out += MICKEY128_BLOCK;
    }
}

const runnel_kernel runnel_mickey128_rv32 = {
    .name = RUNNEL_TEXT("rv32"),
    .citation = RUNNEL_TEXT("the specification, in registers, with masks for branches"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_mickey128_set_key,
    .stream = {.iv = mickey128_set_iv, .xor_blocks = mickey128_xor_blocks},
};

#endif
