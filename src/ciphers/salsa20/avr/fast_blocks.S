/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 for 8-bit AVR. Six of the sixteen words are in registers, four of them being mixed; the others are on the
 * stack. A column and a row share one word. From the last three columns to the first row, and from the last column to
 * the first three rows, words stay in registers, five in a round, and so from rows to columns: 22 words are loaded and
 * stored in a double round instead of 32.
 *
 * b (from the third step on) and c or d (in the fourth) are stored before they enter a sum, so that the sum may take
 * their registers. With the columns in the order 0 1 3 2 and the rows in the order 1 0 2 3 only one of the ten words
 * that stay in a double round is a b; with no order none is. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#include "arch/avr/arx.inc"
#include "ciphers/salsa20/places.h"

#define ROUNDS 31    /* still to do */
#define ZERO 30

#include "steps.inc"

/* A quarter-round on the registers a b c d; b and c are stored as words \b_word and \c_word, d stays. */
.macro quarter a, b, c, d, b_word, c_word
    step7 \b, \a, \d
    step9 \c, \a, \b
    store \b, \b_word
    step13 \d, \b, \c
    store \c, \c_word
    step18 \a, \c, \d
.endm

/* The same where c stays: b and d are stored. */
.macro quarter_with_c a, b, c, d, b_word, d_word
    step7 \b, \a, \d
    step9 \c, \a, \b
    store \b, \b_word
    step13 \d, \b, \c
    store \d, \d_word
    step18 \a, \d, \c
.endm

code runnel_salsa20_avr
entry runnel_salsa20_avr_xor_blocks
    arx_enter SALSA20_COUNTER, 8
.Lnext_block:
    arx_push_pointers
    .irp word, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 14
    copy_first \word
    .endr
    first 2, 0
    first 6, 8
    first 10, 12
    first 14, 13
    first 18, 15
    movw r26, r30
    subi r26, -SALSA20_ROUNDS
    sbci r27, -1
    ld ROUNDS, X
    clr ZERO

.Ldouble_round: /* columns; words 0 8 12 13 15 are in 2 6 10 14 18 */
    load 22, 4
    quarter 2, 22, 6, 10, 4, 8
    store 2, 0
    store 10, 12

    load 2, 5
    load 6, 9
    load 10, 1
    quarter 2, 6, 14, 10, 9, 13
    store 10, 1

    load 6, 3
    load 10, 7
    load 14, 11
    quarter_with_c 18, 6, 10, 14, 3, 11
    store 18, 15

    load 14, 10
    load 6, 14
    load 18, 2
    load 22, 6
    step7 6, 14, 22
    step9 18, 14, 6
    store 6, 14
    step13 22, 6, 18
    sum_of 18, 22 /* a, c and d all stay */
    xor_18 14, SUM0, SUM1, SUM2, SUM3

    /* Rows; words 5 7 10 2 6 are in 2 10 14 18 22. */
    load 6, 4
    quarter 2, 22, 10, 6, 6, 7
    store 2, 5
    store 6, 4

    load 2, 0
    load 22, 1
    load 10, 3
    quarter 2, 22, 18, 10, 1, 2
    store 10, 3

    load 22, 11
    load 6, 8
    load 18, 9
    quarter_with_c 14, 22, 6, 18, 11, 9
    store 14, 10

    load 18, 15
    load 10, 12
    load 14, 13
    load 22, 14
    step7 10, 18, 22
    step9 14, 18, 10
    step13 22, 10, 14
    store 22, 14
    sub 10, 14 /* b stays */
    sbc 11, 15
    sbc 12, 16
    sbc 13, 17
    step18 18, 22, 14

    subi ROUNDS, 2
    breq .Lrounds_done
    rjmp .Ldouble_round
.Lrounds_done:
    clr r1
    store 2, 0
    store 6, 8
    store 10, 12
    store 14, 13
    store 18, 15
    arx_finish SALSA20_COUNTER, 8, .Lnext_block
endfunc

#endif
