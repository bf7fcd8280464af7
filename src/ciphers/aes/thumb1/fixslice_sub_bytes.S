/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SubBytes of AES on bit planes for Thumb-1: the circuit of Boyar and Peralta, 115 gates, without the last NOTs, in 248 cycles.
 * An instruction overwrites one of its operands, and there are eight registers to compute in: so the order of the gates was
 * searched for in which the fewest values have to be copied, wait in r8 to r12 and lr, which takes a cycle, or wait on the stack,
 * which takes two. */
#include "arch/thumb1/asm.h"

#if RUNNEL_THUMB1

    .equ    OUT, 4 * 13             /* the new planes, above the values that wait */
    .equ    PLANES, OUT + 32        /* their address */
    .equ    FRAME, PLANES + 4

/* void runnel_aes_thumb1_sub_bytes(uint32_t q[8]) */
function runnel_aes_thumb1_sub_bytes
    push_all
    sub     sp, #FRAME
    str     r0, [sp, #PLANES]
    ldm     r0!, {r1-r7}
    ldr     r0, [r0]
    eors    r6, r7
    mov     r8, r1
    eors    r1, r6
    mov     r9, r5
    eors    r5, r3
    mov     r10, r0
    eors    r0, r2
    mov     r11, r5
    eors    r5, r0
    eors    r4, r5
    eors    r2, r1
    eors    r7, r4
    eors    r4, r3
    mov     r12, r5
    mov     r5, r10
    eors    r3, r5
    mov     lr, r3
    eors    r3, r2
    str     r3, [sp, #4 * 0]
    mov     r3, r9
    eors    r5, r3
    str     r7, [sp, #4 * 1]
    eors    r7, r5
    str     r4, [sp, #4 * 2]
    eors    r4, r6
    eors    r6, r7
    str     r5, [sp, #4 * 3]
    ands    r5, r7
    str     r0, [sp, #4 * 4]
    ands    r0, r6
    str     r6, [sp, #4 * 5]
    mov     r6, r8
    eors    r6, r7
    eors    r3, r1
    mov     r9, r3
    mov     r3, r10
    eors    r3, r1
    str     r3, [sp, #4 * 6]
    ands    r3, r6
    eors    r3, r0
    str     r1, [sp, #4 * 7]
    ands    r1, r2
    str     r7, [sp, #4 * 8]
    eors    r7, r4
    str     r2, [sp, #4 * 9]
    mov     r2, r11
    ands    r2, r7
    eors    r2, r5
    str     r7, [sp, #4 * 10]
    mov     r7, lr
    ands    r7, r4
    str     r6, [sp, #4 * 11]
    mov     r6, r12
    str     r4, [sp, #4 * 12]
    ldr     r4, [sp, #4 * 2]
    ands    r6, r4
    eors    r1, r0
    eors    r7, r5
    eors    r1, r2
    mov     r0, r8
    eors    r4, r0
    mov     r5, r9
    ands    r5, r0
    eors    r5, r6
    ldr     r0, [sp, #4 * 0]
    ands    r0, r4
    eors    r0, r6
    eors    r5, r7
    eors    r0, r2
    ldr     r2, [sp, #4 * 1]
    eors    r0, r2
    eors    r3, r7
    mov     r2, r10
    ldr     r6, [sp, #4 * 5]
    eors    r2, r6
    eors    r3, r2
    ldr     r2, [sp, #4 * 4]
    eors    r6, r2
    eors    r1, r6
    mov     r6, r3
    eors    r6, r1
    ldr     r7, [sp, #4 * 12]
    mov     r2, lr
    eors    r2, r7
    mov     r10, r1
    ands    r1, r0
    eors    r5, r2
    mov     r2, r3
    eors    r2, r1
    eors    r1, r5
    eors    r0, r5
    ands    r1, r6
    mov     r6, r0
    ands    r6, r2
    eors    r1, r3
    eors    r6, r5
    mov     r5, r2
    eors    r5, r1
    ands    r3, r5
    mov     r5, r10
    eors    r5, r1
    eors    r2, r3
    eors    r3, r5
    ldr     r5, [sp, #4 * 11]
    ands    r5, r6
    ands    r2, r6
    eors    r0, r2
    ands    r4, r3
    mov     r2, r8
    ands    r2, r1
    mov     r8, r4
    ldr     r4, [sp, #4 * 0]
    ands    r4, r3
    mov     r10, r2
    eors    r2, r5
    str     r2, [sp, #4 * 0]
    ldr     r2, [sp, #4 * 9]
    ands    r2, r0
    eors    r5, r2
    mov     r2, r0
    eors    r2, r3
    eors    r3, r1
    ands    r7, r2
    str     r5, [sp, #4 * 1]
    ldr     r5, [sp, #4 * 6]
    ands    r5, r6
    str     r7, [sp, #4 * 6]
    mov     r7, r9
    ands    r7, r1
    eors    r7, r4
    eors    r1, r6
    mov     r9, r7
    mov     r7, lr
    ands    r7, r2
    mov     lr, r5
    ldr     r5, [sp, #4 * 7]
    ands    r5, r0
    eors    r6, r0
    mov     r0, r12
    ands    r0, r3
    eors    r2, r1
    mov     r12, r5
    mov     r5, r11
    ands    r5, r2
    eors    r0, r4
    eors    r7, r5
    ldr     r4, [sp, #4 * 2]
    ands    r3, r4
    ldr     r4, [sp, #4 * 4]
    ands    r4, r6
    mov     r11, r7
    ldr     r7, [sp, #4 * 5]
    ands    r6, r7
    eors    r3, r6
    mov     r7, r10
    eors    r7, r4
    mov     r10, r4
    ldr     r4, [sp, #4 * 10]
    ands    r2, r4
    ldr     r4, [sp, #4 * 3]
    ands    r4, r1
    eors    r4, r5
    ldr     r5, [sp, #4 * 8]
    ands    r1, r5
    mov     r5, r12
    eors    r5, r4
    eors    r1, r2
    eors    r7, r3
    eors    r4, r7
    eors    r0, r5
    eors    r6, r1
    mov     r1, lr
    eors    r1, r7
    ldr     r7, [sp, #4 * 6]
    eors    r2, r7
    eors    r2, r5
    mov     r5, r12
    eors    r5, r6
    mov     r7, r8
    eors    r7, r0
    eors    r3, r7
    str     r3, [sp, #OUT + 4 * 4]
    eors    r3, r5
    str     r3, [sp, #OUT + 4 * 6]
    ldr     r3, [sp, #4 * 0]
    eors    r3, r7
    str     r3, [sp, #OUT + 4 * 3]
    ldr     r3, [sp, #4 * 1]
    eors    r4, r3
    str     r4, [sp, #OUT + 4 * 0]
    eors    r6, r0
    str     r6, [sp, #OUT + 4 * 7]
    mov     r0, r10
    eors    r0, r3
    eors    r1, r2
    eors    r0, r2
    str     r0, [sp, #OUT + 4 * 1]
    eors    r5, r1
    mov     r0, r9
    eors    r0, r1
    str     r0, [sp, #OUT + 4 * 2]
    mov     r0, r11
    eors    r0, r5
    str     r0, [sp, #OUT + 4 * 5]
    ldr     r0, [sp, #PLANES]
    add     r1, sp, #OUT
    ldm     r1!, {r2-r5}
    stm     r0!, {r2-r5}
    ldm     r1!, {r2-r5}
    stm     r0!, {r2-r5}
    movs    r0, #0                  /* all of it is secret */
    movs    r1, #0
    movs    r2, #0
    movs    r3, #0
    mov     r4, sp
    .rept   (OUT + 32) / 16
    stm     r4!, {r0-r3}
    .endr
    add     sp, #FRAME
    pop_all_return
endfunc

#endif
