/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES key set-up for 8-bit AVR: one byte with the number of rounds, then the round keys as FIPS 197 has them. Included
 * after aes_avr_ctr.h. */

.macro xor_sbox to, from
    mov ACC, \from
    sbox XT
    eor \to, XT
.endm

.macro next_byte to, before
    eor \to, \before
    st Y+, \to
.endm

.macro to_sbox to, from
    mov ACC, \from
    sbox \to
.endm

/* r17: the round constant, which is public. */
.macro next_constant
    lsl r17
    brcc 1f
    ldi r17, 0x1b
1:
.endm

/* void key(r25:r24 state, r23:r22 key, r21:r20 key_bytes) */
    .global KERNEL(key)
KERNEL(key):
    push_all
    movw r28, r24
    set_pages
    movw FREE_LOW, r22
    ldi r17, 1
#if !defined(RUNNEL_AES_KEY_BITS) || RUNNEL_AES_KEY_BITS > 128
    cpi r20, 16
    breq 1f
    rjmp longer_key
1:
#endif
    ldi XT, 10
    st Y+, XT
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    ld r\n, FREE+
    st Y+, r\n
    .endr
2:  eor r0, r17
    xor_sbox r0, r13
    xor_sbox r1, r14
    xor_sbox r2, r15
    xor_sbox r3, r12
    .irp n, 0,1,2,3
    st Y+, r\n
    .endr
    next_byte r4, r0
    next_byte r5, r1
    next_byte r6, r2
    next_byte r7, r3
    next_byte r8, r4
    next_byte r9, r5
    next_byte r10, r6
    next_byte r11, r7
    next_byte r12, r8
    next_byte r13, r9
    next_byte r14, r10
    next_byte r15, r11
    next_constant
    cpi r17, 0x6c
    breq 3f
    rjmp 2b
3:  rjmp pop_all_return

#if !defined(RUNNEL_AES_KEY_BITS) || RUNNEL_AES_KEY_BITS > 128
    /* Word by word: r3..r0 the last word, FREE the one a period before, Y the next; r20 bytes of a key, r21 words left
     * in this period, r22 words left. */
longer_key:
    mov r21, r20
    lsr r21
    lsr r21
    mov XT, r21
    subi XT, -6
    st Y+, XT
    mov r22, XT /* 4 * (rounds + 1) - words of the key = 3 * rounds + 10 */
    lsl r22
    add r22, XT
    subi r22, -10
    movw r24, r28
    mov r21, r20
1:  ld r16, FREE+
    st Y+, r16
    dec r21
    brne 1b
    movw FREE_LOW, r24
    .irp n, 3,2,1,0
    ld r\n, -Y
    .endr
    adiw r28, 4
2:  mov r21, r20
    lsr r21
    lsr r21
    to_sbox r4, r0
    to_sbox r0, r1
    to_sbox r1, r2
    to_sbox r2, r3
    mov r3, r4
    eor r0, r17
    next_constant
3:  .irp n, 0,1,2,3
    ld XT, FREE+
    eor r\n, XT
    st Y+, r\n
    .endr
    dec r22
    breq 4f
    dec r21
    breq 2b
    sbrc r20, 5 /* AES-256 */
    cpi r21, 4
    brne 3b
    .irp n, 0,1,2,3
    to_sbox r\n, r\n
    .endr
    rjmp 3b
4:  rjmp pop_all_return
#endif
