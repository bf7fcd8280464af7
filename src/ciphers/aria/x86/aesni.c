/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA on 128-bit registers with AES-NI: 16 blocks in slices of bytes, or a block in a register. */
#include "arch/x86/target.h"
#include "ciphers/aria/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("ssse3,sse4.1,aes")
#include "arch/x86/blocks_128.h"
#include "key.h"
#include "modes.h"

const runnel_kernel runnel_aria_aesni = {
    .name = RUNNEL_TEXT("aesni"),
    .citation = RUNNEL_TEXT("16 blocks in slices of bytes; S-boxes by AES-NI with affine maps in byte shuffles"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AES,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = aria_set_key,
    .block = {.encrypt_blocks = aria_encrypt_blocks,
              .ctr32 = aria_ctr32,
              .ctr32_tail = aria_ctr32_tail,
              RUNNEL_DECRYPTION(aria_set_decrypt_key, aria_encrypt_blocks)},
};

#endif
