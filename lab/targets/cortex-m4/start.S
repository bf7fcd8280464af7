/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Start-up: the loader has placed .data, zeroed .bss and set sp, under qemu-arm as under Linux. */
    .syntax unified
    .thumb
    .section .text.start, "ax", %progbits
    .globl _start
    .thumb_func
_start:
    bl      main
    movs    r7, #1              /* exit */
    svc     #0
    .section .note.GNU-stack, "", %progbits
