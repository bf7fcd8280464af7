/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Executes one instruction of 32-bit ARM on a state: in forms_slot ARM code, in forms_slot_thumb Thumb, which leaves to ARM code
 * without a register. */
#include "state.h"

    .syntax unified
    .arch   armv7-a
    .fpu    neon
    .section .slot, "awx", %progbits
    .balign 4096
    .globl  forms_run, forms_run_thumb, forms_slot, forms_slot_thumb, forms_state
    .arm
    .type   forms_run, %function
    .type   forms_run_thumb, %function
forms_run_thumb:
    push    {r4-r12, lr}
    adr     r0, forms_slot_thumb
    add     r0, r0, #1
    b       load
forms_run:
    push    {r4-r12, lr}
    adr     r0, forms_slot
load:
    str     r0, start
    vpush   {d8-d15}
    str     sp, saved
    adr     r14, forms_state
    add     r0, r14, #VECTORS
    vldmia  r0!, {d0-d15}
    vldmia  r0, {d16-d31}
    ldr     r0, [r14, #FLAGS]
    msr     APSR_nzcvqg, r0
    ldr     r13, [r14, #52]
    ldm     r14, {r0-r12}
    ldr     r14, [r14, #56]
    ldr     pc, start
start:
    .word   0
saved:
    .word   0
    .balign 8
forms_slot:
    .fill   4, 4, 0xe320f000
    b       store
    .balign 8
    .thumb
forms_slot_thumb:
    .fill   8, 2, 0xbf00
    bx      pc
    nop
    .arm
store:
    str     r14, forms_state + 56
    str     r13, forms_state + 52
    adr     r14, forms_state
    stm     r14, {r0-r12}
    mrs     r0, APSR
    str     r0, [r14, #FLAGS]
    add     r0, r14, #VECTORS
    vstmia  r0!, {d0-d15}
    vstmia  r0, {d16-d31}
    ldr     sp, saved
    vpop    {d8-d15}
    pop     {r4-r12, pc}
    .balign 64
forms_state:
    .skip   STATE + MEMORY
    .section .note.GNU-stack, "", %progbits
