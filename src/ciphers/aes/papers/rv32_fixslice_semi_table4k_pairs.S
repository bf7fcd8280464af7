/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The loop of semi-fixsliced AES, with the table of the paper (rv32_table4k.h). */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32
#include "rv32_fixslice_semi.inc"
#include "rv32_table4k.inc"

/* Takes back the table's ShiftRows; the two of round 2 follow, as without a table. */
.macro look_up
    look_up_four_tables
    shift_both 3, p0, p1, p2, p3, p4, p5, p6, p7
    transpose_bits p0, p1, p2, p3, p4, p5, p6, p7
.endm

semi_pairs runnel_aes_rv32_semi_table4k_pairs, .Lshift_2

#endif
