/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SHA-256's compression for 8-bit AVR. The last four values of a, and of e, have places in memory, where each round
 * overwrites the oldest, so that nothing is moved: four rounds are a turn. In registers are a, e, f, b ^ c (which is the
 * a ^ b of the round before), a sum and a scratch word. Rotations share their steps of one bit, and whole bytes are
 * another place of a word's lowest byte.
 *
 * The words of 16 rounds are made in one go between them, when all registers are free, in place. Copies of the last two
 * before the first, and of the first behind the last, spare the wrap-around. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#include "arch/avr/words.inc"

/* From Y, which is 64 bytes into the frame: */
#define A_PLACES 13
#define E_PLACES 29
#define STATE 45
#define FRAME 110
#define WORDS_BELOW 55 /* word 0 is so far below Y */

#define XORED 10   /* b ^ c */
#define SCRATCH 22 /* from the start of its use its lowest byte is at P */

/* Byte j of a word whose lowest byte is at place `at` of four registers. */
#define byte(word, at, j) (word)+((j)+(at))%4

.macro right_at word, at, bits
    right byte(\word,\at,0), byte(\word,\at,1), byte(\word,\at,2), byte(\word,\at,3), \bits
.endm

/* Round t: a and e in registers, f in the registers that e will be in; the sum becomes a. The lowest byte of a and of
 * the sum is at place 1. */
.macro round t, a, sum, e, f
    /* sum = e >>> 6 ^ e >>> 11 ^ e >>> 25, as e <<< 2 ^ (e >>> 2 ^ e >>> 16) >>> 1 with bytes in other places */
    movw \sum, \e
    movw \sum+2, \e+2
    right_at \sum, 0, 2
    .irp j, 0, 1, 2, 3
    eor \sum+\j, byte(\e,2,\j)
    .endr
    right_at \sum, 0, 1
    movw SCRATCH, \e
    movw SCRATCH+2, \e+2
    clr r1
    left SCRATCH, SCRATCH+1, SCRATCH+2, SCRATCH+3, 2
    .irp j, 0, 1, 2, 3
    eor \sum+\j, SCRATCH+\j
    .endr

    .irp j, 0, 1, 2, 3 /* + h */
    ldd r0, Y+E_PLACES+4*(\t%4)+\j
    add_byte \j, byte(\sum,1,\j), r0
    .endr
    .irp j, 0, 1, 2, 3
    lpm r0, Z+
    add_byte \j, byte(\sum,1,\j), r0
    .endr
    .irp j, 0, 1, 2, 3
    ld r0, X+
    add_byte \j, byte(\sum,1,\j), r0
    .endr
    .irp j, 0, 1, 2, 3 /* + (e & (f ^ g) ^ g) */
    ldd r1, Y+E_PLACES+4*((\t+1)%4)+\j
    mov r0, \f+\j
    eor r0, r1
    and r0, \e+\j
    eor r0, r1
    add_byte \j, byte(\sum,1,\j), r0
    .endr
    .irp j, 0, 1, 2, 3 /* d + sum is the next e */
    ldd \f+\j, Y+A_PLACES+4*(\t%4)+\j
    add_byte \j, \f+\j, byte(\sum,1,\j)
    std Y+E_PLACES+4*(\t%4)+\j, \f+\j
    .endr

    /* + (a >>> 2 ^ a >>> 13 ^ a >>> 22), as (((a >>> 9 ^ a) >>> 11) ^ a) >>> 2 */
    movw SCRATCH, \a
    movw SCRATCH+2, \a+2
    right_at SCRATCH, 1, 1
    .irp j, 0, 1, 2, 3
    eor byte(SCRATCH,2,\j), byte(\a,1,\j)
    .endr
    right_at SCRATCH, 2, 3
    .irp j, 0, 1, 2, 3
    eor byte(SCRATCH,3,\j), byte(\a,1,\j)
    .endr
    right_at SCRATCH, 3, 2
    .irp j, 0, 1, 2, 3
    add_byte \j, byte(\sum,1,\j), byte(SCRATCH,3,\j)
    .endr

    .irp j, 0, 1, 2, 3 /* + ((a ^ b) & (b ^ c) ^ b), the majority */
    ldd r0, Y+A_PLACES+4*((\t+2)%4)+\j
    mov r1, byte(\a,1,\j)
    eor r1, r0
    and XORED+\j, r1
    eor XORED+\j, r0
    add_byte \j, byte(\sum,1,\j), XORED+\j
    std Y+A_PLACES+4*(\t%4)+\j, byte(\sum,1,\j)
    mov XORED+\j, r1
    .endr
.endm

/* Word i += its function of the words 1, 9 and 14 behind it, in place; at these distances from Z. Registers: 2 to 5 hold
 * the word, and the next one at the end; 6 the next one, 10 the result of shifts, 14 scratch, 18 word 14. */
