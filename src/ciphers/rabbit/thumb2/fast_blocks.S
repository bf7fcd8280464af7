/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rabbit for Thumb-2. The words x are in registers, each squared in its place; the counters go through memory, because
 * a load right after a store takes one cycle. Only the counters change the carry flag, so that it passes from the last
 * counter of a step to the first of the next by itself.
 *
 * Words 0 and 1 change their registers in every step, since the others still need what was there: an iteration of the
 * loop is two steps, and an odd number of blocks begins with the second. */
#include "arch/thumb2/asm.h"

#if RUNNEL_THUMB2

#include "ciphers/rabbit/places.h"

#define state r0
#define out r1
#define x2 r6
#define x3 r7
#define x4 r8
#define x5 r9
#define x6 r10
#define x7 r11
#define a0 r12                  /* also a3 and a6 */
#define a1 lr                   /* also a4 and a7; a2 and a5 are it without its last two bits */

    .equ    DELTA, 0                /* on the stack: from `out` to `in` */
    .equ    END, 4                  /* `out` after the last block */

/* x = g(x + counter), the halves of the square XORed, once the counter has moved on. t and u are destroyed. */
.macro square i, x, a, t, u
    ldr     \t, [state, #RABBIT_COUNTERS + 4 * \i]
    adcs    \t, \t, \a
    add     \x, \x, \t
    umull   \x, \u, \x, \x
    eor     \x, \x, \u
    str     \t, [state, #RABBIT_COUNTERS + 4 * \i]
.endm

/* Outputs a word, p, which is destroyed; q is the distance from out to in. */
.macro put even, high, low, p, q
    ldr     \p, [out, \q]
    eor     \p, \p, \even
    eor     \p, \p, \high, lsr #16
    eor     \p, \p, \low, lsl #16
    str     \p, [out], #4
.endm

/* A block. x0 and x1 come in p and q and leave in t and u. */
.macro one_block p, q, t, u
    square  0, \p, a0, \t, \u
    square  1, \q, a1, \t, \u
    ldr     \t, [state, #RABBIT_COUNTERS + 8]
    adcs    \t, \t, a1, lsr #2
    add     x2, x2, \t
    umull   x2, \u, x2, x2
    eor     x2, x2, \u
    str     \t, [state, #RABBIT_COUNTERS + 8]
    square  3, x3, a0, \t, \u
    square  4, x4, a1, \t, \u
    ldr     \t, [state, #RABBIT_COUNTERS + 20]
    adcs    \t, \t, a1, lsr #2
    add     x5, x5, \t
    umull   x5, \u, x5, x5
    eor     x5, x5, \u
    str     \t, [state, #RABBIT_COUNTERS + 20]
    square  6, x6, a0, \t, \u
    square  7, x7, a1, \t, \u

    add     \t, \p, x7, ror #16
    add     \u, \q, x7
    add     \t, \t, x6, ror #16
    add     \u, \u, \p, ror #24
    add     x7, x7, x6, ror #24
    add     x6, x6, x5, ror #16
    add     x7, x7, x5
    add     x6, x6, x4, ror #16
    add     x5, x5, x4, ror #24
    add     x4, x4, x3, ror #16
    add     x5, x5, x3
    add     x4, x4, x2, ror #16
    add     x3, x3, x2, ror #24
    add     x2, x2, \q, ror #16
    add     x3, x3, \q
    add     x2, x2, \p, ror #16

    ldr     \q, [sp, #DELTA]
    put     \t, x5, x3, \p, \q
    put     x2, x7, x5, \p, \q
    put     x4, \u, x7, \p, \q
    put     x6, x3, \u, \p, \q
.endm

/* void runnel_rabbit_thumb2_blocks(runnel_rabbit_state *s, uint8_t *out, const uint8_t *in, size_t nblocks)
 * out = in ^ keystream. */
function runnel_rabbit_thumb2_blocks
    push_frame 12
    subs    r2, r2, out
    str     r2, [sp, #DELTA]
    add     r2, out, r3, lsl #4
    str     r2, [sp, #END]
    movw    a0, #0xd34d
    movt    a0, #0x4d34
    movw    a1, #0x34d3
    movt    a1, #0xd34d
    add     r4, state, #RABBIT_X
    lsls    r3, r3, #31
    ldrb    r3, [state, #RABBIT_CARRY]
    bne     .Lodd
    lsrs    r3, r3, #1              /* into the carry flag */
    ldm     r4, {r4-r11}
.Ltwo_blocks:
    one_block r4, r5, r2, r3
.Lsecond:
    one_block r2, r3, r4, r5
    ldr     r2, [sp, #END]
    teq     r2, out                 /* leaves the carry flag alone */
    bne     .Ltwo_blocks

    mov     r2, #0
    adc     r2, r2, r2
    strb    r2, [state, #RABBIT_CARRY]
    add     r0, state, #RABBIT_X
    stm     r0, {r4-r11}
    pop_frame_return 12

.Lodd:
    lsrs    r3, r3, #1
    ldm     r4, {r2, r3, r6-r11}
    b       .Lsecond
endfunc

#endif
