/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The parts of Serpent in SOSEMANUK's key and IV set-up, for 8-bit AVR; included after sosemanuk_avr_steps.h. Four
 * words are in registers, A to D. */

#define T 18     /* four registers */
#define COUNT r23 /* of words of the expanded key */

/* In the state: the subkeys or the key. */
#define KEPT 69

/* The S-boxes' operations: in place, as sosemanuk_serpent.h has them. */
.macro x_and to, p, q /* to ^= p & q */
    mov r0, \p
    and r0, \q
    eor \to, r0
.endm

.macro x_and_not to, p, q /* to ^= p & ~q */
    mov r0, \q
    com r0
    and r0, \p
    eor \to, r0
.endm

.macro x_or to, p, q
    mov r0, \p
    or r0, \q
    eor \to, r0
.endm

.macro x_or_and_not to, p, q, not /* to ^= (p | q) & ~not */
    mov r0, \p
    or r0, \q
    or r0, \not
    eor r0, \not
    eor \to, r0
.endm

.macro s_box_0 a, b, c, d
    x_and_not \d, \c, \a
    eor \c, \d
    eor \b, \a
    eor \a, \d
    eor \d, \b
    x_and_not \b, \a, \c
    x_and_not \c, \d, \b
    x_and_not \a, \c, \b
    eor \b, \c
    com \b
    com \c
.endm

.macro s_box_1 a, b, c, d
    x_and_not \d, \a, \c
    eor \a, \b
    eor \c, \a
    eor \b, \d
    x_and_not \a, \b, \c
    x_and \c, \a, \d
    x_and \a, \c, \d
    x_and_not \d, \c, \a
    com \a
    com \b
    com \c
    com \d
.endm

.macro s_box_2 a, b, c, d
    x_and \a, \b, \d
    x_and_not \b, \a, \c
    eor \c, \a
    eor \c, \d
    x_and \d, \a, \b
    eor \b, \c
    x_and_not \a, \b, \d
    eor \d, \a
    com \b
.endm

.macro s_box_3 a, b, c, d
    x_and_not \d, \b, \a
    eor \b, \c
    mov r0, \c
    and r0, \d
    or r0, \b
    eor \a, r0
    x_or \c, \a, \b
    eor \a, \d
    x_and_not \b, \c, \d
    mov r0, \a
    and r0, \b
    eor \c, r0
    eor \d, r0
.endm

.macro s_box_4 a, b, c, d
    x_and_not \c, \d, \a
    x_or \a, \b, \c
    eor \d, \a
    eor \b, \d
    eor \a, \c
    x_and_not \c, \d, \b
    x_or_and_not \b, \c, \d, \a
    x_and_not \a, \c, \b
    com \c
.endm

.macro s_box_5 a, b, c, d
    x_and_not \d, \a, \c
    x_or \a, \b, \d
    eor \c, \a
    eor \b, \c
    eor \a, \d
    x_and_not \d, \c, \b
    mov r0, \c
    or r0, \d
    and r0, \a
    eor \b, r0
    x_and_not \a, \d, \b
    com \a
    com \b
    com \c
    com \d
.endm

.macro s_box_6 a, b, c, d
    x_and \c, \a, \b
    eor \b, \a
    eor \a, \d
    eor \d, \c
    x_and \a, \b, \d
    eor \b, \d
    x_and \b, \a, \c
    eor \a, \b
    x_and_not \c, \b, \a
    com \a
    com \b
    com \d
.endm

.macro s_box_7 a, b, c, d
    mov r0, \c
    and r0, \d
    eor \a, r0
    eor \b, r0
    x_and \d, \a, \b
    eor \c, \b
    x_and_not \a, \c, \d
    x_or_and_not \c, \a, \b, \d
    eor \d, \a
    x_or \b, \c, \d
    com \c
.endm

.macro s_box name, a, b, c, d
    .irp n, 0,1,2,3
    \name \a+\n, \b+\n, \c+\n, \d+\n
    .endr
.endm