.macro next_word at, at_1, at_9, at_14
    .irp j, 0, 1, 2, 3
    ldd r0, Z+\at_9+\j
    add_byte \j, 2+\j, r0
    .endr
    .irp j, 0, 1, 2, 3
    ldd 18+\j, Z+\at_14+\j
    .endr
    .irp j, 0, 1, 2, 3
    ldd 6+\j, Z+\at_1+\j
    .endr

    /* x >>> 17 ^ x >>> 19 ^ x >> 10: the first two as (x >>> 2 ^ x) >>> 17, the third shares the shift by 2 */
    movw 10, 18
    movw 12, 20
    right 10, 11, 12, 13, 2
    movw 16, 12
    andi r17, 0x3f
    mov r15, r11
    .irp j, 0, 1, 2, 3
    eor 10+\j, 18+\j
    .endr
    right 10, 11, 12, 13, 1
    eor r12, r15
    eor r13, r16
    eor r10, r17
    .irp j, 0, 1, 2, 3
    add_byte \j, 2+\j, byte(10,2,\j)
    .endr

    /* x >>> 7 ^ x >>> 18 ^ x >> 3: the last two as (x >>> 16 ^ x >> 1) shifted by 2, with what enters of the first alone */
    movw 10, 6
    movw 12, 8
    lsr r13
    ror r12
    ror r11
    ror r10
    .irp j, 0, 1, 2, 3
    eor 10+\j, byte(6,2,\j)
    .endr
    mov r0, r8
    .rept 2
    lsr r0
    ror r13
    ror r12
    ror r11
    ror r10
    .endr
    movw 14, 6
    movw 16, 8
    left 14, 15, 16, 17, 1
    .irp j, 0, 1, 2, 3
    eor 10+\j, byte(14,1,\j)
    .endr
    .irp j, 0, 1, 2, 3
    add_byte \j, 2+\j, 10+\j
    std Z+\at+\j, 2+\j
    .endr
    movw 2, 6
    movw 4, 8
    adiw r30, 4
.endm

.macro address_of_words pair
    movw \pair, r28
    sbiw \pair, WORDS_BELOW
.endm

#define ROW(...) .long __VA_ARGS__
flash_tables runnel_hmac_sha_256_avr, 64
.Lconstants:
#include "macs/hmac_sha_256/sha_256_constants.inc"
.Lconstants_end:

/* void compress(r25:r24 state, r23:r22 block). */
function runnel_hmac_sha_256_avr_compress
    push_all
    stack_to_y
    subi r28, FRAME
    sbci r29, 0
    set_stack_to_y
    subi r28, -64
    sbci r29, -1
    std Y+STATE, r24
    std Y+STATE+1, r25
    movw r30, r24
    .irp word, 0, 1, 2, 3
    .irp j, 0, 1, 2, 3
    ldd r0, Z+4*\word+\j
    std Y+A_PLACES+12-4*\word+\j, r0
    ldd r0, Z+16+4*\word+\j
    std Y+E_PLACES+12-4*\word+\j, r0
    .endr
    .endr
    movw r26, r22
    address_of_words r30
    read_16_big_endian
    ldi r30, lo8(.Lconstants)
    ldi r31, hi8(.Lconstants)

.Lsixteen_rounds:
    address_of_words r26
    .irp j, 0, 1, 2, 3
    ldd byte(2,1,\j), Y+A_PLACES+12+\j /* a */
    ldd 14+\j, Y+E_PLACES+12+\j        /* e */
    ldd 18+\j, Y+E_PLACES+8+\j         /* f */
    ldd XORED+\j, Y+A_PLACES+8+\j
    ldd r0, Y+A_PLACES+4+\j
    eor XORED+\j, r0
    .endr
.Lfour_rounds:
    round 0, 2, 6, 14, 18
    round 1, 6, 2, 18, 14
    round 2, 2, 6, 14, 18
    round 3, 6, 2, 18, 14
    mov SCRATCH, r30
    andi SCRATCH, 63
    breq .Lsixteen_done
    rjmp .Lfour_rounds
.Lsixteen_done:
    cpi r30, lo8(.Lconstants_end)
    brne .Lnext_words
    rjmp .Ldone

.Lnext_words:
    clr r1
    movw r24, r30
    address_of_words r30
    sbiw r30, 8
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    ldd r0, Y+56-WORDS_BELOW+\j /* words 14 and 15 */
    std Z+\j, r0
    .endr
    .irp j, 0, 1, 2, 3
    ldd 2+\j, Z+8+\j
    .endr
    ldi r23, 7
.Lwords_0_to_6:
    next_word 8, 12, 44, 0
    dec r23
    breq .Lseven_done
    rjmp .Lwords_0_to_6
.Lseven_done:
    sbiw r30, 20
    .irp j, 0, 1, 2, 3 /* word 0 */
    ldd r0, Z+\j
    std Y+64-WORDS_BELOW+\j, r0
    .endr
    ldi r23, 9
.Lwords_7_to_15:
    next_word 28, 32, 0, 20
    dec r23
    breq .Lwords_done
    rjmp .Lwords_7_to_15
.Lwords_done:
    movw r30, r24
    rjmp .Lsixteen_rounds

.Ldone:
    ldd r30, Y+STATE
    ldd r31, Y+STATE+1
    .irp word, 0, 1, 2, 3
    .irp place, A_PLACES, E_PLACES
    .irp j, 0, 1, 2, 3
    ldd r18, Z+4*\word+\j+\place-A_PLACES
    ldd r0, Y+\place+12-4*\word+\j
    add_byte \j, r18, r0
    std Z+4*\word+\j+\place-A_PLACES, r18
    .endr
    .endr
    .endr
    subi r28, 63
    sbci r29, 0
    clr r1
    ldi r18, FRAME/10
.Lwipe:
    .rept 10
    st Y+, r1
    .endr
    dec r18
    brne .Lwipe
    sbiw r28, 1
    set_stack_to_y
    pop_all
    ret
endfunc

#endif
