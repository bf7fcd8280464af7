/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 for 8-bit AVR. Six of the sixteen words are in registers, four of them being mixed; the others are on the
 * stack. A column and a diagonal share one word. The columns in the order 3 0 2 1 and the diagonals in the order 0 1 3
 * 2 let five words stay in registers from one round to the next: 22 words are loaded and stored in a double round
 * instead of 32. Only one of the five is a word b, and none a d. Where b stays, the free half of its registers is the
 * next quarter-round's pair. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#include "arch/avr/arx.inc"

#define ROUNDS 31  /* still to do */
#define FACTOR 30
#define COUNTER 48 /* in the state: word 12 */

#include "quarter.inc"

.macro store_d from, word
    store_bytes \word, \from+1, \from+2, \from+3, \from
.endm

/* A quarter-round on words b in one run of registers; b and d are stored. */
.macro quarter_stored a, b, c, d, b_word, d_word
    quarter \a, \b, \b+1, \b+2, \b+3, \c, \d, 26
    store_bytes \b_word, \b+1, 26, 27, \b
    store_d \d, \d_word
.endm

code runnel_chacha20_avr
entry runnel_chacha20_avr_xor_blocks
    arx_enter COUNTER, 4
.Lnext_block:
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
    load_factor
    ldi ROUNDS, 10

.Ldouble_round: /* columns; words 3 11 8 2 are in 2 6 10 14, word 7 in 19 26 27 18 */
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
    breq .Lrounds_done
    rjmp .Ldouble_round
.Lrounds_done:
    clr r1
    store 2, 3
    store 6, 11
    store 10, 8
    store 14, 2
    store_bytes 7, 19, 26, 27, 18
    arx_finish COUNTER, 4, .Lnext_block
endfunc

#endif
