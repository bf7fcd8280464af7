/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 for 8-bit AVR in little flash: one quarter-round in a loop, its words found by a table. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#include "arch/avr/arx.inc"

#define A 2 /* the four words */
#define B 6
#define C 10
#define D 14
#define PAIR 18
#define ZERO 20
#define ROUNDS 21
#define QUARTERS 22
#define FACTOR 23
#define COUNTER 48 /* in the state: word 12 */

#include "quarter.inc"

flash_tables runnel_chacha20_avr_small
.Lquarters:
    places 0, 4, 8, 12
    places 1, 5, 9, 13
    places 2, 6, 10, 14
    places 3, 7, 11, 15
    places 0, 5, 10, 15
    places 1, 6, 11, 12
    places 2, 7, 8, 13
    places 3, 4, 9, 14

code runnel_chacha20_avr_small
entry runnel_chacha20_avr_small_xor_blocks
    arx_enter COUNTER, 4
.Lnext_block:
    arx_push_pointers
    copy_all
    ldi ROUNDS, 10
    load_factor
    clr ZERO
.Ldouble_round:
    ldi r30, lo8(.Lquarters)
    ldi r31, hi8(.Lquarters)
    ldi QUARTERS, 8
.Lquarter:
    .irp word, A, B, C, D
    load_next \word, ZERO
    .endr
    quarter A, B, B+1, B+2, B+3, C, D, PAIR
    sbiw r30, 4
    store_next A, A+1, A+2, A+3, ZERO
    store_next B+1, PAIR, PAIR+1, B, ZERO
    store_next C, C+1, C+2, C+3, ZERO
    store_next D+1, D+2, D+3, D, ZERO
    dec QUARTERS
    breq .Lquarters_done
    rjmp .Lquarter
.Lquarters_done:
    dec ROUNDS
    breq .Lrounds_done
    rjmp .Ldouble_round
.Lrounds_done:
    clr r1
    arx_finish COUNTER, 4, .Lnext_block
endfunc

#endif
