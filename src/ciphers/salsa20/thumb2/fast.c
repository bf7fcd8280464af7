/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 for Thumb-2 (Cortex-M3 and later): one block in the integer registers; see fast_blocks.S. */
#include <string.h>

#include "ciphers/salsa20/kernels.h"

#if RUNNEL_THUMB2

/* fast_blocks.S */
void runnel_salsa20_thumb2_blocks(const void *state, uint32_t low, uint32_t high, uint8_t *out, const uint8_t *in,
                                  size_t nblocks);

static void salsa20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    if (in == NULL) {
        memset(out, 0, nblocks * SALSA20_BLOCK);
        in = out;
    }
    while (nblocks > 0) { /* once, unless the low half of the counter wraps */
        const uint32_t low = (uint32_t)index, to_wrap = 0 - low;
        const size_t now = to_wrap != 0 && to_wrap < nblocks ? to_wrap : nblocks;
        runnel_salsa20_thumb2_blocks(state, low, (uint32_t)(index >> 32), out, in, now);
        index += now;
        out += now * SALSA20_BLOCK;
        in += now * SALSA20_BLOCK;
        nblocks -= now;
    }
}

const runnel_kernel runnel_salsa20_thumb2 = {
    .name = RUNNEL_TEXT("thumb2"),
    .citation = RUNNEL_TEXT("rotated operands, thirteen words in registers"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_salsa20_set_key,
    .stream = {.iv = runnel_salsa20_set_iv, .xor_blocks = salsa20_xor_blocks},
};

#endif
