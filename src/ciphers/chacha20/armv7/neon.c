/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 on NEON, for 32-bit ARM; see neon_blocks.S. A single block waits for itself in vectors: it goes through the
 * integer registers, in the assembly of the Thumb-2 kernel. */
#include <string.h>

#include "ciphers/chacha20/kernels.h"

#if RUNNEL_ARMV7_NEON

/* neon_blocks.S */
void runnel_chacha20_armv7_neon_blocks(const void *state, uint32_t counter, uint8_t *out, const uint8_t *in,
                                       size_t nblocks);

/* thumb2/fast_blocks.S */
void runnel_chacha20_thumb2_blocks(const void *state, uint32_t counter, uint8_t *out, const uint8_t *in,
                                   size_t nblocks);

static void chacha20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    if (in == NULL) {
        memset(out, 0, nblocks * CHACHA20_BLOCK);
        in = out;
    }
    const uint32_t counter = (uint32_t)index;
    const size_t single = nblocks % 4 == 1, most = nblocks - single;
    if (most > 0)
        runnel_chacha20_armv7_neon_blocks(state, counter, out, in, most);
    if (single)
        runnel_chacha20_thumb2_blocks(state, counter + (uint32_t)most, out + CHACHA20_BLOCK * most,
                                      in + CHACHA20_BLOCK * most, 1);
}

const runnel_kernel runnel_chacha20_armv7_neon = {
    .name = RUNNEL_TEXT("armv7-neon"),
    .citation = RUNNEL_TEXT("four blocks in parallel; Goll, Gueron 2014 (rows) for fewer"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_NEON,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_chacha20_set_key,
    .stream = {.iv = runnel_chacha20_set_iv, .xor_blocks = chacha20_xor_blocks},
};

#endif
