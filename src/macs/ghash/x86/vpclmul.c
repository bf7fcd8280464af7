/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GHASH on 256-bit registers. */
#include "arch/common/bytes.h"
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2,pclmul,vpclmulqdq")
#include "arch/x86/blocks_256.h"
#include "blocks.h"

const runnel_ghash_kernel runnel_ghash_vpclmul = {
    .name = RUNNEL_TEXT("vpclmul"),
    .citation = RUNNEL_TEXT("Gueron, Kounavis: Intel Carry-Less Multiplication; 32 blocks to a reduction"),
    .cpu = RUNNEL_CPU_VCLMUL | RUNNEL_CPU_AVX2,
    .key = ghash_set_key,
    .absorb = ghash_absorb,
};

#endif
