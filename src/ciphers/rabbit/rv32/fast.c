/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rabbit for RV32: what surrounds the assembly. */
#include "ciphers/rabbit/kernels.h"

#if RUNNEL_RV32_MUL

#include "arch/common/aligned.h"

/* As arch/common/aligned.h says; the job is a runnel_rabbit_state. */
void runnel_rabbit_rv32_blocks(void *job, uint8_t *out, const uint8_t *in, size_t nblocks);

static void rabbit_xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    (void)index;
    runnel_xor_aligned(runnel_rabbit_rv32_blocks, &((runnel_rabbit_states *)states)->now, out, in, nblocks,
                       RABBIT_BLOCK);
}

const runnel_kernel runnel_rabbit_rv32 = {
    .name = RUNNEL_TEXT("rv32"),
    .citation = RUNNEL_TEXT("RFC 4503 2, in registers"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_rabbit_set_key,
    .stream = {.iv = runnel_rabbit_set_iv, .xor_blocks = rabbit_xor_blocks},
};

#endif
