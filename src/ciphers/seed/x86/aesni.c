/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED on 128-bit registers, 4 blocks in each, S-boxes by the AES instructions. */
#include "arch/x86/target.h"
#include "ciphers/seed/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("ssse3,sse4.1,aes")
#include "arch/x86/blocks_128.h"
#include "rounds.h"

const runnel_kernel runnel_seed_aesni = {
    .name = RUNNEL_TEXT("aesni"),
    .citation = RUNNEL_TEXT("S-boxes by AESENCLAST between affine maps in byte shuffles; 4 blocks in a register"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AES,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = seed_set_key,
    .block = {.encrypt_blocks = seed_encrypt_blocks,
              .ctr32 = seed_ctr32,
              .ctr32_tail = seed_ctr32_tail,
              .ctr32_left = seed_ctr32_left,
              RUNNEL_DECRYPTION(seed_set_decrypt_key, seed_encrypt_blocks)},
};

#endif
