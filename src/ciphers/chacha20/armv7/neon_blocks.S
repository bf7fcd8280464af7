/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The blocks of neon.c. Groups of four blocks have one vector a state word. Sixteen words leave no register for a
 * rotation, so that two of the third row are in memory: two quarter-rounds side by side take the other two, and those
 * that end a column round and begin a diagonal one, or the other way round, take the same. Two or three blocks have a
 * vector a row, side by side. */
#include "arch/armv7/asm.h"

#if RUNNEL_ARMV7_NEON

#define state      r0
#define counter    r1
#define out        r2
#define in         r3
#define nblocks    r4
#define low_c      r5 /* places of words 8 and 9, and of 10 and 11 */
#define high_c     r6
#define counters   r7 /* place of word 12 of the group's blocks */
#define step       r8
#define onward     r9
#define round      r10
#define row        r11

#include "arch/armv7/words.inc"

    .equ    OLD_SP, 80
    .equ    FRAME, 96
    .equ    ARGUMENTS, 100  /* from OLD_SP on */

/* sum += add; target = (target XOR sum) <<< n; the same for the other three. */
.macro add_xor_rotate sum, add, target, sum_2, add_2, target_2, n
    vadd.i32 \sum, \sum, \add
    vadd.i32 \sum_2, \sum_2, \add_2
    veor    q14, \target, \sum
    veor    q15, \target_2, \sum_2
    vshl.i32 \target, q14, #\n
    vshl.i32 \target_2, q15, #\n
    vsri.32 \target, q14, #32 - \n
    vsri.32 \target_2, q15, #32 - \n
.endm

.macro quarter_rounds a, b, c, d, a_2, b_2, c_2, d_2
    vadd.i32 \a, \a, \b
    vadd.i32 \a_2, \a_2, \b_2
    veor    \d, \d, \a
    veor    \d_2, \d_2, \a_2
    vrev32.16 \d, \d
    vrev32.16 \d_2, \d_2
    add_xor_rotate \c, \d, \b, \c_2, \d_2, \b_2, 12
    add_xor_rotate \a, \b, \d, \a_2, \b_2, \d_2, 8
    add_xor_rotate \c, \d, \b, \c_2, \d_2, \b_2, 7
.endm

.macro exchange_c store, load
    vst1.64 {d16-d19}, [\store :128]
    vld1.64 {d16-d19}, [\load :128]
.endm

/* As add_xor_rotate, on the vectors of n blocks. */
.macro add_xor_rotate_rows n, sum, add, target, by
    rows    \n, vadd.i32, \sum, \sum, \add
    rows    \n, veor, t, \target, \sum
    rows    \n, vshl.i32, \target, t, , ", #\by"
    rows    \n, vsri.32, \target, t, , ", #32 - \by"
.endm

.macro round_of_rows n
    rows    \n, vadd.i32, a, a, b
    rows    \n, veor, d, d, a
    rows    \n, vrev32.16, d, d
    add_xor_rotate_rows \n, c, d, b, 12
    add_xor_rotate_rows \n, a, b, d, 8
    add_xor_rotate_rows \n, c, d, b, 7
.endm

.macro all_rounds_of_rows n
    mov     round, #20
.Lrow_round\@:
    round_of_rows \n
    turn_rows \n, a, 3          /* row b, the last to be ready, stays */
    turn_rows \n, d, 2
    turn_rows \n, c, 1
    round_of_rows \n
    turn_rows \n, a, 1
    turn_rows \n, d, 2
    turn_rows \n, c, 3
    subs    round, round, #2
    bne     .Lrow_round\@
.endm

/* Adds the state, in q12 and q13, then in q14 and q15, and puts the block. */
.macro finish_rows a, b, c, d, low, high
    vadd.i32 \a, \a, q12
    vadd.i32 \b, \b, q13
    vadd.i32 \c, \c, q14
    vadd.i32 \d, \d, q15
    put_rows \a, \b, \c, \d, \low, \high
.endm
.macro load_state
    mov     row, state
    vld1.32 {d24-d27}, [row]!
    vld1.32 {d28-d31}, [row]
    vmov.32 d30[0], counter
.endm

/* void runnel_chacha20_armv7_neon_blocks(const void *state, uint32_t counter, uint8_t *out, const uint8_t *in,
 *                                        size_t nblocks)
 * nblocks: not 4 n + 1. */
