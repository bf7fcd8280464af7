/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Grain-128 in Thumb-2, 32 steps at a time. Both registers stay in r4 to r11. A new word takes the place of its register's
 * oldest one: the names of the words rotate instead, and have come around after four times 32 steps, which are unrolled.
 * A window of a register is a shift, and another one in the second operand of what adds it. */
#include "arch/thumb2/asm.h"

#if RUNNEL_THUMB2

#define b0 r4
#define b1 r5
#define b2 r6
#define b3 r7
#define s0 r8
#define s1 r9
#define s2 r10
#define s3 r11
#define from r12
#define to lr

    .equ    STATE, 0                /* the frame */
    .equ    END, 4                  /* `to` after the last block */
    .equ    FRAME, 8

/* out = the window \shift bits above the lowest of \low. */
.macro window out, low, high, shift
    lsr     \out, \low, #\shift
    orr     \out, \out, \high, lsl #32 - \shift
.endm

.macro add_window out, low, high, shift
    eor     \out, \out, \low, lsr #\shift
    eor     \out, \out, \high, lsl #32 - \shift
.endm

/* out ^= the product of two windows. Uses r2 and r3. */
.macro add_product out, low, high, shift, other_low, other_high, other_shift
    window  r2, \low, \high, \shift
    window  r3, \other_low, \other_high, \other_shift
    ands    r2, r3
    eors    \out, r2
.endm

/* r0 = the output of 32 steps (GRAIN128_OUTPUT); its products with B(12) and B(95) are taken out of brackets. */
.macro output b0, b1, b2, b3, s0, s1, s2, s3
    window  r1, \b2, \b3, 31
    window  r0, \s2, \s3, 31
    ands    r0, r1
    add_window r0, \s0, \s1, 8
    window  r2, \b0, \b1, 12
    ands    r0, r2
    window  r2, \s1, \s2, 10
    ands    r2, r1
    eors    r0, r2
    add_product r0, \s0, \s1, 13, \s0, \s1, 20
    add_product r0, \s1, \s2, 28, \s2, \s3, 15
    add_window r0, \s2, \s3, 29
    add_window r0, \b0, \b1, 2
    add_window r0, \b0, \b1, 15
    add_window r0, \b1, \b2, 4
    add_window r0, \b1, \b2, 13
    add_window r0, \b2, \b3, 9
    add_window r0, \b2, \b3, 25
    eor     r0, r0, \b2
.endm

/* The new words (GRAIN128_NONLINEAR, GRAIN128_LINEAR) in the place of the oldest ones. */
.macro feedback b0, b1, b2, b3, s0, s1, s2, s3
    eor     r1, \s0, \b0
    eors    r1, \b3
    add_window r1, \b0, \b1, 26
    add_window r1, \b1, \b2, 24
    add_window r1, \b2, \b3, 27
    add_product r1, \b0, \b1, 3, \b2, \b3, 3
    add_product r1, \b0, \b1, 11, \b0, \b1, 13
    add_product r1, \b0, \b1, 17, \b0, \b1, 18
    add_product r1, \b0, \b1, 27, \b1, \b2, 27
    add_product r1, \b1, \b2, 8, \b1, \b2, 16
    add_product r1, \b1, \b2, 29, \b2, \b3, 1
    window  r2, \b2, \b3, 4
    window  r3, \b2, \b3, 20
    ands    r2, r3
    eor     \b0, r1, r2
    eor     r1, \s3, \s0, lsr #7
    eor     r1, r1, \s1, lsl #25
    add_window r1, \s1, \s2, 6
    add_window r1, \s2, \s3, 6
    add_window r1, \s2, \s3, 17
    eor     \s0, \s0, r1
.endm

/* A block. The flags say whether it was the last one. */
.macro block words:vararg
    output  \words
    feedback \words
    cmp     from, #0
    itt     ne
    ldrne   r1, [from], #4
    eorne   r0, r0, r1
    ldr     r1, [sp, #END]
    str     r0, [to], #4
    cmp     to, r1
.endm

/* Leaves with the words from the oldest on. */
.macro leave words:vararg
    ldr     r0, [sp, #STATE]
    .irp    word, \words
    str     \word, [r0], #4
    .endr
    pop_frame_return FRAME, into=pc
.endm

/* void runnel_grain128_thumb2_xor(runnel_grain128_registers *r, uint8_t *out, const uint8_t *in, size_t nblocks)
 * out = in ^ nblocks * 32 steps; in may be NULL. */
function runnel_grain128_thumb2_xor
    push_frame FRAME
    mov     to, r1
    mov     from, r2
    add     r1, r1, r3, lsl #2
    strd    r0, r1, [sp, #STATE]
    ldm     r0, {r4-r11}
.Lblocks:
    block   b0, b1, b2, b3, s0, s1, s2, s3
    beq     .Lafter_one
    block   b1, b2, b3, b0, s1, s2, s3, s0
    beq     .Lafter_two
    block   b2, b3, b0, b1, s2, s3, s0, s1
    beq     .Lafter_three
    block   b3, b0, b1, b2, s3, s0, s1, s2
    bne     .Lblocks
    leave   b0, b1, b2, b3, s0, s1, s2, s3
.Lafter_one:
    leave   b1, b2, b3, b0, s1, s2, s3, s0
.Lafter_two:
    leave   b2, b3, b0, b1, s2, s3, s0, s1
.Lafter_three:
    leave   b3, b0, b1, b2, s3, s0, s1, s2
endfunc

#endif
