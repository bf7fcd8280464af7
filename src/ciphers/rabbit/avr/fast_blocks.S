/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rabbit for 8-bit AVR, word after word, with the state after key set-up kept for the next IV. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR_MUL

#include "steps.inc"

#define LATER_1 r26 /* bytes 1 and 2 of square 0 */
#define LATER_2 r27

code runnel_rabbit_avr

/* U = counter j, moved on, plus x. */
.macro next_counter j
    ldd U0, Y+COUNTERS+4*\j
    ldd U1, Y+COUNTERS+4*\j+1
    ldd U2, Y+COUNTERS+4*\j+2
    ldd U3, Y+COUNTERS+4*\j+3
    lsl BORROW
    sbci U0, 0xff ^ CONSTANT(4*\j)
    sbci U1, 0xff ^ CONSTANT(4*\j+1)
    sbci U2, 0xff ^ CONSTANT(4*\j+2)
    sbci U3, 0xff ^ CONSTANT(4*\j+3)
    sbc BORROW, BORROW
    std Y+COUNTERS+4*\j, U0
    std Y+COUNTERS+4*\j+1, U1
    std Y+COUNTERS+4*\j+2, U2
    std Y+COUNTERS+4*\j+3, U3
    add_x \j
.endm

/* Steps r25:r24 times the state at Y; with T set each step's block is XORed into the 16 bytes at Z, and Z moves on. */
.Lsteps:
    take_carry
.Lstep:
    push r25
    push r24
    next_counter 0
    square r4, r5, r6, r7
    std Y+X_WORDS, r7
    movw LATER_1, r4
    std Y+X_WORDS+3, r6
    next_counter 1
    square r8, r9, r10, r11
    store X_WORDS+4, PLACE_1
    next_counter 2
    square r12, r13, r14, r15
    even_word 2, PLACE_0, PLACE_1, PLACE_2
    next_counter 3
    square r4, r5, r6, r7
    odd_word 3, PLACE_1, PLACE_2, PLACE_0
    next_counter 4
    square r8, r9, r10, r11
    even_word 4, PLACE_2, PLACE_0, PLACE_1
    next_counter 5
    square r12, r13, r14, r15
    odd_word 5, PLACE_0, PLACE_1, PLACE_2
    next_counter 6
    square r4, r5, r6, r7
    even_word 6, PLACE_1, PLACE_2, PLACE_0
    next_counter 7
    square r8, r9, r10, r11
    odd_word 7, PLACE_2, PLACE_0, PLACE_1
    /* x7 is in place 2, square 6 in 0 and 7 in 1. x1 = square 1 + (square 0 <<< 8) + square 7, then x0. */
    ldd U0, Y+X_WORDS
    ldd U3, Y+X_WORDS+3
    ldd r20, Y+X_WORDS+4
    ldd r21, Y+X_WORDS+5
    ldd r22, Y+X_WORDS+6
    ldd r23, Y+X_WORDS+7
    add_word r20, r21, r22, r23, U3, U0, LATER_1, LATER_2
    add_word r20, r21, r22, r23, PLACE_1
    store X_WORDS+4, r20, r21, r22, r23
    add_word U0, LATER_1, LATER_2, U3, r9, r10, r11, r8
    add_word U0, LATER_1, LATER_2, U3, r5, r6, r7, r4
    store X_WORDS, U0, LATER_1, LATER_2, U3
    brts .Loutput
    rjmp .Lstep_done
.Loutput:
    xor_block U0, LATER_1, LATER_2, U3
.Lstep_done:
    pop r24
    pop r25
    sbiw r24, 1
    breq .Lsteps_done
    rjmp .Lstep
.Lsteps_done:
    give_carry
    ret

/* void key(r25:r24 state, r23:r22 key, r21:r20 key_bytes): the state that IVs begin with, behind the one that runs */
entry runnel_rabbit_avr_key
    push_all
    movw r28, r24
    adiw r28, 63
    adiw r28, STATE_BYTES-63
    movw r30, r22
    load_key
    subi r28, 64
    sbci r29, 0
    rcall .Lfour_steps
    mix_x_into_counters
.Lreturn:
    pop_all_return
endfunc

.Lfour_steps:
    clt
    ldi r24, 4
    ldi r25, 0
    rjmp .Lsteps

/* void iv(r25:r24 state, r23:r22 iv, r21:r20 iv_bytes): 8 bytes or none */
entry runnel_rabbit_avr_iv
    push_all
    movw r28, r24
    movw r30, r22
    movw r26, r24
    subi r26, -(STATE_BYTES)
    sbci r27, -1
    take_iv
    movw r30, r28
    mix_iv_into_counters
    ldi r18, 11 /* x and the carry */
.Lcopy_x:
    .rept 3
    ld r0, X+
    st Z+, r0
    .endr
    dec r18
    brne .Lcopy_x
    tst r20
    breq .Liv_done
    rcall .Lfour_steps
.Liv_done:
    rjmp .Lreturn
endfunc

/* void xor_blocks(r25:r24 state, r23:r16 index, r15:r14 out, r13:r12 in, r11:r10 nblocks) */
entry runnel_rabbit_avr_xor_blocks
    xor_blocks_begin
    rcall .Lsteps
    rjmp .Lreturn
endfunc

#endif
