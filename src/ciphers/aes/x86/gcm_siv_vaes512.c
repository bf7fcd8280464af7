/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GCM-SIV of the kernel vaes512: POLYVAL on 512-bit registers. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("aes,avx2,vaes,pclmul,vpclmulqdq,avx512f,avx512bw,avx512dq,avx512vl")
#include "arch/x86/blocks_512.h"
#include "gcm_siv.h"

const runnel_gcm_siv_functions runnel_aes_gcm_siv_vaes512 = {
    .cpu = RUNNEL_CPU_CLMUL | RUNNEL_CPU_VCLMUL,
    .begin = aes_begin,
    .tag = aes_make_tag,
};

#endif
