/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA on 256-bit registers with VAES and GFNI, for processors without AVX-512: 32 blocks in slices of bytes, in which
 * AESENCLAST and AESDECLAST also add the round keys, or 2 blocks in a register, where GFNI alone is the shorter
 * chain. */
#include "arch/x86/target.h"
#include "ciphers/aria/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2,aes,vaes,gfni")
#define VECTOR_GFNI
#include "arch/x86/blocks_256.h"
#include "key.h"
#include "modes.h"

const runnel_kernel runnel_aria_gfni = {
    .name = RUNNEL_TEXT("gfni"),
    .citation = RUNNEL_TEXT("32 blocks in slices of bytes; S-boxes by VAES and GFNI"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AVX2 | RUNNEL_CPU_VAES | RUNNEL_CPU_AES | RUNNEL_CPU_GFNI,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = aria_set_key,
    .block = {.encrypt_blocks = aria_encrypt_blocks,
              .ctr32 = aria_ctr32,
              .ctr32_tail = aria_ctr32_tail,
              RUNNEL_DECRYPTION(aria_set_decrypt_key, aria_encrypt_blocks)},
};

#endif
