/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For assembly on AArch64: by arch/asm.h. What -mbranch-protection asks for comes in when it is asked for, as in C.
 *
 *   function name, log_alignment  … end_of name      a hidden function; sections are the file's
 *   save_d8_to last               restore_d8_to last d8 to d9, d11, d13 or d15 on the stack, and in the unwinder's tables
 *   landing_pad                   before every other place that BR goes to; LANDING_PAD_BYTES long */
#ifndef RUNNEL_ARCH_AARCH64_ASM_H
#define RUNNEL_ARCH_AARCH64_ASM_H

#if defined(__ARM_FEATURE_BTI_DEFAULT)
#define LANDING_PAD_BYTES 4
#else
#define LANDING_PAD_BYTES 0
#endif

/* No function here stores its return address, so that all of them are as PAC wants them. */
#if defined(__ARM_FEATURE_PAC_DEFAULT)
#define ASM_SIGNED 2
#else
#define ASM_SIGNED 0
#endif

#if LANDING_PAD_BYTES || ASM_SIGNED
    .pushsection .note.gnu.property, "a", %note
    .p2align 3
    .long   4, 16, 5                    /* bytes of name and of value; NT_GNU_PROPERTY_TYPE_0 */
    .asciz  "GNU"
    .long   0xc0000000, 4, LANDING_PAD_BYTES / 4 + ASM_SIGNED, 0 /* GNU_PROPERTY_AARCH64_FEATURE_1_AND: BTI 1, PAC 2 */
    .popsection
#endif

/* HINTs, which every assembler knows and older processors pass over. */
.macro landing_pad
#if LANDING_PAD_BYTES
    hint    #36 /* bti j */
#endif
.endm

.macro function name, log_alignment=4
    .globl  \name
    .hidden \name
    .type   \name, %function
    .p2align \log_alignment
\name:
    .cfi_startproc
#if LANDING_PAD_BYTES
    hint    #34 /* bti c */
#endif
.endm

.macro end_of name
    .cfi_endproc
    .size   \name, . - \name
.endm

/* dN has number 64 + N in the tables. */
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
