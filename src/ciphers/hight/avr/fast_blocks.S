/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT for 8-bit AVR, F0 and F1 looked up in flash, eight rounds in a loop, after which every byte is in its own
 * place.
 *
 * In counter mode byte 7 of the block alone changes for up to 256 blocks. It takes seven rounds to reach all the
 * others: of the 28 steps in them 12 do not depend on it, and 4 add or XOR to it a value that does not. Their results
 * stay in registers, so that a block begins with the other 12. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#include "steps.inc"

#define FIXED 8      /* seven registers: bytes 0..6 as they are when byte 7 reaches them */
#define TO_7 15      /* four: what is XORed, added, XORed and added to byte 7 in rounds 0, 2, 4 and 6 */
#define COUNTER 19   /* byte 7 of the next block */
#define FOUND 20
#define BLOCKS r22   /* blocks to the end of this run, 0 for 256 */
#define TURNS r23    /* eight rounds each */
#define OUT r24      /* r25:r24 */

/* On the stack in counter mode, from SP + 1. */
#define BLOCK 1
#define REST 9       /* blocks after this run, two bytes */
#define FRAME_BYTES 10

flash_tables runnel_hight_avr, 256
.Lf0_table:
    .set x, 0
    .rept 256
    .set xx, x * 0x101
    .byte (xx >> 7 ^ xx >> 6 ^ xx >> 1) & 0xff
    .set x, x + 1
    .endr
.Lf1_table:
    .set x, 0
    .rept 256
    .set xx, x * 0x101
    .byte (xx >> 5 ^ xx >> 4 ^ xx >> 2) & 0xff
    .set x, x + 1
    .endr

code runnel_hight_avr

.macro page number
    ldi r31, hi8(.Lf\number\()_table)
.endm

/* FOUND = F1(\from) ^ subkey, or F0(\from) + subkey, by the page. */
.macro find_1 from, subkey
    mov 30, \from
    lpm FOUND, Z
    ldd KEY, Y+SUBKEYS+\subkey
    eor FOUND, KEY
.endm

.macro find_0 from, subkey
    mov 30, \from
    lpm FOUND, Z
    ldd KEY, Y+SUBKEYS+\subkey
    add FOUND, KEY
.endm

.macro step_1 to, from, subkey
    find_1 \from, \subkey
    add \to, FOUND
.endm

.macro step_0 to, from, subkey
    find_0 \from, \subkey
    eor \to, FOUND
.endm

/* Round \at of eight, the page being that of F1 before even ones and after odd ones. */
.macro round_1 at
    step_1 ((1-(\at))&7), ((0-(\at))&7), 4*(\at)
    step_1 ((5-(\at))&7), ((4-(\at))&7), 4*(\at)+2
.endm

.macro round_0 at
    step_0 ((3-(\at))&7), ((2-(\at))&7), 4*(\at)+1
    step_0 ((7-(\at))&7), ((6-(\at))&7), 4*(\at)+3
.endm

/* void encrypt_blocks(r25:r24 state, r23:r22 out, r21:r20 in, r19:r18 nblocks) */
entry runnel_hight_avr_encrypt_blocks
    push_all
    movw r28, r24
    movw OUT, r22
    movw r26, r20
    set /* T: raw blocks */
.Lnext_raw_block:
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    ld \n, X+
    .endr
    whiten_input
    ldi TURNS, 4
    page 1
.Leight_rounds:
    .irp at, 0, 2, 4, 6
    round_1 \at
    page 0
    round_0 \at
    round_0 \at+1
    page 1
    round_1 \at+1
    .endr
.Lnext_eight_rounds:
    adiw r28, 32
    dec TURNS
    breq .Lrounds_done
    rjmp .Leight_rounds
.Lrounds_done:
    subi r28, 128
    sbci r29, 0
    whiten_output
    movw r30, OUT
    brts .Lraw_output
    sbiw r26, 0
    breq .Lkeystream
    xor_output
    movw OUT, r30
    rjmp .Lnext_counter_block
.Lkeystream:
    output
    movw OUT, r30
    rjmp .Lnext_counter_block
