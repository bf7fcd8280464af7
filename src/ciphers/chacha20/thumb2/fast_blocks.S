/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 for Thumb-2. A quarter-round is eight instructions: a rotation is not carried out but deferred to the
 * second operand of the next instruction that reads the word. Between rounds words 4 to 7 are owed a rotation to the
 * right by 25 bits and words 12 to 15 one by 24.
 *
 * Fourteen words are in registers. The other two lie in memory: 10 and 11 during the first half of a column round, then
 * 8 and 9 until the middle of the diagonal round. All rounds are unrolled, which leaves no loop to count.
 *
 * The counter, the only word in which blocks differ, is in column 0. The first round of the other columns, and as much
 * of the second as follows from it, is computed once for all blocks of a call. In the last round, finished words are
 * output before the others are computed, which frees registers. */
#include "arch/thumb2/asm.h"

#if RUNNEL_THUMB2

#define x0 r0
#define x1 r1
#define x2 r2
#define x3 r3
#define x4 r4
#define x5 r5
#define x6 r6
#define x7 r7
#define x8 r8
#define x9 r9
#define x10 r8
#define x11 r9
#define x12 r10
#define x13 r11
#define x14 r12
#define x15 lr
#define in r8               /* in the last round and after it */
#define out r9

/* The frame. */
    .equ    START, 0                /* x0-x8, x11, x12-x15: what a block begins with */
    .equ    COUNTER, START + 40     /* x12 in it */
    .equ    START9, 56              /* x9 and x10 do, too */
    .equ    START10, 60
    .equ    X8, 64                  /* words that are not in registers */
    .equ    X9, 68
    .equ    X10, 72
    .equ    X11, 76
    .equ    X15, 80
    .equ    WORDS, 84               /* the state */
    .equ    OUT, 148
    .equ    IN, 152
    .equ    END, 156                /* `out` after the last block */
    .equ    FRAME, 160

/* b and d are owed rotations by b_by and d_by; they will be owed 25 and 24. from: that many steps are already done. */
.macro quarter_round a, b, c, d, b_by=25, d_by=24, from=0
    .if \from < 1
    .if \b_by
    add     \a, \a, \b, ror #\b_by
    .else
    add     \a, \a, \b
    .endif
    .endif
    .if \from < 2
    .if \d_by
    eor     \d, \a, \d, ror #\d_by
    .else
    eor     \d, \a, \d
    .endif
    .endif
    add     \c, \c, \d, ror #16
    .if \b_by
    eor     \b, \c, \b, ror #\b_by
    .else
    eor     \b, \c, \b
    .endif
    add     \a, \a, \b, ror #20
    eor     \d, \a, \d, ror #16
    add     \c, \c, \d, ror #24
    eor     \b, \c, \b, ror #20
.endm

/* Two at a time, for dual-issue processors. */
.macro quarter_rounds a, b, c, d, e, f, g, h
    add     \a, \a, \b, ror #25
    add     \e, \e, \f, ror #25
    eor     \d, \a, \d, ror #24
    eor     \h, \e, \h, ror #24
    add     \c, \c, \d, ror #16
    add     \g, \g, \h, ror #16
    eor     \b, \c, \b, ror #25
    eor     \f, \g, \f, ror #25
    add     \a, \a, \b, ror #20
    add     \e, \e, \f, ror #20
    eor     \d, \a, \d, ror #16
    eor     \h, \e, \h, ror #16
    add     \c, \c, \d, ror #24
    add     \g, \g, \h, ror #24
    eor     \b, \c, \b, ror #20
    eor     \f, \g, \f, ror #20
.endm

