/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 for 8-bit AVR in little flash: one quarter-round in a loop, its words found by a table. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#include "arch/avr/arx.inc"
#include "ciphers/salsa20/places.h"

#define A 2 /* the four words */
#define B 6
#define C 10
#define D 14
#define ZERO 18
#define ROUNDS 19
#define QUARTERS 20

#include "steps.inc"

flash_tables runnel_salsa20_avr_small
.Lquarters:
    places 0, 4, 8, 12
    places 5, 9, 13, 1
    places 10, 14, 2, 6
    places 15, 3, 7, 11
    places 0, 1, 2, 3
    places 5, 6, 7, 4
    places 10, 11, 8, 9
    places 15, 12, 13, 14

code runnel_salsa20_avr_small
entry runnel_salsa20_avr_small_xor_blocks
    arx_enter SALSA20_COUNTER, 8
.Lnext_block:
    arx_push_pointers
    copy_all
    ld ROUNDS, Z
    clr ZERO
.Ldouble_round:
    ldi r30, lo8(.Lquarters)
    ldi r31, hi8(.Lquarters)
    ldi QUARTERS, 8
.Lquarter:
    .irp word, A, B, C, D
    load_next \word, ZERO
    .endr
    step7 B, A, D
    step9 C, A, B
    step13 D, B, C
    sub B, C
    sbc B+1, C+1
    sbc B+2, C+2
    sbc B+3, C+3
    sum_of C, D
    xor_18 A, SUM0, SUM1, SUM2, SUM3
    sbiw r30, 4
    .irp word, A, B, C, D
    store_next \word, \word+1, \word+2, \word+3, ZERO
    .endr
    dec QUARTERS
    breq .Lquarters_done
    rjmp .Lquarter
.Lquarters_done:
    subi ROUNDS, 2
    breq .Lrounds_done
    rjmp .Ldouble_round
.Lrounds_done:
    clr r1
    arx_finish SALSA20_COUNTER, 8, .Lnext_block
endfunc

#endif
