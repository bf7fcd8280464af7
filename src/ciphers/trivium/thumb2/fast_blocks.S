/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Trivium in Thumb-2, 32 steps at a time. The ten words of the registers stay in r4 to r12 and lr. A new word takes the
 * place of its register's oldest one, so that no word moves: the names of the words rotate instead, and have come around
 * after twelve times 32 steps, which are unrolled. A window of a register is a shift, and another one in the second
 * operand of what adds it. */
#include "arch/thumb2/asm.h"

#if RUNNEL_THUMB2

#define a0 r4
#define a1 r5
#define a2 r6
#define b0 r7
#define b1 r8
#define b2 r9
#define c0 r10
#define c1 r11
#define c2 r12
#define c3 lr

    .equ    STATE, 0                /* the frame */
    .equ    OUT, 4                  /* NULL: the keystream is not wanted */
    .equ    IN, 8                   /* NULL: nothing to XOR */
    .equ    BLOCKS, 12
    .equ    KEYSTREAM, 16           /* two words */
    .equ    LINEAR, 24
    .equ    FRAME, 32

/* to = the sum of the windows \shift and \other bits above the lowest of \low. */
.macro add_windows to, low, high, shift, other
    lsr     \to, \low, #\shift
    eor     \to, \to, \high, lsl #32 - \shift
    eor     \to, \to, \low, lsr #\other
    eor     \to, \to, \high, lsl #32 - \other
.endm

/* to ^= the product of the windows \shift and \shift + 1 bits above the lowest of \low. */
.macro add_product to, low, high, shift
    lsr     r2, \low, #\shift
    orr     r2, r2, \high, lsl #32 - \shift
    lsr     r3, \low, #\shift + 1
    orr     r3, r3, \high, lsl #31 - \shift
    ands    r2, r3
    eors    \to, r2
.endm

/* 32 steps: the oldest words of the registers come first, and become the newest. The keystream goes to word \word. */
.macro steps word, a, next_a, b, next_b, c, next_c, third_c
    add_windows r0, \a, \next_a, 30, 3
    add_windows r1, \b, \next_b, 27, 12
    eor     r2, r0, r1
    str     r2, [sp, #LINEAR]
    add_product r0, \a, \next_a, 4
    eor     r0, r0, \b, lsr #18
    add_product r1, \b, \next_b, 13
    eor     \b, r0, \next_b, lsl #14
    lsr     r0, \next_c, #30
    eor     r0, r0, \third_c, lsl #2
    eor     r0, r0, \c, lsr #17
    eor     r0, r0, \next_c, lsl #15
    ldr     r2, [sp, #LINEAR]
    eor     r1, r1, \next_c, lsr #9
    eors    r2, r0
    str     r2, [sp, #KEYSTREAM + 4 * \word]
    add_product r0, \c, \next_c, 18
    eor     \c, r1, \third_c, lsl #23
    eor     r0, r0, \a, lsr #27
    eor     \a, r0, \next_a, lsl #5
.endm

/* A block of the keystream has been made. The flags say whether it was the last one. */
.macro write_block
    ldr     r3, [sp, #OUT]
    ldr     r2, [sp, #IN]
    cbz     r3, .Lunwanted\@
    ldr     r0, [sp, #KEYSTREAM]
    ldr     r1, [sp, #KEYSTREAM + 4]
    cbz     r2, .Lkeystream\@
    ldr     r3, [r2]
    eors    r0, r3
    ldr     r3, [r2, #4]
    adds    r2, #8
    eors    r1, r3
    str     r2, [sp, #IN]
    ldr     r3, [sp, #OUT]
.Lkeystream\@:
    str     r0, [r3]
    str     r1, [r3, #4]
    adds    r3, #8
    str     r3, [sp, #OUT]
.Lunwanted\@:
    ldr     r2, [sp, #BLOCKS]
    subs    r2, #1
    str     r2, [sp, #BLOCKS]
.endm

/* Leaves with the words from the oldest on. */
.macro leave words:vararg
    ldr     r0, [sp, #STATE]
    .irp    word, \words
    str     \word, [r0], #4
    .endr
    b       .Lleave
.endm

/* void runnel_trivium_thumb2_xor(runnel_trivium_registers *r, uint8_t *out, const uint8_t *in, size_t nblocks)
 * out = in ^ nblocks * 64 steps. */
function runnel_trivium_thumb2_xor
    push_frame FRAME
    strd    r0, r1, [sp, #STATE]
    strd    r2, r3, [sp, #IN]
    ldm     r0, {r4-r12, lr}
.Lblocks:
    steps   0, a0, a1, b0, b1, c0, c1, c2
    steps   1, a1, a2, b1, b2, c1, c2, c3
    write_block
    beq     .Lafter_one
    steps   0, a2, a0, b2, b0, c2, c3, c0
    steps   1, a0, a1, b0, b1, c3, c0, c1
    write_block
    beq     .Lafter_two
    steps   0, a1, a2, b1, b2, c0, c1, c2
    steps   1, a2, a0, b2, b0, c1, c2, c3
    write_block
    beq     .Lafter_three
    steps   0, a0, a1, b0, b1, c2, c3, c0
    steps   1, a1, a2, b1, b2, c3, c0, c1
    write_block
    beq     .Lafter_four
    steps   0, a2, a0, b2, b0, c0, c1, c2
    steps   1, a0, a1, b0, b1, c1, c2, c3
    write_block
    beq     .Lafter_five
    steps   0, a1, a2, b1, b2, c2, c3, c0
    steps   1, a2, a0, b2, b0, c3, c0, c1
    write_block
    bne     .Lblocks
    ldr     r0, [sp, #STATE]
    stm     r0, {r4-r12, lr}
.Lleave:
    movs    r0, #0
    str     r0, [sp, #KEYSTREAM]
    str     r0, [sp, #KEYSTREAM + 4]
    str     r0, [sp, #LINEAR]
    pop_frame_return FRAME
.Lafter_one:
    leave   a2, a0, a1, b2, b0, b1, c2, c3, c0, c1
.Lafter_two:
    leave   a1, a2, a0, b1, b2, b0, c0, c1, c2, c3
.Lafter_three:
    leave   a0, a1, a2, b0, b1, b2, c2, c3, c0, c1
.Lafter_four:
    leave   a2, a0, a1, b2, b0, b1, c0, c1, c2, c3
.Lafter_five:
    leave   a1, a2, a0, b1, b2, b0, c2, c3, c0, c1
endfunc

#endif
