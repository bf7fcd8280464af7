/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The loop of semi-fixsliced AES, with the quarter table. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32
#include "rv32_fixslice_semi.inc"

/* ShiftRows once in all: the columns of the table want one back to be what round 2 has, which then does two. */
.macro look_up
    look_up_pair
    shift_both 1, p0, p1, p2, p3, p4, p5, p6, p7
    transpose_bits p0, p1, p2, p3, p4, p5, p6, p7
.endm

semi_pairs runnel_aes_rv32_semi_pairs, .Lmix_2

#endif
