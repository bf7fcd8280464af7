/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Grain-128AEADv2 for 8-bit AVR: the registers of Grain-128 with more taps, and the MAC, whose accumulator and shift register
 * are in registers. No branch or address depends on a secret. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR_MUL

#include "ciphers/grain128/avr/state.h"

#define KERNEL(name) runnel_grain128aead_avr_##name
#define AEADV2 1

code runnel_grain128aead_avr
#include "ciphers/grain128/avr/steps.inc"

/* r2..r9: the accumulator, r10..r17: the shift register */
#define KEYSTREAM r18
#define FRESH r19 /* bits for the shift register */
#define TEXT r20
#define MASK r21
#define TERM r22
#define BYTES r24
#define USE r25 /* bit 0: the text is encrypted or decrypted, bit 1: the MAC is of what that made */

.macro masked_term to, from
    mov TERM, \from
    and TERM, MASK
    eor \to, TERM
.endm

.macro mac_of_a_bit
    lsr TEXT
    sbc MASK, MASK
    masked_term r2, r10
    masked_term r3, r11
    masked_term r4, r12
    masked_term r5, r13
    masked_term r6, r14
    masked_term r7, r15
    masked_term r8, r16
    masked_term r9, r17
    lsr FRESH
    .irp n, r17, r16, r15, r14, r13, r12, r11, r10
    ror \n
    .endr
.endm

/* Even bits are keystream, odd ones fresh. */
.macro separate_next_byte
    ld TERM, Y+
    .rept 4
    lsr TERM
    ror KEYSTREAM
    lsr TERM
    ror FRESH
    .endr
.endm

/* void mac(r25:r24 sum and shift, r23:r22 output, r21:r20 out, r19:r18 in, r16 bytes, r14 use) */
entry KERNEL(mac)
    push_all
    push_registers 24, 25
    movw r26, r24
    movw r28, r22
    movw r30, r20
    movw r22, r18
    mov BYTES, r16
    mov USE, r14
    .irp n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    ld r\n, X+
    .endr
    movw r26, r22
.Lmac_byte:
    separate_next_byte
    separate_next_byte
    ld TEXT, X+
    sbrs USE, 0
    rjmp .Lmac_text
    eor KEYSTREAM, TEXT
    st Z+, KEYSTREAM
    sbrc USE, 1
    mov TEXT, KEYSTREAM
.Lmac_text:
    .rept 8
    mac_of_a_bit
    .endr
    dec BYTES
    breq .Lmac_done
    rjmp .Lmac_byte
.Lmac_done:
    pop_registers 27, 26
    .irp n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    st X+, r\n
    .endr
    pop_all_return
endfunc

#endif
