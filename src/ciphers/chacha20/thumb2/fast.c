/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 for Thumb-2 (Cortex-M3 and later): one block in the integer registers; see fast_blocks.S. */
#include <string.h>

#include "ciphers/chacha20/kernels.h"

#if RUNNEL_THUMB2

/* fast_blocks.S */
void runnel_chacha20_thumb2_blocks(const void *state, uint32_t counter, uint8_t *out, const uint8_t *in,
                                   size_t nblocks);

static void chacha20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    if (in == NULL) {
        memset(out, 0, nblocks * CHACHA20_BLOCK);
        in = out;
    }
    runnel_chacha20_thumb2_blocks(state, (uint32_t)index, out, in, nblocks);
}

const runnel_kernel runnel_chacha20_thumb2 = {
    .name = RUNNEL_TEXT("thumb2"),
    .citation = RUNNEL_TEXT("rotations postponed into the next operand, fourteen words in registers"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_chacha20_set_key,
    .stream = {.iv = runnel_chacha20_set_iv, .xor_blocks = chacha20_xor_blocks},
};

#endif
