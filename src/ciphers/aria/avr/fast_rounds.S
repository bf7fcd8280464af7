/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA for 8-bit AVR with the whole state in registers, two rounds in a loop.
 *
 * The diffusion is done in place in 80 cycles: each byte becomes the sum of the three others in its word, each word
 * the sum of three words, byte j of word w takes the place of byte j ^ w, and each word becomes the sum of three
 * again. The exchange of places is a choice of registers, undone by the next round's: byte n of the state is in r<n>
 * before odd rounds and in r<n ^ n / 4> before even ones.
 *
 * In counter mode byte 15 alone changes for up to 256 blocks. Seven bytes after round 1 depend on it; what the others
 * make of the state after round 2 is kept, and for these seven the values to which it is added. They are a row and a
 * column of a square in which each byte of the diffusion's output is the sum of a row and a column: only one or two of
 * them, or the sum of a row or a column, go into a byte. All that is kept is wiped in the end. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR_MUL

#include "ciphers/aria/sboxes.h"

#define SPARE 16
#define TURNS r17  /* two rounds each */
#define LOOPS r18
#define BLOCKS r20
#define BLOCKS_HIGH r21
#define KEYS r22   /* r23:r22 */
#define OUT r24    /* r25:r24 */

/* On the stack in counter mode, from SP + 1. */
#define FIXED 1      /* the state after round 2, with the next key, except for what byte 15 reaches */
#define REACHED 17   /* what byte 15 is added to after round 1 */
#define KEY_BYTE 24  /* of the first round key, the last one */
#define BLOCK 25
#define KEPT_BYTES 24
#define FRAME_BYTES 40

#define ROW(...) __VA_ARGS__,

flash_tables runnel_aria_avr, 256
const runnel_aria_avr_sboxes
    .byte RUNNEL_ARIA_S1(ROW) RUNNEL_ARIA_S2(ROW) RUNNEL_ARIA_S3(ROW) RUNNEL_ARIA_S4(ROW) 0 /* ends the list */
endconst

code runnel_aria_avr

/* For bytes of the same row: \odd is 1 in odd rounds, where row n has S-box n, and 0 in even ones. */
.macro page row, odd
    ldi r31, hi8(runnel_aria_avr_sboxes + 256 * ((\row + 2 - 2 * \odd) & 3))
.endm

/* Runs \do for each n with the register of byte n, before even rounds and after odd ones. */
.macro for_moved do
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    \do \n, (\n ^ (\n / 4))
    .endr
.endm

.macro keyed_look_up n, to, key
    ldd 30, Y+\key+\n
    eor 30, \to
    lpm \to, Z
.endm

.macro key_and_substitute odd, key
    .irp row, 0, 1, 2, 3
    page \row, \odd
    .irp word, 0, 1, 2, 3
    keyed_look_up (4*\word+\row), (4*\word+(\row^(\word*(1-\odd)))), \key
    .endr
    .endr
.endm

.macro sum_of_others word
    mov SPARE, 4*\word
    .irp n, 1, 2, 3
    eor SPARE, 4*\word+\n
    .endr
    .irp n, 0, 1, 2, 3
    eor 4*\word+\n, SPARE
    .endr
.endm

/* Byte j of word w being in register 4 w + (j ^ w \moved). */
.macro xor_words to, from, moved
    .irp j, 0, 1, 2, 3
    eor 4*\to+(\j^(\to*\moved)), 4*\from+(\j^(\from*\moved))
    .endr
.endm

.macro mix_words moved
    xor_words 1, 2, \moved
    xor_words 2, 3, \moved
    xor_words 0, 1, \moved
    xor_words 3, 1, \moved
    xor_words 2, 0, \moved
    xor_words 1, 2, \moved
.endm

.macro diffuse odd
    .irp word, 0, 1, 2, 3
    sum_of_others \word
    .endr
    mix_words (1-\odd)
    mix_words \odd
.endm

