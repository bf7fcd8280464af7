/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The frame of every assembly file for Thumb-1: functions, saved registers, the stack. `function name` … `endfunc` has a
 * section of its own; tables follow the code in it, `const name` … `endconst`. Local labels begin with .L. */
#ifndef RUNNEL_ARCH_THUMB1_ASM_H
#define RUNNEL_ARCH_THUMB1_ASM_H

#include "arch/common/asm.h"

#if RUNNEL_THUMB1

    .syntax unified

.macro function name
    .thumb
    .section .text.\name, "ax", %progbits
    .global \name
    .hidden \name
    .type   \name, %function
    .balign 4
    .thumb_func
\name:
    .macro  endfunc
    .size   \name, . - \name
    .purgem endfunc
    .endm
.endm

.macro const name
    .balign 4
    .global \name
    .hidden \name
    .type   \name, %object
\name:
    .macro  endconst
    .size   \name, . - \name
    .purgem endconst
    .endm
.endm

    .equ    SAVED, 36               /* bytes that push_all pushes: arguments on the stack follow */

/* r4 to r11 and lr; r4 to r7 are lost. */
.macro push_all
    push    {r4-r7, lr}
    mov     r4, r8
    mov     r5, r9
    mov     r6, r10
    mov     r7, r11
    push    {r4-r7}
.endm

.macro pop_all_return
    pop     {r4-r7}
    mov     r8, r4
    mov     r9, r5
    mov     r10, r6
    mov     r11, r7
    pop     {r4-r7, pc}
.endm

#endif
#endif
