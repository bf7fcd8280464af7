/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The slices of the avx512 kernel on 256-bit registers. */
#include "arch/x86/target.h"
#include "parts_avx512.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl,gfni,aes,vaes")
#define VECTOR_AVX512
#define VECTOR_GFNI
#include "arch/x86/blocks_256.h"
#include "slices_gfni.h"

TARGET void runnel_aria_half_blocks(const runnel_aria_spread *keys, const runnel_aria_schedule *schedule, uint8_t *out,
                                    const uint8_t *in)
{
    aria_slices_blocks(keys, schedule, out, in);
}

TARGET void runnel_aria_half_ctr(const runnel_aria_spread *keys, const runnel_aria_schedule *schedule,
                                 const runnel_aria_spread_run *run, uint32_t counter, unsigned left, uint8_t *out,
                                 const uint8_t *in)
{
    aria_slices_ctr(keys, schedule, run, counter, left, out, in);
}

#endif
