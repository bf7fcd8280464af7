/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA on 256-bit registers, 8 blocks in each four. A round of 8 blocks is 18 instructions, (no rotation is a byte
 * shuffle), and 4 cycles of latency: two sets keep any processor busy. */
#include "arch/x86/target.h"
#include "ciphers/lea/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2")
#include "arch/x86/blocks_256.h"
#include "key.h"
#include "modes.h"

const runnel_kernel runnel_lea_avx2 = {
    .name = RUNNEL_TEXT("avx2"),
    .citation = RUNNEL_TEXT("a word of 8 blocks in a register; what the first rounds share is made once a call"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AVX2,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = lea_set_key,
    .block = {.encrypt_blocks = lea_encrypt_blocks,
              .ctr32 = lea_ctr32,
              .ctr32_tail = lea_ctr32_tail,
              RUNNEL_DECRYPTION(lea_set_key, lea_decrypt_blocks)},
    .stack_bytes = 2560,
};

#endif
