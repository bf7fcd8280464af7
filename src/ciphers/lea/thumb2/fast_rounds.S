/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA for Thumb-2. A rotation is not carried out but deferred to the second operand of the instructions that read the
 * word, so that a round is nine instructions and the loads of its keys. In counter mode two blocks share the loads,
 * which takes every register; all rounds are unrolled. The first four rounds take what does not depend on the counter
 * from the list of first_rounds.h. Other blocks go one by one through a loop of four rounds. */
#include "arch/thumb2/asm.h"

#if RUNNEL_THUMB2

#include "job.h"

#define a0 r4
#define a1 r5
#define a2 r6
#define a3 r7
#define b0 r8
#define b1 r9
#define b2 r10
#define b3 r11
#define keys r12
#define t lr

/* Rotations to the right that the words of a block are owed between rounds. */
    .equ    BY0, 23
    .equ    BY1, 5
    .equ    BY2, 3
    .equ    BY3, 23

/* x = (y ^ m), rotated as owed, + (x ^ k) likewise. */
.macro sum x, by_x, k, y, by_y, m
    eor     \x, \k, \x, ror #\by_x
    eor     t, \m, \y, ror #\by_y
    add     \x, \x, t
.endm

/* The three sums of a round. The words' names move on: x1 becomes the first word and x0 the last. */
.macro sum2 x0, x1, x2, x3, k4, k5
    sum     \x3, BY3, \k5, \x2, BY2, \k4
.endm
.macro sum1 x0, x1, x2, x3, k2, k3
    sum     \x2, BY2, \k3, \x1, BY1, \k2
.endm
.macro sum0 x0, x1, x2, x3, k0, k1
    sum     \x1, BY1, \k1, \x0, BY0, \k0
.endm

.macro round x0, x1, x2, x3, k0, k1, k2, k3, k4, k5
    sum2    \x0, \x1, \x2, \x3, \k4, \k5
    sum1    \x0, \x1, \x2, \x3, \k2, \k3
    sum0    \x0, \x1, \x2, \x3, \k0, \k1
.endm

/* A round of two blocks with a 128-bit key. */
.macro pair_round_4 x0, x1, x2, x3, y0, y1, y2, y3
    ldm     keys!, {r0-r3}
    round   \x0, \x1, \x2, \x3, r0, r1, r2, r1, r3, r1
    round   \y0, \y1, \y2, \y3, r0, r1, r2, r1, r3, r1
.endm

.macro both sum, k, m, x0, x1, x2, x3, y0, y1, y2, y3
    \sum    \x0, \x1, \x2, \x3, \k, \m
    \sum    \y0, \y1, \y2, \y3, \k, \m
.endm

