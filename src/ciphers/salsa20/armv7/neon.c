/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 on NEON, for 32-bit ARM; see neon_blocks.S. A single block waits for itself in vectors: it goes through the
 * integer registers, in the assembly of the Thumb-2 kernel. */
#include <string.h>

#include "ciphers/salsa20/kernels.h"

#if RUNNEL_ARMV7_NEON

/* neon_blocks.S */
void runnel_salsa20_armv7_neon_blocks(const void *state, uint64_t index, uint8_t *out, const uint8_t *in,
                                      size_t nblocks);

/* thumb2/fast_blocks.S */
void runnel_salsa20_thumb2_blocks(const void *state, uint32_t low, uint32_t high, uint8_t *out, const uint8_t *in,
                                  size_t nblocks);

static void salsa20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    if (in == NULL) {
        memset(out, 0, nblocks * SALSA20_BLOCK);
        in = out;
    }
    const size_t single = nblocks % 4 == 1, most = nblocks - single;
    if (most > 0)
        runnel_salsa20_armv7_neon_blocks(state, index, out, in, most);
    index += most;
    if (single)
        runnel_salsa20_thumb2_blocks(state, (uint32_t)index, (uint32_t)(index >> 32), out + SALSA20_BLOCK * most,
                                     in + SALSA20_BLOCK * most, 1);
}

const runnel_kernel runnel_salsa20_armv7_neon = {
    .name = RUNNEL_TEXT("armv7-neon"),
    .citation = RUNNEL_TEXT("four blocks in parallel; Bernstein's diagonals for fewer"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_NEON,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_salsa20_set_key,
    .stream = {.iv = runnel_salsa20_set_iv, .xor_blocks = salsa20_xor_blocks},
};

#endif
