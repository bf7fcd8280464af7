/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GCM of the kernel aesni where there is AVX2: the same on 128-bit registers with instructions of three operands, which need
 * neither copies of registers nor loads apart. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("aes,pclmul,avx2")
#define GHASH_THREE_OPERANDS 1
#include "arch/x86/blocks_128.h"
#include "gcm.h"

const runnel_gcm_functions runnel_aes_gcm_aesni_avx2 = {
    .cpu = RUNNEL_CPU_CLMUL | RUNNEL_CPU_AVX2,
    .otherwise = &runnel_aes_gcm_aesni,
    .blocks = aes_crypt_blocks,
    .message = aes_crypt_message,
};

#endif
