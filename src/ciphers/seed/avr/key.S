/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key set-up of SEED for 8-bit AVR: the key in r0..r15, byte n in r<n>, the round's constant in r16..r19. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#include "g.inc"

#define CONSTANT 16
#define ROUND r27

code runnel_seed_avr_key

    /* Stores G(r20, r23, r22, r21) at Y, which moves on. */
.Lg:
    page 0
    look_up 20, 20
    look_up 22, 22
    page 1
    look_up 23, 23
    look_up 21, 21
    mix 20, 23, 22, 21
    st Y+, 22
    st Y+, 21
    st Y+, 20
    st Y+, 23
    ret

/* void key(r25:r24 state, r23:r22 key, r21:r20 key_bytes) */
entry runnel_seed_avr_key
    push_all
    movw r28, r24
    movw r26, r22
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ld \n, X+
    .endr
    ldi CONSTANT, 0xb9
    ldi CONSTANT+1, 0x79
    ldi CONSTANT+2, 0x37
    ldi CONSTANT+3, 0x9e
    clr ROUND
.Lround:
    mov 20, 3
    mov 23, 2
    mov 22, 1
    mov 21, 0
    add_words 20, 23, 22, 21, 11, 10, 9, 8
    sub 20, CONSTANT
    sbc 23, CONSTANT+1
    sbc 22, CONSTANT+2
    sbc 21, CONSTANT+3
    rcall .Lg
    mov 20, 7
    mov 23, 6
    mov 22, 5
    mov 21, 4
    sub 20, 15
    sbc 23, 14
    sbc 22, 13
    sbc 21, 12
    add_words 20, 23, 22, 21, CONSTANT, CONSTANT+1, CONSTANT+2, CONSTANT+3
    rcall .Lg
    clr r30
    lsl CONSTANT
    rol CONSTANT+1
    rol CONSTANT+2
    rol CONSTANT+3
    adc CONSTANT, r30
    sbrc ROUND, 0
    rjmp .Lright_half
    mov r30, r7 /* the left half of the key goes one byte to the right … */
    .irp n, 7, 6, 5, 4, 3, 2, 1
    mov \n, \n-1
    .endr
    mov r0, r30
    rjmp .Lround_done
.Lright_half:
    mov r30, r8 /* … and the right half one to the left, alternately */
    .irp n, 8, 9, 10, 11, 12, 13, 14
    mov \n, \n+1
    .endr
    mov r15, r30
.Lround_done:
    inc ROUND
    sbrs ROUND, 4
    rjmp .Lround
    pop_all_return
endfunc

#endif
