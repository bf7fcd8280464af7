/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The rounds of neon.c: 8 blocks, bit plane i in q<i>, all 16 bytes of a plane in one register.
 *
 * Byte p of a plane: bits 0 and 1 of p are the row, bit 2 is the column's high bit, bit 3 its low one. So two rows
 * further down is one VREV away, whether two columns further right (VREV64.16) or in the same column (VREV32.16), and
 * ShiftRows is never carried out (fixslicing; Adomnicai, Peyrin, TCHES 2021/1): MixColumns fetches "the byte k rows
 * below" k * v columns further right, v being the number of rounds up to this one, counted such that the last has v =
 * 0. One row further down is a VTBL by `below`, a table with an entry for each round.
 *
 * The S-box is the circuit of Boyar and Peralta except for its NOTs, which are in the round keys; its inversion in
 * GF(2^4) is made of bit selections: t29 = t27 ? t21 : t22 saves two of three gates. It is ordered for few spills.
 * Names in comments are the circuit's. */
#include "arch/armv7/asm.h"

#if RUNNEL_ARMV7_NEON

keys    .req r0
below   .req r1
out     .req r2
in      .req r3
from    .req lr
/* Addresses of the places for spilled registers. */
spill_0 .req r4
spill_1 .req r5
spill_2 .req r6
spill_3 .req r7
spill_4 .req r8
spill_5 .req r9
spill_6 .req r10
spill_7 .req r11
spill_8 .req r12

    .equ    SPILLS, 160    /* bytes of the frame: places for spills, then what follows */
    .equ    OLD_SP, 160
    .equ    FIRST, 164
    .equ    KEYS, 168      /* and `below` */
    .equ    COUNT, 176
    .equ    FRAME, 192
    .equ    ARGUMENTS, 100 /* from OLD_SP on */

    .macro spill register, place
    vst1.64 {\register}, [spill_\place :128]
    .endm

    .macro reload register, place
    vld1.64 {\register}, [spill_\place :128]
    .endm

    .macro enter
    push_aligned_frame FRAME, OLD_SP
    mov     spill_0, sp
    add     spill_1, sp, #16
    add     spill_2, sp, #32
    add     spill_3, sp, #48
    add     spill_4, sp, #64
    add     spill_5, sp, #80
    add     spill_6, sp, #96
    add     spill_7, sp, #112
    .endm

/* After what still needs OLD_SP in r12. */
    .macro place_last_spill
    add     spill_8, sp, #128
    .endm

    .macro leave
    vmov.i8 q0, #0
    vmov.i8 q1, #0
    .rept   SPILLS / 32
    vst1.64 {d0-d3}, [r4 :128]!
    .endr
    pop_aligned_frame_return OLD_SP
    .endm

