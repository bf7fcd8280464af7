/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED for 8-bit AVR in little flash: one G as a subroutine, one round in a loop. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#include "g.inc"

/* r0..r15: the state, byte n in r<n>; r16..r19 and r20..r23: c and d of F; Y: the round keys. */
#define TURNS r27
#define KERNEL(name) runnel_seed_avr_small_##name

code runnel_seed_avr_small

    /* G(r20, r23, r22, r21), its bytes in r22, r21, r20, r23. */
.Lg:
    page 0
    look_up 20, 20
    look_up 22, 22
    page 1
    look_up 23, 23
    look_up 21, 21
    mix 20, 23, 22, 21
    ret

/* The pair \a to \b, \b to \c. */
.macro pass a, b, c
    movw SUM, \b
    movw \b, \a
    movw \c, SUM
.endm

.Lrounds_but_the_first:
    adiw r28, 8
    ldi TURNS, 16
    rjmp .Lexchange
.Ltwo_first_rounds:
    ldi TURNS, 2
    rjmp .Lnext_round
    /* Encrypts r0..r15, but leaves the halves swapped. */
.Lrounds:
    ldi TURNS, 16
.Lnext_round:
    ld 16, Y+
    ld 19, Y+
    ld 18, Y+
    ld 17, Y+
    xor_words 16, 19, 18, 17, 11, 10, 9, 8
    ld 20, Y+
    ld 23, Y+
    ld 22, Y+
    ld 21, Y+
    xor_words 20, 23, 22, 21, 15, 14, 13, 12
    xor_words 20, 23, 22, 21, 16, 19, 18, 17
    rcall .Lg
    add_words 16, 19, 18, 17, 22, 21, 20, 23
    pass 16, 20, 16 /* swapped, so that G finds c where d was */
    pass 18, 22, 18
    rcall .Lg
    add_words 18, 17, 16, 19, 22, 21, 20, 23
    pass 18, 20, 18
    pass 16, 22, 16
    rcall .Lg
    add_words 16, 19, 18, 17, 22, 21, 20, 23
    xor_words 3, 2, 1, 0, 16, 19, 18, 17
    xor_words 7, 6, 5, 4, 22, 21, 20, 23
.Lexchange:
    .irp n, 0, 2, 4, 6
    pass \n, \n+8, \n
    .endr
    dec TURNS
    breq .Lrounds_done
    rjmp .Lnext_round
.Lrounds_done:
    ret

#include "blocks.inc"

#endif
