/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The frame of every assembly file for Thumb-2: sections, functions, tables, saved registers.
 *
 * `function name` … `endfunc` has a section of its own. Functions that share code share a section, which `code`
 * begins: each is `entry name` … `endfunc` in it, with labels for what is local, which begin with .L as all of these
 * do. Tables follow the code, in reach of ADR; `const name` … `endconst` is one that other files see. */
#ifndef RUNNEL_ARCH_THUMB2_ASM_H
#define RUNNEL_ARCH_THUMB2_ASM_H

#include "arch/common/asm.h"

#if RUNNEL_THUMB2

    .syntax unified
    CFI     .cfi_sections .debug_frame  /* not loaded: C++ uses other unwinding tables there */

/* ---- Sections ---- */

.macro code name
    .thumb
    .section .text.\name, "ax", %progbits
.endm

/* ---- What other files see ---- */

.macro entry name
    .global \name
    .hidden \name
    .type   \name, %function
    .balign 4
    .thumb_func
\name:
    CFI     .cfi_startproc
    .macro  endfunc
    CFI     .cfi_endproc
    .size   \name, . - \name
    .purgem endfunc
    .endm
.endm

.macro function name
    code    \name
    entry   \name
.endm

/* `subroutine label` … `endsub`: local, called by `bl label`. */
.macro subroutine label
\label:
    CFI     .cfi_startproc
    .macro  endsub
    CFI     .cfi_endproc
    .purgem endsub
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

/* ---- Saved registers ---- */

/* Pushes a run of registers, arguments too if it begins with r0, and lr; then takes `bytes` of stack. */
.macro push_frame bytes=0, lowest=4, highest=11, link=1
    .if \link
    push    {r\lowest-r\highest, lr}
    CFI     .cfi_adjust_cfa_offset 4
    .else
    push    {r\lowest-r\highest}
    .endif
    CFI     .cfi_adjust_cfa_offset 4 * (\highest - \lowest + 1)
    .irp    n, 4, 5, 6, 7, 8, 9, 10, 11
    .if \n <= \highest
    CFI     .cfi_rel_offset \n, 4 * (\n - \lowest)
    .endif
    .endr
    .if \link
    CFI     .cfi_rel_offset 14, 4 * (\highest - \lowest + 1)
    .endif
    .if \bytes
    take_stack \bytes
    .endif
.endm

.macro take_stack bytes
    sub     sp, #\bytes
    CFI     .cfi_adjust_cfa_offset \bytes
.endm

.macro push_pair x, y
    push    {\x, \y}
    CFI     .cfi_adjust_cfa_offset 8
.endm

/* Zeroes that many bytes of stack, a multiple of 32; uses r0 to r8. */
.macro wipe_stack bytes
    .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
    movs    r\n, #0
    .endr
    mov     r8, sp
    .rept   (\bytes) / 32
    stm     r8!, {r0-r7}
    .endr
.endm

/* Frees `bytes` of stack, restores the registers from r4 on, and returns: with into=pc in one instruction, else by lr.
 * The code after it has the frame again. */
.macro pop_frame_return bytes=0, highest=11, link=1, into=lr
    CFI     .cfi_remember_state
    .if \bytes
    add     sp, #\bytes
    CFI     .cfi_adjust_cfa_offset -(\bytes)
    .endif
    .if \link
    pop     {r4-r\highest, \into}
    .else
    pop     {r4-r\highest}
    .endif
    .ifc    \into, lr
    CFI     .cfi_def_cfa_offset 0
    .irp    n, 4, 5, 6, 7, 8, 9, 10, 11, 14
    CFI     .cfi_restore \n
    .endr
    bx      lr
    .endif
    CFI     .cfi_restore_state
.endm

#endif
#endif
