/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The loop of fully fixsliced AES, with the quarter table. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32
#include "rv32_fixslice_full.inc"

/* Takes back ShiftRows, which is omitted in round 1. */
.macro look_up
    look_up_pair
    shift_both 3, p0, p1, p2, p3, p4, p5, p6, p7
    transpose_bits p0, p1, p2, p3, p4, p5, p6, p7
.endm

full_pairs runnel_aes_rv32_full_pairs

#endif
