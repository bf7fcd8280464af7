/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GCM of the kernel vaes512: AES and GHASH on 512-bit registers. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("aes,avx2,vaes,pclmul,vpclmulqdq,avx512f,avx512bw,avx512dq,avx512vl")
#include "arch/x86/blocks_512.h"
#include "gcm.h"

const runnel_gcm_functions runnel_aes_gcm_vaes512 = {
    .cpu = RUNNEL_CPU_CLMUL | RUNNEL_CPU_VCLMUL,
    .blocks = aes_crypt_blocks,
    .message = aes_crypt_message,
};

#endif
