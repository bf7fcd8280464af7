/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rabbit for 8-bit AVR in less flash and SRAM: a loop over pairs of words, and the key kept for the next IV. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR_MUL

#include "steps.inc"

#define PAIRS r27

code runnel_rabbit_avr_small

/* The next counter byte at Y; Y moves on. */
.macro next_counter_byte n
    ld r17, Y
    sbci r17, 0xff ^ CONSTANT(\n)
    st Y+, r17
.endm

/* U = counter plus x, of the even or the odd word of the pair at Y. */
.macro sum j
    ldd U0, Y+COUNTERS+4*\j
    ldd U1, Y+COUNTERS+4*\j+1
    ldd U2, Y+COUNTERS+4*\j+2
    ldd U3, Y+COUNTERS+4*\j+3
    add_x \j
.endm

/* Steps r25:r24 times the state at Y; with T set each step's block is XORed into the 16 bytes at Z, and Z moves on.
 * There are no squares before 0: first zeros are taken for them, and at the end squares 6 and 7 added to x0 and x1. */
.Lsteps:
    take_carry
.Lstep:
    push r25
    push r24
    lsl BORROW
    ldi r16, 10
.Lcounter_bytes:
    next_counter_byte 0
    next_counter_byte 1
    next_counter_byte 2
    dec r16
    brne .Lcounter_bytes
    next_counter_byte 0
    next_counter_byte 1
    sbc BORROW, BORROW
    sbiw r28, 32
    .irp n, 4,5,6,7,8,9,10,11
    clr r\n
    .endr
    ldi PAIRS, 4
.Lpair:
    sum 0
    square r12, r13, r14, r15
    even_word 0, PLACE_0, PLACE_1, PLACE_2
    sum 1
    square r4, r5, r6, r7
    odd_word 1, PLACE_1, PLACE_2, PLACE_0
    movw r8, r4
    movw r10, r6
    movw r4, r12
    movw r6, r14
    adiw r28, 8
    dec PAIRS
    breq .Lpairs_done
    rjmp .Lpair
.Lpairs_done:
    sbiw r28, 32
    /* x1 += square 7; x0 += (square 7 <<< 16) + (square 6 <<< 16) */
    .irp n, 0,1,2,3
    ldd 16+\n, Y+X_WORDS+\n
    ldd 20+\n, Y+X_WORDS+4+\n
    .endr
    add_word r20, r21, r22, r23, PLACE_1
    store X_WORDS+4, r20, r21, r22, r23
    add_word U0, U1, U2, U3, r9, r10, r11, r8
    add_word U0, U1, U2, U3, r5, r6, r7, r4
    store X_WORDS, U0, U1, U2, U3
    brts .Loutput
    rjmp .Lstep_done
.Loutput:
    ldd r15, Y+X_WORDS+28
    ldd r12, Y+X_WORDS+29
    ldd r13, Y+X_WORDS+30
    ldd r14, Y+X_WORDS+31
    xor_block U0, U1, U2, U3
.Lstep_done:
    pop r24
    pop r25
    sbiw r24, 1
    breq .Lsteps_done
    rjmp .Lstep
.Lsteps_done:
    give_carry
    ret

/* void key(r25:r24 state, r23:r22 key, r21:r20 key_bytes): the key stands behind the state */
entry runnel_rabbit_avr_small_key
    movw r26, r24
    subi r26, -(STATE_BYTES)
    sbci r27, -1
    movw r30, r22
    ldi r18, 16
.Lcopy_key:
    ld r0, Z+
    st X+, r0
    dec r18
    brne .Lcopy_key
    ret
endfunc

.Lfour_steps:
    clt
    ldi r24, 4
    ldi r25, 0
    rjmp .Lsteps

/* void iv(r25:r24 state, r23:r22 iv, r21:r20 iv_bytes): 8 bytes or none */
entry runnel_rabbit_avr_small_iv
    push_all
    movw r28, r24
    movw r30, r24
    subi r30, -(STATE_BYTES)
    sbci r31, -1
    push r20
    push r22
    push r23
    load_key
    subi r28, CARRY
    sbci r29, 0
    rcall .Lfour_steps
    mix_x_into_counters
    sbiw r28, 16
    pop r31
    pop r30
    pop r20
    clr r1
    tst r20
    brne .Lwith_iv
    rjmp .Lreturn
.Lwith_iv:
    take_iv
    movw r26, r28
    movw r30, r28
    mix_iv_into_counters
    rcall .Lfour_steps
.Lreturn:
    pop_all_return
endfunc

entry runnel_rabbit_avr_small_xor_blocks
    xor_blocks_begin
    rcall .Lsteps
    rjmp .Lreturn
endfunc

#endif
