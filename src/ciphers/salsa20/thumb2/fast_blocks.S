/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 for Thumb-2. A quarter-round is eight instructions, in pairs: a sum, which needs a register, and an XOR that
 * rotates it as its second operand.
 *
 * Thirteen words are in registers. The other three lie in memory: words 2, 6 and 7 from the middle of a row round to
 * the middle of the next column round, words 8, 9 and 12 from there to the middle of the row round. All rounds are
 * unrolled, which leaves no loop to count; with 12 or 8 rounds some are skipped.
 *
 * Within a call blocks differ in word 8 alone, the low half of the counter. What it does not reach, most of the first
 * round and a third of the second, is computed once for all blocks. In the last round, finished words are output
 * before the others are computed, which frees registers. */
#include "arch/thumb2/asm.h"

#if RUNNEL_THUMB2

#include "ciphers/salsa20/places.h"

#define x0 r0
#define x1 r1
#define x2 r2
#define x3 r3
#define x4 r4
#define x5 r5
#define x6 r6
#define x7 r7
#define x8 r6
#define x9 r7
#define x10 r8
#define x11 r9
#define x12 r2
#define x13 r10
#define x14 r11
#define x15 r12
#define sum lr
#define in r8                   /* in the last round and behind it */
#define out r9

/* The frame. */
    .equ    START, 0                /* x0 x1 x12 x3 x4 x5 x8 x9 x10 x11 x13 x14 x15: what a block begins with */
    .equ    COUNTER, START + 52     /* the low half of the counter, not included in x8 */
    .equ    START2, 56              /* results for words that are not in registers then */
    .equ    START4, 60
    .equ    START6, 64
    .equ    START7, 68
    .equ    X2, 72                  /* words that are not in registers */
    .equ    X6, 76
    .equ    X7, 80
    .equ    X8, 84
    .equ    X9, 88
    .equ    X12, 92
    .equ    X10, 96
    .equ    X11, 100
    .equ    WORDS, 104              /* the state, with the high half of the counter in word 9 */
    .equ    OUT, 168
    .equ    IN, 172
    .equ    END, 176                /* `out` after the last block */
    .equ    ENTRY, 180              /* into the rounds */
    .equ    FRAME, 192
    .equ    ARGUMENTS, FRAME + 36

/* from: that many words are already done. */
.macro quarter_round a, b, c, d, from=0
    .if \from < 1
    add     sum, \a, \d
    eor     \b, \b, sum, ror #25
    .endif
    .if \from < 2
    add     sum, \b, \a
    eor     \c, \c, sum, ror #23
    .endif
    add     sum, \c, \b
    eor     \d, \d, sum, ror #19
    add     sum, \d, \c
    eor     \a, \a, sum, ror #14
.endm