.macro columns
    quarter_rounds x0, x4, x8, x12, x1, x5, x9, x13
    str     x8, [sp, #X8]           /* a load right after a store takes one cycle */
    str     x9, [sp, #X9]
    ldr     x10, [sp, #X10]
    ldr     x11, [sp, #X11]
    quarter_rounds x2, x6, x10, x14, x3, x7, x11, x15
.endm

/* x = word, with a rotation owed, plus the state's, XOR the input, to the output. u and v are destroyed. `in` and
 * `out` point behind the block. */
.macro put word, x, by, u, v
    ldr     \u, [sp, #WORDS + 4 * \word]
    ldr     \v, [in, #4 * \word - 64]
    .if \by
    add     \x, \u, \x, ror #\by
    .else
    add     \x, \x, \u
    .endif
    eor     \x, \x, \v
    str     \x, [out, #4 * \word - 64]
.endm

/* void runnel_chacha20_thumb2_blocks(const void *state, uint32_t counter, uint8_t *out, const uint8_t *in,
 *                                    size_t nblocks)
 * out = in ^ keystream. */
function runnel_chacha20_thumb2_blocks
    push_frame
    ldr     r12, [sp, #36]
    take_stack FRAME
    add     r12, r2, r12, lsl #6
    str     r1, [sp, #COUNTER]
    strd    r2, r3, [sp, #OUT]
    str     r12, [sp, #END]
    add     r1, sp, #WORDS
    ldm     r0!, {r4-r11}
    stm     r1!, {r4-r11}
    ldm     r0, {r4-r11}
    stm     r1, {r4-r11}

    ldr     x1, [sp, #WORDS + 4]
    ldr     x5, [sp, #WORDS + 20]
    ldr     x9, [sp, #WORDS + 36]
    ldr     x13, [sp, #WORDS + 52]
    quarter_round x1, x5, x9, x13, 0, 0
    str     x9, [sp, #START9]
    ldr     x2, [sp, #WORDS + 8]
    ldr     x6, [sp, #WORDS + 24]
    ldr     x10, [sp, #WORDS + 40]
    ldr     x14, [sp, #WORDS + 56]
    quarter_round x2, x6, x10, x14, 0, 0
    str     x10, [sp, #START10]
    ldr     x3, [sp, #WORDS + 12]
    ldr     x7, [sp, #WORDS + 28]
    ldr     x11, [sp, #WORDS + 44]
    ldr     x15, [sp, #WORDS + 60]
    quarter_round x3, x7, x11, x15, 0, 0
    ldr     x0, [sp, #WORDS]
    ldr     x4, [sp, #WORDS + 16]
    ldr     x8, [sp, #WORDS + 32]
    ldr     x12, [sp, #COUNTER]
    add     x0, x0, x4                  /* what the quarter-rounds below begin with */
    add     x1, x1, x6, ror #25
    add     x2, x2, x7, ror #25
    eor     x13, x2, x13, ror #24
    stm     sp, {r0-r12, lr}
    b       .Lfirst

.Lblock:
    ldm     sp, {r0-r12, lr}
.Lfirst:
    quarter_round x0, x4, x8, x12, 0, 0, from=1
    str     x8, [sp, #X8]
    ldr     x10, [sp, #START10]
    quarter_round x0, x5, x10, x15
    quarter_round x1, x6, x11, x12, from=1
    str     x10, [sp, #X10]
    str     x11, [sp, #X11]
    ldr     x8, [sp, #X8]
    ldr     x9, [sp, #START9]
    quarter_round x2, x7, x8, x13, from=2
    quarter_round x3, x4, x9, x14
    .rept   8
    columns
    quarter_rounds x0, x5, x10, x15, x1, x6, x11, x12
    str     x10, [sp, #X10]
    str     x11, [sp, #X11]
    ldr     x8, [sp, #X8]
    ldr     x9, [sp, #X9]
    quarter_rounds x2, x7, x8, x13, x3, x4, x9, x14
    .endr
    columns
    quarter_rounds x0, x5, x10, x15, x1, x6, x11, x12

/* Words 0, 1, 5, 6, 10, 11, 12 and 15 are ready. */
    str     x10, [sp, #X10]
    str     x11, [sp, #X11]
    str     x15, [sp, #X15]
    ldr     in, [sp, #IN]
    ldr     out, [sp, #OUT]
    ldr     lr, [sp, #WORDS]
    add     x0, x0, lr
    ldr     lr, [in], #64
    eor     x0, x0, lr
    str     x0, [out], #64
    put     1, x1, 0, r0, lr
    put     5, x5, 25, r0, lr
    put     6, x6, 25, r0, lr
    ldr     r0, [sp, #COUNTER]
    ldr     lr, [in, #48 - 64]
    add     x12, r0, x12, ror #24
    eor     x12, x12, lr
    str     x12, [out, #48 - 64]
    add     r0, r0, #1
    str     r0, [sp, #COUNTER]
    ldr     r1, [sp, #X10]
    put     10, r1, 0, r0, lr
    ldr     r1, [sp, #X11]
    put     11, r1, 0, r0, lr
    ldr     r1, [sp, #X15]
    put     15, r1, 24, r0, lr

#undef x8
#undef x9
#define x8 r5
#define x9 r6
    str     in, [sp, #IN]
    str     out, [sp, #OUT]
    ldr     x8, [sp, #X8]
    ldr     x9, [sp, #X9]
    quarter_rounds x2, x7, x8, x13, x3, x4, x9, x14
    put     2, x2, 0, r0, lr
    put     3, x3, 0, r0, lr
    put     4, x4, 25, r0, lr
    put     7, x7, 25, r0, lr
    put     8, x8, 0, r0, lr
    put     9, x9, 0, r0, lr
    put     13, x13, 24, r0, lr
    put     14, x14, 24, r0, lr
    ldr     r0, [sp, #END]
    cmp     r0, out
    bne     .Lblock

    wipe_stack FRAME
    pop_frame_return FRAME
endfunc

#endif
