/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK for Thumb-2. The shift register is a ring of twenty words on the stack, word k at place k modulo 20, so
 * that a new word does not replace the oldest, which is needed again at the end of the block. Of the register's ten
 * words, the first four and the last two are in processor registers. Loads and stores are grouped, where each takes
 * one cycle. Five blocks go once round the ring.
 *
 * r2 is owed a rotation by 25 bits to the right, which is done where it is read. */
#include "arch/thumb2/asm.h"

#if RUNNEL_THUMB2

#include "ciphers/sosemanuk/places.h"

#define R1 r4                   /* before each block; within it, it alternates with f */
#define R2 r5
#define over_alpha r6           /* tables */
#define times_alpha r7
#define multiplier r8
#define last0 r9                /* words 8 and 9 */
#define last1 r10
#define first r11               /* temporaries */
#define second r12
#define out r12                 /* between the steps of one block and of the next */
#define delta r3

/* The frame. */
    .equ    RING, 0
    .equ    F, 80                   /* f of the first three steps */
    .equ    OUT, 92
    .equ    DELTA, 96               /* from `out` to `in` */
    .equ    END, 100                /* `out` after the last block */
    .equ    STATE, 104
    .equ    FRAME, 108              /* and nine registers: a multiple of 8 */

/* Step j of a block that begins with word k of the ring, from the first load, word 3, on. new becomes R1; the old r1
 * becomes f. n takes the place of word 8. */
