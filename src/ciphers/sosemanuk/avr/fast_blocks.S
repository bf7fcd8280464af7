/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK for 8-bit AVR, with the subkeys in the context, and code for three blocks in a row. */
#include "arch/asm.h"

#if RUNNEL_AVR

#include "arch/avr/frame.inc"
#include "steps.inc"

    .section .text.runnel_sosemanuk_avr, "ax", @progbits
#include "serpent.inc"

store_subkey:
    store_all_at_x A, B, C, D
    ret

add_subkey:
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    ld r0, X+
    eor A+\n, r0
    .endr
    ret

/* void key(r25:r24 state, r23:r22 key, r21:r20 key_bytes). The shift register's memory serves to expand the key. */
    .global runnel_sosemanuk_avr_key
runnel_sosemanuk_avr_key:
    push_all
    movw r28, r24
    movw r26, r24
    movw r30, r22
    pad_key
    movw r30, r28
    adiw r30, 16
    subi r26, -(KEPT-32)
    sbci r27, -1
    clr ZERO
    clr COUNT
    rjmp 2f
1:  .irp n, 2,1,0,7,6,5,4
    rcall next_words
    rcall s_box_\n
    rcall store_subkey
    .endr
2:  rcall next_words
    rcall s_box_3
    rcall store_subkey
    cpi COUNT, 100
    brne 1b
    pop_all_return

.macro round box, subkey_box
    rcall add_subkey
    rcall s_box_\box
    rcall transform
.endm

.macro keep place, word, second
    movw r30, r28
    adiw r30, \place
    .irp n, 0,1,2,3
    st Z+, \word+\n
    .endr
    .irp n, 0,1,2,3
    st Z+, \second+\n
    .endr
.endm

/* void iv(r25:r24 state, r23:r22 iv, r21:r20 iv_bytes) */
    .global runnel_sosemanuk_avr_iv
runnel_sosemanuk_avr_iv:
    push_all
    movw r28, r24
    movw r30, r22
    take_iv
    movw r26, r28
    subi r26, -(KEPT)
    sbci r27, -1
    clr ZERO
    all_rounds round, keep
    rcall add_subkey
    movw r26, r28
    store_all_at_x D, C, B, A
    adiw r28, BLOCK-48
    std Y+48, ZERO
    pop_all_return

.macro ring_block start
    block \start
    store_ring_word 12, C
    store_ring_word 13, D
.endm

    .global runnel_sosemanuk_avr_xor_blocks
runnel_sosemanuk_avr_xor_blocks:
    enter_xor_blocks
    cpi T0, 1
    brlo 3f
    breq 4f
    load_ring 8
    rjmp block_2
3:  load_ring 0
    rjmp block_0
4:  load_ring 4
    rjmp block_1
block_0:
    ring_block 0
    ldi T0, 1
    more block_1
    rjmp done
block_1:
    ring_block 4
    ldi T0, 2
    more block_2
    rjmp done
block_2:
    ring_block 8
    ldi T0, 0
    more block_0
done:
    leave_xor_blocks

#endif