/* Words change their places: a takes b, b takes c …, the last takes a. */
.macro cycle2 a, b
    .irp n, 0,2
    movw T, \a+\n
    movw \a+\n, \b+\n
    movw \b+\n, T
    .endr
.endm

.macro cycle3 a, b, c
    .irp n, 0,2
    movw T, \a+\n
    movw \a+\n, \b+\n
    movw \b+\n, \c+\n
    movw \c+\n, T
    .endr
.endm

.macro cycle4 a, b, c, d
    .irp n, 0,2
    movw T, \a+\n
    movw \a+\n, \b+\n
    movw \b+\n, \c+\n
    movw \c+\n, \d+\n
    movw \d+\n, T
    .endr
.endm

s_box_0:
    s_box s_box_0, A, C, D, B
    cycle2 A, C
    cycle2 B, D
    ret
s_box_1:
    s_box s_box_1, B, D, A, C
    cycle4 A, C, D, B
    ret
s_box_2:
    s_box s_box_2, D, A, B, C
    cycle4 A, B, C, D
    ret
s_box_3:
    s_box s_box_3, D, B, A, C
    cycle2 A, B
    cycle2 C, D
    ret
s_box_4:
    s_box s_box_4, A, B, C, D
    cycle2 A, C
    ret
s_box_5:
    s_box s_box_5, B, D, A, C
    cycle3 A, C, B
    ret
s_box_6:
    s_box s_box_6, D, A, C, B
    cycle2 C, D
    ret
s_box_7:
    s_box s_box_7, C, A, B, D
    cycle2 A, B
    cycle2 C, D
    ret

/* ---- The linear transformation ---- */

.macro x_word to, from
    .irp n, 0,1,2,3
    eor \to+\n, \from+\n
    .endr
.endm

/* word <<<= bits + 8 * bytes by products with 2^bits, which is in r22: byte n goes to n + bytes and the next place. */
.macro rotate_even_bytes word, bytes /* 0 or 2 */
    mul \word, r22
    movw T+\bytes, r0
    mul \word+2, r22
    movw T+2-\bytes, r0
    mul \word+1, r22
    eor T+1+\bytes, r0
    eor T+2-\bytes, r1
    mul \word+3, r22
    eor T+3-\bytes, r0
    eor T+\bytes, r1
    movw \word, T
    movw \word+2, T+2
.endm

.macro rotate_a_byte word
    mul \word, r22
    mov T+1, r0
    mov T+2, r1
    mul \word+2, r22
    mov T+3, r0
    mov T, r1
    mul \word+1, r22
    eor T+2, r0
    eor T+3, r1
    mul \word+3, r22
    eor T, r0
    eor T+1, r1
    movw \word, T
    movw \word+2, T+2
.endm

/* to ^= word << bits; 2^bits is in r22. */
.macro x_shifted to, word
    mul \word, r22
    eor \to, r0
    eor \to+1, r1
    mul \word+1, r22
    eor \to+1, r0
    eor \to+2, r1
    mul \word+2, r22
    eor \to+2, r0
    eor \to+3, r1
    mul \word+3, r22
    eor \to+3, r0
.endm

transform:
    ldi r22, 1 << 5
    rotate_a_byte A /* 13 */
    ldi r22, 1 << 3
    rotate_even_bytes C, 0
    x_word B, A
    x_word B, C
    x_word D, C
    x_shifted D, A
    lsl B /* 1 */
    rol B+1
    rol B+2
    rol B+3
    adc B, ZERO
    mov r0, D+3 /* 7: 8, and 1 back */
    mov D+3, D+2
    mov D+2, D+1
    mov D+1, D
    mov D, r0
    bst D, 0
    lsr D+3
    ror D+2
    ror D+1
    ror D
    bld D+3, 7
    x_word A, B
    x_word A, D
    x_word C, D
    ldi r22, 1 << 7
    x_shifted C, B
    ldi r22, 1 << 5
    rotate_even_bytes A, 0
    ldi r22, 1 << 6
    rotate_even_bytes C, 2 /* 22 */
    ret

