/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rabbit for Thumb-2: see fast_blocks.S. Cortex-M3 squares small numbers in less time than large ones, which leaks
 * information about the state; Cortex-M4 and later and the A profile take the same time for all. */
#include <string.h>

#include "ciphers/rabbit/kernels.h"

#if RUNNEL_THUMB2

/* fast_blocks.S */
void runnel_rabbit_thumb2_blocks(runnel_rabbit_state *s, uint8_t *out, const uint8_t *in, size_t nblocks);

static void rabbit_set_iv(void *states, const uint8_t *iv, size_t iv_bytes)
{
    runnel_rabbit_states *both = states;
    runnel_rabbit_state *s = &both->now;
    for (unsigned i = 0; i < 4; i++) /* word by word: small C libraries copy bytes */
        s->counters[i] = both->master.counters[i];
    for (unsigned i = 0; i < 8; i++)
        s->x[i] = both->master.x[i];
    s->carry = both->master.carry;
    if (iv_bytes > 0) {
        uint32_t unused[4 * RABBIT_BLOCK / 4];
        runnel_rabbit_mix_iv(s, iv);
        runnel_rabbit_thumb2_blocks(s, (uint8_t *)unused, (const uint8_t *)&both->master, 4);
        runnel_wipe(unused, sizeof unused);
    }
}

static void rabbit_xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    (void)index;
    if (in == NULL) {
        memset(out, 0, nblocks * RABBIT_BLOCK);
        in = out;
    }
    runnel_rabbit_thumb2_blocks(&((runnel_rabbit_states *)states)->now, out, in, nblocks);
}

const runnel_kernel runnel_rabbit_thumb2 = {
    .name = RUNNEL_TEXT("thumb2"),
    .citation = RUNNEL_TEXT("long multiplications, one chain of carries through all steps"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_rabbit_set_key,
    .stream = {.iv = rabbit_set_iv, .xor_blocks = rabbit_xor_blocks},
};

#endif
