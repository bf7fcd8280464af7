/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* void abi_trampoline(function, const uintptr_t words[8], abi_registers *registers), and functions that break one rule
 * each, for abi.c. */
    .macro function name
    .balign 4
    .globl  \name
    .type   \name, %function
\name:
    .endm

#if defined(__aarch64__)
    .equ    SP, 88
    .equ    SP_BEFORE, 96
    .equ    VECTOR, 104
    .equ    FRAME, 176 /* callee-saved registers, then the address of the registers to check */

    .macro each_pair instruction, base, core, vector
    \instruction x19, x20, [\base, #\core]
    \instruction x21, x22, [\base, #\core + 16]
    \instruction x23, x24, [\base, #\core + 32]
    \instruction x25, x26, [\base, #\core + 48]
    \instruction x27, x28, [\base, #\core + 64]
    \instruction d8, d9, [\base, #\vector]
    \instruction d10, d11, [\base, #\vector + 16]
    \instruction d12, d13, [\base, #\vector + 32]
    \instruction d14, d15, [\base, #\vector + 48]
    .endm

    .text
function abi_trampoline
    sub     sp, sp, #FRAME
    each_pair stp, sp, 0, 96
    stp     x29, x30, [sp, #80]
    str     x2, [sp, #160]
    mov     x9, sp
    str     x9, [x2, #SP_BEFORE]
    adrp    x10, kept
    str     x2, [x10, #:lo12:kept]
    each_pair ldp, x2, 0, VECTOR
    ldr     x29, [x2, #80]
    mov     x16, x0
    mov     x9, x1
    ldp     x0, x1, [x9]
    ldp     x2, x3, [x9, #16]
    ldp     x4, x5, [x9, #32]
    ldp     x6, x7, [x9, #48]
    blr     x16
    adrp    x10, kept
    ldr     x10, [x10, #:lo12:kept]
    each_pair stp, x10, 0, VECTOR
    mov     x9, sp
    stp     x29, x9, [x10, #80]
    ldr     x9, [x10, #SP_BEFORE]
    mov     sp, x9
    each_pair ldp, sp, 0, 96
    ldp     x29, x30, [sp, #80]
    add     sp, sp, #FRAME
    ret

function abi_clean
    mov     x0, #1
    mov     x17, #2
    movi    v7.16b, #3
    movi    v31.16b, #3
    ret

function abi_corrupt_sp
    sub     sp, sp, #16
    ret

    .irp    n, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
function abi_corrupt_core_\n
    add     x\n, x\n, #1
    ret
    .endr

    .irp    n, 8, 9, 10, 11, 12, 13, 14, 15
function abi_corrupt_vector_\n
    add     v\n\().16b, v\n\().16b, v\n\().16b
    ret
    .endr

    .bss
    .balign 8
kept:
    .zero   8

#elif defined(__arm__) && __ARM_ARCH >= 7 && defined(__ARM_FP)
    .syntax unified
    .arm
    .equ    SP, 32
    .equ    SP_BEFORE, 36
    .equ    VECTOR, 40

    .text
function abi_trampoline
    push    {r4-r11, lr}
    sub     sp, sp, #4
    vpush   {d8-d15}
    sub     sp, sp, #16 /* arguments 5 to 8 */
    str     sp, [r2, #SP_BEFORE]
    movw    r12, #:lower16:kept
    movt    r12, #:upper16:kept
    str     r2, [r12]
    ldr     lr, [r1, #16]
    ldr     r3, [r1, #20]
    str     lr, [sp]
    str     r3, [sp, #4]
    ldr     lr, [r1, #24]
    ldr     r3, [r1, #28]
    str     lr, [sp, #8]
    str     r3, [sp, #12]
    add     r12, r2, #VECTOR
    vldmia  r12, {d8-d15}
    mov     r12, r0
    mov     lr, r1
    ldmia   r2, {r4-r11}
    ldmia   lr, {r0-r3}
    blx     r12
    movw    r12, #:lower16:kept
    movt    r12, #:upper16:kept
    ldr     r12, [r12]
    stmia   r12, {r4-r11}
    str     sp, [r12, #SP]
    ldr     sp, [r12, #SP_BEFORE]
    add     r12, r12, #VECTOR
    vstmia  r12, {d8-d15}
    add     sp, sp, #16
    vpop    {d8-d15}
    add     sp, sp, #4
    pop     {r4-r11, pc}

function abi_clean
    mov     r0, #1
    mov     r12, #2
    vmov    d7, r0, r12
    bx      lr

function abi_corrupt_sp
    sub     sp, sp, #8
    bx      lr

    .irp    n, 4, 5, 6, 7, 8, 9, 10, 11
function abi_corrupt_core_\n
    add     r\n, r\n, #1
    bx      lr
    .endr

    .irp    n, 8, 9, 10, 11, 12, 13, 14, 15
function abi_corrupt_vector_\n
    vmov    d\n, r0, r1
    bx      lr
    .endr

    .bss
    .balign 4
kept:
    .zero   4
#endif

#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
