/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The rounds of fixsliced AES for Thumb-1 (fixslice.c), with the planes on the stack.
 *
 * SubBytes is the circuit of Boyar and Peralta, 115 gates, without the last NOTs, in 248 cycles. An instruction overwrites one of
 * its operands, and there are eight registers to compute in: so the order of the gates was searched for in which the fewest
 * values have to be copied, wait in r8 to r12 and lr, which takes a cycle, or wait on the stack, which takes two.
 *
 * In MixColumns "the byte k rows below, c columns further right" is a rotation to the right by 8 (k - 1) + 2 c bits, and where it
 * did not wrap around within its byte by 8 more. Plane i becomes below ^ two below(sum) ^ sum of plane i - 1 ^ round key, where
 * below is one row below and sum is plane ^ below; planes 0, 1, 3 and 4 get the sum of plane 7, too. */
#include "arch/thumb1/asm.h"

#if RUNNEL_THUMB1

    .equ    PLANES, 4 * 13          /* above values that wait */
    .equ    KEYS, PLANES + 32
    .equ    LAST, KEYS + 4          /* the last round's key */
    .equ    CALLERS, LAST + 4       /* planes */
    .equ    NEXT, CALLERS + 4       /* MixColumns of this round */
    .equ    FRAME, NEXT + 4

/* MixColumns: r2 the last sum, r7 is 8; r8 and r9 plane 7's sum and below, r10 to r12 and lr constants. */
#define stay r0
#define keys r1
#define last r2
#define plane r3
#define below r4
#define t r5
#define u r6
#define eight r7

/* to = from, one row below and \c columns further right. u is lost. */
.macro row_below to, from, c
    mov     \to, \from
    .if \c
    mov     u, r10
    rors    \to, u
    mov     u, \to
    rors    u, eight
    eors    u, \to
    ands    u, stay
    eors    \to, u
    .else
    rors    \to, eight
    .endif
.endm

.macro constant register, value
    ldr     t, =\value
    mov     \register, t
.endm

