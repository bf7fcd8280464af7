/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CCM on 8-bit AVR: a block of text through keystream and chain in one pass. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#define KEYSTREAM 16 /* behind the chain */
#define TAKEN r0
#define MADE r1
#define CHAIN r19

/* Adds \plain, which is one of the other two, to the chain. */
.macro pass plain
.Lbyte\@:
    ld TAKEN, X+
    ldd MADE, Y+KEYSTREAM
    ld CHAIN, Y
    eor MADE, TAKEN
    st Z+, MADE
    eor CHAIN, \plain
    st Y+, CHAIN
    dec r18
    brne .Lbyte\@
.endm

code runnel_ccm_avr

/* void encrypt(r25:r24 chain and keystream, r23:r22 out, r21:r20 in, r18 bytes), 1 to 16 bytes; decrypt likewise */
entry runnel_ccm_avr_encrypt
    push_registers 28, 29
    movw r28, r24
    movw r30, r22
    movw r26, r20
    pass TAKEN
    rjmp .Ldone
endfunc

entry runnel_ccm_avr_decrypt
    push_registers 28, 29
    movw r28, r24
    movw r30, r22
    movw r26, r20
    pass MADE
.Ldone:
    pop_registers 29, 28
    clr r1
    ret
endfunc

#endif
