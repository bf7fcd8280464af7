/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED on 512-bit registers, 16 blocks in each, S-boxes by GFNI. */
#include "arch/x86/target.h"
#include "ciphers/seed/kernels.h"
#include "modes/fused.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl,gfni")
#include "arch/x86/blocks_512.h"
#include "rounds.h"

static const runnel_fused_functions seed_fused = {.cfb = runnel_seed_cfb_avx512};

const runnel_kernel runnel_seed_avx512 = {
    .name = RUNNEL_TEXT("avx512"),
    .citation = RUNNEL_TEXT("S-boxes by an isomorphism and GFNI's affine inverse; 16 blocks in a register"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AVX512 | RUNNEL_CPU_GFNI,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = seed_set_key,
    .block = {.encrypt_blocks = seed_encrypt_blocks,
              .ctr32 = seed_ctr32,
              .ctr32_tail = seed_ctr32_tail,
              .ctr32_left = seed_ctr32_left,
              .fused = &seed_fused,
              RUNNEL_DECRYPTION(seed_set_decrypt_key, seed_encrypt_blocks)},
};

#endif
