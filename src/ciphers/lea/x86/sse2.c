/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA on 128-bit registers, 4 blocks in each four, with the instructions of every x86-64 processor. */
#include "arch/x86/target.h"
#include "ciphers/lea/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("sse2")
#include "arch/x86/blocks_128.h"
#include "modes.h"

const runnel_kernel runnel_lea_sse2 = {
    .name = RUNNEL_TEXT("sse2"),
    .citation = RUNNEL_TEXT("as avx2, a word of 4 blocks in a register"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_lea_set_key,
    .block = {.encrypt_blocks = lea_encrypt_blocks,
              .ctr32 = lea_ctr32,
              .ctr32_tail = lea_ctr32_tail,
              RUNNEL_DECRYPTION(runnel_lea_set_key, lea_decrypt_blocks)},
    .stack_bytes = 2048,
};

#endif
