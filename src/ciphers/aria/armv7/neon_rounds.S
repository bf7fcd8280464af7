/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The rounds of neon.c, on sixteen blocks in slices: byte i of all of them in 16 bytes of memory, slice i. An S-box is
 * looked up by eighths of its table, four registers of eight bytes each, for the four slices that share a box in this
 * round: 64 look-ups and 28 subtractions. Every eighth is looked up for every byte: constant time. */
#include "arch/armv7/asm.h"

#if RUNNEL_ARMV7_NEON

#define keys       r0 /* the round's */
#define left       r1 /* rounds */
#define boxes      r2 /* of the round */
#define from       r3
#define out        r4 /* these two follow each other on the stack */
#define in         r5
#define slices     r7 /* before the diffusion layer */
#define others     r8 /* behind it */
#define step       r9 /* 64 */
#define table      r10
#define slice      r11
#define key        lr
#define four       r12 /* 4 */

    .equ    OLD_SP, 512
    .equ    FRAME, 528
    .equ    ARGUMENTS, 100  /* from OLD_SP on */

/* Words of two slices each become their bytes, or the other way round, for slices j, 4 + j, 8 + j and 12 + j. */
.macro unzip x0, x4, x8, x12
    vuzp.8  \x0, \x4
    vuzp.8  \x8, \x12
    vuzp.8  \x0, \x8
    vuzp.8  \x4, \x12
.endm
.macro zip x0, x4, x8, x12
    vzip.8  \x0, \x8
    vzip.8  \x4, \x12
    vzip.8  \x0, \x4
    vzip.8  \x8, \x12
.endm

.macro load_blocks pointer, low_0, low_1, low_2, low_3, high_0, high_1, high_2, high_3
    vld4.8  {\low_0, \low_1, \low_2, \low_3}, [\pointer]!
    vld4.8  {\high_0, \high_1, \high_2, \high_3}, [\pointer]!
.endm
/* Adds q12 to q15. */
.macro add_four x0, x1, x2, x3
    veor    \x0, \x0, q12
    veor    \x1, \x1, q13
    veor    \x2, \x2, q14
    veor    \x3, \x3, q15
.endm

/* Adds the last key, which is twice at `key`, and data to four blocks, and stores them. */
.macro finish_blocks x0, x1, x2, x3, low_0, low_1, low_2, low_3, high_0, high_1, high_2, high_3
    vld4.8  {d24, d26, d28, d30}, [key]
    vld4.8  {d25, d27, d29, d31}, [key]
    add_four \x0, \x1, \x2, \x3
    cmp     in, #0
    beq     .Lstore\@
    load_blocks in, d24, d26, d28, d30, d25, d27, d29, d31
    add_four \x0, \x1, \x2, \x3
.Lstore\@:
    vst4.8  {\low_0, \low_1, \low_2, \low_3}, [out]!
    vst4.8  {\high_0, \high_1, \high_2, \high_3}, [out]!
.endm

/* An eighth of the table for slices in q0 to q3; what is found goes to q4 to q7. */
.macro look_up instruction, low, high
    vld1.8  {\low-\high}, [table :128]!
    .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
    look_up_8 \instruction, \i, \low, \high
    .endr
.endm
.macro look_up_8 instruction, i, low, high
    .ifc    \i, 0
    \instruction d8, {\low-\high}, d0
    .endif
    .ifc    \i, 1
    \instruction d9, {\low-\high}, d1
    .endif
    .ifc    \i, 2
    \instruction d10, {\low-\high}, d2
    .endif
    .ifc    \i, 3
    \instruction d11, {\low-\high}, d3
    .endif
    .ifc    \i, 4
    \instruction d12, {\low-\high}, d4
    .endif
    .ifc    \i, 5
    \instruction d13, {\low-\high}, d5
    .endif
    .ifc    \i, 6
    \instruction d14, {\low-\high}, d6
    .endif
    .ifc    \i, 7
    \instruction d15, {\low-\high}, d7
    .endif
.endm
.macro next_eighth
    .irp    x, q0, q1, q2, q3
    vsub.i8 \x, \x, q14
    .endr
.endm

/* Key addition and substitution of slices j, 4 + j, 8 + j and 12 + j. */
.macro substitute j
    add     table, boxes, #256 * \j
    add     slice, slices, #16 * \j
    add     key, keys, #\j
    vld1.8  {d8[], d9[]}, [key], four
    vld1.8  {d0-d1}, [slice :128], step
    vld1.8  {d10[], d11[]}, [key], four
    vld1.8  {d2-d3}, [slice :128], step
    vld1.8  {d12[], d13[]}, [key], four
    vld1.8  {d4-d5}, [slice :128], step
    vld1.8  {d14[], d15[]}, [key]
    vld1.8  {d6-d7}, [slice :128]
    veor    q0, q0, q4
    veor    q1, q1, q5
    veor    q2, q2, q6
    veor    q3, q3, q7
    look_up vtbl.8, d16, d19
    .rept   3
    next_eighth
    look_up vtbx.8, d20, d23
    next_eighth
    look_up vtbx.8, d16, d19
    .endr
    next_eighth
    look_up vtbx.8, d20, d23
    add     slice, slices, #16 * \j
    vst1.8  {d8-d9}, [slice :128], step
    vst1.8  {d10-d11}, [slice :128], step
    vst1.8  {d12-d13}, [slice :128], step
    vst1.8  {d14-d15}, [slice :128]
.endm

.macro place x, i
    add     slice, others, #16 * \i
    vst1.64 {\x}, [slice :128]
.endm
.macro reload x, i
    add     slice, slices, #16 * \i
    vld1.64 {\x}, [slice :128]
.endm

