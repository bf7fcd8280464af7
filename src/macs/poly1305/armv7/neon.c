/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305 on NEON for Armv7-A: 366 instructions for eight blocks, where words of 32 bits take 124 for one. */
#include "macs/poly1305/kernels.h"

#if RUNNEL_POLY1305_ARMV7_NEON
#pragma GCC target("fpu=neon")
#include <arm_neon.h>

#include "macs/poly1305/neon_lanes.h"

const runnel_poly1305_kernel runnel_poly1305_armv7_neon = {
    .name = RUNNEL_TEXT("armv7-neon"),
    .citation = RUNNEL_TEXT("Bernstein, Schwabe: NEON crypto, 2012, in limbs of 26 bits"),
    .cpu = RUNNEL_CPU_NEON,
    .least = 16,
    .blocks = POLY1305_GROUP,
    .make_powers = poly1305_make_powers,
    .absorb = poly1305_absorb,
};

#endif