/* Two rounds of two blocks with a longer key: three runs of loads. */
.macro pair_rounds_6 at, x0, x1, x2, x3, y0, y1, y2, y3
    ldr     r2, [keys, #\at + 16]
    ldr     r3, [keys, #\at + 20]
    ldr     r0, [keys, #\at + 8]
    ldr     r1, [keys, #\at + 12]
    both    sum2, r2, r3, \x0, \x1, \x2, \x3, \y0, \y1, \y2, \y3
    both    sum1, r0, r1, \x0, \x1, \x2, \x3, \y0, \y1, \y2, \y3
    ldr     r2, [keys, #\at]
    ldr     r3, [keys, #\at + 4]
    ldr     r0, [keys, #\at + 40]
    ldr     r1, [keys, #\at + 44]
    both    sum0, r2, r3, \x0, \x1, \x2, \x3, \y0, \y1, \y2, \y3
    both    sum2, r0, r1, \x1, \x2, \x3, \x0, \y1, \y2, \y3, \y0
    ldr     r2, [keys, #\at + 32]
    ldr     r3, [keys, #\at + 36]
    ldr     r0, [keys, #\at + 24]
    ldr     r1, [keys, #\at + 28]
    both    sum1, r2, r3, \x1, \x2, \x3, \x0, \y1, \y2, \y3, \y0
    both    sum0, r0, r1, \x1, \x2, \x3, \x0, \y1, \y2, \y3, \y0
.endm

/* void runnel_lea_thumb2_pairs(runnel_lea_thumb2_run *run, uint8_t *out, const uint8_t *in, size_t npairs)
 * out = in ^ the encrypted counter blocks. */
    .equ    OUT, 0                  /* the frame */
    .equ    IN, 4
    .equ    RUN, 8
    .equ    END, 12                 /* `out` after the last pair */
    .equ    KEYS, 16
    .equ    ENTRY, 20               /* where the fifth round is */
    .equ    FRAME, 24

code runnel_lea_thumb2_pairs
entry runnel_lea_thumb2_pairs
    push_frame FRAME
    add     r3, r1, r3, lsl #5
    ldr     r4, [r0, #LEA_THUMB2_KEYS]
    ldr     r6, [r0, #LEA_THUMB2_ROUNDS]
    adr.w   r5, .Lrounds_4
    cmp     r6, #24
    beq     .Lentry_known
    adr.w   r5, .Lrounds_192
    cmp     r6, #28
    beq     .Lentry_known
    adr.w   r5, .Lrounds_256
.Lentry_known:
    adds    r5, #1                  /* a Thumb address */
    strd    r1, r2, [sp, #OUT]
    strd    r0, r3, [sp, #RUN]
    strd    r4, r5, [sp, #KEYS]

.Lpair:
    ldr     keys, [sp, #RUN]
    ldr     r3, [keys, #LEA_THUMB2_COUNTER]
    rev     a3, r3
    add     r3, r3, #1
    rev     b3, r3
    add     r3, r3, #1
    str     r3, [keys, #LEA_THUMB2_COUNTER]
    ldm     keys!, {r0-r3}          /* the first round: the third word */
    eor     a3, a3, r0
    eor     b3, b3, r0
    add     a3, a3, r1
    add     b3, b3, r1
    eor     a2, r2, a3, ror #BY2    /* the second one: the second and the third */
    eor     b2, r2, b3, ror #BY2
    add     a2, a2, r3
    add     b2, b2, r3
    ldm     keys!, {r0-r3}
    eor     a3, r0, a3, ror #BY2
    eor     b3, r0, b3, ror #BY2
    add     a3, a3, r1
    add     b3, b3, r1
    eor     a1, r2, a2, ror #BY1    /* the third one: the first three */
    eor     b1, r2, b2, ror #BY1
    add     a1, a1, r3
    add     b1, b1, r3
    ldm     keys!, {r0-r3}
    eor     a2, r0, a2, ror #BY1
    eor     b2, r0, b2, ror #BY1
    eor     t, r1, a3, ror #BY2
    add     a2, a2, t
    eor     t, r1, b3, ror #BY2
    add     b2, b2, t
    eor     a3, r2, a3, ror #BY2
    eor     b3, r2, b3, ror #BY2
    add     a3, a3, r3
    add     b3, b3, r3
    ldm     keys!, {r0-r3}          /* the fourth one; a1, a2 and a3 are the first three words */
    eor     t, r0, a3, ror #BY2
    add     a0, t, r1
    eor     t, r0, b3, ror #BY2
    add     b0, t, r1
    both    sum1, r3, r2, a1, a2, a3, a0, b1, b2, b3, b0
    ldm     keys, {r0, r1}
    both    sum0, r1, r0, a1, a2, a3, a0, b1, b2, b3, b0
    ldr     keys, [sp, #KEYS]
    ldr     lr, [sp, #ENTRY]
    bx      lr

/* After the fourth round, and after every fourth one, the words are a2, a3, a0, a1. */
#define WORDS a2, a3, a0, a1, b2, b3, b0, b1
#define WORDS1 a3, a0, a1, a2, b3, b0, b1, b2
#define WORDS2 a0, a1, a2, a3, b0, b1, b2, b3
#define WORDS3 a1, a2, a3, a0, b1, b2, b3, b0

    .balign 4
.Lrounds_256:
    .irp    at, 0, 96, 192, 288, 384, 480, 576
    .if \at == 96
.Lrounds_192:
    .endif
    pair_rounds_6 \at, WORDS
    pair_rounds_6 (\at+48), WORDS2
    .endr
    b       .Lwrite

    .balign 4
.Lrounds_4:
    .rept   5
    pair_round_4 WORDS
    pair_round_4 WORDS1
    pair_round_4 WORDS2
    pair_round_4 WORDS3
    .endr

.Lwrite:
    ldr     r12, [sp, #IN]
    ldr     lr, [sp, #OUT]
    .macro  write_block x0, x1, x2, x3, at
    ldr     r0, [r12, #\at]
    ldr     r1, [r12, #\at + 4]
    ldr     r2, [r12, #\at + 8]
    ldr     r3, [r12, #\at + 12]
    eor     r0, r0, \x0, ror #BY0
    eor     r1, r1, \x1, ror #BY1
    eor     r2, r2, \x2, ror #BY2
    eor     r3, r3, \x3, ror #BY3
    str     r0, [lr, #\at]
    str     r1, [lr, #\at + 4]
    str     r2, [lr, #\at + 8]
    str     r3, [lr, #\at + 12]
    .endm
    write_block a2, a3, a0, a1, 0
    write_block b2, b3, b0, b1, 16
    ldr     r3, [sp, #END]
    add     r12, r12, #32
    add     lr, lr, #32
    strd    lr, r12, [sp, #OUT]
    cmp     lr, r3
    bne.w   .Lpair
    pop_frame_return FRAME
endfunc

/* void runnel_lea_thumb2_encrypt(const uint32_t *words, uint8_t *out, const uint8_t *in, size_t nblocks,
 *                                unsigned rounds) */
    .equ    PLAIN_WORDS, 0          /* what is pushed */
    .equ    PLAIN_OUT, 4
    .equ    PLAIN_IN, 8
    .equ    PLAIN_BLOCKS, 12
    .equ    PLAIN_ROUNDS, 52

code runnel_lea_thumb2_encrypt
entry runnel_lea_thumb2_encrypt
    push_frame lowest=0
.Lblock:
    ldr     r0, [sp, #PLAIN_IN]
    ldr     keys, [sp, #PLAIN_WORDS]
    ldr     b0, [sp, #PLAIN_ROUNDS]
    ldr     a0, [r0], #4
    ldr     a1, [r0], #4
    ldr     a2, [r0], #4
    ldr     a3, [r0], #4
    str     r0, [sp, #PLAIN_IN]
    ror     a0, a0, #32 - BY0
    ror     a1, a1, #32 - BY1
    ror     a2, a2, #32 - BY2
    ror     a3, a3, #32 - BY3
    cmp     b0, #24
    bne     .Lfour_rounds_6
.Lfour_rounds_4:
    .macro  round_4 x0, x1, x2, x3, k0, k1, k2, k4
    round   \x0, \x1, \x2, \x3, \k0, \k1, \k2, \k1, \k4, \k1
    .endm
    ldm     keys!, {r0-r3, b1, b2, b3}
    round_4 a0, a1, a2, a3, r0, r1, r2, r3
    ldr     r0, [keys], #4
    round_4 a1, a2, a3, a0, b1, b2, b3, r0
    ldm     keys!, {r0-r3, b1, b2, b3}
    round_4 a2, a3, a0, a1, r0, r1, r2, r3
    ldr     r0, [keys], #4
    round_4 a3, a0, a1, a2, b1, b2, b3, r0
    subs    b0, #4
    bne     .Lfour_rounds_4
    b       .Lblock_done
.Lfour_rounds_6:
    .macro  round_6 x0, x1, x2, x3
    ldm     keys!, {r0-r3, b1, b2}
    round   \x0, \x1, \x2, \x3, r0, r1, r2, r3, b1, b2
    .endm
    round_6 a0, a1, a2, a3
    round_6 a1, a2, a3, a0
    round_6 a2, a3, a0, a1
    round_6 a3, a0, a1, a2
    subs    b0, #4
    bne     .Lfour_rounds_6
.Lblock_done:
    ldr     r0, [sp, #PLAIN_OUT]
    ror     a0, a0, #BY0
    ror     a1, a1, #BY1
    ror     a2, a2, #BY2
    ror     a3, a3, #BY3
    str     a0, [r0], #4
    str     a1, [r0], #4
    str     a2, [r0], #4
    str     a3, [r0], #4
    str     r0, [sp, #PLAIN_OUT]
    ldr     r1, [sp, #PLAIN_BLOCKS]
    subs    r1, #1
    str     r1, [sp, #PLAIN_BLOCKS]
    bne     .Lblock
    pop_frame_return 16
endfunc

#endif