/* q0 … q7 to q2, q12, q7, q0, q5, q6, q13, q9. */
    .macro sub_bytes
    veor    q5, q6, q5              // t0
    veor    q8, q7, q4              // y9
    veor    q9, q7, q2              // y8
    veor    q10, q4, q2             // y14
    veor    q11, q5, q0             // y1
    veor    q12, q7, q1             // y13
    veor    q13, q12, q10           // y12
    veor    q1, q11, q1             // y5
    veor    q3, q3, q13             // t1
    veor    q4, q11, q4             // y4
    veor    q14, q1, q9             // y3
    veor    q2, q3, q2              // y15
    vand    q15, q13, q2            // t2
    veor    q3, q3, q6              // y20
    vand    q6, q4, q0              // t5
    spill   q4, 0                   // y4
    veor    q4, q2, q0              // y6
    spill   q13, 1                  // y12
    vand    q13, q14, q4            // t3
    veor    q6, q6, q15             // t6
    spill   q4, 2                   // y6
    vand    q4, q1, q11             // t8
    spill   q14, 3                  // y3
    veor    q14, q2, q5             // y10
    veor    q13, q13, q15           // t4
    veor    q15, q3, q8             // y11
    spill   q1, 4                   // y5
    veor    q1, q14, q15            // y17
    spill   q2, 5                   // y15
    vand    q2, q10, q1             // t13
    spill   q10, 6                  // y14
    vand    q10, q9, q14            // t15
    spill   q1, 7                   // y17
    vand    q1, q8, q15             // t12
    veor    q10, q10, q1            // t16
    veor    q5, q5, q15             // y16
    veor    q2, q2, q1              // t14
    vand    q1, q12, q5             // t7
    veor    q13, q13, q2            // t17
    veor    q13, q13, q3            // t21
    veor    q3, q11, q7             // y2
    veor    q6, q6, q10             // t18
    veor    q4, q4, q1              // t9
    spill   q11, 8                  // y1
    veor    q11, q12, q5            // y21
    veor    q4, q4, q2              // t19
    veor    q2, q0, q15             // y7
    veor    q4, q4, q11             // t23
    vand    q11, q3, q2             // t10
    veor    q11, q11, q1            // t11
    veor    q7, q7, q5              // y18
    veor    q1, q14, q9             // y19
    veor    q11, q11, q10           // t20
    veor    q11, q11, q7            // t24
    veor    q6, q6, q1              // t22
    vand    q7, q13, q4             // t26
    veor    q1, q6, q7              // t31
    veor    q7, q11, q7             // t27
    vmov    q10, q7
    vbsl    q10, q13, q6            // t29
    vbsl    q6, q1, q10             // u40
    veor    q13, q13, q6            // t40
    vand    q2, q10, q2             // z5
    vbsl    q1, q4, q11             // t33
    veor    q6, q10, q1             // t42
    vbsl    q11, q7, q1             // u37
    vand    q8, q6, q8              // z15
    vand    q3, q10, q3             // z14
    vand    q15, q6, q15            // z6
    veor    q4, q4, q11             // t37
    veor    q10, q10, q13           // t43
    veor    q7, q13, q4             // t41
    vand    q12, q10, q12           // z12
    veor    q6, q6, q7              // t45
    vand    q14, q7, q14            // z8
    reload  q11, 7                  // y17
    vand    q11, q6, q11            // z7
    veor    q15, q15, q11           // t54
    veor    q11, q11, q14           // t52
    vand    q7, q7, q9              // z17
    vand    q10, q10, q5            // z3
    veor    q5, q1, q4              // t44
    reload  q9, 6                   // y14
    vand    q6, q6, q9              // z16
    veor    q8, q8, q6              // t46
    reload  q9, 1                   // y12
    vand    q9, q5, q9              // z9
    veor    q15, q10, q15           // t59
    reload  q14, 5                  // y15
    vand    q5, q5, q14             // z0
    veor    q6, q6, q7              // t55
    vand    q0, q1, q0              // z2
    reload  q7, 4                   // y5
    vand    q7, q13, q7             // z13
    veor    q5, q5, q10             // t53
    veor    q10, q0, q12            // t50
    veor    q0, q0, q2              // t51
    reload  q14, 8                  // y1
    vand    q13, q13, q14           // z4
    veor    q2, q2, q7              // t48
    reload  q7, 3                   // y3
    vand    q7, q4, q7              // z10
    veor    q9, q9, q7              // t49
    veor    q10, q10, q5            // t57
    reload  q14, 2                  // y6
    vand    q4, q4, q14             // z1
    veor    q3, q3, q10             // t61
    veor    q14, q13, q8            // t58
    veor    q11, q11, q14           // t62
    veor    q9, q9, q14             // t63
    veor    q4, q4, q9              // t66
    reload  q14, 0                  // y4
    vand    q1, q1, q14             // z11
    veor    q7, q7, q1              // t47
    veor    q12, q12, q2            // t56
    veor    q3, q3, q11             // t65
    veor    q12, q12, q11           // s6
    veor    q9, q15, q9             // s0
    veor    q8, q8, q10             // t60
    veor    q2, q2, q8              // s7
    veor    q0, q0, q4              // s4
    veor    q5, q5, q4              // s3
    veor    q13, q13, q15           // t64
    veor    q4, q13, q3             // t67
    veor    q6, q6, q4              // s2
    veor    q13, q13, q5            // s1
    veor    q7, q7, q3              // s5
    .endm

