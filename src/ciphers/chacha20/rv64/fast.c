/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 for RV64 with rotations in one instruction: the code of RV32, whose words are the low halves of registers. */
#include "ciphers/chacha20/kernels.h"

#if RUNNEL_RV64_ZBKB

#include "ciphers/chacha20/rv32/job.h"

const runnel_kernel runnel_chacha20_rv64 = {
    .name = RUNNEL_TEXT("rv64"),
    .citation = RUNNEL_TEXT("RFC 8439 2.3; first round once for all blocks"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_chacha20_set_key,
    .stream = {.iv = runnel_chacha20_set_iv, .xor_blocks = runnel_chacha20_rv32_xor},
};

#endif
