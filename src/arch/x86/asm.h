/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For assembly on x86-64: by arch/asm.h. What -fcf-protection asks for comes in when it is asked for, as in C.
 *
 *   function name, log_alignment    … end_of name    a hidden function; sections are the file's
 *   save register                   restore register on the stack, and in the unwinder's tables
 *   landing_pad                     before every other place that an indirect jump or call goes to */
#ifndef RUNNEL_ARCH_X86_ASM_H
#define RUNNEL_ARCH_X86_ASM_H

#if defined(__CET__) && (__CET__ & 3)
    .pushsection .note.gnu.property, "a", %note
    .p2align 3
    .long   4, 16, 5                    /* bytes of name and of value; NT_GNU_PROPERTY_TYPE_0 */
    .asciz  "GNU"
    .long   0xc0000002, 4, __CET__ & 3, 0 /* GNU_PROPERTY_X86_FEATURE_1_AND: IBT 1, SHSTK 2, as in __CET__ */
    .popsection
#endif

    .macro landing_pad
#if defined(__CET__) && (__CET__ & 1)
    endbr64
#endif
    .endm

    .macro function name, log_alignment=4
    .globl \name
    .hidden \name
    .type \name, %function
    .p2align \log_alignment
\name:
    .cfi_startproc
    landing_pad
    .endm

    .macro end_of name
    .cfi_endproc
    .size \name, . - \name
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
