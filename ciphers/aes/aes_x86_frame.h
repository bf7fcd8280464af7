/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For the table kernels in assembly: how a function over blocks begins and ends. Included by aes_x86_…_blocks.S, where
 * left and i_64 are registers. */
    .macro SAVE register
    push \register
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset \register, 0
    .endm

    .macro RESTORE register
    pop \register
    .cfi_adjust_cfa_offset -8
    .cfi_restore \register
    .endm

    .macro ENTER name, tables
    .section .text.\name, "ax", %progbits
    .globl \name
    .hidden \name
    .hidden \tables
    .type \name, @function
    .balign 64
\name:
    .cfi_startproc
    .irp register, %rbx, %rbp, %r12, %r13, %r14, %r15
    SAVE \register
    .endr
    .endm

/* To .Lblock_NAME while blocks are left, then back to the caller. */
    .macro NEXT_BLOCK_OR_LEAVE name
    movq left, i_64
    dec i_64
    movq i_64, left
    jnz .Lblock_\name
    .irp register, %r15, %r14, %r13, %r12, %rbp, %rbx
    RESTORE \register
    .endr
    ret
    .cfi_endproc
    .size \name, . - \name
    .endm