.macro load_slices
    vldmia  slices, {d0-d15}
    add     slice, slices, #128
    vldmia  slice, {d16-d31}
.endm

/* The 48 XORs of ../slices.h, in an order in which all but four slices need to be loaded once. */
.macro diffuse
    load_slices
    veor    q15, q7, q10            // t0
    veor    q10, q6, q13            // t3
    veor    q15, q0, q15            // t1
    veor    q6, q2, q5              // t14
    veor    q0, q0, q5              // t2
    veor    q1, q9, q12             // t10
    veor    q6, q8, q6              // t16
    veor    q10, q3, q10            // t4
    veor    q1, q7, q1              // t11
    veor    q8, q8, q10             // t17
    veor    q2, q2, q7              // t12
    veor    q13, q13, q15           // t5
    veor    q15, q8, q15            // y13
    veor    q7, q11, q14            // t7
    veor    q14, q9, q14            // t6
    veor    q14, q4, q14            // t8
    place   q15, 13
    veor    q15, q11, q12           // t20
    veor    q3, q3, q14             // t9
    veor    q9, q9, q2              // t13
    veor    q12, q12, q3            // t23
    veor    q11, q11, q0            // t19
    veor    q14, q8, q14            // y0
    veor    q5, q5, q7              // t15
    place   q14, 0
    reload  q14, 1                  // x1
    veor    q15, q14, q15           // t21
    veor    q8, q8, q15             // y7
    place   q8, 7
    veor    q8, q13, q5             // y3
    place   q8, 3
    reload  q8, 6                   // x6
    veor    q8, q8, q15             // t22
    veor    q7, q7, q8              // t24
    veor    q12, q2, q12            // y11
    veor    q15, q14, q4            // t25
    veor    q9, q8, q9              // y12
    veor    q0, q0, q5              // t18
    reload  q5, 15                  // x15
    place   q12, 11
    veor    q12, q5, q6             // t27
    veor    q5, q5, q15             // t26
    veor    q15, q13, q1            // t28
    veor    q0, q12, q0             // y4
    veor    q10, q10, q12           // y10
    place   q9, 12
    reload  q9, 10                  // x10
    veor    q9, q9, q5              // t29
    veor    q6, q9, q6              // y15
    veor    q8, q9, q8              // t30
    veor    q12, q12, q1            // y1
    veor    q7, q11, q7             // y9
    veor    q11, q3, q11            // y14
    veor    q5, q5, q13             // y8
    veor    q2, q2, q15             // y6
    veor    q9, q9, q3              // t31
    veor    q4, q4, q9              // y5
    veor    q14, q14, q8            // y2
    place   q12, 1
    place   q14, 2
    place   q0, 4
    place   q4, 5
    place   q2, 6
    place   q5, 8
    place   q7, 9
    place   q10, 10
    place   q11, 14
    place   q6, 15
.endm

/* void runnel_aria_armv7_blocks(const uint8_t *keys, size_t rounds, const uint8_t *boxes, const uint8_t *from,
 *                               uint8_t *out, const uint8_t *in)
 * Sixteen blocks at `from`, XORed with in unless it is 0. boxes: four of the first round, then the first two again; aligned
 * to 16. */
arm_function runnel_aria_armv7_blocks
    push_aligned_frame FRAME, OLD_SP
    add     r12, r12, #ARGUMENTS
    ldm     r12, {out, in}
    load_blocks from, d0, d2, d4, d6, d1, d3, d5, d7
    load_blocks from, d8, d10, d12, d14, d9, d11, d13, d15
    load_blocks from, d16, d18, d20, d22, d17, d19, d21, d23
    load_blocks from, d24, d26, d28, d30, d25, d27, d29, d31
    mov     slices, sp
    add     others, sp, #256
    mov     four, #4
    mov     step, #64
    unzip   q0, q4, q8, q12
    unzip   q1, q5, q9, q13
    unzip   q2, q6, q10, q14
    unzip   q3, q7, q11, q15
    add     slice, slices, #128
    vstmia  slices, {d0-d15}
    vstmia  slice, {d16-d31}
    b       .Lround
.Lnext_round:
    diffuse
    eor     slices, slices, others
    eor     others, slices, others
    eor     slices, slices, others
    add     keys, keys, #16
.Lround:
    vmov.i8 q14, #32
    substitute 0
    substitute 1
    substitute 2
    substitute 3
    tst     left, #1            /* the number of rounds is even, or 1 */
    addeq   boxes, boxes, #512
    subne   boxes, boxes, #512
    subs    left, left, #1
    bne     .Lnext_round

    load_slices
    add     keys, keys, #16
    zip     q0, q4, q8, q12
    zip     q1, q5, q9, q13
    zip     q2, q6, q10, q14
    zip     q3, q7, q11, q15
    add     key, others, #64
    vstmia  others, {d24-d31}
    vld1.8  {d24-d25}, [keys]
    vmov    q13, q12
    vst1.8  {d24-d27}, [key :128]
    finish_blocks q0, q1, q2, q3, d0, d2, d4, d6, d1, d3, d5, d7
    finish_blocks q4, q5, q6, q7, d8, d10, d12, d14, d9, d11, d13, d15
    finish_blocks q8, q9, q10, q11, d16, d18, d20, d22, d17, d19, d21, d23
    vldmia  others, {d0-d7}
    finish_blocks q0, q1, q2, q3, d0, d2, d4, d6, d1, d3, d5, d7

    mov     slice, sp
    .irp    x, q0, q1, q2, q3, q4, q5, q6, q7
    vmov.i8 \x, #0
    .endr
    .rept   4
    vstmia  slice!, {d0-d15}
    .endr
    pop_aligned_frame_return OLD_SP
endfunc

#endif
