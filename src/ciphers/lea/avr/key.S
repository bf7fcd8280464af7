/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key set-up of LEA for 8-bit AVR, one loop for all lengths of key: word n of the round keys is word n - 4, n - 6 or n
 * - 8 of them, words below 0 being the key's, plus a constant, rotated. A constant is rotated by one bit for each word
 * of its round, so that when its turn comes again it is rotated as far as it must be, or for keys of 256 bits two bits
 * less. In the end, the words that the rounds need XORed are XORed (rounds.inc). */
#include "arch/avr/asm.h"

#if RUNNEL_AVR_MUL

flash_tables runnel_lea_avr_key
.Ldeltas: /* rotated to the left by 0, 1, 2 … */
    .long 0xc3efe9db
    .long 0x88c4d604
    .long 0xe789f229
    .long 0xc6f98763
    .long 0x15ea49e7
    .long 0xf0bb4158
    .long 0x13bc8ab8
    .long 0xe204abf2
.Lrotations: /* of word j by 1, 3, 6, 11, 13 or 17: a factor, and whole bytes */
    .byte 1 << 1, 0, 1 << 3, 0, 1 << 6, 0, 1 << 3, 1, 1 << 5, 1, 1 << 1, 2

#define T 2         /* four registers: the word being made */
#define D 6         /* four: the round's constant */
#define AT r10      /* where the constants are: the round's, */
#define AT_HIGH r11
#define FIRST r12   /* and the first one */
#define FIRST_HIGH r13
#define KEY_BYTES r14
#define ROUNDS r15
#define ZERO r16
#define TO_ROUND r17 /* rounds until one begins with the first constant again */
#define LEFT r18    /* rounds to do */
#define WORD r19    /* words left in this round */
#define TO_WORDS r20 /* words until reading continues with the round keys; then out of reach */
#define FACTOR r21
#define BYTES r23
#define EACH r22    /* words of a round key */
#define WORDS r24   /* r25:r24, the round keys */
#define CONSTANTS_BYTES 32

code runnel_lea_avr_key

.macro rotate_constant
    lsl D
    rol D+1
    rol D+2
    rol D+3
    adc D, ZERO
.endm

/* void key(r25:r24 round keys, r23:r22 key, r21:r20 key_bytes), the bytes being 16, 24 or 32 */
entry runnel_lea_avr_key
    push_all
    clr ZERO
    mov KEY_BYTES, r20
    lsr r20
    mov ROUNDS, r20
    ldi r26, 16
    add ROUNDS, r26 /* 24, 28 or 32 */
    mov LEFT, ROUNDS
    lsr r20 /* the key's words */
    movw r26, r22
    mov EACH, r20
    cpi EACH, 7
    brlo .Leach_known
    ldi EACH, 6
.Leach_known:
    stack_to_y
    sbiw r28, CONSTANTS_BYTES
    set_stack_to_y
    adiw r28, 1
    movw FIRST, r28
    movw AT, r28
    ldi r30, lo8(.Ldeltas)
    ldi r31, hi8(.Ldeltas)
    ldi r21, CONSTANTS_BYTES
.Lcopy_deltas:
    lpm r0, Z+
    st Y+, r0
    dec r21
    brne .Lcopy_deltas
    movw r28, WORDS
    mov TO_ROUND, KEY_BYTES
    lsr TO_ROUND
    lsr TO_ROUND

.Lnext_round:
    movw r30, AT
    ld D, Z
    ldd D+1, Z+1
    ldd D+2, Z+2
    ldd D+3, Z+3
    ldi r30, lo8(.Lrotations)
    ldi r31, hi8(.Lrotations)
    mov WORD, EACH
.Lnext_word:
    .irp n, 0, 1, 2, 3
    ld T+\n, X+
    .endr
    add T, D
    adc T+1, D+1
    adc T+2, D+2
    adc T+3, D+3
    lpm FACTOR, Z+
    lpm BYTES, Z+
.Lrotate_bytes:
    dec BYTES
    brmi .Lrotate_bits
    mov r0, T+3
    mov T+3, T+2
    mov T+2, T+1
    mov T+1, T
    mov T, r0
    rjmp .Lrotate_bytes
.Lrotate_bits:
    mul T+3, FACTOR
    mov T+3, r0
    mov BYTES, r1
    mul T+2, FACTOR
    mov T+2, r0
    eor T+3, r1
    mul T+1, FACTOR
    mov T+1, r0
    eor T+2, r1
    mul T, FACTOR
    mov T, r0
    eor T+1, r1
    eor T, BYTES
    .irp n, 0, 1, 2, 3
    st Y+, T+\n
    .endr
    rotate_constant
    dec r20
    brne .Lsame_place
    movw r26, WORDS /* the key's words are read */
.Lsame_place:
    dec WORD
    brne .Lnext_word
    sbrs KEY_BYTES, 5
    rjmp .Lkeep_constant
    rotate_constant
    rotate_constant
.Lkeep_constant:
    movw r30, AT
    .irp n, 0, 1, 2, 3
    st Z+, D+\n
    .endr
    dec TO_ROUND
    brne .Lnext_constant
    movw r30, FIRST
    mov TO_ROUND, KEY_BYTES
    lsr TO_ROUND
    lsr TO_ROUND
.Lnext_constant:
    movw AT, r30
    dec LEFT
    breq .Lxor_keys
    rjmp .Lnext_round

.Lxor_keys:
    movw r28, WORDS

.macro xor_bytes to, from
    ldd r0, Y+\from
    ldd r1, Y+\to
    eor r1, r0
    std Y+\to, r1
.endm

.Lnext_round_key:
    .irp n, 0, 1, 2, 3
    xor_bytes 8+\n, 4+\n
    .endr
    cpi EACH, 4
    breq .Lfour_words
    .irp n, 0, 1, 2, 3
    xor_bytes 16+\n, 12+\n
    .endr
    adiw r28, 24
    rjmp .Lround_key_done
.Lfour_words:
    .irp n, 0, 1, 2, 3
    xor_bytes 12+\n, 4+\n
    .endr
    adiw r28, 16
.Lround_key_done:
    dec ROUNDS
    brne .Lnext_round_key

    movw r28, FIRST /* nothing secret there */
    adiw r28, CONSTANTS_BYTES - 1
    set_stack_to_y
    pop_all_return
endfunc

#endif
