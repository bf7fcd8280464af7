/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The frame of every assembly file for ARMv7-A in ARM code with NEON: sections, functions, saved registers.
 *
 * `arm_function name` … `endfunc` has a section of its own; labels for what is local begin with .L. */
#ifndef RUNNEL_ARCH_ARMV7_ASM_H
#define RUNNEL_ARCH_ARMV7_ASM_H

#include "arch/common/asm.h"

#if RUNNEL_ARMV7_NEON

    .syntax unified
    .arch   armv7-a
    .fpu    neon
    CFI     .cfi_sections .debug_frame  /* not loaded: C++ uses other unwinding tables there */

.macro arm_function name
    .arm
    .section .text.\name, "ax", %progbits
    .balign 16
    .global \name
    .hidden \name
    .type   \name, %function
\name:
    CFI     .cfi_startproc
    .macro  endfunc
    CFI     .cfi_endproc
    .size   \name, . - \name
    .purgem endfunc
    .endm
.endm

/* Pushes the callee-saved registers, core and vector; r12 is the stack pointer then. Takes `bytes` (a multiple of 16)
 * of stack, aligned to 16, and stores r12 at \place in them. */
.macro push_aligned_frame bytes, place
    push    {r4-r11, lr}
    CFI     .cfi_adjust_cfa_offset 36
    .irp    n, 4, 5, 6, 7, 8, 9, 10, 11
    CFI     .cfi_rel_offset \n, 4 * (\n - 4)
    .endr
    CFI     .cfi_rel_offset 14, 32
    vpush   {d8-d15}
    CFI     .cfi_adjust_cfa_offset 64
    .irp    n, 8, 9, 10, 11, 12, 13, 14, 15
    CFI     .cfi_rel_offset 256 + \n, 8 * (\n - 8)
    .endr
    mov     r12, sp
    CFI     .cfi_def_cfa_register 12
    sub     sp, sp, #\bytes
    bic     sp, sp, #15
    str     r12, [sp, #\place]
    /* DW_CFA_def_cfa_expression: the word at sp + place, and 100 on; place as a signed LEB128 of two bytes. */
    CFI     .cfi_escape 0x0f, 6, 0x7d, ((\place) & 0x7f) | 0x80, (\place) >> 7, 0x06, 0x23, 100
.endm

.macro pop_aligned_frame_return place
    ldr     sp, [sp, #\place]
    CFI     .cfi_def_cfa 13, 100
    vpop    {d8-d15}
    CFI     .cfi_adjust_cfa_offset -64
    pop     {r4-r11, pc}
.endm

#endif
#endif
