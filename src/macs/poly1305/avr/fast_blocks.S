/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305 for 8-bit AVR. With X = 2^64, the sum h = h0 + h1 X, the factor r = r0 + r1 X and s = 5/4 r1, which is whole
 * because r is clamped, h r is h0 (r0 + r1 X) + h1 (s + r0 X): what lies above 2^128 is no more than 64 bits.
 *
 * Each of the two products is made column by column in three registers of sum. The half of h stays in registers; of the
 * 16 bytes beside it a window moves along, so that each is loaded once. In a column the products that are small come
 * first, while the sum needs two registers only: clamping leaves every fourth byte of r below 16, of s below 20, and
 * h's byte 16 is below 8.
 *
 * The factor is s, r0 and r1 in memory. */
#include "arch/avr/asm.h"
#include "macs/poly1305/avr/places.h"

#if RUNNEL_AVR_MUL

#define H0 2       /* h, bytes 0 to 7, in the first product */
#define WINDOW_1 10
#define SUM 18     /* the sum of a column: three registers that change places */
#define ZERO 21
#define BYTE 16

/* In the frame, from Y+1 */
#define UPPER 25   /* h's bytes 12 to 16 */
#define END 30     /* of the data */
#define TOP 32
#define FRAME 32

#define H_AT (POLY1305_AVR_H-POLY1305_AVR_FACTOR) /* from the factor on */

/* Registers of h's byte 8 + j, and of byte i of s + r0 X: those that the first product leaves. */
#define h1(j) 22+(j)+16*((j)>3)
#define WINDOW_2(i) 2+(i)%9-5*((i)%9==8)

.macro clear_sum
    .set LOW, SUM
    .set MIDDLE, SUM+1
    .set HIGH, SUM+2
    clr LOW
    clr MIDDLE
.endm

.macro add_product a, b, small
    mul \a, \b
    add LOW, 0
    adc MIDDLE, 1
    .if \small == 0
    adc HIGH, ZERO
    .endif
.endm

/* The products of a column that are small, or the others. */
.macro products_1 column, small
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    .if \column-\j >= 0 && \column-\j <= 15
    .if ((\column-\j)%4 == 3) == -\small
    add_product H0+\j, WINDOW_1+(\column-\j)%8, \small
    .endif
    .endif
    .endr
.endm

.macro products_2 column, small
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7, 8
    .if \column-\j >= 0 && \column-\j <= 15
    .if (((\column-\j)%4 == 3) | (\j == 8)) == -\small
    add_product h1(\j), WINDOW_2(\column-\j), \small
    .endif
    .endif
    .endr
.endm

.macro next_column
    .set FREE, LOW
    .set LOW, MIDDLE
    .set MIDDLE, HIGH
    .set HIGH, FREE
.endm

.macro column_1 column
    .if \column <= 15
    ldd WINDOW_1+\column%8, Z+8+\column
    .endif
    products_1 \column, 1
    clr HIGH
    products_1 \column, 0
    std Y+1+\column, LOW
    next_column
.endm

/* Adds the first product's column; from 2^128 on the result stays in h's registers, which are free by then. */
.macro column_2 column
    .if \column <= 15
    ldd WINDOW_2(\column), Z+\column
    .endif
    products_2 \column, 1
    ldd BYTE, Y+1+\column
    add LOW, BYTE
    adc MIDDLE, ZERO
    clr HIGH
    products_2 \column, 0
    .if \column <= 15
    std Y+1+\column, LOW
    .else
    mov h1(\column-16), LOW
    .endif
    next_column
.endm

/* void absorb(r25:r24 context, r23:r22 data, r21:r20 nblocks, r18 top): nblocks is not 0, top the byte behind each
 * block. */
function runnel_poly1305_avr_absorb
    push_all
    stack_to_y
    sbiw r28, FRAME
    set_stack_to_y
    movw r30, r24
    adiw r30, POLY1305_AVR_FACTOR
    movw r26, r22
    std Y+TOP, r18
    .rept 4 /* 16 bytes a block */
    lsl r20
    rol r21
    .endr
    add r20, r22
    adc r21, r23
    std Y+END, r20
    std Y+END+1, r21
    clr ZERO
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    ldd H0+\n, Z+H_AT+\n
    .endr
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8
    ldd h1(\n), Z+H_AT+8+\n
    .endr

