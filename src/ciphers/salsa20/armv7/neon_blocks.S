/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The blocks of neon.c. Groups of four blocks have one vector a state word. A quarter-round needs two registers besides
 * its words, and two go side by side, so that four words are always in memory: 2, 3, 6 and 7 while the first half of a
 * column round follows the second half of a row round, 8, 9, 12 and 13 in between. Two or three blocks have a vector a
 * diagonal, side by side. */
#include "arch/armv7/asm.h"

#if RUNNEL_ARMV7_NEON

#include "ciphers/salsa20/places.h"

#define state      r0
#define index_low  r2
#define index_high r3
#define out        r1
#define in         r4
#define nblocks    r5
#define place_2    r6 /* of words 2, 3, 6 and 7 */
#define place_8    r7 /* of words 8, 9, 12 and 13 */
#define step       r8
#define onward     r9
#define round      r10
#define row        r11
#define next_low   r10
#define next_high  r11
#define counters   lr /* place of words 8 and 9 of the group's blocks */

#include "arch/armv7/words.inc"

    .equ    OLD_SP, 160
    .equ    FRAME, 176
    .equ    ARGUMENTS, 100  /* from OLD_SP on */

/* target ^= (x + y) <<< by, and the same for the other three. */
.macro add_rotate_xor target, x, y, target_2, x_2, y_2, by
    vadd.i32 q12, \x, \y
    vadd.i32 q13, \x_2, \y_2
    vshl.i32 q14, q12, #\by
    vshl.i32 q15, q13, #\by
    vsri.32 q14, q12, #32 - \by
    vsri.32 q15, q13, #32 - \by
    veor    \target, \target, q14
    veor    \target_2, \target_2, q15
.endm

.macro quarter_rounds a, b, c, d, a_2, b_2, c_2, d_2
    add_rotate_xor \b, \a, \d, \b_2, \a_2, \d_2, 7
    add_rotate_xor \c, \b, \a, \c_2, \b_2, \a_2, 9
    add_rotate_xor \d, \c, \b, \d_2, \c_2, \b_2, 13
    add_rotate_xor \a, \d, \c, \a_2, \d_2, \c_2, 18
.endm

.macro exchange store, load
    vstmia  \store, {d16-d23}
    vldmia  \load, {d16-d23}
.endm

row_u0  .req q14
row_u1  .req q15

/* As add_rotate_xor, on the vectors of n blocks. */
.macro add_rotate_xor_rows n, target, x, y, by
    rows    \n, vadd.i32, t, \x, \y
    .if     \n < 3
    rows    \n, vshl.i32, u, t, , ", #\by"
    rows    \n, vsri.32, u, t, , ", #32 - \by"
    rows    \n, veor, \target, \target, u
    .else
    rotate_to q15, q12, \by
    vshl.i32 q12, q13, #\by
    veor    row_\target\()0, row_\target\()0, q15
    vshl.i32 q15, q14, #\by
    vsri.32 q12, q13, #32 - \by
    vsri.32 q15, q14, #32 - \by
    veor    row_\target\()1, row_\target\()1, q12
    veor    row_\target\()2, row_\target\()2, q15
    .endif
.endm

.macro round_of_rows n, a, b, c, d
    add_rotate_xor_rows \n, \b, \a, \d, 7
    add_rotate_xor_rows \n, \c, \b, \a, 9
    add_rotate_xor_rows \n, \d, \c, \b, 13
    add_rotate_xor_rows \n, \a, \d, \c, 18
    turn_rows \n, \b, 3
    turn_rows \n, \c, 2
    turn_rows \n, \d, 1
.endm

