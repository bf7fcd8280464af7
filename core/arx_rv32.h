/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What Salsa20 and ChaCha20 share on RV32I: sixteen words in registers, and what is done around the rounds. A file that
 * includes it has defined WORDS, IN, OUT, and in the stack START (the words that the rounds begin with) and REGISTERS. */
#ifndef RUNNEL_CORE_ARX_RV32_H
#define RUNNEL_CORE_ARX_RV32_H

#define X0 s0
#define X1 s1
#define X2 s2
#define X3 s3
#define X4 s4
#define X5 s5
#define X6 s6
#define X7 s7
#define X8 s8
#define X9 s9
#define X10 s10
#define X11 s11
#define X12 t3
#define X13 t4
#define X14 t5
#define X15 t6

#define FIRST t0
#define SECOND t1

.macro from_words x, number
    lw      \x, 4*\number(WORDS)
.endm

.macro to_start x, number
    sw      \x, START+4*\number(sp)
.endm

.macro from_start x, number
    lw      \x, START+4*\number(sp)
.endm

/* x + word, then XORed and stored. */
.macro finish x, number
    lw      FIRST, 4*\number(WORDS)
    lw      SECOND, 4*\number(IN)
    add     \x, \x, FIRST
    xor     \x, \x, SECOND
    sw      \x, 4*\number(OUT)
.endm

.macro for_saved_registers do
    .set    at, REGISTERS
    .irp    register, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
    \do     \register, at(sp)
    .set    at, at + 4
    .endr
.endm

#endif
