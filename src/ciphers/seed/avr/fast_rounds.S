/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED for 8-bit AVR with the whole state and both words of F in registers, two rounds in a loop. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#include "g.inc"

/* r0..r15: the state, byte n in r<n>; r16..r19 and r20..r23: c and d of F; Y: the round keys. */
#define TURNS r27
#define KERNEL(name) runnel_seed_avr_##name

code runnel_seed_avr

/* G of c0..c3, its bytes in c2, c3, c0, c1. The page is that of \first before and of the other S-box after. */
.macro g_from_0 c0, c1, c2, c3
    look_up \c0, \c0
    look_up \c2, \c2
    page 1
    look_up \c1, \c1
    look_up \c3, \c3
    mix \c0, \c1, \c2, \c3
.endm

.macro g_from_1 c0, c1, c2, c3
    look_up \c1, \c1
    look_up \c3, \c3
    page 0
    look_up \c0, \c0
    look_up \c2, \c2
    mix \c0, \c1, \c2, \c3
.endm

/* \to = the S-box of byte \n of c ^ d, \right being that of the block, \c that of c. */
.macro keyed to, n, key, right, c
    ldd r30, Y+\key+4+\n
    eor r30, \right
    eor r30, \c
    lpm \to, Z
.endm

/* left ^= F(right), halves in r<left>.. and r<right>..; \first is the page at the start, \second that at the end. */
.macro round left, right, key, first, second
    ldd 16, Y+\key
    ldd 19, Y+\key+1
    ldd 18, Y+\key+2
    ldd 17, Y+\key+3
    xor_words 16, 19, 18, 17, \right+3, \right+2, \right+1, \right
    .if \first == 0
    keyed 20, 0, \key, \right+7, 16
    keyed 22, 2, \key, \right+5, 18
    page 1
    keyed 23, 1, \key, \right+6, 19
    keyed 21, 3, \key, \right+4, 17
    .else
    keyed 23, 1, \key, \right+6, 19
    keyed 21, 3, \key, \right+4, 17
    page 0
    keyed 20, 0, \key, \right+7, 16
    keyed 22, 2, \key, \right+5, 18
    .endif
    mix 20, 23, 22, 21
    add_words 16, 19, 18, 17, 22, 21, 20, 23
    g_from_\second 16, 19, 18, 17
    add_words 22, 21, 20, 23, 18, 17, 16, 19
    g_from_\first 22, 21, 20, 23
    add_words 18, 17, 16, 19, 20, 23, 22, 21
    xor_words \left+3, \left+2, \left+1, \left, 18, 17, 16, 19
    xor_words \left+7, \left+6, \left+5, \left+4, 20, 23, 22, 21
.endm

.Lrounds_but_the_first:
    ldi TURNS, 8
    page 1
    rjmp .Lsecond_round
.Ltwo_first_rounds:
    ldi TURNS, 1
    rjmp .Lbegin
    /* Encrypts r0..r15, but leaves the halves swapped. */
.Lrounds:
    ldi TURNS, 8
.Lbegin:
    page 0
.Ltwo_rounds:
    round 0, 8, 0, 0, 1
.Lsecond_round:
    round 8, 0, 8, 1, 0
    adiw r28, 16
    dec TURNS
    breq .Lrounds_done
    rjmp .Ltwo_rounds
.Lrounds_done:
    ret

#include "blocks.inc"

#endif
