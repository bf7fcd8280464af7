/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The loop of semi-fixsliced AES, with the quarter table. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32
#include "rv32_fixslice_semi.inc"

/* ShiftRows once: one back, because the table has columns, and the two of round 2. */
.macro look_up
    look_up_pair
    shift_both 1, p0, p1, p2, p3, p4, p5, p6, p7
    transpose_bits p0, p1, p2, p3, p4, p5, p6, p7
.endm

semi_pairs runnel_aes_rv32_semi_pairs, .Lmix_2

#endif