/* Register \to = the bytes of \of one row below. */
    .macro fetch to_low, to_high, of_low, of_high
    vtbl.8  \to_low, {\of_low, \of_high}, d22
    vtbl.8  \to_high, {\of_low, \of_high}, d23
    .endm

/* From where sub_bytes leaves the planes back to q0 … q7. s<i> is plane i XOR itself one row below; plane i becomes
 * itself one row below, XOR s<i> two rows below, XOR 2 * s, which is s<i-1>, and s7 if 0x1b has bit i. */
    .macro mix_columns two_below
    vld1.64 {d22, d23}, [below]!
    fetch   d6, d7, d12, d13
    veor    q6, q6, q3              // s5
    \two_below q10, q6
    veor    q3, q3, q10
    fetch   d2, d3, d10, d11
    veor    q10, q5, q1             // s4
    veor    q5, q3, q10
    \two_below q10, q10
    veor    q4, q1, q10
    fetch   d6, d7, d0, d1
    veor    q0, q0, q3              // s3
    fetch   d28, d29, d14, d15
    veor    q8, q7, q14             // s2
    veor    q4, q4, q0
    \two_below q0, q0
    veor    q3, q3, q0
    \two_below q0, q8
    veor    q14, q14, q0
    veor    q3, q3, q8
    fetch   d2, d3, d24, d25
    veor    q12, q12, q1            // s1
    fetch   d0, d1, d4, d5
    veor    q2, q2, q0              // s0
    \two_below q8, q12
    veor    q1, q1, q8
    veor    q1, q1, q2
    fetch   d14, d15, d18, d19
    veor    q9, q9, q7              // s7
    veor    q3, q3, q9
    veor    q4, q4, q9
    veor    q0, q0, q9
    veor    q1, q1, q9
    \two_below q9, q9
    veor    q7, q7, q9
    \two_below q2, q2
    veor    q0, q0, q2
    veor    q2, q14, q12
    fetch   d24, d25, d26, d27
    veor    q9, q13, q12            // s6
    veor    q12, q12, q6
    veor    q7, q7, q9
    \two_below q9, q9
    veor    q6, q12, q9
    .endm

    .macro add_planes_from pointer
    vldmia  \pointer, {q8-q15}
    veor    q0, q0, q8
    veor    q1, q1, q9
    veor    q2, q2, q10
    veor    q3, q3, q11
    veor    q4, q4, q12
    veor    q5, q5, q13
    veor    q6, q6, q14
    veor    q7, q7, q15
    .endm

    .macro round two_below
    sub_bytes
    mix_columns \two_below
    add_planes_from keys!
    .endm

/* Exchanges the bits of \a that \mask lacks with those of \b that it has, \n places further right. */
    .macro swap_bits a, b, n, mask
    vshl.u8 q0, \b, #\n
    vshr.u8 q1, \a, #\n
    vbif    \a, q0, \mask
    vbit    \b, q1, \mask
    .endm

    .macro swap_nibbles a, b
    vmov    q0, \a
    vsli.8  \a, \b, #4
    vsri.8  \b, q0, #4
    .endm

/* void runnel_aes_armv7_neon_groups(const void *keys, const void *below, const void *first, const void *from,
 *                                   uint8_t *out, const uint8_t *in, size_t ngroups)
 * For each group: planes from[g] XOR first, then the rounds from that of keys and below on up to the last; out = in XOR
 * the 8 blocks, in == NULL: the blocks. */
