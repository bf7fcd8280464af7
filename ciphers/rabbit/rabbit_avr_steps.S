/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rabbit for 8-bit AVR. Everything of one word is done in one go: its counter, its sum with x, the square, and the new x
 * that this square completes. Of the squares only the last two are needed, and a new x takes the place of the older one,
 * so that they stay in registers; rotations by 8 and 16 are other names for the bytes. Squares 0 and 1 come too early:
 * they wait in memory, where their x belongs, until squares 6 and 7 are there.
 *
 * The square of u3 u2 u1 u0 takes ten products of bytes: the six mixed ones are summed up, doubled, and the four squares
 * added. The constant that is added to the counters is 4d d3 34 4d d3 34 … in bytes; it is subtracted as its complement,
 * because only subtraction takes constants, and with it the carry is a borrow.
 *
 * Output is XORed into `out`, where the input was put before. */
#if defined(__AVR__)

#include "../../core/avr_frame.h"

#define U0 r16
#define U1 r17
#define U2 r18
#define U3 r19
#define ZERO r2
#define BORROW r3   /* out of the last counter: 0xff or 0 */
#define LATER_1 r26 /* bytes 1 and 2 of square 0 */
#define LATER_2 r27
#define COUNT r24   /* r25:r24, on the stack while a step runs */

/* In the state, from Y. The carry, 0 or 1, stands behind x. */
#define COUNTERS 0
#define X_WORDS 32
#define STATE_BYTES 65

    .section .text.runnel_rabbit_avr, "ax", @progbits

/* Byte n of the constant; the assembler's operators do not bind as C's do. */
#define CONSTANT(n) ((0x34d34d >> (8 * ((n) % 3))) & 0xff)

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
    ldd r0, Y+X_WORDS+4*\j
    add U0, r0
    ldd r0, Y+X_WORDS+4*\j+1
    adc U1, r0
    ldd r0, Y+X_WORDS+4*\j+2
    adc U2, r0
    ldd r0, Y+X_WORDS+4*\j+3
    adc U3, r0
.endm

/* g3 g2 g1 g0 = the halves of the square of U, XORed. g1, g2 and g3, g0 are pairs of registers, as are r20 to r25. */
.macro square g1, g2, g3, g0
    mul U0, U1
    movw \g1, r0
    mul U0, U3
    movw \g3, r0
    mul U2, U3
    movw r20, r0
    mul U0, U2
    movw r22, r0
    mul U1, U3
    add \g2, r22
    adc \g3, r23
    adc \g0, r0
    adc r20, r1
    adc r21, ZERO
    mul U1, U2
    add \g3, r0
    adc \g0, r1
    adc r20, ZERO
    adc r21, ZERO
    mul U0, U0
    movw r22, r0
    mul U1, U1
    movw U0, r0
    mul U3, U3
    movw r24, r0
    mul U2, U2
    lsl \g1
    rol \g2
    rol \g3
    rol \g0
    rol r20
    rol r21
    adc r25, ZERO
    add \g1, r23
    adc \g2, U0
    adc \g3, U1
    adc \g0, r0
    adc r20, r1
    adc r21, r24
    adc r25, ZERO
    eor \g0, r22
    eor \g1, r20
    eor \g2, r21
    eor \g3, r25
.endm

.macro add_word a0, a1, a2, a3, b0, b1, b2, b3
    add \a0, \b0
    adc \a1, \b1
    adc \a2, \b2
    adc \a3, \b3
.endm

.macro store at, a0, a1, a2, a3
    std Y+\at, \a0
    std Y+\at+1, \a1
    std Y+\at+2, \a2
    std Y+\at+3, \a3
.endm

/* x_j of an even j, bytes in the order a2 a3 a0 a1, in place of square j - 2, which is a0 to a3; b: square j - 1. */
.macro even_word j, a0, a1, a2, a3, b0, b1, b2, b3, g0, g1, g2, g3
    add_word \a2, \a3, \a0, \a1, \b2, \b3, \b0, \b1
    add_word \a2, \a3, \a0, \a1, \g0, \g1, \g2, \g3
    store X_WORDS+4*\j, \a2, \a3, \a0, \a1
.endm

/* x_j of an odd j, in place of square j - 2. */
.macro odd_word j, a0, a1, a2, a3, b0, b1, b2, b3, g0, g1, g2, g3
    add_word \a0, \a1, \a2, \a3, \b3, \b0, \b1, \b2
    add_word \a0, \a1, \a2, \a3, \g0, \g1, \g2, \g3
    store X_WORDS+4*\j, \a0, \a1, \a2, \a3
.endm

/* Three places for squares, bytes 0 to 3; the square comes into being in the order 1, 2, 3, 0. */
#define PLACE_0 r7, r4, r5, r6
#define PLACE_1 r11, r8, r9, r10
#define PLACE_2 r15, r12, r13, r14

/* Output byte n: a register and what is in memory, or two bytes in memory. */
.macro put n, a, at
    ldd r0, Y+\at
    eor r0, \a
    ldd r1, Z+\n
    eor r0, r1
    std Z+\n, r0
