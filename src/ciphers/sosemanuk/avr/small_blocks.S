/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK for 8-bit AVR in less SRAM and flash: the context has the key, and each subkey is computed where a round
 * of IV set-up needs it; there is code for one block, and the ring is moved. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR_MUL

#include "steps.inc"

#define EXPANDED_BYTES 32 /* of the expanded key, on the stack */

code runnel_sosemanuk_avr_small
#include "serpent.inc"

/* void key(r25:r24 state, r23:r22 key, r21:r20 key_bytes) */
entry runnel_sosemanuk_avr_small_key
    movw r26, r24
    subi r26, -(KEPT)
    sbci r27, -1
    movw r30, r22
    pad_key
    ret
endfunc

/* A to D ^= the words at X, which wait there while a subkey is made. */
.Ladd_waiting:
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    ld r0, X+
    eor A+\n, r0
    .endr
    sbiw r26, 16
    ret

.Llet_wait:
    store_all_at_x A, B, C, D
    sbiw r26, 16
    ret

.macro round box, subkey_box
    rcall .Lnext_words
    rcall .Ls_box_\subkey_box
    rcall .Ladd_waiting
    rcall .Ls_box_\box
    rcall .Ltransform
    rcall .Llet_wait
.endm

.macro keep place, word, second
    adiw r26, \place
    store_at_x \word
    store_at_x \second
    sbiw r26, 8
    sbiw r26, \place
.endm

    stack_setter .Lset_stack

/* void iv(r25:r24 state, r23:r22 iv, r21:r20 iv_bytes) */
entry runnel_sosemanuk_avr_small_iv
    push_all
    movw r28, r24
    movw r30, r22
    take_iv
    movw r22, r28
    stack_to_y
    sbiw r28, EXPANDED_BYTES
    set_stack_to_y_by .Lset_stack
    adiw r28, 1
    movw r26, r22
    subi r26, -(KEPT)
    sbci r27, -1
    movw r30, r28
    ldi r18, EXPANDED_BYTES
.Lcopy_expanded:
    ld r0, X+
    st Z+, r0
    dec r18
    brne .Lcopy_expanded
    sbiw r30, 16
    movw r26, r22
    clr ZERO
    clr COUNT
    all_rounds round, keep
    rcall .Lnext_words
    rcall .Ls_box_3
    rcall .Ladd_waiting
    store_all_at_x D, C, B, A
    movw r30, r28 /* an odd number of times Y and Z were exchanged */
    sbiw r30, 16
    movw r28, r30
    ldi r18, EXPANDED_BYTES
.Lwipe:
    st Z+, ZERO
    dec r18
    brne .Lwipe
    adiw r28, EXPANDED_BYTES-1
    set_stack_to_y_by .Lset_stack
    pop_all_return
endfunc

/* void xor_blocks(r25:r24 state, r23:r16 index, r15:r14 out, r13:r12 in, r11:r10 nblocks) */
entry runnel_sosemanuk_avr_small_xor_blocks
    enter_xor_blocks
    load_ring 0
.Lnext_block:
    block 0
    movw r30, r28
    ldi T0, 8
.Lmove_ring:
    .rept 4
    ldd r0, Z+16
    st Z+, r0
    .endr
    dec T0
    brne .Lmove_ring
    store_ring_word 8, C
    store_ring_word 9, D
    more .Lnext_block
    leave_xor_blocks
endfunc

#endif
