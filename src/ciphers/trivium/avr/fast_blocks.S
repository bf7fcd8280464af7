/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Trivium for 8-bit AVR, a block of eight times eight steps written out: after them every role is back in its register,
 * but for the six of C. */
#include "arch/asm.h"

#if RUNNEL_AVR

#include "steps.inc"

    .section .text.runnel_trivium_avr, "ax", @progbits
/* void clock(r25:r24 state, r23:r22 out, r21:r20 in, r19:r18 nblocks): every block takes the place of the one before */
    .global runnel_trivium_avr_clock
runnel_trivium_avr_clock:
    set
    rjmp 1f
/* void xor(r25:r24 state, r23:r22 out, r21:r20 in, r19:r18 nblocks) */
    .global runnel_trivium_avr_xor
runnel_trivium_avr_xor:
    clt
1:  enter
block:
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    step \i
    .endr
    movw 0, C(0)
    movw C(0), C(2)
    movw C(2), C(4)
    movw C(4), 0
    brtc 2f
    sbiw r26, 8
    sbiw r30, 8
2:  sbiw COUNT, 1
    breq 3f
    rjmp block
3:  leave

#endif
