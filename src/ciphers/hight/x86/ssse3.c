/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT on 128-bit registers, 16 blocks in eight of them. */
#include "arch/x86/target.h"
#include "ciphers/hight/kernels.h"
#include "modes/fused.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("ssse3")
#include "arch/x86/blocks_128.h"
#include "cfb.h"
#include "key.h"
#include "modes.h"

static const runnel_fused_functions hight_fused = {.cfb = hight_cfb};

const runnel_kernel runnel_hight_ssse3 = {
    .name = RUNNEL_TEXT("ssse3"),
    .citation = RUNNEL_TEXT("as avx2, a byte of 16 blocks in a register"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_SSSE3,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = hight_set_key,
    .block = {.encrypt_blocks = hight_encrypt_blocks,
              .ctr32 = hight_ctr32,
              .ctr32_tail = hight_ctr32_tail,
              .fused = &hight_fused,
              RUNNEL_DECRYPTION(hight_set_key, hight_decrypt_blocks)},
};

#endif