.macro last_key n, to
    ldd SPARE, Y+32+\n
    eor \to, SPARE
    st Z+, \to
.endm

.macro last_key_and_xor n, to
    ldd SPARE, Y+32+\n
    eor \to, SPARE
    ld SPARE, X+
    eor \to, SPARE
    st Z+, \to
.endm

/* void encrypt(r25:r24 round keys, r23:r22 out, r21:r20 in, r19:r18 nblocks, r16 turns) */
entry runnel_aria_avr_encrypt
    push_all
    movw r26, r20
    movw BLOCKS, r18
    movw r18, r24
    movw OUT, r22
    movw KEYS, r18
    mov LOOPS, r16
    set /* T: nothing to XOR */
.Lnext_raw_block:
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ld \n, X+
    .endr
    movw r28, KEYS
    mov TURNS, LOOPS
.Ltwo_rounds:
    key_and_substitute 1, 0
.Lodd_diffusion:
    diffuse 1
    key_and_substitute 0, 16
    dec TURNS
    brne .Leven_diffusion
    rjmp .Llast_round
.Leven_diffusion:
    diffuse 0
    adiw r28, 32
    rjmp .Ltwo_rounds
.Llast_round:
    movw r30, OUT
    brtc .Lxor_output
    rjmp .Lstore_output
.Lxor_output:
    for_moved last_key_and_xor
    movw OUT, r30
    rjmp .Lblock_is_done
.Lstore_output:
    for_moved last_key
    movw OUT, r30
    sbrc LOOPS, 7
    rjmp .Lblock_is_done
    subi BLOCKS, 1
    sbci BLOCKS_HIGH, 0
    breq .Lraw_done
    rjmp .Lnext_raw_block
.Lraw_done:
    pop_all_return
endfunc

/* void count(r25:r24 round keys, r23:r22 block, r21:r20 out, r19:r18 in, r17:r16 nblocks, r14 turns) */
entry runnel_aria_avr_count
    push_all
    movw r26, r22
    adiw r26, 16
    ldi r22, 16
.Lpush_counter:
    ld r0, -X
    push r0
    dec r22
    brne .Lpush_counter
    .rept KEPT_BYTES
    push r0
    .endr
    movw KEYS, r24
    movw OUT, r20
    movw BLOCKS, r16
    movw r26, r18
    mov LOOPS, r14
    ori LOOPS, 0x80 /* distinguishes the modes */
    set
    sbiw r26, 0
    breq .Lprepare
    clt

.macro load_block n
    ldd \n, Z+BLOCK+\n
.endm

/* Runs \do for the bytes of a row that byte 15 does not reach in round 1. */
.macro for_others row, do
    .irp n, 0, 12, 9, 13, 6, 14, 3, 7, 11
    .if (\n & 3) == \row
    \do \n, (\n ^ (\n / 4))
    .endif
    .endr
.endm

.macro add_key n, to
    ldd 30, Y+16+\n
    eor \to, 30
.endm

.macro look_up n, to
    mov 30, \to
    lpm \to, Z
.endm

/* The seven that it does reach, in the order in which they are kept. */
.macro keep_reached at, n
    std Z+REACHED+\at, (\n ^ (\n / 4))
    clr (\n ^ (\n / 4))
.endm

/* \to = the S-box of byte n after round 1, SPARE being what is added to it. */
.macro reached at, n, to
    ldd 30, Y+REACHED+\at
    eor 30, SPARE
    page (\n & 3), 0
    lpm \to, Z
.endm

/* Byte n of the state after round 3's S-boxes; the two are all that byte 15 adds to it. */
.macro third_look_up n, one, two=none
    ldd 30, Y+FIXED+\n
    eor 30, \one
    .ifnc \two, none
    eor 30, \two
    .endif
    lpm \n, Z
.endm

.macro add_next_key_and_keep n
    ldd SPARE, Y+32+\n
    eor \n, SPARE
    std Z+FIXED+\n, \n
