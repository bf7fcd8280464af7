/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rabbit for 8-bit AVR; included by the assembly file of each kernel.
 *
 * Everything of one word is done in one go: its sum with the counter, the square, and the new x that this square
 * completes. Of the squares only the last two are needed, and a new x takes the place of the older one, so that they
 * stay in registers; rotations by 8 and 16 are other names for the bytes. Squares 0 and 1 come too early: they wait
 * until squares 6 and 7 are there.
 *
 * The square of u3 u2 u1 u0 takes ten products of bytes: the six mixed ones are summed up, doubled, and the four
 * squares added. The constant for the counters is 4d d3 34 4d d3 34 … in bytes; it is subtracted as its complement,
 * because only subtraction takes constants, and with it the carry is a borrow.
 *
 * Output is XORed into `out`, where the input was put before. */

#define U0 r16
#define U1 r17
#define U2 r18
#define U3 r19
#define ZERO r2
#define BORROW r3   /* out of the last counter: 0xff or 0 */

/* In the state, from Y. The carry, 0 or 1, stands behind x. */
#define COUNTERS 0
#define X_WORDS 32
#define CARRY 64
#define STATE_BYTES 65

/* Byte n of the constant; the assembler's operators do not bind as C's do. */
#define CONSTANT(n) ((0x34d34d >> (8 * ((n) % 3))) & 0xff)

/* U += x_j. */
.macro add_x j
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

/* Output byte n ^= \a and what is in memory at \at, or two bytes in memory. */
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

/* BORROW from the carry of the state at Y, and back. */
.macro take_carry
    clr ZERO
    adiw r28, 32
    ldd r16, Y+CARRY-32
    cpi r16, 1
    sbc BORROW, BORROW
    sbiw r28, 32
.endm

.macro give_carry
    inc BORROW
    adiw r28, 32
    std Y+CARRY-32, BORROW
    sbiw r28, 32
.endm

/* The 16 bytes at Z ^= word i: x_2i, with the high half of x_2i+5 and the low half of x_2i+3. x0 is \b0 to \b3, x1 is
 * r20 to r23, x7 is place 2. Z moves on. */
.macro xor_block b0, b1, b2, b3
    put 0, \b0, X_WORDS+22
    put 1, \b1, X_WORDS+23
    put 2, \b2, X_WORDS+12
    put 3, \b3, X_WORDS+13
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
.endm

/* A key's 16 bytes at Z to the state at Y; Y moves behind x, to the carry. */
.macro load_key
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
.endm

.macro mix_x_into_counters
    ldi r18, 16 /* counter j ^= x_(j + 4) */
9:  ldd r16, Y+COUNTERS+16
    ldd r17, Y+X_WORDS
    eor r16, r17
    std Y+COUNTERS+16, r16
    ld r16, Y
    ldd r17, Y+X_WORDS+16
    eor r16, r17
    st Y+, r16
    dec r18
    brne 9b
.endm

/* The IV at Z, or zeros without one; r20: its bytes. */
.macro take_iv
    .irp n, 2,3,4,5,6,7,8,9
    clr r\n
    .endr
    tst r20
    breq 9f
    .irp n, 2,3,4,5,6,7,8,9
    ld r\n, Z+
    .endr
9:
.endm

/* The counters at X ^= the IV, to Z. */
.macro mix_iv_into_counters
    ldi r18, 2
9:  .irp n, 2,3,4,5,4,5,8,9,6,7,8,9,2,3,6,7
    ld r0, X+
    eor r0, r\n
    st Z+, r0
    .endr
    dec r18
    brne 9b
.endm

/* void xor_blocks(r25:r24 state, r23:r16 index, r15:r14 out, r13:r12 in, r11:r10 nblocks), but for the end */
.macro xor_blocks_begin
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
.endm
