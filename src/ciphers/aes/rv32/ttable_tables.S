/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The tables of the RV32 table kernel, side by side, so that one register and the offsets of loads reach all of them.
 */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32

#include "ciphers/aes/s_box.inc"

.macro for_each_s do
    .set    x, 0
    .rept   256
    set_to_s s, %x
    \do
    .set    x, x + 1
    .endr
.endm

.macro high_byte
    .half   s << 8
.endm

.macro low_byte
    .byte   s
.endm

/* MixColumns of a column with one byte, row 0 in the low byte of the word. */
.macro column r0, r1, r2, r3
    .set    double, s << 1 ^ (s >> 7) * 0x11b
    .set    triple, double ^ s
    .word   \r0 | \r1 << 8 | \r2 << 16 | \r3 << 24
.endm

.macro columns_of_row_0
    column  double, s, s, triple
.endm

.macro columns_of_row_1
    column  triple, double, s, s
.endm

.macro columns_of_row_2
    column  s, triple, double, s
.endm

.macro columns_of_row_3
    column  s, s, triple, double
.endm

tables runnel_aes_rv32_ttable_tables
const runnel_aes_rv32_ttable_tables /* as struct aes_rv32_tables says */
    for_each_s high_byte
    for_each_s low_byte
    .irp    row, 0, 1, 2, 3
    for_each_s columns_of_row_\row
    .endr
endconst

#endif
