/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Executes one instruction of AArch64 on a state. TPIDR_EL0 keeps x28 while the registers are stored. */
#include "state.h"

#define ALL_VECTORS 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
#define ALL_BUT_X28 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 29, 30

    .section .slot, "awx", %progbits
    .balign 4096
    .globl  forms_run, forms_run_thumb, forms_slot, forms_slot_thumb, forms_state
forms_run:
forms_run_thumb:
    stp     x29, x30, [sp, #-176]!
    stp     x19, x20, [sp, #16]
    stp     x21, x22, [sp, #32]
    stp     x23, x24, [sp, #48]
    stp     x25, x26, [sp, #64]
    stp     x27, x28, [sp, #80]
    stp     d8, d9, [sp, #96]
    stp     d10, d11, [sp, #112]
    stp     d12, d13, [sp, #128]
    stp     d14, d15, [sp, #144]
    mrs     x0, tpidr_el0
    str     x0, [sp, #160]
    mov     x0, sp
    adr     x1, saved
    str     x0, [x1]
    adr     x28, forms_state
    ldr     x0, [x28, #248]
    mov     sp, x0
    ldr     x0, [x28, #FLAGS]
    msr     nzcv, x0
    .irp n, ALL_VECTORS
    ldr     q\n, [x28, #VECTORS + 16 * \n]
    .endr
    .irp n, ALL_BUT_X28
    ldr     x\n, [x28, #8 * \n]
    .endr
    ldr     x28, [x28, #8 * 28]
forms_slot:
forms_slot_thumb:
    .fill   4, 4, 0xd503201f
    msr     tpidr_el0, x28
    adr     x28, forms_state
    .irp n, ALL_BUT_X28
    str     x\n, [x28, #8 * \n]
    .endr
    mrs     x0, tpidr_el0
    str     x0, [x28, #8 * 28]
    mov     x0, sp
    str     x0, [x28, #248]
    mrs     x0, nzcv
    str     x0, [x28, #FLAGS]
    .irp n, ALL_VECTORS
    str     q\n, [x28, #VECTORS + 16 * \n]
    .endr
    adr     x1, saved
    ldr     x0, [x1]
    mov     sp, x0
    ldr     x0, [sp, #160]
    msr     tpidr_el0, x0
    ldp     d14, d15, [sp, #144]
    ldp     d12, d13, [sp, #128]
    ldp     d10, d11, [sp, #112]
    ldp     d8, d9, [sp, #96]
    ldp     x27, x28, [sp, #80]
    ldp     x25, x26, [sp, #64]
    ldp     x23, x24, [sp, #48]
    ldp     x21, x22, [sp, #32]
    ldp     x19, x20, [sp, #16]
    ldp     x29, x30, [sp], #176
    ret
    .balign 64
saved:
    .skip   64
forms_state:
    .skip   STATE + MEMORY
    .section .note.GNU-stack, "", %progbits
