/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GCM-SIV of the kernel aesni: POLYVAL on 128-bit registers. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("aes,pclmul,sse4.1,ssse3")
#include "arch/x86/blocks_128.h"
#include "gcm_siv.h"

const runnel_gcm_siv_functions runnel_aes_gcm_siv_aesni = {
    .cpu = RUNNEL_CPU_CLMUL,
    .begin = aes_begin,
    .tag = aes_make_tag,
};

#endif
