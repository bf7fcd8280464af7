/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The smallest LEA for Thumb-2: one loop of one round for every length of key. The words are kept as if rotated to the
 * left by what EOR rotates to the right when it reads them, so that no rotation is an instruction. */
#include "arch/thumb2/asm.h"

#if RUNNEL_THUMB2

#define x0 r6
#define x1 r7
#define x2 r8
#define x3 r9
#define rounds r10
#define most_rounds r11
#define keys r12
#define t lr

    .equ    WORDS, 0                /* what is pushed */
    .equ    OUT, 4
    .equ    IN, 8
    .equ    BLOCKS, 12
    .equ    ROUNDS, 52

/* void runnel_lea_thumb2_small_blocks(const uint32_t *words, uint8_t *out, const uint8_t *in, size_t nblocks,
 *                                     unsigned rounds) */
function runnel_lea_thumb2_small_blocks
    push_frame lowest=0
    ldr     most_rounds, [sp, #ROUNDS]
.Lblock:
    ldr     r0, [sp, #IN]
    ldr     keys, [sp, #WORDS]
    mov     rounds, most_rounds
    ldr     x0, [r0], #4
    ldr     x1, [r0], #4
    ldr     x2, [r0], #4
    ldr     x3, [r0], #4
    str     r0, [sp, #IN]
    ror     x0, x0, #9
    ror     x1, x1, #27
    ror     x2, x2, #29
    ror     x3, x3, #9
.Lround:
    cmp     most_rounds, #24
    beq     .Lfour_words
    ldm     keys!, {r0-r5}
.Lsix_words:
    eor     r5, r5, x3, ror #23
    eor     t, r4, x2, ror #3
    mov     x3, x0
    eor     r3, r3, x2, ror #3
    add     x2, r5, t
    eor     t, r2, x1, ror #5
    eor     r1, r1, x1, ror #5
    add     x1, r3, t
    eor     r0, r0, x0, ror #23
    add     x0, r0, r1
    subs    rounds, #1
    bne     .Lround

    ldr     r0, [sp, #OUT]
    ror     x0, x0, #23
    ror     x1, x1, #5
    ror     x2, x2, #3
    ror     x3, x3, #23
    str     x0, [r0], #4
    str     x1, [r0], #4
    str     x2, [r0], #4
    str     x3, [r0], #4
    str     r0, [sp, #OUT]
    ldr     r1, [sp, #BLOCKS]
    subs    r1, #1
    str     r1, [sp, #BLOCKS]
    bne     .Lblock
    pop_frame_return 16, into=pc

.Lfour_words:                         /* a 128-bit key's second word is used three times */
    ldm     keys!, {r0-r2, r4}
    mov     r3, r1
    mov     r5, r1
    b       .Lsix_words
endfunc

#endif
