/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GCM of the kernel aesni: AES and GHASH on 128-bit registers. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("aes,pclmul,sse4.1,ssse3")
#include "arch/x86/blocks_128.h"
#include "gcm.h"

const runnel_gcm_functions runnel_aes_gcm_aesni = {
    .cpu = RUNNEL_CPU_CLMUL,
    .blocks = aes_crypt_blocks,
    .message = aes_crypt_message,
};

#endif
