/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Trivium for 8-bit AVR in little flash: eight steps in a loop, after which the registers move to their next roles. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR_MUL

#include "steps.inc"

.macro rotate a, b, c, d
    mov 0, \a
    mov \a, \b
    mov \b, \c
    mov \c, \d
    mov \d, 0
.endm

code runnel_trivium_avr_small

/* void clock(r25:r24 state, r23:r22 out, r21:r20 in, r19:r18 nblocks): every block takes the place of the one before */
entry runnel_trivium_avr_small_clock
    set
    rjmp .Lbegin
endfunc

/* void xor(r25:r24 state, r23:r22 out, r21:r20 in, r19:r18 nblocks) */
entry runnel_trivium_avr_small_xor
    clt
.Lbegin:
    enter
    .rept 3 /* blocks are eight bytes */
    lsl COUNT
    rol COUNT+1
    .endr
.Lnext:
    step 0
    rotate A(0), A(1), A(2), A(3)
    rotate B(0), B(1), B(2), B(3)
    mov 0, C(0)
    .irp n, 0, 1, 2, 3, 4
    mov C(\n), C(\n+1)
    .endr
    mov C(5), 0
    mov A66(0), A66(1)
    mov C66(0), C66(1)
    adiw r28, 1
    sbiw COUNT, 1
    mov BYTE, COUNT
    andi BYTE, 7
    breq .Lring_end
    rjmp .Lnext
.Lring_end:
    sbiw r28, 8 /* the end of the rings */
    brtc .Lblock_done
    sbiw r26, 8
    sbiw r30, 8
.Lblock_done:
    sbiw COUNT, 0
    breq .Lleave
    rjmp .Lnext
.Lleave:
    leave
endfunc

#endif