.Lraw_output:
    output
    movw OUT, r30
    subi r18, 1
    sbci r19, 0
    breq .Lraw_done
    rjmp .Lnext_raw_block
.Lraw_done:
    pop_all_return
endfunc

/* void ctr32(r25:r24 state, r23:r22 prefix, r21:r20 block, r19:r18 out, r17:r16 in, r15:r14 nblocks) */
entry runnel_hight_avr_ctr32
    push_all
    push r15
    push r14
    movw r28, r24
    movw OUT, r18
    movw r26, r20
    adiw r26, 8
    .rept 8
    ld r0, -X
    push r0
    .endr
    movw r26, r16
    clt

    /* The blocks up to where byte 7 wraps: r21:r20 = 256 - byte 7, or all remaining blocks if those are fewer */
.Lstart_run:
    stack_to_z
    ldd COUNTER, Z+BLOCK+7
    clr r20
    ldi r21, 1
    sub r20, COUNTER
    sbci r21, 0
    ldd r22, Z+REST
    ldd r23, Z+REST+1
    cp r22, r20
    cpc r23, r21
    brsh .Lrun_length
    movw r20, r22
.Lrun_length:
    sub r22, r20
    sbc r23, r21
    std Z+REST, r22
    std Z+REST+1, r23
    mov BLOCKS, r20

    .irp n, 0, 1, 2, 3, 4, 5, 6
    ldd \n, Z+BLOCK+\n
    .endr
    whiten_input
    mov FIXED, 0
    page 1
    step_1 1, 0, 0
    step_1 5, 4, 2
    page 0
    step_0 3, 2, 1
    find_0 6, 3
    mov TO_7, FOUND
    mov FIXED+1, 1
    step_0 2, 1, 5
    step_0 6, 5, 7
    mov FIXED+2, 2
    page 1
    step_1 4, 3, 6
    find_1 6, 8
    mov TO_7+1, FOUND
    step_1 3, 2, 10
    page 0
    step_0 5, 4, 11
    mov FIXED+3, 3
    step_0 4, 3, 15
    mov FIXED+4, 4
    page 1
    step_1 6, 5, 12
    step_1 5, 4, 16
    mov FIXED+5, 5
    page 0
    find_0 6, 17
    mov TO_7+2, FOUND
    step_0 6, 5, 21
    mov FIXED+6, 6
    page 1
    find_1 6, 26
    mov TO_7+3, FOUND
    rjmp .Lcounter_block

.Lnext_counter_block:
    dec BLOCKS
    brne .Lcounter_block
    rjmp .Lrun_is_done
.Lcounter_block:
    movw 0, FIXED
    movw 2, FIXED+2
    movw 4, FIXED+4
    mov 6, FIXED+6
    mov 7, COUNTER
    inc COUNTER
    ldi TURNS, 4
    eor 7, TO_7
    page 1
    step_1 0, 7, 4
    add 7, TO_7+1
    page 0
    step_0 1, 0, 9
    step_0 0, 7, 13
    eor 7, TO_7+2
    page 1
    step_1 2, 1, 14
    step_1 1, 0, 18
    page 0
    step_0 3, 2, 19
    step_0 2, 1, 23
    page 1
    step_1 4, 3, 20
    step_1 0, 7, 22
    add 7, TO_7+3
    step_1 3, 2, 24
    page 0
    step_0 5, 4, 25
    step_0 1, 0, 27
    round_0 7
    page 1
    round_1 7
    rjmp .Lnext_eight_rounds

.Lrun_is_done:
    stack_to_z
    ldd r20, Z+REST
    ldd r21, Z+REST+1
    or r20, r21
    breq .Lleave
    adiw r30, BLOCK+8
    clr r20
    st -Z, r20 /* byte 7 was still that of the run's first block */
.Lcarry:
    ld r20, -Z
    inc r20
    st Z, r20
    breq .Lcarry
    rjmp .Lstart_run
.Lleave:
    .rept FRAME_BYTES
    pop r0
    .endr
    pop_all_return
endfunc

#endif
