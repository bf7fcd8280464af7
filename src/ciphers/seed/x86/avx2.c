/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED on 256-bit registers, 8 blocks in each, S-boxes by the AES instructions. */
#include "arch/x86/target.h"
#include "ciphers/seed/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2,aes,vaes")
#include "arch/x86/blocks_256.h"
#include "rounds.h"

const runnel_kernel runnel_seed_avx2 = {
    .name = RUNNEL_TEXT("avx2"),
    .citation = RUNNEL_TEXT("S-boxes by AESENCLAST between affine maps in byte shuffles; 8 blocks in a register"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AES | RUNNEL_CPU_AVX2 | RUNNEL_CPU_VAES,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = seed_set_key,
    .block = {.encrypt_blocks = seed_encrypt_blocks,
              .ctr32 = seed_ctr32,
              .ctr32_tail = seed_ctr32_tail,
              .ctr32_left = seed_ctr32_left,
              RUNNEL_DECRYPTION(seed_set_decrypt_key, seed_encrypt_blocks)},
};

#endif
