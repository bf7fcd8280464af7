/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 on NEON: the blocks of four_blocks.h. */
#include "arch/aarch64/words.h"
#include "ciphers/salsa20/kernels.h"

#if RUNNEL_AARCH64

#include "ciphers/salsa20/four_blocks.h"

const runnel_kernel runnel_salsa20_aarch64_neon = {
    .name = RUNNEL_TEXT("aarch64-neon"),
    .citation = RUNNEL_TEXT("four blocks in parallel; Bernstein's diagonals for fewer"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_NEON,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_salsa20_set_key,
    .stream = {.iv = runnel_salsa20_set_iv, .xor_blocks = salsa20_xor_blocks},
};

#endif
