/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GCM-SIV of the kernel vaes: POLYVAL on 256-bit registers. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("aes,avx2,vaes,pclmul,vpclmulqdq")
#include "arch/x86/blocks_256.h"
#include "gcm_siv.h"

const runnel_gcm_siv_functions runnel_aes_gcm_siv_vaes = {
    .cpu = RUNNEL_CPU_CLMUL | RUNNEL_CPU_VCLMUL,
    .begin = aes_begin,
    .tag = aes_make_tag,
};

#endif
