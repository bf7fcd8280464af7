/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Executes one instruction of RV32 or RV64 on a state. tp is what addresses the state afterwards: code that uses it is not
 * tested. The program starts here too. */
#include "state.h"

#define ALL_BUT_TP 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
#define CALLEE_SAVED 1, 3, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27 /* and ra, gp */

#if __riscv_xlen == 64
#define LOAD ld
#define STORE sd
#define WORD 8
#else
#define LOAD lw
#define STORE sw
#define WORD 4
#endif

    .option norelax
    .section .text.start, "ax", @progbits
    .globl  _start
_start:
    call    main
    li      a7, 93
    ecall

    .section .slot, "awx", @progbits
    .balign 4096
    .globl  forms_run, forms_run_thumb, forms_slot, forms_slot_thumb, forms_state
forms_run:
forms_run_thumb:
    addi    sp, sp, -32 * WORD
    .irp n, CALLEE_SAVED
    STORE   x\n, \n * WORD(sp)
    .endr
    la      t0, saved
    STORE   sp, 0(t0)
    la      tp, forms_state
    .irp n, ALL_BUT_TP
    LOAD    x\n, \n * WORD(tp)
    .endr
    LOAD    x4, 4 * WORD(tp)
forms_slot:
forms_slot_thumb:
    .fill   4, 4, 0x00000013
    la      tp, forms_state
    .irp n, ALL_BUT_TP
    STORE   x\n, \n * WORD(tp)
    .endr
    STORE   zero, 0(tp)
    la      t0, saved
    LOAD    sp, 0(t0)
    .irp n, CALLEE_SAVED
    LOAD    x\n, \n * WORD(sp)
    .endr
    addi    sp, sp, 32 * WORD
    ret
    .balign 64
saved:
    .skip   64
forms_state:
    .skip   STATE + MEMORY