.endm

    /* For the counter block on the stack and those after it that differ in the last byte alone. */
.Lprepare:
    stack_to_z
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
    load_block \n
    .endr
    movw r28, KEYS
    key_and_substitute 1, 0
    clr r15
    diffuse 1
    for_moved add_key
    stack_to_z
    ldd SPARE, Y+15
    std Z+KEY_BYTE, SPARE
    keep_reached 0, 5
    keep_reached 1, 8
    keep_reached 2, 2
    keep_reached 3, 15
    keep_reached 4, 1
    keep_reached 5, 4
    keep_reached 6, 10
    .irp row, 0, 1, 2, 3
    page \row, 0
    for_others \row, look_up
    .endr
    diffuse 0
    stack_to_z
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    add_next_key_and_keep \n
    .endr

.Lnext_counter_block:
    stack_to_y
    ldd r30, Y+BLOCK+15
    mov SPARE, r30
    inc SPARE
    std Y+BLOCK+15, SPARE
    ldd SPARE, Y+KEY_BYTE
    eor r30, SPARE
    page 3, 1
    lpm SPARE, Z
/* The places of the seven, and the sums of their row and column and of all of them, each where it is looked up last. */
#define B1 7
#define B2 11
#define B4 r19
#define B5 3
#define B8 r17
#define B10 r16
#define ROW_SUM 10
#define COLUMN_SUM 2
#define ALL_SUM 15
    reached 0, 5, B5
    reached 1, 8, B8
    reached 2, 2, B2
    reached 3, 15, ALL_SUM
    reached 4, 1, B1
    reached 5, 4, B4
    reached 6, 10, B10
    mov ROW_SUM, ALL_SUM
    mov COLUMN_SUM, ALL_SUM
    eor ROW_SUM, B2
    eor ROW_SUM, B5
    eor ROW_SUM, B8
    eor COLUMN_SUM, B1
    eor COLUMN_SUM, B4
    eor COLUMN_SUM, B10
    eor ALL_SUM, ROW_SUM
    eor ALL_SUM, COLUMN_SUM
    page 0, 1
    third_look_up 0, B4, B8
    third_look_up 4, ROW_SUM
    third_look_up 8, COLUMN_SUM
    third_look_up 12, B1, B2
    page 1, 1
    third_look_up 1, ROW_SUM
    third_look_up 5, COLUMN_SUM
    third_look_up 9, B1, B5
    third_look_up 13, B8, B10
    page 2, 1
    third_look_up 6, B2, B10
    third_look_up 14, B4, B5
    third_look_up 2, COLUMN_SUM
    third_look_up 10, ROW_SUM
    page 3, 1
    third_look_up 3, B5, B10
    third_look_up 7, B1, B8
    third_look_up 11, B2, B4
    third_look_up 15, ALL_SUM
    movw r28, KEYS
    adiw r28, 32
    mov TURNS, LOOPS
    andi TURNS, 0x7f
    dec TURNS
    rjmp .Lodd_diffusion

.Lblock_is_done:
    subi BLOCKS, 1
    sbci BLOCKS_HIGH, 0
    breq .Lwipe_frame
    stack_to_z
    ldd SPARE, Z+BLOCK+15
    tst SPARE
    breq .Lcarry
    rjmp .Lnext_counter_block
.Lcarry:
    adiw r30, BLOCK+15
.Lcarry_on:
    ld SPARE, -Z
    inc SPARE
    st Z, SPARE
    breq .Lcarry_on
    rjmp .Lprepare

.Lwipe_frame:
    stack_to_y
    adiw r28, FIXED
    clr SPARE
    ldi TURNS, KEPT_BYTES / 4
.Lwipe:
    .rept 4
    st Y+, SPARE
    .endr
    dec TURNS
    brne .Lwipe
    adiw r28, FRAME_BYTES - KEPT_BYTES - 1
    set_stack_to_y
    pop_all_return