/* ---- The expanded key ---- */

.macro rotate_11_later word /* the bytes are one place on already */
    .rept 3
    lsl \word
    rol \word+1
    rol \word+2
    rol \word+3
    adc \word, ZERO
    .endr
.endm

/* \sum works out a byte into the register one place on. */
.macro next_word to, sum
    \sum 0, \to+1
    \sum 1, \to+2
    \sum 2, \to+3
    \sum 3, \to
    ldi r18, 0xb9
    eor r18, COUNT
    inc COUNT
    eor \to+1, r18
    eor \to+2, r19
    eor \to+3, r20
    eor \to, r21
    rotate_11_later \to
.endm

.macro sum_a n, to
    ldd \to, Y+\n
    ldd r0, Y+12+\n
    eor \to, r0
    ldd r0, Z+4+\n
    eor \to, r0
    ldd r0, Z+12+\n
    eor \to, r0
.endm

.macro sum_b n, to
    ldd \to, Y+4+\n
    ldd r0, Z+\n
    eor \to, r0
    ldd r0, Z+8+\n
    eor \to, r0
    eor \to, A+\n
.endm

.macro sum_c n, to
    ldd \to, Y+8+\n
    ldd r0, Z+4+\n
    eor \to, r0
    ldd r0, Z+12+\n
    eor \to, r0
    eor \to, B+\n
.endm

.macro sum_d n, to
    ldd \to, Y+12+\n
    ldd r0, Z+8+\n
    eor \to, r0
    eor \to, A+\n
    eor \to, C+\n
.endm

    /* The next four words, in A to D. Y: the last eight ones' older half, which they replace; Z: the other; then Y and
     * Z are exchanged. */
next_words:
    ldi r19, 0x79
    ldi r20, 0x37
    ldi r21, 0x9e
    next_word A, sum_a
    next_word B, sum_b
    next_word C, sum_c
    next_word D, sum_d
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    std Y+\n, A+\n
    .endr
    movw T, r28
    movw r28, r30
    movw r30, T
    ret

/* A key to 32 bytes at X, from Z: a byte 1 behind it, if there is room, and zeros. r20: its bytes, at least one. */
.macro pad_key
    ldi r19, 32
    sub r19, r20
1:  ld r0, Z+
    st X+, r0
    dec r20
    brne 1b
    ldi r18, 1
    tst r19
    breq 3f
2:  st X+, r18
    clr r18
    dec r19
    brne 2b
3:
.endm

.macro store_at_x word
    .irp n, 0,1,2,3
    st X+, \word+\n
    .endr
.endm

.macro store_all_at_x a, b, c, d
    store_at_x \a
    store_at_x \b
    store_at_x \c
    store_at_x \d
.endm

/* Fills up the IV at Z, r20 bytes, in the state at Y, and takes its words. */
.macro take_iv
    movw r26, r28
    ldi r19, 16
    sub r19, r20
    tst r20
    breq 2f
1:  ld r0, Z+
    st X+, r0
    dec r20
    brne 1b
2:  tst r19
    breq 4f
3:  st X+, r1
    dec r19
    brne 3b
4:  .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    ldd A+\n, Y+\n
    .endr
.endm



/* The words of an IV, from A to D, and back. For each round there is \round with its S-box and that of its subkey;
 * \keep stores two words in the state. */
.macro all_rounds round, keep
    \round 0, 3
    \round 1, 2
    \round 2, 1
    \round 3, 0
    \round 4, 7
    \round 5, 6
    \round 6, 5
    \round 7, 4
    \round 0, 3
    \round 1, 2
    \round 2, 1
    \round 3, 0
    \keep RING+24, D, C
    \keep RING+32, B, A
    \round 4, 7
    \round 5, 6
    \round 6, 5
    \round 7, 4
    \round 0, 3
    \round 1, 2
    \keep RING+16, B, D
    \keep R1_WORD, A, C
    \round 2, 1
    \round 3, 0
    \round 4, 7
    \round 5, 6
    \round 6, 5
    \round 7, 4
.endm