arm_function runnel_chacha20_armv7_neon_blocks
    push_aligned_frame FRAME, OLD_SP
    ldr     nblocks, [r12, #ARGUMENTS]
    mov     low_c, sp
    add     high_c, sp, #32
    add     counters, sp, #64
    mov     step, #64
    mov     onward, #48
    subs    nblocks, nblocks, #4
    blo     .Lrest

.Lgroup:
    mov     row, state
    vld1.32 {d20-d23}, [row]!
    vld1.32 {d28-d31}, [row]
    broadcast q0, q1, q2, q3, d20, d21
    broadcast q4, q5, q6, q7, d22, d23
    vdup.32 q8, d29[0]
    vdup.32 q9, d29[1]
    add     row, counter, #1
    vst1.64 {d16-d19}, [high_c :128]
    vdup.32 q8, d28[0]
    vdup.32 q9, d28[1]
    add     round, counter, #2
    vmov    d20, counter, row
    add     row, counter, #3
    vdup.32 q11, d30[1]
    vmov    d21, round, row
    vdup.32 q12, d31[0]
    vdup.32 q13, d31[1]
    vst1.64 {d20-d21}, [counters :128]
    mov     round, #20
.Lgroup_round:
    quarter_rounds q0, q4, q8, q10, q1, q5, q9, q11
    exchange_c low_c, high_c
    quarter_rounds q2, q6, q8, q12, q3, q7, q9, q13
    quarter_rounds q0, q5, q8, q13, q1, q6, q9, q10
    exchange_c high_c, low_c
    quarter_rounds q2, q7, q8, q11, q3, q4, q9, q12
    subs    round, round, #2
    bne     .Lgroup_round

    mov     row, state
    transpose q0, q1, q2, q3, d1, d4, d3, d6
    vld1.32 {d28-d31}, [row]!
    transpose q4, q5, q6, q7, d9, d12, d11, d14
    add_to_all q0, q1, q2, q3, q14
    add_to_all q4, q5, q6, q7, q15
    put_half q0, q4, q14, q15, d28-d31
    put_half q1, q5, q14, q15, d28-d31
    put_half q2, q6, q14, q15, d28-d31
    put_half q3, q7, q14, q15, d28-d31
    move_by 32 - 4 * 64
    vmov    q0, q8
    vmov    q1, q9
    vld1.64 {d4-d7}, [high_c :128]
    vld1.64 {d28-d29}, [counters :128]
    transpose q0, q1, q2, q3, d1, d4, d3, d6
    vadd.i32 q10, q10, q14      /* word 12 of the state itself is 0 */
    vld1.32 {d28-d31}, [row]
    transpose q10, q11, q12, q13, d21, d24, d23, d26
    add_to_all q0, q1, q2, q3, q14
    add_to_all q10, q11, q12, q13, q15
    put_half q0, q10, q8, q9, d16-d19
    put_half q1, q11, q14, q15, d28-d31
    put_half q2, q12, q8, q9, d16-d19
    put_half q3, q13, q14, q15, d28-d31
    move_by -32
    add     counter, counter, #4
    subs    nblocks, nblocks, #4
    bhs     .Lgroup

.Lrest:
    adds    nblocks, nblocks, #4
    beq     .Lend
    load_state
    vmov    q0, q12
    vmov    q1, q13
    vmov    q2, q14
    vmov    q3, q15
    cmp     nblocks, #2
    add     row, counter, #1
    vmov    q4, q12
    vmov    q5, q13
    vmov    q6, q14
    vmov    q7, q15
    vmov.32 d14[0], row
    beq     .Ltwo
    add     row, counter, #2
    vmov    q8, q12
    vmov    q9, q13
    vmov    q10, q14
    vmov    q11, q15
    vmov.32 d22[0], row
    all_rounds_of_rows 3
    b       .Lput
.Ltwo:
    all_rounds_of_rows 2
.Lput:
    load_state
    finish_rows q0, q1, q2, q3, d0-d3, d4-d7
    subs    nblocks, nblocks, #2
    add     counter, counter, #1
    load_state
    finish_rows q4, q5, q6, q7, d8-d11, d12-d15
    beq     .Lend
    add     counter, counter, #1
    load_state
    finish_rows q8, q9, q10, q11, d16-d19, d20-d23
.Lend:
    vmov.i8 q0, #0
    vmov.i8 q1, #0
    vst1.64 {d0-d3}, [low_c :128]
    vst1.64 {d0-d3}, [high_c :128]
    pop_aligned_frame_return OLD_SP
endfunc

#endif
