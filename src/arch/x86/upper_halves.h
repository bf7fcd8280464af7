/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The SHA extensions exist in the legacy encoding alone. Where a caller has left bits in the upper halves of vector
 * registers, each of these instructions would wait for hundreds of cycles: kernels clear them first. */
#ifndef RUNNEL_ARCH_X86_UPPER_HALVES_H
#define RUNNEL_ARCH_X86_UPPER_HALVES_H

#include <runnel/cpu.h>

#include "target.h"

#if RUNNEL_X86_64
static inline void runnel_clear_upper_halves(void)
{
    if (runnel_cpu() & RUNNEL_CPU_AVX2)
        __asm__ volatile("vzeroupper");
}
#endif

#endif
