/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GHASH on 128-bit registers. */
#include "arch/common/bytes.h"
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("pclmul,sse4.1,ssse3")
#include "arch/x86/blocks_128.h"
#include "blocks.h"

const runnel_ghash_kernel runnel_ghash_pclmul = {
    .name = RUNNEL_TEXT("pclmul"),
    .citation = RUNNEL_TEXT("Gueron, Kounavis: Intel Carry-Less Multiplication; 16 blocks to a reduction"),
    .cpu = RUNNEL_CPU_CLMUL | RUNNEL_CPU_SSSE3,
    .key = ghash_set_key,
    .absorb = ghash_absorb,
};

#endif