endfunc

/* ---- Key set-up ---- */

.macro load_with_constant n
    ld \n, X+
    lpm SPARE, Z+
    eor \n, SPARE
.endm

.macro xor_to_memory n, from
    ldd SPARE, Y+\n
    eor SPARE, \from
    std Y+\n, SPARE
.endm

/* Rows \row and \row + 1, whose S-boxes are at the page and at the next one. */
.macro substitute_two_rows row, first_page
    mov r31, \first_page
    .irp r, \row, \row+1
    .irp word, 0, 1, 2, 3
    mov r30, 4*\word+\r
    lpm 4*\word+\r, Z
    .endr
    inc r31
    .endr
.endm

/* void feistel(r25:r24 to, r23:r22 from, r21:r20 constant in flash, r18 odd) */
entry runnel_aria_avr_feistel
    push_all
    movw r28, r24
    movw r26, r22
    movw r30, r20
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    load_with_constant \n
    .endr
    ldi r19, hi8(runnel_aria_avr_sboxes)
    ldi r20, hi8(runnel_aria_avr_sboxes + 512)
    tst r18
    brne .Lodd_substitution
    mov r18, r19
    mov r19, r20
    mov r20, r18
.Lodd_substitution:
    substitute_two_rows 0, r19
    substitute_two_rows 2, r20
    diffuse 1
    for_moved xor_to_memory
    pop_all_return
endfunc

#define FACTOR r19
#define BEFORE r21 /* what the byte before leaves to the next one */
#define END r23

/* In flash, for four round keys each: 2^(8 - bits), and bytes, of the rotation to the right; bytes is less than 16. */
.Lrotations:
    .byte 1 << (8 - 19 % 8), 19 / 8
    .byte 1 << (8 - 31 % 8), 31 / 8
    .byte 1 << (8 - 67 % 8), 67 / 8
    .byte 1 << (8 - 97 % 8), 97 / 8
    .byte 1 << (8 - 109 % 8), 109 / 8

/* Round key i is w[i % 4] ^ w[(i + 1) % 4] rotated. A product with a power of 2 is a byte's two parts, that of its place and
 * that of the next.
 * void round_keys(r25:r24 keys, r23:r22 w, r20 rounds) */
entry runnel_aria_avr_round_keys
    push_registers 16, 17, 28, 29
    movw r28, r24
    movw r16, r22 /* w */
    clr r25 /* i */
.Lround_key:
    mov r30, r25
    lsr r30
    lsr r30
    lsl r30
    clr r31
    subi r30, lo8(-(.Lrotations))
    sbci r31, hi8(-(.Lrotations))
    lpm FACTOR, Z+
    lpm r18, Z
    movw r30, r16
    mov r22, r25
    andi r22, 3
    swap r22
    add r30, r22
    adc r31, r1
    movw r26, r16
    subi r22, -16
    andi r22, 0x30
    add r26, r22
    adc r27, r1
    mov END, r26
    subi END, -16
    ldi r22, 15 /* begins with the byte before the one that comes first */
    sub r22, r18
    add r26, r22
    adc r27, r1
    ld r22, X+
    mul r22, FACTOR
    mov BEFORE, r0
    ldi r18, 16
    cpse r26, END
    rjmp .Lrotated_byte
.Lfrom_the_beginning:
    sbiw r26, 16
.Lrotated_byte:
    ld r22, X+
    mul r22, FACTOR
    eor r1, BEFORE
    mov BEFORE, r0
    ld r0, Z+
    eor r0, r1
    st Y+, r0
    dec r18
    breq .Lround_key_is_done
    cp r26, END
    brne .Lrotated_byte
    rjmp .Lfrom_the_beginning
.Lround_key_is_done:
    clr r1
    inc r25
    cp r20, r25
    brsh .Lround_key
    pop_registers 29, 28, 17, 16
    ret
endfunc

#endif
