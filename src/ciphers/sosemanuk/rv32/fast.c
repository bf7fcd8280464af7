/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK for RV32: what surrounds the assembly. */
#include "ciphers/sosemanuk/kernels.h"

#if RUNNEL_RV32_MUL

#include "arch/common/aligned.h"

/* As arch/common/aligned.h says; the job is a runnel_sosemanuk_state. */
void runnel_sosemanuk_rv32_blocks(void *job, uint8_t *out, const uint8_t *in, size_t nblocks);

static void sosemanuk_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    (void)index;
    runnel_xor_aligned(runnel_sosemanuk_rv32_blocks, state, out, in, nblocks, SOSEMANUK_BLOCK);
}

const runnel_kernel runnel_sosemanuk_rv32 = {
    .name = RUNNEL_TEXT("rv32"),
    .citation = RUNNEL_TEXT("Berbain and others 2005, with its two tables, in registers"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = runnel_sosemanuk_set_key,
    .stream = {.iv = runnel_sosemanuk_set_iv, .xor_blocks = sosemanuk_xor_blocks},
};

#endif
