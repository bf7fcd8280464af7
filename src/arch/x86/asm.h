/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The frame of every assembly file for x86-64. Landing pads are included if -fcf-protection asks for them, as in C.
 *
 *   function name, log_alignment    … endfunc    a hidden function in a section of its own
 *   place name                      a symbol in a function, for tools that measure it
 *   external name                   a hidden symbol of another file
 *   save register                   restore register on the stack, and in the unwinder's tables
 *   landing_pad                     before every other place that an indirect jump or call goes to */
#ifndef RUNNEL_ARCH_X86_ASM_H
#define RUNNEL_ARCH_X86_ASM_H

#include "arch/common/asm.h"

#if RUNNEL_X86_64_ASSEMBLY

    .macro landing_pad
#if defined(__CET__) && (__CET__ & 1)
    endbr64
#endif
    .endm

    .macro function name, log_alignment=4
    .section .text.\name, "ax", %progbits
    .globl \name
    .hidden \name
    .type \name, %function
    .p2align \log_alignment
\name:
    .cfi_startproc
    landing_pad
    .macro endfunc
    .cfi_endproc
    .size   \name, . - \name
    .purgem endfunc
    .endm
    .endm

    .macro place name
\name:
    .endm

    .macro external name
    .hidden \name
    .endm

    .macro save register
    push \register
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset \register, 0
    .endm

    .macro restore register
    pop \register
    .cfi_adjust_cfa_offset -8
    .cfi_restore \register
    .endm

#endif

#endif
