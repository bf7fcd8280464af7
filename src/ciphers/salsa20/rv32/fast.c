/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 for RV32: what surrounds the assembly. */
#include "ciphers/salsa20/kernels.h"

#if RUNNEL_RV32

#include "arch/common/aligned.h"
#include "job.h"

static void salsa20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_salsa20_state *s = state;
    salsa20_rv32_job job = {.words = s->words, .left = s->rounds / 2u - 1};
    while (nblocks > 0) { /* as far as the lower half of the counter goes; 0: to its end and beyond */
        const uint32_t most = 0u - (uint32_t)index;
        const size_t n = most != 0 && nblocks > most ? most : nblocks;
        job.low = (uint32_t)index;
        job.high = (uint32_t)(index >> 32);
        runnel_xor_aligned(runnel_salsa20_rv32_blocks, &job, out, in, n, SALSA20_BLOCK);
        index += n;
        out += SALSA20_BLOCK * n;
        in = in == NULL ? NULL : in + SALSA20_BLOCK * n;
        nblocks -= n;
    }
}

const runnel_kernel runnel_salsa20_rv32 = {
    .name = RUNNEL_TEXT("rv32"),
    .citation = RUNNEL_TEXT("Salsa20 specification (Bernstein 2005); first rounds once for all blocks"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_salsa20_set_key,
    .stream = {.iv = runnel_salsa20_set_iv, .xor_blocks = salsa20_xor_blocks},
};

#endif