/* plane = sum; below. */
.macro sum_of_plane i, c1
    ldr     plane, [sp, #PLANES + 4 * \i]
    row_below below, plane, \c1
    eors    plane, below
.endm

/* Plane i from its sum in plane, and below. */
.macro mix_plane i, c2
    mov     t, plane
    mov     u, r12
    rors    t, u
    .if \c2
    mov     u, t
    rors    u, eight
    eors    u, t
    eors    below, t
    mov     t, lr
    ands    u, t
    eors    below, u
    .else
    eors    below, t
    .endif
    .if \i
    eors    below, last
    .endif
    .if \i == 0 || \i == 1 || \i == 3 || \i == 4
    mov     t, r8
    eors    below, t
    .endif
    ldm     keys!, {t}
    eors    below, t
    str     below, [sp, #PLANES + 4 * \i]
    mov     last, plane
.endm

/* For rows whose bytes one below are \c1 columns further right, two below \c2. */
.macro mix_columns c1, c2
    movs    eight, #8
    .if \c1
    constant r10, 2 * \c1
    ldr     stay, =(0xff >> (2 * \c1)) * 0x01010101
    .endif
    .if \c2
    constant r12, 8 + 2 * \c2
    constant lr, (0xff >> (2 * \c2)) * 0x01010101
    .else
    constant r12, 16
    .endif
    sum_of_plane 7, \c1
    mov     r8, plane
    mov     r9, below
    .irp    i, 0, 1, 2, 3, 4, 5, 6
    sum_of_plane \i, \c1
    mix_plane \i, \c2
    .endr
    mov     plane, r8
    mov     below, r9
    mix_plane 7, \c2
    str     keys, [sp, #KEYS]
.endm

/* void runnel_aes_thumb1_rounds(uint32_t planes[8], const uint32_t *keys, const uint32_t *last)
 * All rounds but for the last one's ShiftRows and key, from behind the first key on; an odd number of them has MixColumns. */
function runnel_aes_thumb1_rounds
    push_all
    sub     sp, #FRAME
    str     r0, [sp, #CALLERS]
    str     r1, [sp, #KEYS]
    str     r2, [sp, #LAST]
    add     r1, sp, #PLANES
    ldm     r0!, {r2-r5}
    stm     r1!, {r2-r5}
    ldm     r0!, {r2-r5}
    stm     r1!, {r2-r5}
    ldr     r0, =.Lmix_1 + 1        /* a Thumb address */
    str     r0, [sp, #NEXT]

.Lround:
    add     r0, sp, #PLANES
    ldm     r0!, {r1-r7}
    ldr     r0, [r0]
    eors    r6, r7
    mov     r8, r1
    eors    r1, r6
    mov     r9, r5
    eors    r5, r3
    mov     r10, r0
    eors    r0, r2
    mov     r11, r5
    eors    r5, r0
    eors    r4, r5
    eors    r2, r1
    eors    r7, r4
    eors    r4, r3
    mov     r12, r5
    mov     r5, r10
    eors    r3, r5
    mov     lr, r3
    eors    r3, r2
    str     r3, [sp, #4 * 0]
    mov     r3, r9
    eors    r5, r3
    str     r7, [sp, #4 * 1]
    eors    r7, r5
    str     r4, [sp, #4 * 2]
    eors    r4, r6
    eors    r6, r7
    str     r5, [sp, #4 * 3]
    ands    r5, r7
    str     r0, [sp, #4 * 4]
    ands    r0, r6
    str     r6, [sp, #4 * 5]
    mov     r6, r8
    eors    r6, r7
    eors    r3, r1
    mov     r9, r3
    mov     r3, r10
    eors    r3, r1
    str     r3, [sp, #4 * 6]
    ands    r3, r6
    eors    r3, r0
    str     r1, [sp, #4 * 7]
    ands    r1, r2
    str     r7, [sp, #4 * 8]
    eors    r7, r4
    str     r2, [sp, #4 * 9]
    mov     r2, r11
    ands    r2, r7
    eors    r2, r5
    str     r7, [sp, #4 * 10]
    mov     r7, lr
    ands    r7, r4
    str     r6, [sp, #4 * 11]
    mov     r6, r12
    str     r4, [sp, #4 * 12]
    ldr     r4, [sp, #4 * 2]
    ands    r6, r4
    eors    r1, r0
    eors    r7, r5
    eors    r1, r2
    mov     r0, r8
    eors    r4, r0
    mov     r5, r9
    ands    r5, r0
    eors    r5, r6
    ldr     r0, [sp, #4 * 0]
    ands    r0, r4
    eors    r0, r6
    eors    r5, r7
    eors    r0, r2
    ldr     r2, [sp, #4 * 1]
    eors    r0, r2
    eors    r3, r7
    mov     r2, r10
    ldr     r6, [sp, #4 * 5]
    eors    r2, r6
    eors    r3, r2
    ldr     r2, [sp, #4 * 4]
    eors    r6, r2
    eors    r1, r6
    mov     r6, r3
    eors    r6, r1
    ldr     r7, [sp, #4 * 12]
    mov     r2, lr
    eors    r2, r7
    mov     r10, r1
    ands    r1, r0
    eors    r5, r2
    mov     r2, r3
    eors    r2, r1
    eors    r1, r5
    eors    r0, r5
    ands    r1, r6
    mov     r6, r0
    ands    r6, r2
    eors    r1, r3
    eors    r6, r5
    mov     r5, r2
    eors    r5, r1
    ands    r3, r5
    mov     r5, r10
    eors    r5, r1
    eors    r2, r3
    eors    r3, r5
    ldr     r5, [sp, #4 * 11]
    ands    r5, r6
    ands    r2, r6
    eors    r0, r2
    ands    r4, r3
    mov     r2, r8
    ands    r2, r1
    mov     r8, r4
    ldr     r4, [sp, #4 * 0]
    ands    r4, r3
    mov     r10, r2
    eors    r2, r5
    str     r2, [sp, #4 * 0]
    ldr     r2, [sp, #4 * 9]
    ands    r2, r0
    eors    r5, r2
    mov     r2, r0
    eors    r2, r3
    eors    r3, r1
    ands    r7, r2
    str     r5, [sp, #4 * 1]
    ldr     r5, [sp, #4 * 6]
    ands    r5, r6
    str     r7, [sp, #4 * 6]
    mov     r7, r9
    ands    r7, r1
    eors    r7, r4
    eors    r1, r6
    mov     r9, r7
    mov     r7, lr
    ands    r7, r2
    mov     lr, r5
    ldr     r5, [sp, #4 * 7]
    ands    r5, r0
    eors    r6, r0
    mov     r0, r12
    ands    r0, r3
    eors    r2, r1
    mov     r12, r5
    mov     r5, r11
    ands    r5, r2
    eors    r0, r4
    eors    r7, r5
    ldr     r4, [sp, #4 * 2]
    ands    r3, r4
    ldr     r4, [sp, #4 * 4]
    ands    r4, r6
    mov     r11, r7
    ldr     r7, [sp, #4 * 5]
    ands    r6, r7
    eors    r3, r6
    mov     r7, r10
    eors    r7, r4
    mov     r10, r4
    ldr     r4, [sp, #4 * 10]
    ands    r2, r4
    ldr     r4, [sp, #4 * 3]
    ands    r4, r1
    eors    r4, r5
    ldr     r5, [sp, #4 * 8]
    ands    r1, r5
    mov     r5, r12
    eors    r5, r4
    eors    r1, r2
    eors    r7, r3
    eors    r4, r7
    eors    r0, r5
    eors    r6, r1
    mov     r1, lr
    eors    r1, r7
    ldr     r7, [sp, #4 * 6]
    eors    r2, r7
    eors    r2, r5
    mov     r5, r12
    eors    r5, r6
    mov     r7, r8
    eors    r7, r0
    eors    r3, r7
    str     r3, [sp, #PLANES + 4 * 4]
    eors    r3, r5
    str     r3, [sp, #PLANES + 4 * 6]
    ldr     r3, [sp, #4 * 0]
    eors    r3, r7
    str     r3, [sp, #PLANES + 4 * 3]
    ldr     r3, [sp, #4 * 1]
    eors    r4, r3
    str     r4, [sp, #PLANES + 4 * 0]
    eors    r6, r0
    str     r6, [sp, #PLANES + 4 * 7]
    mov     r0, r10
    eors    r0, r3
    eors    r1, r2
    eors    r0, r2
    str     r0, [sp, #PLANES + 4 * 1]
    eors    r5, r1
    mov     r0, r9
    eors    r0, r1
    str     r0, [sp, #PLANES + 4 * 2]
    mov     r0, r11
    eors    r0, r5
    str     r0, [sp, #PLANES + 4 * 5]
    ldr     keys, [sp, #KEYS]
    ldr     t, [sp, #LAST]
    cmp     keys, t
    beq     .Ldone
    ldr     t, [sp, #NEXT]
    bx      t

.Ldone:
    ldr     r0, [sp, #CALLERS]
    add     r1, sp, #PLANES
    ldm     r1!, {r2-r5}
    stm     r0!, {r2-r5}
    ldm     r1!, {r2-r5}
    stm     r0!, {r2-r5}
    movs    r0, #0                  /* all of it is secret */
    mov     r1, sp
    .rept   KEYS / 4
    stm     r1!, {r0}
    .endr
    add     sp, #FRAME
    pop_all_return
    .ltorg

/* MixColumns of one round, of which the label says the place modulo 4. */
.macro mixed_round number, c1, c2, following
    .balign 4
.Lmix_\number:
    mix_columns \c1, \c2
    ldr     t, =.Lmix_\following + 1
    str     t, [sp, #NEXT]
    b       .Lround
    .ltorg
.endm
    mixed_round 1, 1, 2, 2
    mixed_round 2, 2, 0, 3
    mixed_round 3, 3, 2, 0
    mixed_round 0, 0, 0, 1
endfunc

#endif