.macro columns from6=X6, from7=X7
    quarter_round x0, x4, x8, x12
    quarter_round x5, x9, x13, x1
    str     x8, [sp, #X8]           /* a load right behind a store takes one cycle */
    str     x9, [sp, #X9]
    str     x12, [sp, #X12]
    ldr     x2, [sp, #X2]
    ldr     x6, [sp, #\from6]
    ldr     x7, [sp, #\from7]
    quarter_round x10, x14, x2, x6
    quarter_round x15, x3, x7, x11
.endm

.macro rows
    quarter_round x0, x1, x2, x3
    quarter_round x5, x6, x7, x4
    str     x2, [sp, #X2]
    str     x6, [sp, #X6]
    str     x7, [sp, #X7]
    ldr     x8, [sp, #X8]
    ldr     x9, [sp, #X9]
    ldr     x12, [sp, #X12]
    quarter_round x10, x11, x8, x9
    quarter_round x15, x12, x13, x14
.endm

/* x = word, plus the state's, XOR the input, to the output. u and v are destroyed. `in` and `out` point behind the
 * block. */
.macro put word, x, u, v
    ldr     \u, [sp, #WORDS + 4 * \word]
    ldr     \v, [in, #4 * \word - 64]
    add     \x, \x, \u
    eor     \x, \x, \v
    str     \x, [out, #4 * \word - 64]
.endm

/* void runnel_salsa20_thumb2_blocks(const void *state, uint32_t low, uint32_t high, uint8_t *out, const uint8_t *in,
 *                                   size_t nblocks)
 * out = in ^ keystream, from block high:low on; low does not wrap before the last block. */
function runnel_salsa20_thumb2_blocks
    push_frame FRAME
    ldr     r4, [sp, #ARGUMENTS]
    ldr     r5, [sp, #ARGUMENTS + 4]
    ldrb    r6, [r0, #SALSA20_ROUNDS]
    str     r1, [sp, #COUNTER]
    str     r3, [sp, #OUT]
    str     r4, [sp, #IN]
    add     r3, r3, r5, lsl #6
    str     r3, [sp, #END]
    rsb     r6, r6, #20             /* even: two rounds are a step */
    lsrs    r6, r6, #1
    adr.w   r4, .Ltwo_rounds
    adr.w   r5, .Ltwo_rounds_end
    subs    r5, r5, r4
    adds    r4, #1                  /* a Thumb address */
    mla     r6, r6, r5, r4
    str     r6, [sp, #ENTRY]
    add     r1, sp, #WORDS
    ldm     r0!, {r4-r11}
    stm     r1!, {r4-r11}
    ldm     r0, {r4-r11}
    stm     r1, {r4-r11}
    str     r2, [sp, #WORDS + 36]

    ldr     x5, [sp, #WORDS + 20]
    ldr     x9, [sp, #WORDS + 36]
    ldr     x13, [sp, #WORDS + 52]
    ldr     x1, [sp, #WORDS + 4]
    quarter_round x5, x9, x13, x1
    ldr     x10, [sp, #WORDS + 40]
    ldr     x14, [sp, #WORDS + 56]
    ldr     x2, [sp, #WORDS + 8]
    ldr     x6, [sp, #WORDS + 24]
    quarter_round x10, x14, x2, x6
    str     x2, [sp, #START2]
    ldr     x15, [sp, #WORDS + 60]
    ldr     x3, [sp, #WORDS + 12]
    ldr     r0, [sp, #WORDS + 28]   /* x7: its own register holds x9 */
    ldr     x11, [sp, #WORDS + 44]
    quarter_round x15, x3, r0, x11
    ldr     lr, [sp, #WORDS]
    ldr     r2, [sp, #WORDS + 48]
    ldr     x4, [sp, #WORDS + 16]
    add     r2, r2, lr              /* the quarter-round of words 0, 4, 8, 12 as far as x8 */
    eor     x4, x4, r2, ror #25
    str     x4, [sp, #START + 16]
    add     r2, x4, lr
    ror     r2, r2, #23
    str     r2, [sp, #START + 24]
    quarter_round x5, x6, r0, x4    /* of the next round */
    str     x4, [sp, #START4]
    str     x6, [sp, #START6]
    str     r0, [sp, #START7]
    add     sum, x10, x9
    eor     x11, x11, sum, ror #25
    ldr     x0, [sp, #WORDS]
    ldr     x12, [sp, #WORDS + 48]
    ldr     x4, [sp, #START + 16]
    ldr     x8, [sp, #START + 24]
    ldr     lr, [sp, #COUNTER]
    stm     sp, {r0-r12, lr}
    b       .Lfirst

    .balign 4
.Lblock:
    ldm     sp, {r0-r12, lr}
.Lfirst:
    eor     x8, x8, lr
    quarter_round x0, x4, x8, x12, from=2
    ldr     x4, [sp, #START2]       /* for once x2 */
    quarter_round x0, x1, x4, x3
    str     x4, [sp, #X2]
    ldr     x4, [sp, #START4]
    quarter_round x10, x11, x8, x9, from=1
    quarter_round x15, x12, x13, x14
    columns START6, START7
    rows
    ldr     pc, [sp, #ENTRY]
.Ltwo_rounds:
    columns
    rows
.Ltwo_rounds_end:
    .rept   6
    columns
    rows
    .endr
    columns
    quarter_round x0, x1, x2, x3
    quarter_round x5, x6, x7, x4

/* Words 0 to 7 are ready. */
    str     x10, [sp, #X10]
    str     x11, [sp, #X11]
    ldr     in, [sp, #IN]
    ldr     out, [sp, #OUT]
    ldr     lr, [sp, #WORDS]
    add     x0, x0, lr
    ldr     lr, [in], #64
    eor     x0, x0, lr
    str     x0, [out], #64
    put     1, x1, r0, lr
    put     2, x2, r0, lr
    put     3, x3, r0, lr
    put     4, x4, r0, lr
    put     5, x5, r0, lr
    put     6, x6, r0, lr
    put     7, x7, r0, lr
    str     in, [sp, #IN]
    str     out, [sp, #OUT]

#undef x8
#undef x9
#undef x10
#undef x11
#undef x12
#define x8 r0
#define x9 r1
#define x10 r2
#define x11 r3
#define x12 r4
    ldr     x8, [sp, #X8]
    ldr     x9, [sp, #X9]
    ldr     x10, [sp, #X10]
    ldr     x11, [sp, #X11]
    ldr     x12, [sp, #X12]
    quarter_round x10, x11, x8, x9
    quarter_round x15, x12, x13, x14
    ldr     r5, [sp, #COUNTER]
    ldr     r6, [in, #32 - 64]
    add     x8, x8, r5
    eor     x8, x8, r6
    str     x8, [out, #32 - 64]
    add     r5, r5, #1
    str     r5, [sp, #COUNTER]
    put     9, x9, r5, r6
    put     10, x10, r5, r6
    put     11, x11, r5, r6
    put     12, x12, r5, r6
    put     13, x13, r5, r6
    put     14, x14, r5, r6
    put     15, x15, r5, r6
    ldr     r5, [sp, #END]
    cmp     r5, out
    bne     .Lblock

    wipe_stack FRAME
    pop_frame_return FRAME
endfunc

#endif