.Lblock: /* h is in registers */
    ld BYTE, X+
    add H0, BYTE
    .irp n, 1, 2, 3, 4, 5, 6, 7
    ld BYTE, X+
    adc H0+\n, BYTE
    .endr
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    ld BYTE, X+
    adc h1(\n), BYTE
    .endr
    ldd BYTE, Y+TOP
    adc h1(8), BYTE
    .irp n, 4, 5, 6, 7, 8
    std Y+UPPER-4+\n, h1(\n)
    .endr

    clear_sum
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22
    column_1 \n
    .endr
    std Y+24, LOW

    .irp n, 4, 5, 6, 7, 8
    ldd h1(\n), Y+UPPER-4+\n
    .endr
    clear_sum
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23
    column_2 \n
    .endr

    /* 2^130 is 5: of what lies above 2^128 two bits stay, and 5/4 of the others are added below. */
    movw H0, 22
    movw H0+2, 24
    movw H0+4, 10
    movw H0+6, 12
    .rept 2
    lsr H0+7
    .irp n, 6, 5, 4, 3, 2, 1, 0
    ror H0+\n
    .endr
    .endr
    mov BYTE, 22
    andi BYTE, 3
    andi 22, 0xfc
    mov 14, BYTE
    add H0, 22
    .irp n, 1, 2, 3, 4, 5, 6, 7
    adc H0+\n, h1(\n)
    .endr
    ldd BYTE, Y+1
    add H0, BYTE
    .irp n, 1, 2, 3, 4, 5, 6, 7
    ldd BYTE, Y+1+\n
    adc H0+\n, BYTE
    .endr
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    ldd h1(\n), Y+9+\n
    adc h1(\n), ZERO
    .endr
    adc h1(8), ZERO

    ldd BYTE, Y+END
    cp r26, BYTE
    ldd BYTE, Y+END+1
    cpc r27, BYTE
    breq .Ldone
    rjmp .Lblock
.Ldone:
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    std Z+H_AT+\n, H0+\n
    .endr
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8
    std Z+H_AT+8+\n, h1(\n)
    .endr
    adiw r28, 1
    .rept 29 /* what is secret in the frame */
    st Y+, ZERO
    .endr
    adiw r28, FRAME-30
    set_stack_to_y
    pop_all_return
endfunc

/* void set_factor(r25:r24 context, r23:r22 r): r is clamped; h becomes 0. */
function runnel_poly1305_avr_set_factor
    movw r30, r24
    adiw r30, POLY1305_AVR_FACTOR
    movw r26, r22
    .irp n, 18, 19, 20, 21, 22, 23, 24, 25
    ld \n, X+
    .endr
    andi r21, 0x0f
    andi r22, 0xfc
    andi r25, 0x0f
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    std Z+8+\n, 18+\n
    .endr
    .irp n, 18, 19, 20, 21, 22, 23, 24, 25
    ld \n, X+
    .endr
    andi r18, 0xfc
    andi r21, 0x0f
    andi r22, 0xfc
    andi r25, 0x0f
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    std Z+16+\n, 18+\n
    .endr
    .rept 2
    lsr r25
    .irp n, 24, 23, 22, 21, 20, 19, 18
    ror \n
    .endr
    .endr
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7 /* without a carry: this half is a multiple of 4 */
    ldd r0, Z+16+\n
    adc 18+\n, r0
    std Z+\n, 18+\n
    .endr
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
    std Z+H_AT+\n, r1
    .endr
    ret
endfunc

/* void finish(r25:r24 context, r23:r22 tag): the tag is (h mod 2^130 - 5) + s, 16 bytes of it. */
function runnel_poly1305_avr_finish
    movw r30, r24
    adiw r30, POLY1305_AVR_H
    ldi r18, 5
    ld r0, Z /* h + 5 reaches 2^130 where h is not less than 2^130 - 5; then 5 is added */
    add r0, r18
    .irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
    ldd r0, Z+\n
    adc r0, r1
    .endr
    mov r19, r0
    lsr r19
    lsr r19
    andi r19, 1
    mul r18, r19
    movw r26, r22
    ld r18, Z
    add r18, r0
    clr r1
    st X+, r18
    .irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ldd r18, Z+\n
    adc r18, r1
    st X+, r18
    .endr
    movw r26, r22
    movw r30, r24
    clc
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ld r0, X
    ldd r18, Z+POLY1305_AVR_S+\n
    adc r0, r18
    st X+, r0
    .endr
    ret
endfunc

#endif
