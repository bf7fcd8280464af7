/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT on 512-bit registers, 64 blocks in eight of them, F0 and F1 by GFNI: 12 instructions a round. */
#include "arch/x86/target.h"
#include "ciphers/hight/kernels.h"
#include "modes/fused.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl,gfni")
#include "arch/x86/blocks_512.h"
#include "key.h"
#include "modes.h"

static const runnel_fused_functions hight_fused = {.cfb = runnel_hight_cfb_avx512};

const runnel_kernel runnel_hight_avx512 = {
    .name = RUNNEL_TEXT("avx512"),
    .citation = RUNNEL_TEXT("a byte of 64 blocks in a register, F0 and F1 as matrices by GFNI"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AVX512 | RUNNEL_CPU_GFNI,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = hight_set_key,
    .block = {.encrypt_blocks = hight_encrypt_blocks,
              .ctr32 = hight_ctr32,
              .ctr32_tail = hight_ctr32_tail,
              .fused = &hight_fused,
              RUNNEL_DECRYPTION(hight_set_key, hight_decrypt_blocks)},
};

#endif
