/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES for 8-bit AVR in little flash and SRAM: loops over bytes in memory, the S-box in flash, and each round key
 * computed from the one before during encryption, so that the context holds only the key. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#include "tables.inc"

#define KERNEL(name) runnel_aes_avr_small_##name

/* The frame, from Y + 1: the state after SubBytes and ShiftRows, then the last words of the expanded key, as many as
 * the key has. */
#define SHIFTED 1
#define WORDS 17
#define FRAME_BYTES 48

#define KEY_BYTES r6
#define ROUND r7    /* rounds to come */
#define COLUMNS r8  /* columns to come */
#define FIRST r9    /* a column's byte 0 */
#define SCHEDULE r10
#define BLOCKS r12
#define IN r14
#define AT r16      /* place of the next word in WORDS */
#define CONSTANT r17 /* of the key schedule */
#define OUT r4      /* the block is encrypted in its output */

/* The last word of the expanded key, and a column. */
#define K0 r18
#define K1 r19
#define K2 r20
#define K3 r21
#define A0 r22
#define A1 r23
#define A2 r24
#define A3 r25

#define BEFORE_ONE 0x8d /* 2 * this = 1 in GF(2^8): the constant while the words are the key's own */

flash_tables runnel_aes_avr_small
.Lsbox:
    sbox_table

code runnel_aes_avr_small

/* void key(r25:r24 state, r23:r22 key, r21:r20 key_bytes) */
entry KERNEL(key)
    movw r26, r24
    movw r30, r22
    mov r22, r20
    lsr r20
    lsr r20
    subi r20, -6
    st X+, r20

/* Copies r22 bytes from Z to X. */
.Lcopy:
    ld r0, Z+
    st X+, r0
    dec r22
    brne .Lcopy
    ret
endfunc

/* Z = where S(r30) is */
.macro address_sbox
    clr r31
    subi r30, lo8(-(.Lsbox))
    sbci r31, hi8(-(.Lsbox))
.endm

/* \k = S(\k) for the bytes of the last word */
.macro substitute k
    mov r30, \k
    address_sbox
    lpm \k, Z
.endm

.Lsub_word:
    substitute K0
    substitute K1
    substitute K2
    substitute K3
    ret

/* r30 = 2 * r30 */
.Ldouble:
    lsl r30
    sbc r31, r31
    andi r31, 0x1b
    eor r30, r31
    ret

/* A byte of the next word of the expanded key, and the byte at X. */
.macro next_byte n, k
    ldd r0, Z+WORDS+\n
    eor \k, r0
    std Z+WORDS+\n, \k
    ld r0, X
    eor r0, \k
    st X+, r0
.endm

/* r0: the sum of the column */
.macro mix_byte a, next
    mov r30, \a
    eor r30, \next
    rcall .Ldouble
    eor \a, r30
    eor \a, r0
.endm

/* void encrypt_blocks(r25:r24 state, r23:r22 out, r21:r20 in, r19:r18 nblocks) */
entry KERNEL(encrypt_blocks)
    push_registers 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    movw SCHEDULE, r24
    movw OUT, r22
    movw IN, r20
    movw BLOCKS, r18
    stack_to_y
    sbiw r28, FRAME_BYTES
    set_stack_to_y_by .Lset_stack

.Lnext_block:
    movw r30, SCHEDULE
    ld r22, Z+
    mov ROUND, r22
    subi r22, 6
    lsl r22
    lsl r22
    mov KEY_BYTES, r22
    movw r26, r28
    adiw r26, WORDS
    rcall .Lcopy
    movw r30, IN
    movw r26, OUT
    ldi r22, 16
    rcall .Lcopy
    movw IN, r30
    clr AT
    ldi CONSTANT, BEFORE_ONE

.Lround:
    movw r26, OUT
    ldi A3, 4
.Lnext_word:
    cpi CONSTANT, BEFORE_ONE
    brne .Lnot_at_start
    clr K0
    clr K1
    clr K2
    clr K3
    rjmp .Ladd_word
.Lnot_at_start:
    tst AT
    brne .Lnot_in_the_middle
    mov r22, K0
    mov K0, K1
    mov K1, K2
    mov K2, K3
    mov K3, r22
    rcall .Lsub_word
    eor K0, CONSTANT
    rjmp .Ladd_word
.Lnot_in_the_middle:
    cpi AT, 16
    brne .Ladd_word
    sbrc KEY_BYTES, 5 /* AES-256 */
    rcall .Lsub_word
.Ladd_word:
    movw r30, r28
    add r30, AT
    adc r31, r1
    next_byte 0, K0
    next_byte 1, K1
    next_byte 2, K2
    next_byte 3, K3
    subi AT, -4
    cp AT, KEY_BYTES
    brne .Lsame_constant
    clr AT
    mov r30, CONSTANT
    rcall .Ldouble
    mov CONSTANT, r30
.Lsame_constant:
    dec A3
    brne .Lnext_word

    dec ROUND
    brmi .Lblock_is_done

    /* Byte n after SubBytes and ShiftRows is S of byte 5 n modulo 16. */
    clr r22
    movw r26, r28
    adiw r26, SHIFTED
.Lsubstitute_byte:
    movw r30, OUT
    add r30, r22
    adc r31, r1
    ld r30, Z
    address_sbox
    lpm r30, Z
    st X+, r30
    subi r22, -5
    andi r22, 15
    brne .Lsubstitute_byte

    movw r26, OUT
    ldi r30, 4
    mov COLUMNS, r30
.Lnext_column:
    ldd A0, Y+SHIFTED
    ldd A1, Y+SHIFTED+1
    ldd A2, Y+SHIFTED+2
    ldd A3, Y+SHIFTED+3
    adiw r28, 4
    tst ROUND
    breq .Lcolumn_done
    mov FIRST, A0
    mov r0, A0
    eor r0, A1
    eor r0, A2
    eor r0, A3
    mix_byte A0, A1
    mix_byte A1, A2
    mix_byte A2, A3
    mix_byte A3, FIRST
.Lcolumn_done:
    st X+, A0
    st X+, A1
    st X+, A2
    st X+, A3
    dec COLUMNS
    brne .Lnext_column
    sbiw r28, 16
    rjmp .Lround

.Lblock_is_done:
    movw OUT, r26
    movw r30, BLOCKS
    sbiw r30, 1
    movw BLOCKS, r30
    breq .Lwipe_frame
    rjmp .Lnext_block

.Lwipe_frame:
    ldi r22, FRAME_BYTES
.Lwipe:
    adiw r28, 1
    st Y, r1
    dec r22
    brne .Lwipe
    set_stack_to_y_by .Lset_stack
    pop_registers 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4
    ret
endfunc

    stack_setter .Lset_stack

#endif
