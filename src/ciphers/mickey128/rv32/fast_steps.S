/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* MICKEY-128 2.0 on RV32I, a step at a time: both registers of the cipher are in ten of the processor's, the
 * specification's tables are loaded word by word. A control bit is a mask: shifted to the highest place, then spread. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32

#include "ciphers/mickey128/tables.h"

#define STATE a0
#define INPUT a1
#define COUNT a2
#define MIXING a3
#define TABLE a4
#define CONTROL_R a5
#define CONTROL_S a6
#define FEED_R a7
#define FEED_S t0
#define T t1
#define U t2
#define V t3
#define W t4
#define R_BELOW t5 /* the bit that leaves the word below */
#define S_BELOW t6
#define R0 s0
#define R1 s1
#define R2 s2
#define R3 s3
#define R4 s4
#define S0 s5
#define S1 s6
#define S2 s7
#define S3 s8
#define S4 s9
#define OUTPUT s10

#define SAVED_HERE s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10
#define REGISTERS 4 /* stack */
#define FRAME 48

/* Offsets of a word's entries. */
#define EACH 20
#define COMP0 0
#define COMP1 4
#define FEEDBACK 8
#define OTHER_FEEDBACK 12 /* XORed to the first, where control_s is set */
#define TAPS 16

/* Word i of both registers; above: the next word of S. */
.macro step_word i, r, s, above
    lw      T, EACH * \i + COMP0(TABLE)
    lw      U, EACH * \i + COMP1(TABLE)
    srli    V, \s, 1
    xor     T, T, \s
    .ifnb \above
    slli    W, \above, 31
    or      V, V, W
    .endif
    xor     U, U, V
    lw      V, EACH * \i + FEEDBACK(TABLE)
    lw      W, EACH * \i + OTHER_FEEDBACK(TABLE)
    and     T, T, U /* the highest bit of the last word is 0 in COMP1: stage 159 has no product */
    .if \i == 0
    andi    T, T, -2 /* neither has stage 0 */
    .endif
    and     W, W, CONTROL_S
    slli    U, \s, 1
    xor     V, V, W
    xor     T, T, U
    and     V, V, FEED_S
    lw      U, EACH * \i + TAPS(TABLE)
    .if \i > 0
    xor     T, T, S_BELOW
    .endif
    srli    S_BELOW, \s, 31
    xor     \s, T, V
    and     U, U, FEED_R
    and     V, \r, CONTROL_R
    slli    W, \r, 1
    xor     U, U, V
    .if \i > 0
    xor     U, U, R_BELOW
    .endif
    srli    R_BELOW, \r, 31
    xor     \r, U, W
.endm

.macro each_word do
    .set    at, 0
    .irp    x, R0, R1, R2, R3, R4, S0, S1, S2, S3, S4
    \do     \x, at(STATE)
    .set    at, at + 4
    .endr
.endm

/* uint32_t runnel_mickey128_rv32_steps(runnel_mickey128_registers *g, uint32_t input, unsigned count, uint32_t mixing) */
function runnel_mickey128_rv32_steps
    push_frame FRAME, REGISTERS, SAVED_HERE
    each_word lw
    lla     TABLE, runnel_mickey128_rv32_table
    li      OUTPUT, 0
.Lstep:
    xor     T, R0, S0
    slli    OUTPUT, OUTPUT, 1
    andi    T, T, 1
    or      OUTPUT, OUTPUT, T
    slli    T, S1, 31 - 54 % 32
    slli    U, R3, 31 - 106 % 32
    slli    V, S3, 31 - 106 % 32
    slli    W, R1, 31 - 53 % 32
    xor     CONTROL_R, T, U
    xor     CONTROL_S, V, W
    slli    T, S2, 31 - 80 % 32
    xor     FEED_S, S4, INPUT
    and     T, T, MIXING
    xor     FEED_R, R4, INPUT
    srai    CONTROL_R, CONTROL_R, 31
    xor     FEED_R, FEED_R, T
    srai    CONTROL_S, CONTROL_S, 31
    srai    FEED_S, FEED_S, 31
    srai    FEED_R, FEED_R, 31
    step_word 0, R0, S0, S1
    step_word 1, R1, S1, S2
    step_word 2, R2, S2, S3
    step_word 3, R3, S3, S4
    step_word 4, R4, S4
    slli    INPUT, INPUT, 1
    addi    COUNT, COUNT, -1
    bnez    COUNT, .Lstep
    each_word sw
    mv      a0, OUTPUT
    pop_frame_return FRAME, REGISTERS, SAVED_HERE
endfunc

/* The words of the five tables side by side. */
.macro words comp0, comp1, feedback0, feedback1, taps
    .word   \comp0, \comp1, \feedback0, \feedback0 ^ \feedback1, \taps
.endm
#define LIST(a, b, c, d, e) a, b, c, d, e

.macro transposed c0, c1, c2, c3, c4, d0, d1, d2, d3, d4, f0, f1, f2, f3, f4, g0, g1, g2, g3, g4, t0, t1, t2, t3, t4
    words   \c0, \d0, \f0, \g0, \t0
    words   \c1, \d1, \f1, \g1, \t1
    words   \c2, \d2, \f2, \g2, \t2
    words   \c3, \d3, \f3, \g3, \t3
    words   \c4, \d4, \f4, \g4, \t4
.endm

tables runnel_mickey128_rv32_table
const runnel_mickey128_rv32_table
    transposed MICKEY128_COMP0(LIST), MICKEY128_COMP1(LIST), MICKEY128_FB0(LIST), MICKEY128_FB1(LIST), MICKEY128_R(LIST)
endconst

#endif
