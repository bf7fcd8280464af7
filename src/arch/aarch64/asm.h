/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The frame of every assembly file for AArch64. Landing pads are included if -mbranch-protection asks for them, as in
 * C.
 *
 *   function name, log_alignment  … endfunc      a hidden function, in .text
 *   tables log_alignment                         begins constants
 *   const name                    … endconst     hidden constants that other files see
 *   external name                                a hidden symbol of another file
 *   save_d8_to last               restore_d8_to last d8 to d9, d11, d13 or d15 on the stack, and in the unwinder's tables
 *   landing_pad                   before every other place that BR goes to; LANDING_PAD_BYTES long */
#ifndef RUNNEL_ARCH_AARCH64_ASM_H
#define RUNNEL_ARCH_AARCH64_ASM_H

#include "arch/common/asm.h"

#if RUNNEL_AARCH64

    .arch   armv8-a+crypto
    .text

/* HINTs: every assembler knows them, and older processors execute them as NOPs. */
.macro landing_pad
#if LANDING_PAD_BYTES
    hint    #36 /* bti j */
#endif
.endm

.macro function name, log_alignment=4
    .text
    .globl  \name
    .hidden \name
    .type   \name, %function
    .p2align \log_alignment
\name:
    .cfi_startproc
#if LANDING_PAD_BYTES
    hint    #34 /* bti c */
#endif
    .macro endfunc
    .cfi_endproc
    .size   \name, . - \name
    .purgem endfunc
    .endm
.endm

.macro tables log_alignment
    .section .rodata, "a", %progbits
    .p2align \log_alignment
.endm

.macro const name
    .globl  \name
    .hidden \name
    .type   \name, %object
\name:
    .macro endconst
    .size   \name, . - \name
    .purgem endconst
    .endm
.endm

.macro external name
    .hidden \name
.endm

/* In the tables dN has number 64 + N. */
.macro save_pair first, second, at
    stp     d\first, d\second, [sp, #\at]
    .cfi_rel_offset 64 + \first, \at
    .cfi_rel_offset 64 + \second, \at + 8
.endm

.macro restore_pair first, second, at
    ldp     d\first, d\second, [sp, #\at]
    .cfi_restore 64 + \first
    .cfi_restore 64 + \second
.endm

.macro upper_pairs each, last
    .if     \last > 10
    \each   10, 11, 16
    .endif
    .if     \last > 12
    \each   12, 13, 32
    .endif
    .if     \last > 14
    \each   14, 15, 48
    .endif
.endm

.macro save_d8_to last
    stp     d8, d9, [sp, #-8 * (\last - 7)]!
    .cfi_adjust_cfa_offset 8 * (\last - 7)
    .cfi_rel_offset 72, 0
    .cfi_rel_offset 73, 8
    upper_pairs save_pair, \last
.endm

.macro restore_d8_to last
    upper_pairs restore_pair, \last
    ldp     d8, d9, [sp], #8 * (\last - 7)
    .cfi_adjust_cfa_offset -8 * (\last - 7)
    .cfi_restore 72
    .cfi_restore 73
.endm

#endif

#endif
