/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT for 8-bit AVR in little flash: one round in a loop, without tables, in constant time. Both functions come from
 * w = rotl(x, 2) ^ rotl(x, 7): F0(x) = w ^ rotl(x, 1) and F1(x) = rotl(w ^ x, 4). */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#include "steps.inc"

#define ZERO 20
#define ONCE 18      /* rotl(x, 1) */
#define W 19
#define TURNS r23
#define OUT r24      /* r25:r24 */
#define IN r26       /* X */

/* On the stack in counter mode, from SP + 1. */
#define BLOCK 1
#define BLOCKS 9
#define FRAME_BYTES 10

code runnel_hight_avr_small

.macro rotations from
    mov ONCE, \from
    lsl ONCE
    adc ONCE, ZERO
    mov W, ONCE
    lsl W
    adc W, ZERO
    mov KEY, \from
    bst KEY, 0
    lsr KEY
    bld KEY, 7
    eor W, KEY
.endm

.macro step_1 to, from, subkey
    rotations \from
    eor W, \from
    swap W
    ldd KEY, Y+\subkey
    eor W, KEY
    add \to, W
.endm

.macro step_0 to, from, subkey
    rotations \from
    eor W, ONCE
    ldd KEY, Y+\subkey
    add W, KEY
    eor \to, W
.endm

    /* r0..r7 become the encrypted block, as output wants it; Y: the schedule, which stays. */
.Lencrypt:
    whiten_input
    adiw r28, SUBKEYS
    clr ZERO
    ldi TURNS, 32
.Lround:
    step_1 1, 0, 0
    step_0 3, 2, 1
    step_1 5, 4, 2
    step_0 7, 6, 3
    mov KEY, 7
    .irp n, 7, 6, 5, 4, 3, 2, 1
    mov \n, \n-1
    .endr
    mov 0, KEY
    adiw r28, 4
    dec TURNS
    breq .Lrounds_done
    rjmp .Lround
.Lrounds_done:
    subi r28, SUBKEYS + 128
    sbci r29, 0
    whiten_output
    ret

/* void encrypt_blocks(r25:r24 state, r23:r22 out, r21:r20 in, r19:r18 nblocks) */
entry runnel_hight_avr_small_encrypt_blocks
    push_all
    movw r28, r24
    movw OUT, r22
    movw IN, r20
    movw r16, r18
.Lraw_block:
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    ld \n, X+
    .endr
    rcall .Lencrypt
    movw r30, OUT
    output
    movw OUT, r30
    subi r16, 1
    sbci r17, 0
    breq .Lraw_done
    rjmp .Lraw_block
.Lraw_done:
    pop_all_return
endfunc

/* void ctr32(r25:r24 state, r23:r22 prefix, r21:r20 block, r19:r18 out, r17:r16 in, r15:r14 nblocks) */
entry runnel_hight_avr_small_ctr32
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
    movw IN, r16
.Lnext_counter_block:
    stack_to_z
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    ldd \n, Z+BLOCK+\n
    .endr
    rcall .Lencrypt
    movw r30, OUT
    sbiw IN, 0
    breq .Lkeystream
    xor_output
    rjmp .Lblock_written
.Lkeystream:
    output
.Lblock_written:
    movw OUT, r30
    stack_to_z
    ldd r16, Z+BLOCKS
    ldd r17, Z+BLOCKS+1
    subi r16, 1
    sbci r17, 0
    std Z+BLOCKS, r16
    std Z+BLOCKS+1, r17
    or r16, r17
    breq .Lleave
    adiw r30, BLOCK+8
.Lcarry:
    ld r16, -Z
    inc r16
    st Z, r16
    breq .Lcarry
    rjmp .Lnext_counter_block
.Lleave:
    .rept FRAME_BYTES
    pop r0
    .endr
    pop_all_return
endfunc

#endif
