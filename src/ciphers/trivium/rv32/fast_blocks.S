/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Trivium on RV32I, 32 steps at a time: what they read from a cell is a window of two words, three instructions. The whole
 * state is in ten registers. New words take the registers of those that leave, which after twelve of 32 steps are in their
 * places again: then nothing was moved. The last blocks go by two of 32 steps, with moves. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32

#define STATE a0
#define OUT a1
#define IN a2
#define BLOCKS a3
#define A0 a4 /* the oldest bits */
#define A1 a5
#define A2 a6
#define B0 a7
#define B1 t0
#define B2 t1
#define C0 s0
#define C1 s1
#define C2 s2
#define C3 s3
#define FROM_A t2
#define FROM_B t3
#define FROM_C t4
#define T t5
#define U t6
#define V s4

#define SAVED_HERE s0, s1, s2, s3, s4
#define REGISTERS 0 /* stack */
#define FRAME 32

/* to = the 32 bits of next and old from this bit of old on. Uses T. */
.macro window to, old, next, shift
    srli    \to, \old, \shift
    slli    T, \next, 32 - \shift
    or      \to, \to, T
.endm

/* to ^= such a window, or two of them, of which all bits must be set. */
.macro add_window to, old, next, shift
    window  U, \old, \next, \shift
    xor     \to, \to, U
.endm

.macro add_both to, old, next, shift, other
    window  U, \old, \next, \shift
    window  V, \old, \next, \other
    and     U, U, V
    xor     \to, \to, U
.endm

/* The keystream at `at`; the new words are in a0, b0 and c0. */
.macro steps at, a0, a1, b0, b1, c0, c1, c2
    window  FROM_A, \a0, \a1, 30  /* cells 66 */
    add_window FROM_A, \a0, \a1, 3 /* and 93 */
    window  FROM_B, \b0, \b1, 27  /* 69 */
    add_window FROM_B, \b0, \b1, 12 /* 84 */
    window  FROM_C, \c1, \c2, 30  /* 66 */
    lw      V, \at(IN)
    add_window FROM_C, \c0, \c1, 17 /* 111 */
    xor     T, FROM_A, FROM_B
    xor     T, T, FROM_C
    xor     T, T, V
    sw      T, \at(OUT)
    add_both FROM_A, \a0, \a1, 4, 5 /* 92 and 91 */
    add_window FROM_A, \b0, \b1, 18 /* 78 */
    add_both FROM_B, \b0, \b1, 13, 14 /* 83 and 82 */
    add_both FROM_C, \c0, \c1, 18, 19 /* 110 and 109 */
    window  U, \a0, \a1, 27       /* 69 */
    mv      \b0, FROM_A
    xor     \a0, FROM_C, U
    window  U, \c1, \c2, 9        /* 87 */
    xor     \c0, FROM_B, U
.endm

.macro each_word do
    \do     A0, 0
    \do     A1, 4
    \do     A2, 8
    \do     B0, 12
    \do     B1, 16
    \do     B2, 20
    \do     C0, 24
    \do     C1, 28
    \do     C2, 32
    \do     C3, 36
.endm

.macro load_word x, at
    lw      \x, \at(STATE)
.endm

.macro store_word x, at
    sw      \x, \at(STATE)
.endm

/* void runnel_trivium_rv32_blocks(void *registers, uint8_t *out, const uint8_t *in, size_t nblocks) */
function runnel_trivium_rv32_blocks
    push_frame FRAME, REGISTERS, SAVED_HERE
    each_word load_word
    addi    BLOCKS, BLOCKS, -6
    bltz    BLOCKS, .Lrest
.Lsix_blocks:
    steps   0, A0, A1, B0, B1, C0, C1, C2
    steps   4, A1, A2, B1, B2, C1, C2, C3
    steps   8, A2, A0, B2, B0, C2, C3, C0
    steps   12, A0, A1, B0, B1, C3, C0, C1
    steps   16, A1, A2, B1, B2, C0, C1, C2
    steps   20, A2, A0, B2, B0, C1, C2, C3
    steps   24, A0, A1, B0, B1, C2, C3, C0
    steps   28, A1, A2, B1, B2, C3, C0, C1
    steps   32, A2, A0, B2, B0, C0, C1, C2
    steps   36, A0, A1, B0, B1, C1, C2, C3
    steps   40, A1, A2, B1, B2, C2, C3, C0
    steps   44, A2, A0, B2, B0, C3, C0, C1
    addi    BLOCKS, BLOCKS, -6
    addi    IN, IN, 48
    addi    OUT, OUT, 48
    bgez    BLOCKS, .Lsix_blocks
.Lrest:
    addi    BLOCKS, BLOCKS, 6
    beqz    BLOCKS, .Ldone
.Lblock:
    steps   0, A0, A1, B0, B1, C0, C1, C2
    steps   4, A1, A2, B1, B2, C1, C2, C3
    mv      T, A0
    mv      A0, A2
    mv      A2, A1
    mv      A1, T
    mv      T, B0
    mv      B0, B2
    mv      B2, B1
    mv      B1, T
    mv      T, C0
    mv      U, C1
    mv      C0, C2
    mv      C1, C3
    mv      C2, T
    mv      C3, U
    addi    BLOCKS, BLOCKS, -1
    addi    IN, IN, 8
    addi    OUT, OUT, 8
    bnez    BLOCKS, .Lblock
.Ldone:
    each_word store_word
    pop_frame_return FRAME, REGISTERS, SAVED_HERE
endfunc

#endif
