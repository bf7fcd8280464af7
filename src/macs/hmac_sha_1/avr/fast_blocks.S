/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SHA-1's compression for 8-bit AVR: the five words of the state and a scratch word in registers, one round of each kind
 * in a loop. The schedule grows by 20 words, and then the last 16 are moved to its beginning. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#include "arch/avr/words.inc"

#define A 2
#define B 6
#define C 10
#define D 14
#define E 18
#define SCRATCH 22

/* From Y: */
#define STATE 1
#define COUNT 3
#define WORDS 4
#define FRAME (3+4*36)

.macro copy to, from
    movw \to, \from
    movw \to+2, \from+2
.endm

/* The next word at X, one of the message. */
.macro message_word
    .irp j, 0, 1, 2, 3
    ld SCRATCH+\j, X+
    .endr
.endm

/* One made of those 3, 8, 14 and 16 places before; Z is at the last of these. */
.macro new_word
    .irp j, 0, 1, 2, 3
    ldd SCRATCH+\j, Z+\j
    .irp at, 8, 32, 52
    ldd r0, Z+\at+\j
    eor SCRATCH+\j, r0
    .endr
    .endr
    lsl SCRATCH
    rol SCRATCH+1
    rol SCRATCH+2
    rol SCRATCH+3
    adc SCRATCH, r1
    .irp j, 0, 1, 2, 3
    st X+, SCRATCH+\j
    .endr
    adiw r30, 4
.endm

/* Byte j of each function of B, C and D, to r0. */
.macro choose j
    mov r0, C+\j
    eor r0, D+\j
    and r0, B+\j
    eor r0, D+\j
.endm

.macro parity j
    mov r0, B+\j
    eor r0, C+\j
    eor r0, D+\j
.endm

.macro majority j
    mov r0, B+\j
    eor r0, D+\j
    mov SCRATCH, C+\j
    eor SCRATCH, D+\j
    and r0, SCRATCH
    eor r0, D+\j
.endm

.macro rounds count, word, function, constant
    ldi SCRATCH, \count
.Lround\@:
    std Y+COUNT, SCRATCH
    \word
    subi SCRATCH, lo8(-(\constant))
    sbci SCRATCH+1, hi8(-(\constant))
    sbci SCRATCH+2, hlo8(-(\constant))
    sbci SCRATCH+3, hhi8(-(\constant))
    .irp j, 0, 1, 2, 3
    add_byte \j, E+\j, SCRATCH+\j
    .endr
    .irp j, 0, 1, 2, 3
    \function \j
    add_byte \j, E+\j, r0
    .endr
    copy SCRATCH, A
    right SCRATCH, SCRATCH+1, SCRATCH+2, SCRATCH+3, 3
    .irp j, 0, 1, 2, 3 /* <<< 5: to the right by 3 and then one byte to the left */
    add_byte \j, E+\j, SCRATCH+(\j+3)%4
    .endr
    right B, B+1, B+2, B+3, 2
    copy SCRATCH, E
    copy E, D
    copy D, C
    copy C, B
    copy B, A
    copy A, SCRATCH
    ldd SCRATCH, Y+COUNT
    dec SCRATCH
    breq .Lrounds_done\@
    rjmp .Lround\@
.Lrounds_done\@:
.endm

/* void compress(r25:r24 state, r23:r22 block). */
function runnel_hmac_sha_1_avr_compress
    push_all
    stack_to_y
    subi r28, FRAME
    sbci r29, 0
    set_stack_to_y
    std Y+STATE, r24
    std Y+STATE+1, r25
    movw r26, r22
    movw r30, r28
    adiw r30, WORDS
    read_16_big_endian
    movw r30, r24
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19
    ldd A+\n, Z+\n
    .endr
    movw r26, r28
    adiw r26, WORDS
    rounds 16, message_word, choose, 0x5a827999
    movw r30, r28
    adiw r30, WORDS
    rounds 4, new_word, choose, 0x5a827999
    rcall .Lmove_words
    rounds 20, new_word, parity, 0x6ed9eba1
    rcall .Lmove_words
    rounds 20, new_word, majority, 0x8f1bbcdc
    rcall .Lmove_words
    rounds 20, new_word, parity, 0xca62c1d6
    ldd r30, Y+STATE
    ldd r31, Y+STATE+1
    .irp word, A, B, C, D, E
    .irp j, 0, 1, 2, 3
    ldd r0, Z+\word-A+\j
    add_byte \j, \word+\j, r0
    std Z+\word-A+\j, \word+\j
    .endr
    .endr
    adiw r28, 1
    ldi r18, FRAME/7
.Lwipe:
    .rept 7
    st Y+, r1
    .endr
    dec r18
    brne .Lwipe
    sbiw r28, 1
    set_stack_to_y
    pop_all
    ret

/* Moves the 16 words at Z to the beginning; then Z is there and X behind them. */
.Lmove_words:
    movw r26, r28
    adiw r26, WORDS
    ldi SCRATCH, 8
.Lmove:
    .rept 8
    ld r0, Z+
    st X+, r0
    .endr
    dec SCRATCH
    brne .Lmove
    movw r30, r28
    adiw r30, WORDS
    ret
endfunc

#endif
