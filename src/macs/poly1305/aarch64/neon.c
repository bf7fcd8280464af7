/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305 on NEON for AArch64. Eight blocks are 305 instructions of gcc 12 and 209 of clang 19, 100 of them products; in
 * words of 64 bits each block takes ten products and 76 instructions. LLVM's models make that, in cycles a byte, 1.2 on
 * Cortex-A57 and Neoverse N1 and 0.6 on Neoverse V1, against 4.0, 3.6 and 2.2 in words, whose upper halves of products
 * come from one slow multiplier: so words are left to short messages everywhere. */
#include "macs/poly1305/kernels.h"

#if RUNNEL_AARCH64
#include <arm_neon.h>

#include "macs/poly1305/neon_lanes.h"

const runnel_poly1305_kernel runnel_poly1305_aarch64_neon = {
    .name = RUNNEL_TEXT("aarch64-neon"),
    .citation = RUNNEL_TEXT("Bernstein, Schwabe: NEON crypto, 2012, in limbs of 26 bits"),
    .cpu = RUNNEL_CPU_NEON,
    .least = 16,
    .blocks = POLY1305_GROUP,
    .make_powers = poly1305_make_powers,
    .absorb = poly1305_absorb,
};

#endif
