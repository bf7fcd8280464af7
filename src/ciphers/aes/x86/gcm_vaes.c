/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GCM of the kernel vaes: AES and GHASH on 256-bit registers. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("aes,avx2,vaes,pclmul,vpclmulqdq")
#include "arch/x86/blocks_256.h"
#include "gcm_batch.h"

const runnel_gcm_functions runnel_aes_gcm_vaes = {
    .cpu = RUNNEL_CPU_CLMUL | RUNNEL_CPU_VCLMUL,
    .blocks = aes_crypt_blocks,
    .message = aes_crypt_message,
    .batch = aes_crypt_batch,
};

#endif
