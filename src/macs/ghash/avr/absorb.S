/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GHASH for 8-bit AVR: a block is nine products of 32 bits (Karatsuba twice), each bit after bit of all four bytes of one
 * factor, as masks for the other, which is in registers as the product is. The key is kept times x, so that the product,
 * whose bits are mirrored, comes out in its place; the reduction's shifts are products with powers of two.
 *
 * No branch or address depends on a secret. The frame has products and sums of factors and is wiped. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR_MUL

/* runnel_ghash_state: the key and the sum, the last byte of a block first. */
#define KEY 0
#define SUM 16

#define STATE r24 /* r25:r24 */
#define DATA r22  /* r23:r22 */
#define BLOCKS r20
#define BLOCKS_HIGH r21

/* r2..r9: the product, r10..r13 and r14..r17: the factors */
#define MASK r18
#define TERM r19

/* The frame at Y: the product of the lower halves, of the upper ones, of their sums; the sums. */
#define UPPER 16
#define MIDDLE 32
#define SUM_OF_HALVES 48
#define KEY_OF_HALVES 56
#define FRAME 64

code runnel_ghash_avr_absorb

/* ---- Products ---- */

.macro masked_term n, from
    mov TERM, \from
    and TERM, MASK
    eor \n, TERM
.endm

.macro byte_of_factor from, p0, p1, p2, p3
    lsl \from
    sbc MASK, MASK
    masked_term \p0, r14
    masked_term \p1, r15
    masked_term \p2, r16
    masked_term \p3, r17
.endm

.macro bit_of_each_byte
    byte_of_factor r10, r2, r3, r4, r5
    byte_of_factor r11, r3, r4, r5, r6
    byte_of_factor r12, r4, r5, r6, r7
    byte_of_factor r13, r5, r6, r7, r8
.endm

    /* r2..r9 = r10..r13 times r14..r17; r10..r13 are lost. */
.Lproduct32:
    .irp n, r2, r3, r4, r5, r6, r7, r8, r9
    clr \n
    .endr
    bit_of_each_byte
    .rept 7
    lsl r2
    .irp n, r3, r4, r5, r6, r7, r8, r9
    rol \n
    .endr
    bit_of_each_byte
    .endr
    ret

.macro load_factors at
    .irp n, r10, r11, r12, r13
    ld \n, X+
    .endr
    ldd r14, Z+\at
    ldd r15, Z+\at+1
    ldd r16, Z+\at+2
    ldd r17, Z+\at+3
.endm

.macro store_product at
    std Y+\at, r2
    std Y+\at+1, r3
    std Y+\at+2, r4
    std Y+\at+3, r5
    std Y+\at+4, r6
    std Y+\at+5, r7
    std Y+\at+6, r8
    std Y+\at+7, r9
.endm

/* The product of the sums, in \low and \high, less the two others, goes between them. */
.macro add_middle n, low, high
    ldd r10, Y+\n
    ldd r11, Y+4+\n
    ldd r12, Y+8+\n
    ldd r13, Y+12+\n
    eor \low, r10
    eor \low, r12
    eor \high, r11
    eor \high, r13
    eor r11, \low
    eor r12, \high
    std Y+4+\n, r11
    std Y+8+\n, r12
.endm

.macro add_key_byte at, to
    ldd r0, Z+\at
    eor \to, r0
.endm

    /* 16 bytes at Y = 8 bytes at X times 8 at Z; X moves. */
.Lproduct64:
    load_factors 0
    rcall .Lproduct32
    store_product 0
    load_factors 4
    rcall .Lproduct32
    store_product 8
    sbiw r26, 8
    load_factors 0
    .irp n, r10, r11, r12, r13
    ld r0, X+
    eor \n, r0
    .endr
    add_key_byte 4, r14
    add_key_byte 5, r15
    add_key_byte 6, r16
    add_key_byte 7, r17
    rcall .Lproduct32
    add_middle 0, r2, r6
    add_middle 1, r3, r7
    add_middle 2, r4, r8
    add_middle 3, r5, r9
    ret

/* ---- Blocks ---- */

.macro add_byte n
    ld r0, X+
    ldd r1, Z+SUM+\n
    eor r1, r0
    std Z+SUM+\n, r1
.endm

.macro add_halves n
    ldd r0, Z+SUM+\n
    ldd r1, Z+SUM+8+\n
    eor r0, r1
    std Y+SUM_OF_HALVES+\n, r0
    ldd r0, Z+KEY+\n
    ldd r1, Z+KEY+8+\n
    eor r0, r1
    std Y+KEY_OF_HALVES+\n, r0
.endm

.macro add_middle_half n
    ldd r2, Y+\n
    ldd r3, Y+8+\n
    ldd r4, Y+UPPER+\n
    ldd r5, Y+UPPER+8+\n
    ldd r0, Y+MIDDLE+\n
    ldd r1, Y+MIDDLE+8+\n
    eor r0, r2
    eor r0, r4
    eor r1, r3
    eor r1, r5
    eor r3, r0
    eor r4, r1
    std Y+8+\n, r3
    std Y+UPPER+\n, r4
.endm

/* x^128 is x^7 + x^2 + x + 1: what byte \n of the product, r2, adds to the bytes 15 and 16 places on, \low and \high. */
.macro reduce_byte n, low, high
    ldd r2, Y+\n
    ldd \high, Y+UPPER+\n
    eor \high, r2
    .irp power, r14, r15, r16
    mul r2, \power
    eor \low, r0
    eor \high, r1
    .endr
.endm

.macro reduce_two n
    reduce_byte \n, r4, r3
    std Z+SUM+\n-1, r4
    reduce_byte \n+1, r3, r4
    std Z+SUM+\n, r3
.endm

/* void absorb(r25:r24 state, r23:r22 data, r21:r20 nblocks) */
entry runnel_ghash_avr_absorb
    push_all
    stack_to_y
    subi r28, FRAME
    sbci r29, 0
    set_stack_to_y
    adiw r28, 1
.Lblock:
    movw r26, DATA
    movw r30, STATE
    .irp n, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
    add_byte \n
    .endr
    movw DATA, r26
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    add_halves \n
    .endr
    movw r26, STATE
    adiw r26, SUM
    rcall .Lproduct64
    adiw r30, 8
    adiw r28, UPPER
    rcall .Lproduct64
    adiw r28, MIDDLE-UPPER
    movw r26, r28
    adiw r26, SUM_OF_HALVES-MIDDLE
    movw r30, r28
    adiw r30, KEY_OF_HALVES-MIDDLE
    rcall .Lproduct64
    sbiw r28, MIDDLE
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    add_middle_half \n
    .endr
    ldi r17, 128
    mov r14, r17
    ldi r17, 64
    mov r15, r17
    ldi r16, 2
    movw r30, STATE
    ldd r3, Y+15
    reduce_byte 0, r3, r4
    std Y+15, r3
    .irp n, 1, 3, 5, 7, 9, 11, 13
    reduce_two \n
    .endr
    reduce_byte 15, r4, r3
    std Z+SUM+14, r4
    std Z+SUM+15, r3
    subi BLOCKS, 1
    sbci BLOCKS_HIGH, 0
    breq .Ldone
    rjmp .Lblock
.Ldone:
    clr r1
    ldi r18, FRAME
    movw r26, r28
.Lwipe:
    st X+, r1
    dec r18
    brne .Lwipe
    adiw r28, FRAME-1
    set_stack_to_y
    pop_all_return
endfunc

#endif
