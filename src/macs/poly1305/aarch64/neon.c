/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305 on NEON for AArch64. */
#include "macs/poly1305/kernels.h"

#if RUNNEL_AARCH64
#include <arm_neon.h>

#include "macs/poly1305/neon_lanes.h"

const runnel_poly1305_kernel runnel_poly1305_aarch64_neon = {
    .name = RUNNEL_TEXT("aarch64-neon"),
    .citation = RUNNEL_TEXT("Bernstein, Schwabe: NEON crypto, 2012, in limbs of 26 bits"),
    .cpu = RUNNEL_CPU_NEON,
    .least = 16,
    .blocks = GROUP,
    .absorb = absorb,
};

#endif
