/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For the table kernels in assembly: how a function over blocks begins and ends. Included by aes_x86_…_blocks.S, where
 * left and i_64 are registers. */
    .macro ENTER name, tables
    .section .text.\name, "ax", %progbits
    .hidden \tables
    function \name, 6
    .irp register, %rbx, %rbp, %r12, %r13, %r14, %r15
    save \register
    .endr
    .endm

/* To .Lblock_NAME while blocks are left, then back to the caller. */
    .macro NEXT_BLOCK_OR_LEAVE name
    movq left, i_64
    dec i_64
    movq i_64, left
    jnz .Lblock_\name
    .irp register, %r15, %r14, %r13, %r12, %rbp, %rbx
    restore \register
    .endr
    ret
    end_of \name
    .endm
