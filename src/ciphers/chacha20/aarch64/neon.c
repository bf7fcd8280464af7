/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 on NEON: the blocks of four_blocks.h. Rotations by 16 and 8 bits are one instruction, the others two. */
#include "arch/aarch64/words.h"
#include "ciphers/chacha20/kernels.h"

#if RUNNEL_AARCH64

#include "ciphers/chacha20/four_blocks.h"

const runnel_kernel runnel_chacha20_aarch64_neon = {
    .name = RUNNEL_TEXT("aarch64-neon"),
    .citation = RUNNEL_TEXT("four blocks in parallel; Goll, Gueron 2014 (rows) for fewer"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_NEON,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_chacha20_set_key,
    .stream = {.iv = runnel_chacha20_set_iv, .xor_blocks = chacha20_xor_blocks},
};

#endif
