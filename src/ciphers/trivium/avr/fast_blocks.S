/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Trivium for 8-bit AVR, a block of eight times eight steps written out: after them every role is back in its register,
 * except for the six of C. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR_MUL

#include "steps.inc"

code runnel_trivium_avr

/* void clock(r25:r24 state, r23:r22 out, r21:r20 in, r19:r18 nblocks): every block takes the place of the one before */
entry runnel_trivium_avr_clock
    set
    rjmp .Lbegin
endfunc

/* void xor(r25:r24 state, r23:r22 out, r21:r20 in, r19:r18 nblocks) */
entry runnel_trivium_avr_xor
    clt
.Lbegin:
    enter
.Lblock:
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    step \i
    .endr
    movw 0, C(0)
    movw C(0), C(2)
    movw C(2), C(4)
    movw C(4), 0
    brtc .Lblock_done
    sbiw r26, 8
    sbiw r30, 8
.Lblock_done:
    sbiw COUNT, 1
    breq .Lleave
    rjmp .Lblock
.Lleave:
    leave
endfunc

#endif
