/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK for 8-bit AVR, with the subkeys in the context, and code for three blocks in a row. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR_MUL

#include "steps.inc"

code runnel_sosemanuk_avr
#include "serpent.inc"

.Lstore_subkey:
    store_all_at_x A, B, C, D
    ret

.Ladd_subkey:
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    ld r0, X+
    eor A+\n, r0
    .endr
    ret

/* void key(r25:r24 state, r23:r22 key, r21:r20 key_bytes). The shift register's memory serves to expand the key. */
entry runnel_sosemanuk_avr_key
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
    rjmp .Lsubkeys_of_box_3
.Leight_subkeys:
    .irp n, 2,1,0,7,6,5,4
    rcall .Lnext_words
    rcall .Ls_box_\n
    rcall .Lstore_subkey
    .endr
.Lsubkeys_of_box_3:
    rcall .Lnext_words
    rcall .Ls_box_3
    rcall .Lstore_subkey
    cpi COUNT, 100
    brne .Leight_subkeys
    pop_all_return
endfunc

.macro round box, subkey_box
    rcall .Ladd_subkey
    rcall .Ls_box_\box
    rcall .Ltransform
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
entry runnel_sosemanuk_avr_iv
    push_all
    movw r28, r24
    movw r30, r22
    take_iv
    movw r26, r28
    subi r26, -(KEPT)
    sbci r27, -1
    clr ZERO
    all_rounds round, keep
    rcall .Ladd_subkey
    movw r26, r28
    store_all_at_x D, C, B, A
    adiw r28, BLOCK-48
    std Y+48, ZERO
    pop_all_return
endfunc

.macro ring_block start
    block \start
    store_ring_word 12, C
    store_ring_word 13, D
.endm

entry runnel_sosemanuk_avr_xor_blocks
    enter_xor_blocks
    cpi T0, 1
    brlo .Lstart_at_0
    breq .Lstart_at_4
    load_ring 8
    rjmp .Lblock_2
.Lstart_at_0:
    load_ring 0
    rjmp .Lblock_0
.Lstart_at_4:
    load_ring 4
    rjmp .Lblock_1
.Lblock_0:
    ring_block 0
    ldi T0, 1
    more .Lblock_1
    rjmp .Ldone
.Lblock_1:
    ring_block 4
    ldi T0, 2
    more .Lblock_2
    rjmp .Ldone
.Lblock_2:
    ring_block 8
    ldi T0, 0
    more .Lblock_0
.Ldone:
    leave_xor_blocks
endfunc

#endif
