/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA on 256-bit registers with VAES: 32 blocks in slices of bytes, or 2 blocks in a register. */
#include "arch/x86/target.h"
#include "ciphers/aria/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2,aes,vaes")
#include "arch/x86/blocks_256.h"
#include "key.h"
#include "modes.h"

const runnel_kernel runnel_aria_avx2 = {
    .name = RUNNEL_TEXT("avx2"),
    .citation = RUNNEL_TEXT("32 blocks in slices of bytes; S-boxes by VAES with affine maps in byte shuffles"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AVX2 | RUNNEL_CPU_VAES | RUNNEL_CPU_AES,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = aria_set_key,
    .block = {.encrypt_blocks = aria_encrypt_blocks,
              .ctr32 = aria_ctr32,
              .ctr32_tail = aria_ctr32_tail,
              RUNNEL_DECRYPTION(aria_set_decrypt_key, aria_encrypt_blocks)},
};

#endif
