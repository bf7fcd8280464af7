/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 for 8-bit AVR. Six of the sixteen words are in registers, four of them being mixed; the others are on the
 * stack. A column and a diagonal share one word. The columns in the order 3 0 2 1 and the diagonals in the order
 * 0 1 3 2 let five words stay in registers from one round to the next: 22 words are loaded and stored in a double round
 * instead of 32. Only one of the five is a word b, and none a d.
 *
 * d is rotated by whole bytes, which is a choice of registers when it is stored. b is rotated by 12, which is 8 and 4,
 * where the 4 is a multiplication by 16 of each byte, into a pair of registers and the first half of its own; its second
 * half is the next pair. The rotation by 7 is one to the right and again a choice of registers. */
#if defined(__AVR__)

#include "../../core/arx_avr.h"

#define ROUNDS 31  /* still to do */
#define SIXTEEN 30
#define COUNTER 48 /* in the state: word 12 */

/* A quarter-round on the words in the registers a c d and in b0 b1 b2 b3, with the pair t. Leaves b in
 * b1 t t+1 b0 and d in d+1 d+2 d+3 d; b2 and b3 are free. */
.macro quarter a, b0, b1, b2, b3, c, d, t
    add \a, \b0
    adc \a+1, \b1
    adc \a+2, \b2
    adc \a+3, \b3
    xor_words \d, \a
    add \c, \d+2 /* d <<< 16 */
    adc \c+1, \d+3
    adc \c+2, \d
    adc \c+3, \d+1
    eor \b0, \c
    eor \b1, \c+1
    eor \b2, \c+2
    eor \b3, \c+3
    mul \b3, SIXTEEN /* b <<< 12: t t+1 b0 b1 */
    movw \t, 0
    mul \b0, SIXTEEN
    or \t+1, 0
    mov \b0, 1
    mul \b1, SIXTEEN
    or \b0, 0
    mov \b1, 1
    mul \b2, SIXTEEN
    or \b1, 0
    or \t, 1
    add \a, \t
    adc \a+1, \t+1
    adc \a+2, \b0
    adc \a+3, \b1
    eor \d+2, \a
    eor \d+3, \a+1
    eor \d, \a+2
    eor \d+1, \a+3
    add \c, \d+1 /* d <<< 8 */
    adc \c+1, \d+2
    adc \c+2, \d+3
    adc \c+3, \d
    eor \t, \c
    eor \t+1, \c+1
    eor \b0, \c+2
    eor \b1, \c+3
    bst \t, 0 /* b <<< 7 */
    lsr \b1
    ror \b0
    ror \t+1
    ror \t
    bld \b1, 7
.endm

.macro store_d from, word
    store_bytes \word, \from+1, \from+2, \from+3, \from
.endm

/* The same on words b in one run of registers; b and d are stored. */
.macro quarter_stored a, b, c, d, b_word, d_word
    quarter \a, \b, \b+1, \b+2, \b+3, \c, \d, 26
    store_bytes \b_word, \b+1, 26, 27, \b
    store_d \d, \d_word
.endm

    .section .text.runnel_chacha20_avr, "ax", @progbits
    .global runnel_chacha20_avr_xor_blocks
runnel_chacha20_avr_xor_blocks:
    arx_enter COUNTER, 4
next_block:
    arx_push_pointers
    .irp word, 0, 1, 4, 5, 6, 9, 10, 12, 13, 14, 15
    copy_first \word
    .endr
    first 2, 3
    first 6, 11
    first 10, 8
    first 14, 2
    ldd 19, Z+4*7
    ldd 26, Z+4*7+1
    ldd 27, Z+4*7+2
    ldd 18, Z+4*7+3
    ldi SIXTEEN, 16
    ldi ROUNDS, 10

double_round: /* columns; words 3 11 8 2 are in 2 6 10 14, word 7 in 19 26 27 18 */
    load 22, 15
    quarter 2, 19, 26, 27, 18, 6, 22, 20
    store 2, 3
    store_bytes 7, 26, 20, 21, 19
    store 6, 11
    store_d 22, 15

    load 2, 0
    load 18, 4
    load 22, 12
    quarter_stored 2, 18, 10, 22, 4, 12
    store 10, 8

    load 18, 6
    load 6, 10
    load 22, 14
    quarter_stored 14, 18, 6, 22, 6, 14
    store 14, 2

    load 10, 1
    load 18, 5
    load 14, 9
    load 22, 13
    quarter 10, 18, 19, 20, 21, 14, 22, 26
    store_d 22, 13

    /* Diagonals; words 0 10 1 9 are in 2 6 10 14, word 5 in 19 26 27 18. */
    load 22, 15
    quarter 2, 19, 26, 27, 18, 6, 22, 20
    store 2, 0
    store_bytes 5, 26, 20, 21, 19
    store 6, 10
    store_d 22, 15

    load 18, 6
    load 6, 11
    load 22, 12
    quarter_stored 10, 18, 6, 22, 6, 12
    store 10, 1

    load 2, 3
    load 18, 4
    load 22, 14
    quarter_stored 2, 18, 14, 22, 4, 14
    store 14, 9

    load 14, 2
    load 18, 7
    load 10, 8
    load 22, 13
    quarter 14, 18, 19, 20, 21, 10, 22, 26
    store_d 22, 13

    dec ROUNDS
    breq 1f
    rjmp double_round
1:  clr r1
    store 2, 3
    store 6, 11
    store 10, 8
    store 14, 2
    store_bytes 7, 19, 26, 27, 18
    arx_finish COUNTER, 4, next_block

#endif

#if defined(__linux__) && defined(__ELF__) /* empty there, and no reason for a stack that can be executed */
    .section .note.GNU-stack, "", %progbits
#endif
