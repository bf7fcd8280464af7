/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 for RV32: what surrounds the assembly. */
#include "ciphers/chacha20/kernels.h"

#if RUNNEL_RISCV_WORDS

#include "arch/common/aligned.h"
#include "job.h"

void runnel_chacha20_rv32_xor(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    chacha20_rv32_job job = {.words = state, .counter = (uint32_t)index};
    runnel_xor_aligned(runnel_chacha20_rv32_blocks, &job, out, in, nblocks, CHACHA20_BLOCK);
}

#if RUNNEL_RV32

const runnel_kernel runnel_chacha20_rv32 = {
    .name = RUNNEL_TEXT("rv32"),
    .citation = RUNNEL_TEXT("RFC 8439 2.3; first round once for all blocks"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_chacha20_set_key,
    .stream = {.iv = runnel_chacha20_set_iv, .xor_blocks = runnel_chacha20_rv32_xor},
};

#endif
#endif
