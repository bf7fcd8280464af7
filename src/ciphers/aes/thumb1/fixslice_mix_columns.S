/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* MixColumns of fixsliced AES for Thumb-1, one function for each place of the rows (fixslice.c). "The byte k rows below, c columns
 * further right" is a rotation to the right by 8 (k - 1) + 2 c bits, and where it did not wrap around within its byte by 8 more.
 *
 * Plane i becomes below ^ two below(sum) ^ sum of plane i - 1 ^ round key, where below is one row below and sum is plane ^ below;
 * planes 0, 1, 3 and 4 get the sum of plane 7, too.
 *
 * Registers: r0 the planes, r1 the keys, r2 the last sum, r7 is 8; r8 and r9 plane 7's sum and below, r10 to r12 and lr constants. */
#include "arch/thumb1/asm.h"

#if RUNNEL_THUMB1

#define planes r0
#define keys r1
#define last r2
#define plane r3
#define below r4
#define t r5
#define u r6
#define eight r7

/* to = from, k rows below and c columns further right; rotation and mask: the registers with the constants. u is lost. */
.macro rows_below to, from, k, c, rotation, mask
    mov     \to, \from
    .if \c == 0
    rors    \to, eight
    .if \k == 2
    rors    \to, eight
    .endif
    .else
    mov     u, \rotation
    rors    \to, u
    mov     u, \to
    rors    u, eight
    eors    u, \to
    mov     t, \mask
    ands    u, t
    eors    \to, u
    .endif
.endm

.macro constant register, value
    ldr     t, =\value
    mov     \register, t
.endm

/* plane = sum; below. */
.macro sum_of_plane i, c1
    ldr     plane, [planes, #4 * \i]
    rows_below below, plane, 1, \c1, r10, r11
    eors    plane, below
.endm

/* Plane i from its sum in plane, and below. */
.macro mix_plane i, c2
    .if \c2
    mov     t, plane
    mov     u, r12
    rors    t, u
    mov     u, t
    rors    u, eight
    eors    u, t
    eors    below, t
    mov     t, lr
    ands    u, t
    eors    below, u
    .else
    rows_below t, plane, 2, 0
    eors    below, t
    .endif
    .if \i
    eors    below, last
    .endif
    .if \i == 0 || \i == 1 || \i == 3 || \i == 4
    mov     t, r8
    eors    below, t
    .endif
    ldr     t, [keys, #4 * \i]
    eors    below, t
    str     below, [planes, #4 * \i]
    mov     last, plane
.endm

/* void name(uint32_t planes[8], const uint32_t keys[8]), for rows whose bytes one below are \c1 columns further right. */
.macro mix_columns name, c1, c2
function \name
    push_all
    movs    eight, #8
    .if \c1
    constant r10, 2 * \c1
    constant r11, (0xff >> (2 * \c1)) * 0x01010101
    .endif
    .if \c2
    constant r12, 8 + 2 * \c2
    constant lr, (0xff >> (2 * \c2)) * 0x01010101
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
    pop_all_return
    .ltorg
endfunc
.endm

mix_columns runnel_aes_thumb1_mix_columns_0, 0, 0
mix_columns runnel_aes_thumb1_mix_columns_1, 1, 2
mix_columns runnel_aes_thumb1_mix_columns_2, 2, 0
mix_columns runnel_aes_thumb1_mix_columns_3, 3, 2

#endif