.endm

.macro put_from n, at, other
    ldd r22, Y+\other
    put \n, r22, \at
.endm

/* Steps r25:r24 times the state at Y; with T set each step's block is XORed into the 16 bytes at Z, and Z moves on. */
steps:
    clr ZERO
    adiw r28, 32
    ldd r16, Y+STATE_BYTES-33
    cpi r16, 1
    sbc BORROW, BORROW
    sbiw r28, 32
1:  push r25
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
    brts 2f
    rjmp 3f
    /* word i: x_2i, with the high half of x_2i+5 and the low half of x_2i+3 */
2:  put 0, U0, X_WORDS+22
    put 1, LATER_1, X_WORDS+23
    put 2, LATER_2, X_WORDS+12
    put 3, U3, X_WORDS+13
    put 4, r13, X_WORDS+8
    put 5, r14, X_WORDS+9
    put 8, r22, X_WORDS+16
    put 9, r23, X_WORDS+17
    put 10, r15, X_WORDS+18
    put 11, r12, X_WORDS+19
    put 14, r20, X_WORDS+26
    put 15, r21, X_WORDS+27
    put_from 6, X_WORDS+10, X_WORDS+20
    put_from 7, X_WORDS+11, X_WORDS+21
    put_from 12, X_WORDS+24, X_WORDS+14
    put_from 13, X_WORDS+25, X_WORDS+15
    adiw r30, 16
3:  pop r24
    pop r25
    sbiw r24, 1
    breq 4f
    rjmp 1b
4:  inc BORROW /* 0 or 1: the carry */
    adiw r28, 32
    std Y+STATE_BYTES-33, BORROW
    sbiw r28, 32
    ret

/* void key(r25:r24 state, r23:r22 key, r21:r20 key_bytes): the state that IVs begin with, behind the one that runs */
    .global runnel_rabbit_avr_key
runnel_rabbit_avr_key:
    push_all
    movw r28, r24
    adiw r28, 63
    adiw r28, STATE_BYTES-63
    movw r30, r22
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    ldd r\n, Z+\n
    .endr
    .irp n, 10,11,8,9,4,5,2,3,14,15,12,13,8,9,6,7,2,3,0,1,12,13,10,11,6,7,4,5,0,1,14,15
    st Y+, r\n
    .endr
    .irp n, 0,1,2,3,10,11,12,13,4,5,6,7,14,15,0,1,8,9,10,11,2,3,4,5,12,13,14,15,6,7,8,9
    st Y+, r\n
    .endr
    clr r16
    st Y, r16
    subi r28, 64
    sbci r29, 0
    rcall four_steps
    ldi r18, 16 /* counter j ^= x_(j + 4) */
2:  ldd r16, Y+COUNTERS+16
    ldd r17, Y+X_WORDS
    eor r16, r17
    std Y+COUNTERS+16, r16
    ld r16, Y
    ldd r17, Y+X_WORDS+16
    eor r16, r17
    st Y+, r16
    dec r18
    brne 2b
return:
    pop_all_return

four_steps:
    clt
    ldi r24, 4
    ldi r25, 0
    rjmp steps

/* void iv(r25:r24 state, r23:r22 iv, r21:r20 iv_bytes): 8 bytes or none */
    .global runnel_rabbit_avr_iv
runnel_rabbit_avr_iv:
    push_all
    movw r28, r24
    movw r30, r22
    movw r26, r24
    subi r26, -(STATE_BYTES)
    sbci r27, -1
    .irp n, 2,3,4,5,6,7,8,9
    clr r\n
    .endr
    tst r20
    breq 5f
    .irp n, 2,3,4,5,6,7,8,9
    ld r\n, Z+
    .endr
5:  movw r30, r28
    ldi r18, 2
6:  .irp n, 2,3,4,5,4,5,8,9,6,7,8,9,2,3,6,7
    ld r0, X+
    eor r0, r\n
    st Z+, r0
    .endr
    dec r18
    brne 6b
    ldi r18, 11 /* x and the carry */
7:  .rept 3
    ld r0, X+
    st Z+, r0
    .endr
    dec r18
    brne 7b
    tst r20
    breq 8f
    rcall four_steps
8:  rjmp return

/* void xor_blocks(r25:r24 state, r23:r16 index, r15:r14 out, r13:r12 in, r11:r10 nblocks) */
    .global runnel_rabbit_avr_xor_blocks
runnel_rabbit_avr_xor_blocks:
    push_all
    movw r28, r24
    movw r24, r10
    .rept 4
    lsl r24
    rol r25
    .endr
    bring_to_place r15, r14, r13, r12, r24
    movw r30, r14
    movw r24, r10
    set
    rcall steps
    rjmp return

#endif

#if defined(__linux__) && defined(__ELF__) /* empty there, and no reason for a stack that can be executed */
    .section .note.GNU-stack, "", %progbits
#endif
