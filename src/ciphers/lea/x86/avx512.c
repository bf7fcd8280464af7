/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA on 512-bit registers, 16 blocks in each four. A rotation is one instruction, which makes 12 for a round of 16
 * blocks; round keys are broadcast by the XORs that take them. */
#include "arch/x86/target.h"
#include "ciphers/lea/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl")
#include "arch/x86/blocks_512.h"
#include "key.h"
#include "modes.h"

const runnel_kernel runnel_lea_avx512 = {
    .name = RUNNEL_TEXT("avx512"),
    .citation = RUNNEL_TEXT("as avx2, a word of 16 blocks in a register; 8 blocks and fewer in 256 bits"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AVX512,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = lea_set_key,
    .block = {.encrypt_blocks = lea_encrypt_blocks,
              .ctr32 = lea_ctr32,
              .ctr32_tail = lea_ctr32_tail,
              RUNNEL_DECRYPTION(lea_set_key, lea_decrypt_blocks)},
    .stack_bytes = 2560,
};

#endif