.macro step k, j, w0, w1, w3, n, w9, r1, new
    ldrb    first, [sp, #RING + 4 * ((\k + \j + 3) % 20)]
    ldr     \w3, [sp, #RING + 4 * ((\k + \j + 3) % 20)]
    ldr     second, [times_alpha, second, lsl #2]
    ldr     first, [over_alpha, first, lsl #2]
    sbfx    \new, \r1, #0, #1
    and     \new, \new, \n
    eor     \new, \new, \w1
    add     \new, \new, R2, ror #25
    mul     R2, \r1, multiplier
    eor     \n, \w9, \w3, lsr #8
    add     \r1, \w9, \new
    eor     \n, \n, \w0, lsl #8
    eor     \r1, \r1, R2, ror #25
    eor     \n, \n, first
    eor     \n, \n, second
.endm

/* Keeps f and the new word of step j - 1, and begins step j. */
.macro between k, j, w0, f, n
    lsr     second, \w0, #24
    str     \f, [sp, #F + 4 * \j - 4]
    str     \n, [sp, #RING + 4 * ((\k + \j + 9) % 20)]
.endm

.macro put k, i, z, t, u
    ldr     \t, [sp, #RING + 4 * ((\k + \i) % 20)]
    ldr     \u, [out, delta]
    eor     \z, \z, \t
    eor     \z, \z, \u
    str     \z, [out], #4
.endm

/* Words k, k + 1, k + 2 of the ring are in r0, r1, r2, and the next three are there at the end. */
.macro block k, done
    str     out, [sp, #OUT]
    ldrb    second, [sp, #RING + 4 * \k + 3]
    step    \k, 0, r0, r1, r3, last0, last1, R1, lr
    between \k, 1, r1, r4, last0
    step    \k, 1, r1, r2, r0, last1, last0, lr, R1
    between \k, 2, r2, lr, last1
    step    \k, 2, r2, r3, r1, last0, last1, R1, lr
    between \k, 3, r3, r4, last0
    step    \k, 3, r3, r0, r2, last1, last0, lr, R1
    str     last1, [sp, #RING + 4 * ((\k + 13) % 20)]
    ldr     r0, [sp, #F]            /* Serpent's S-box 2 on r0, r1, r2, lr: as in serpent.h */
    ldr     r1, [sp, #F + 4]
    ldr     r2, [sp, #F + 8]
    ldr     out, [sp, #OUT]
    ldr     delta, [sp, #DELTA]
    and     first, r0, r2
    eor     lr, lr, first
    bic     first, lr, r1
    eor     r0, r0, first
    eor     r1, r1, lr
    eor     r1, r1, r2
    and     first, lr, r0
    eor     r2, r2, first
    eor     r0, r0, r1
    bic     first, r0, r2
    eor     lr, lr, first
    eor     r2, r2, lr
    mvn     r0, r0                  /* the words are now r1, r2, lr, r0 */
    ldr     first, [sp, #RING + 4 * \k]
    eor     r1, r1, first
    ldr     first, [out, delta]
    eor     r1, r1, first
    str     r1, [out], #4
    put     \k, 1, r2, r1, first
    put     \k, 2, lr, r1, first
    put     \k, 3, r0, r1, first
    ldr     first, [sp, #END]
    ldr     r0, [sp, #RING + 4 * ((\k + 4) % 20)]
    ldr     r1, [sp, #RING + 4 * ((\k + 5) % 20)]
    ldr     r2, [sp, #RING + 4 * ((\k + 6) % 20)]
    cmp     first, out
    beq     \done
.endm

.macro keep_registers
    ldr     lr, [sp, #STATE]
    ror     R2, R2, #25
    strd    R1, R2, [lr, #SOSEMANUK_R1]
.endm

/* void runnel_sosemanuk_thumb2_blocks(runnel_sosemanuk_state *s, uint8_t *out, const uint8_t *in, size_t nblocks)
 * out = in ^ keystream. */
function runnel_sosemanuk_thumb2_blocks
    push_frame FRAME
    str     r0, [sp, #STATE]
    subs    r2, r2, r1
    str     r2, [sp, #DELTA]
    add     r3, r1, r3, lsl #4
    str     r3, [sp, #END]
    mov     out, r1
    mov     lr, r0
    ldm     lr, {r0-r8, r10}
    stm     sp, {r0-r8, r10}
    mov     last0, r8
    ldrd    R1, R2, [lr, #SOSEMANUK_R1]
    ror     R2, R2, #7
    adr.w   over_alpha, .Ltables
    add     times_alpha, over_alpha, #1024
    movw    multiplier, #0x5307
    movt    multiplier, #0x5465

.Lfive_blocks:
    block   0, .Ldone_4
    block   4, .Ldone_8
    block   8, .Ldone_12
    block   12, .Ldone_16
    block   16, .Ldone_0
    b       .Lfive_blocks

.Ldone_0:
    keep_registers
    ldm     sp, {r0-r9}
    b       .Ldone
.Ldone_4:
    keep_registers
    add     r12, sp, #RING + 16
    ldm     r12, {r0-r9}
    b       .Ldone
.Ldone_8:
    keep_registers
    add     r12, sp, #RING + 32
    ldm     r12, {r0-r9}
    b       .Ldone
.Ldone_12:
    keep_registers
    add     r12, sp, #RING + 48
    ldm     r12, {r0-r7}
    ldm     sp, {r8, r9}
    b       .Ldone
.Ldone_16:
    keep_registers
    add     r12, sp, #RING + 64
    ldm     r12, {r0-r3}
    ldm     sp, {r4-r9}
.Ldone:
    stm     lr, {r0-r9}
    movs    r0, #0                  /* the ring and f are secret */
    movs    r1, #0
    movs    r2, #0
    movs    r3, #0
    movs    r4, #0
    movs    r5, #0
    movs    r6, #0
    movs    r7, #0
    mov     r8, sp
    stm     r8!, {r0-r7}
    stm     r8!, {r0-r7}
    stm     r8!, {r0-r6}
    pop_frame_return FRAME
endfunc

/* Products of a byte with constants; linear, so that one constant per bit generates them all. */
.macro products c0, c1, c2, c3, c4, c5, c6, c7
    .set    x, 0
    .rept   256
    .word   (-(x & 1) & \c0) ^ (-(x >> 1 & 1) & \c1) ^ (-(x >> 2 & 1) & \c2) ^ (-(x >> 3 & 1) & \c3) ^ \
            (-(x >> 4 & 1) & \c4) ^ (-(x >> 5 & 1) & \c5) ^ (-(x >> 6 & 1) & \c6) ^ (-(x >> 7 & 1) & \c7)
    .set    x, x + 1
    .endr
.endm

    .balign 4
.Ltables: /* what a product with alpha's inverse adds to a shift, and one with alpha */
    products 0x180f40cd, 0x301e8033, 0x603ca966, 0xc078fbcc, 0x29f05f31, 0x5249be62, 0xa492d5c4, 0xe18d0321
    products 0xe19fcf13, 0x6b973726, 0xd6876e4c, 0x05a7dc98, 0x0ae71199, 0x1467229b, 0x28ce449f, 0x50358897

#endif
