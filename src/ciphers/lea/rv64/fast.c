/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA for RV64 with rotations in one instruction: the code of RV32, whose words are the low halves of registers. */
#include "ciphers/lea/kernels.h"

#if RUNNEL_RV64_ZBKB

#include "ciphers/lea/rv32/job.h"

const runnel_kernel runnel_lea_rv64 = {
    .name = RUNNEL_TEXT("rv64"),
    .citation = RUNNEL_TEXT("KS X 3246, four blocks at once; the first rounds' constants once a call"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .run_bits = 8,
    .key = runnel_lea_rv32_set_key,
    .block = {.encrypt_blocks = runnel_lea_rv32_encrypt_blocks, .ctr32 = runnel_lea_rv32_ctr32},
};

#endif