arm_function runnel_aes_armv7_neon_groups
    enter
    strd    keys, below, [sp, #KEYS]
    str     r2, [sp, #FIRST]
    mov     from, r3
    ldrd    out, in, [r12, #ARGUMENTS]
    ldr     r12, [r12, #ARGUMENTS + 8]
    str     r12, [sp, #COUNT]
    place_last_spill

.Lgroup:
    ldr     r0, [sp, #FIRST]
    vldmia  from!, {q0-q7}
    add_planes_from r0
    ldrd    keys, below, [sp, #KEYS]
.Lodd_round:
    round   vrev64.16
    tst     below, #255 /* the table's end */
    beq     .Llast_round
    round   vrev32.16
    b       .Lodd_round

.Llast_round:
    sub_bytes
    vld1.64 {q3, q4}, [keys]!
    vld1.64 {q10, q11}, [keys]!
    vld1.64 {q14, q15}, [keys]!
    vld1.64 {q1}, [keys]!
    vld1.64 {q8}, [keys]
    veor    q2, q2, q3   // plane 0
    veor    q3, q12, q4  // 1
    veor    q4, q7, q10  // 2
    veor    q12, q5, q14 // 4
    veor    q5, q0, q11  // 3
    veor    q10, q13, q1 // 6
    veor    q11, q9, q8  // 7
    veor    q13, q6, q15 // 5

/* Planes to blocks: bit b of plane i in byte p is bit i of byte p of block b. */
    vmov.i8 q14, #0x55
    vmov.i8 q15, #0x33
    swap_bits q2, q3, 1, q14
    swap_bits q4, q5, 1, q14
    swap_bits q12, q13, 1, q14
    swap_bits q10, q11, 1, q14
    swap_bits q2, q4, 2, q15
    swap_bits q3, q5, 2, q15
    swap_bits q12, q10, 2, q15
    swap_bits q13, q11, 2, q15
    swap_nibbles q2, q12
    swap_nibbles q3, q13
    swap_nibbles q4, q10
    swap_nibbles q5, q11
/* Columns 0, 2, 1, 3 in order. */
    vtrn.32 d4, d5
    vtrn.32 d6, d7
    vtrn.32 d8, d9
    vtrn.32 d10, d11
    vtrn.32 d24, d25
    vtrn.32 d26, d27
    vtrn.32 d20, d21
    vtrn.32 d22, d23

    cmp     in, #0
    beq     .Lstore
    vld1.8  {d0-d3}, [in]!
    vld1.8  {d12-d15}, [in]!
    vld1.8  {d16-d19}, [in]!
    vld1.8  {d28-d31}, [in]!
    veor    q2, q2, q0
    veor    q3, q3, q1
    veor    q4, q4, q6
    veor    q5, q5, q7
    veor    q12, q12, q8
    veor    q13, q13, q9
    veor    q10, q10, q14
    veor    q11, q11, q15
.Lstore:
    vst1.8  {d4-d7}, [out]!
    vst1.8  {d8-d11}, [out]!
    vst1.8  {d24-d27}, [out]!
    vst1.8  {d20-d23}, [out]!
    ldr     r0, [sp, #COUNT]
    subs    r0, r0, #1
    str     r0, [sp, #COUNT]
    bne     .Lgroup
    leave
endfunc

/* void runnel_aes_armv7_neon_rounds(const void *keys, const void *below, void *planes, size_t n)
 * One or two rounds, the first of them odd. */
arm_function runnel_aes_armv7_neon_rounds
    enter
    place_last_spill
    vldmia  r2, {q0-q7}
    round   vrev64.16
    cmp     r3, #1
    beq     .Lrounds_done
    round   vrev32.16
.Lrounds_done:
    vstmia  r2, {q0-q7}
    leave
endfunc

/* void runnel_aes_armv7_neon_sub_planes(void *planes, size_t n): the S-box without its NOTs on n sets of 8 planes. */
arm_function runnel_aes_armv7_neon_sub_planes
    enter
    place_last_spill
.Lplanes:
    vldmia  r0, {q0-q7}
    sub_bytes
    vst1.64 {q2}, [r0]!
    vst1.64 {q12}, [r0]!
    vst1.64 {q7}, [r0]!
    vst1.64 {q0}, [r0]!
    vst1.64 {q5}, [r0]!
    vst1.64 {q6}, [r0]!
    vst1.64 {q13}, [r0]!
    vst1.64 {q9}, [r0]!
    subs    r1, r1, #1
    bne     .Lplanes
    leave
endfunc

#endif
