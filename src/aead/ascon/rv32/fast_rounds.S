/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ascon's rounds for RV32I, and whole blocks of text, with the state in ten registers as the lower and upper halves of its
 * words. Without rotations even and odd bits would save two of a round's 118 instructions and cost 120 a block. A NOT of
 * x0, of x2 (with the constant) and of x3 in the S-box make of its five terms ~a & b one AND or OR each. What the
 * S-box makes lies in ten more registers, from which the linear layer brings it back. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32

/* The state: lower and upper halves of the words 0 to 4; */
#define l0 s0
#define l1 s1
#define l2 s2
#define l3 s3
#define l4 s4
#define u0 s5
#define u1 s6
#define u2 s7
#define u3 s8
#define u4 s9
/* what the S-box makes of it. */
#define m0 t0
#define m1 t1
#define m2 t2
#define m3 t3
#define m4 t4
#define v0 a3
#define v1 a4
#define v2 a5
#define v3 a6
#define v4 a7
#define constant s10            /* the complement of the round's */
#define last s11                /* the complement of the one after the last */
#define x t5
#define y t6
#define z a2

/* The S-box on half of each word: r0 to r4 become the results. x2 is without its NOT. */
.macro substitute x0, x1, x2, x3, x4, r0, r1, r2, r3, r4
    xor     \x0, \x0, \x4
    xor     \x4, \x4, \x3
    xor     \x2, \x2, \x1
    not     \x0, \x0
    or      x, \x2, \x1
    and     y, \x3, \x2
    not     z, \x3
    and     z, z, \x4
    xor     \r0, \x0, x
    or      x, \x0, \x4
    xor     \r1, \x1, y
    and     y, \x1, \x0
    xor     \r2, \x2, z
    xor     \r3, \x3, x
    xor     \r4, \x4, y
    xor     \r1, \r1, \r0
    xor     \r3, \r3, \r2
    xor     \r0, \r0, \r4
.endm

/* to = first XOR the lower half of (high, low) >>> n; of the upper half with high and low exchanged */
.macro add_rotated to, first, low, high, n
    .if \n < 32
    srli    x, \low, \n
    slli    y, \high, 32 - \n
    .else
    srli    x, \high, \n - 32
    slli    y, \low, 64 - \n
    .endif
    xor     \to, \first, x
    xor     \to, \to, y
.endm

.macro spread lower, upper, low, high, n, m
    add_rotated \lower, \low, \low, \high, \n
    add_rotated \lower, \lower, \low, \high, \m
    add_rotated \upper, \high, \high, \low, \n
    add_rotated \upper, \upper, \high, \low, \m
.endm

code runnel_ascon_rv32_rounds

subroutine .Ltwelve
    li      constant, ~0xf0
    j       .Lround
endsub

subroutine .Leight
    li      constant, ~0xb4
.Lround:
    xor     l2, l2, constant
    not     u2, u2
    substitute l0, l1, l2, l3, l4, m0, m1, m2, m3, m4
    substitute u0, u1, u2, u3, u4, v0, v1, v2, v3, v4
    spread  l0, u0, m0, v0, 19, 28
    spread  l1, u1, m1, v1, 61, 39
    spread  l2, u2, m2, v2, 1, 6
    spread  l3, u3, m3, v3, 10, 17
    spread  l4, u4, m4, v4, 7, 41
    addi    constant, constant, 15
    bne     constant, last, .Lround
    jr      ra
endsub

/* ---- From and to the context ---- */

.macro for_state do, at
    \do     l0, 0(\at)
    \do     u0, 4(\at)
    \do     l1, 8(\at)
    \do     u1, 12(\at)
    \do     l2, 16(\at)
    \do     u2, 20(\at)
    \do     l3, 24(\at)
    \do     u3, 28(\at)
    \do     l4, 32(\at)
    \do     u4, 36(\at)
.endm

    .equ    END, 52             /* of what is read */
    .equ    STATE, 56
    .equ    FRAME, 64

.macro begin state
    push_frame FRAME, 0, ra, SAVED
    for_state lw, \state
    li      last, ~0x3c
.endm

.macro permutation rounds
    begin   a0
    jal     ra, \rounds
    for_state sw, a0
    pop_frame_return FRAME, 0, ra, SAVED
.endm

/* void runnel_ascon_rv32_twelve(uint64_t state[5]) */
entry runnel_ascon_rv32_twelve
    permutation .Ltwelve
endfunc

/* void runnel_ascon_rv32_eight(uint64_t state[5]) */
entry runnel_ascon_rv32_eight
    permutation .Leight
endfunc

#define IN a0
#define OUT a1

.macro crypt_half half, text, at, decrypt
    .if \decrypt
    xor     \half, \half, \text
    sw      \half, \at(OUT)
    mv      \half, \text
    .else
    xor     \half, \half, \text
    sw      \half, \at(OUT)
    .endif
.endm

.macro blocks decrypt
    begin   a0
    slli    a3, a3, 4
    add     a3, a3, a2
    sw      a3, END(sp)
    sw      a0, STATE(sp)
    mv      IN, a2
.Lnext\@:
    lw      t0, 0(IN)
    lw      t1, 4(IN)
    lw      t2, 8(IN)
    lw      t3, 12(IN)
    crypt_half l0, t0, 0, \decrypt
    crypt_half u0, t1, 4, \decrypt
    crypt_half l1, t2, 8, \decrypt
    crypt_half u1, t3, 12, \decrypt
    addi    IN, IN, 16
    addi    OUT, OUT, 16
    jal     ra, .Leight
    lw      t0, END(sp)
    bne     IN, t0, .Lnext\@
    lw      t0, STATE(sp)
    for_state sw, t0
    pop_frame_return FRAME, 0, ra, SAVED
.endm

/* void runnel_ascon_rv32_encrypt(uint64_t state[5], uint8_t *out, const uint8_t *in, size_t nblocks); out and in aligned,
 * nblocks >= 1 */
entry runnel_ascon_rv32_encrypt
    blocks  0
endfunc

/* void runnel_ascon_rv32_decrypt(uint64_t state[5], uint8_t *out, const uint8_t *in, size_t nblocks); likewise */
entry runnel_ascon_rv32_decrypt
    blocks  1
endfunc

#endif