.macro all_rounds_of_rows n
    ldrb    round, [state, #SALSA20_ROUNDS]
.Lrow_round\@:
    round_of_rows \n, a, b, c, d
    round_of_rows \n, a, d, c, b
    subs    round, round, #2
    bne     .Lrow_round\@
.endm

.macro advance low_to, high_to
    adds    \low_to, index_low, #1
    adc     \high_to, index_high, #0
.endm

/* From rows to diagonals: column i moves up by i. The columns with odd numbers are those of q15. */
.macro load_diagonals a, b, c, d, low_a_b, low_c_d, low_c, a_high, b_high, c_high, d_high, from_low, from_high
    mov     row, state
    vld1.32 {\low_a_b}, [row]!
    vld1.32 {\low_c_d}, [row]
    vmov    \low_c, \from_low, \from_high
    vswp    \a_high, \c_high
    vswp    \b_high, \d_high
    vmov    q12, \a
    vbit    \a, \b, q15
    vbit    \b, \c, q15
    vbit    \c, \d, q15
    vbit    \d, q12, q15
.endm

/* And back; adds the state and puts the block. */
.macro finish_diagonals a, b, c, d, a_high, b_high, c_high, d_high, a_b, c_d
    vmov.i64 q15, #0xffffffff00000000
    vmov    q12, \d
    vbit    \d, \c, q15
    vbit    \c, \b, q15
    vbit    \b, \a, q15
    vbit    \a, q12, q15
    mov     row, state
    vswp    \a_high, \c_high
    vswp    \b_high, \d_high
    vld1.32 {d24-d27}, [row]!
    vld1.32 {d28-d31}, [row]
    vmov    d28, index_low, index_high
    vadd.i32 \a, \a, q12
    vadd.i32 \b, \b, q13
    vadd.i32 \c, \c, q14
    vadd.i32 \d, \d, q15
    put_rows \a, \b, \c, \d, \a_b, \c_d
.endm

/* void runnel_salsa20_armv7_neon_blocks(const void *state, uint64_t index, uint8_t *out, const uint8_t *in,
 *                                       size_t nblocks)
 * nblocks: not 4 n + 1. */
arm_function runnel_salsa20_armv7_neon_blocks
    push_aligned_frame FRAME, OLD_SP
    add     r12, r12, #ARGUMENTS
    ldm     r12, {out, in, nblocks}
    mov     place_2, sp
    add     place_8, sp, #64
    add     counters, sp, #128
    mov     step, #64
    mov     onward, #48
    subs    nblocks, nblocks, #4
    blo     .Lrest

.Lgroup:
    mov     row, state
    vld1.32 {d24-d27}, [row]!
    vld1.32 {d28-d31}, [row]
    broadcast q0, q1, q8, q9, d24, d25
    broadcast q2, q3, q10, q11, d26, d27
    vstmia  place_2, {d16-d23}
    broadcast q10, q11, q6, q7, d30, d31
    vdup.32 q4, d29[0]
    vdup.32 q5, d29[1]
    advance next_low, next_high
    vmov    d16, index_low, next_low
    vmov    d18, index_high, next_high
    adds    index_low, index_low, #2
    adc     index_high, index_high, #0
    advance next_low, next_high
    vmov    d17, index_low, next_low
    vmov    d19, index_high, next_high
    vst1.64 {d16-d19}, [counters :128]
    ldrb    round, [state, #SALSA20_ROUNDS]
.Lgroup_round:
    quarter_rounds q0, q2, q8, q10, q3, q9, q11, q1         /* words 0 4 8 12, 5 9 13 1 */
    exchange place_8, place_2
    quarter_rounds q4, q6, q8, q10, q7, q9, q11, q5         /* 10 14 2 6, 15 3 7 11 */
    quarter_rounds q0, q1, q8, q9, q3, q10, q11, q2         /* 0 1 2 3, 5 6 7 4 */
    exchange place_2, place_8
    quarter_rounds q4, q5, q8, q9, q7, q10, q11, q6         /* 10 11 8 9, 15 12 13 14 */
    subs    round, round, #2
    bne     .Lgroup_round

    add     row, state, #32
    vld1.64 {d24-d27}, [counters :128]
    move_by 32
    vadd.i32 q8, q8, q12        /* words 8 and 9 of the state itself are 0 */
    vadd.i32 q9, q9, q13
    vld1.32 {d24-d27}, [row]
    transpose q8, q9, q4, q5, d17, d8, d19, d10
    transpose q10, q11, q6, q7, d21, d12, d23, d14
    add_to_all q8, q9, q4, q5, q12
    add_to_all q10, q11, q6, q7, q13
    put_half q8, q10, q12, q13, d24-d27
    put_half q9, q11, q14, q15, d28-d31
    put_half q4, q6, q12, q13, d24-d27
    put_half q5, q7, q14, q15, d28-d31
    move_by -4 * 64 - 32
    vldmia  place_2, {d16-d23}
    vld1.32 {d24-d27}, [state]
    transpose q0, q1, q8, q9, d1, d16, d3, d18
    transpose q2, q3, q10, q11, d5, d20, d7, d22
    add_to_all q0, q1, q8, q9, q12
    add_to_all q2, q3, q10, q11, q13
    put_half q0, q2, q12, q13, d24-d27
    put_half q1, q3, q14, q15, d28-d31
    put_half q8, q10, q12, q13, d24-d27
    put_half q9, q11, q14, q15, d28-d31
    adds    index_low, index_low, #2
    adc     index_high, index_high, #0
    subs    nblocks, nblocks, #4
    bhs     .Lgroup

.Lrest:
    adds    nblocks, nblocks, #4
    beq     .Lend
    vmov.i64 q15, #0xffffffff00000000
    load_diagonals q0, q1, q2, q3, d0-d3, d4-d7, d4, d1, d3, d5, d7, index_low, index_high
    advance next_low, r12
    load_diagonals q4, q5, q6, q7, d8-d11, d12-d15, d12, d9, d11, d13, d15, next_low, r12
    cmp     nblocks, #2
    beq     .Ltwo
    adds    next_low, next_low, #1
    adc     r12, r12, #0
    load_diagonals q8, q9, q10, q11, d16-d19, d20-d23, d20, d17, d19, d21, d23, next_low, r12
    all_rounds_of_rows 3
    b       .Lput
.Ltwo:
    all_rounds_of_rows 2
.Lput:
    finish_diagonals q0, q1, q2, q3, d1, d3, d5, d7, d0-d3, d4-d7
    advance index_low, index_high
    finish_diagonals q4, q5, q6, q7, d9, d11, d13, d15, d8-d11, d12-d15
    cmp     nblocks, #2
    beq     .Lend
    advance index_low, index_high
    finish_diagonals q8, q9, q10, q11, d17, d19, d21, d23, d16-d19, d20-d23
.Lend:
    vmov.i8 q0, #0
    vmov.i8 q1, #0
    vmov.i8 q2, #0
    vmov.i8 q3, #0
    vstmia  place_2, {d0-d7}
    vstmia  place_8, {d0-d7}
    pop_aligned_frame_return OLD_SP
endfunc

#endif
