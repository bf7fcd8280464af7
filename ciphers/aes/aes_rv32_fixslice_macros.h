/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Bitsliced AES for RV32I: the assembly macros of aes_rv32_fixslice_*.S and aes_rv32_barrel.S.
 *
 * Bit j of 32 state bytes is in one register, a plane. sub_bytes takes the planes in q0 to q7 and leaves them in p0 to
 * p7; mix_columns takes them back. The gates of the S-box are ordered so that 25 registers hold all that lives: nothing
 * is spilled, and of the 28 registers that code may use (gp and tp are the system's, interrupts need sp) three are left
 * for a pointer to the round keys and two masks.
 *
 * Fixslicing (Adomnicai, Peyrin, TCHES 2021/1). The byte in row r, column c of block b is bit 8 r + 2 c + b. The planes
 * are those of SR^-v of the state (SR = ShiftRows; v = how many were left out, modulo 4), so "the byte k rows below" is
 * k v columns further too: a rotation of the word and one inside its bytes. Round keys are stored under SR^-v and have
 * the four NOTs of the S-box in them. */
#include "aes_rv32_fixslice_job.h"

#define q0 s0
#define q1 s1
#define q2 s2
#define q3 s3
#define q4 s4
#define q5 s5
#define q6 s6
#define q7 s7
#define p0 a0
#define p1 a1
#define p2 a2
#define p3 a3
#define p4 a4
#define p5 a5
#define p6 a6
#define p7 a7
#define w0 t0
#define w1 t1
#define w2 t2
#define w3 t3
#define w4 t4
#define w5 t5
#define w6 t6
#define w7 s8
#define w8 s9
#define keys s10
#define nibbles s11 /* 0x0f0f0f0f */
#define columns ra  /* 0x03030303: the lowest column of both blocks */
#define job w7      /* between batches; sub_bytes overwrites it */

/* A stack frame: the function's argument, its job, with the two values of `keys` that end the rounds; `bytes` of the
 * function's own from 16(sp) on; and what the caller wants back. */
#define FRAME_JOB 0
#define FRAME_LAST 4
#define FRAME_LAST_3 8
.macro enter bytes
    addi    sp, sp, -(\bytes + 80)
    sw      a0, FRAME_JOB(sp)
    .set    at, \bytes + 16
    .irp    x, ra, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
    sw      \x, at(sp)
    .set    at, at + 4
    .endr
.endm

.macro enter_rounds bytes
    enter   \bytes
    mv      job, a0
    lw      w0, JOB_LAST(job)
    lw      w1, JOB_LAST_3(job)
    sw      w0, FRAME_LAST(sp)
    sw      w1, FRAME_LAST_3(sp)
.endm

.macro leave bytes
    .set    at, \bytes + 16
    .irp    x, ra, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
    lw      \x, at(sp)
    .set    at, at + 4
    .endr
    addi    sp, sp, \bytes + 80
    ret
.endm

/* All S-boxes by the circuit of Boyar, Peralta and Calik with 113 gates, without its four NOTs. Uses w0 to w8. */
.macro sub_bytes
    xor     w5, q4, q2 /* y14 */
    xor     p7, q7, q4 /* y9 */
    xor     w0, q7, q2 /* y8 */
    xor     p3, q7, q1 /* y13 */
    xor     q5, q6, q5 /* t0 */
    xor     p0, q5, q0 /* y1 */
    xor     w2, p3, w5 /* y12 */
    xor     q3, q3, w2 /* t1 */
    xor     q1, p0, q1 /* y5 */
    xor     q2, q3, q2 /* y15 */
    xor     w6, q2, q0 /* y6 */
    xor     q6, q3, q6 /* y20 */
    xor     q3, q1, w0 /* y3 */
    xor     p4, p0, q7 /* y2 */
    and     p6, q3, w6 /* t3 */
    xor     q4, p0, q4 /* y4 */
    and     p2, w2, q2 /* t2 */
    and     w3, q4, q0 /* t5 */
    xor     p5, q6, p7 /* y11 */
    xor     w1, q2, q5 /* y10 */
    xor     w4, p6, p2 /* t4 */
    and     w8, w0, w1 /* t15 */
    and     w7, p7, p5 /* t12 */
    xor     q6, w4, q6 /* t17 */
    xor     w4, w8, w7 /* t16 */
    xor     q5, q5, p5 /* y16 */
    xor     w3, w3, p2 /* t6 */
    and     p2, p3, q5 /* t7 */
    xor     w8, q0, p5 /* y7 */
    xor     w3, w3, w4 /* t18 */
    and     p1, q1, p0 /* t8 */
    xor     p1, p1, p2 /* t9 */
    and     p6, p4, w8 /* t10 */
    xor     p6, p6, p2 /* t11 */
    xor     p2, w1, w0 /* y19 */
    xor     w4, p6, w4 /* t20 */
    xor     w3, w3, p2 /* t22 */
    xor     q7, q7, q5 /* y18 */
    xor     q7, w4, q7 /* t24 */
    xor     p2, w1, p5 /* y17 */
    and     p6, w5, p2 /* t13 */
    xor     w7, p6, w7 /* t14 */
    xor     p1, p1, w7 /* t19 */
    xor     q6, q6, w7 /* t21 */
    xor     p6, p3, q5 /* y21 */
    xor     p1, p1, p6 /* t23 */
    and     p6, q6, p1 /* t26 */
    xor     q6, q6, w3 /* t25 */
    xor     w7, w3, p6 /* t31 */
    xor     p6, q7, p6 /* t27 */
    xor     w4, p1, q7 /* t30 */
    and     w7, w7, w4 /* t32 */
    xor     w7, w7, q7 /* t33 */
    xor     w4, p6, w7 /* t35 */
    xor     p1, p1, w7 /* t34 */
    and     q7, q7, w4 /* t36 */
    xor     w4, p6, q7 /* t38 */
    and     p6, q6, p6 /* t28 */
    xor     q7, q7, p1 /* t37 */
    xor     p1, p6, w3 /* t29 */
    and     w4, p1, w4 /* t39 */
    xor     q6, q6, w4 /* t40 */
    xor     w3, p1, q6 /* t43 */
    and     p6, p1, w8 /* z5 */
    and     w8, p1, p4 /* z14 */
    xor     p1, p1, w7 /* t42 */
    and     q5, w3, q5 /* z3 */
    and     p3, w3, p3 /* z12 */
    xor     w3, q6, q7 /* t41 */
    and     p4, q7, w6 /* z1 */
    and     p0, q6, p0 /* z4 */
    and     q6, q6, q1 /* z13 */
    xor     q1, p1, w3 /* t45 */
    and     q3, q7, q3 /* z10 */
    and     w4, p1, p5 /* z6 */
    and     p5, q1, p2 /* z7 */
    xor     p2, q5, p0 /* c6 */
    xor     q5, q5, p6 /* c12 */
    and     q1, q1, w5 /* z16 */
    xor     q7, w7, q7 /* t44 */
    and     q0, w7, q0 /* z2 */
    and     w6, q7, w2 /* z9 */
    and     p7, p1, p7 /* z15 */
    and     p0, w3, w1 /* z8 */
    xor     q1, p7, q1 /* c1 */
    xor     q6, q6, q1 /* c13 */
    and     q4, w7, q4 /* z11 */
    xor     q1, q3, q1 /* c2 */
    xor     q3, p5, p2 /* c8 */
    xor     w7, w6, q1 /* c3 */
    and     q2, q7, q2 /* z0 */
    xor     q0, q2, q0 /* c4 */
    and     q7, w3, w0 /* z17 */
    xor     q5, q0, q5 /* c14 */
    xor     q0, p3, q0 /* c7 */
    xor     q2, p4, q2 /* c5 */
    xor     w5, w4, q3 /* c16 */
    xor     q0, p0, q0 /* c9 */
    xor     q3, q3, q0 /* c10 */
    xor     q0, w8, q3 /* c17 */
    xor     q2, p2, q2 /* c11 */
    xor     w6, p7, w5 /* c20 */
    xor     q1, q1, q4 /* c21 */
    xor     q6, q6, q5 /* c18 */
    xor     p7, w7, w5 /* s0 */
    xor     p4, w7, q2 /* s3 */
    xor     p2, q1, q0 /* s5 */
    xor     p6, p4, w5 /* s1 */
    xor     p0, p3, q6 /* s7 */
    xor     p1, q3, q6 /* s6 */
    xor     q6, q0, w6 /* c26 */
    xor     p5, q6, q7 /* s2 */
    xor     p3, q5, p4 /* s4 */
.endm

/* Brings up the byte below, in rows as they are after v ShiftRows were left out: d = that of s. Uses w0 and w1;
 * for v = 3 w8 is 0x3f3f3f3f. */
.macro below d, s, v
    .if \v == 1
    and     w1, \s, columns
    xor     w0, \s, w1
    srli    w0, w0, 2
    slli    w1, w1, 6
    or      w0, w0, w1
    .elseif \v == 2
    swap_columns \s
    .elseif \v == 3
    and     w0, \s, w8
    xor     w1, \s, w0
    slli    w0, w0, 2
    srli    w1, w1, 6
    or      w0, w0, w1
    .endif
    .if \v == 0
    srli    \d, \s, 8
    slli    w0, \s, 24
    .else
    srli    \d, w0, 8
    slli    w0, w0, 24
    .endif
    or      \d, \d, w0
.endm

/* w0 = s with columns 0, 1 and 2, 3 in each other's places. */
.macro swap_columns s
    and     w0, \s, nibbles
    srli    w1, \s, 4
    and     w1, w1, nibbles
    slli    w0, w0, 4
    or      w0, w0, w1
.endm

/* d ^= the bytes two rows below those of s. */
.macro add_two_below d, s, v
    .if \v % 2
    swap_columns \s
    srli    w1, w0, 16
    slli    w0, w0, 16
    .else
    srli    w1, \s, 16
    slli    w0, \s, 16
    .endif
    xor     \d, \d, w1
    xor     \d, \d, w0
.endm

/* MixColumns as 2 (a + b) + b + c + d, bytes b, c, d being those below a; p becomes a + b. */
.macro mix_plane q, p, key, v
    lw      w2, \key(keys)
    below   \q, \p, \v
    xor     \p, \p, \q
    add_two_below \q, \p, \v
    xor     \q, \q, w2
.endm

/* q = MixColumns(p) ^ the round key at key(keys), in the rows as they are after v ShiftRows were left out. Uses w0 to
 * w2 and w8. */
.macro mix_columns v, key
    .if \v == 3
    li      w8, 0x3f3f3f3f
    .endif
    mix_plane q7, p7, \key + 28, \v
    mix_plane q0, p0, \key + 0, \v
    xor     q0, q0, p7
    mix_plane q1, p1, \key + 4, \v
    xor     q1, q1, p0
    xor     q1, q1, p7
    mix_plane q2, p2, \key + 8, \v
    xor     q2, q2, p1
    mix_plane q3, p3, \key + 12, \v
    xor     q3, q3, p2
    xor     q3, q3, p7
    mix_plane q4, p4, \key + 16, \v
    xor     q4, q4, p3
    xor     q4, q4, p7
    mix_plane q5, p5, \key + 20, \v
    xor     q5, q5, p4
    mix_plane q6, p6, \key + 24, \v
    xor     q6, q6, p5
    xor     q7, q7, p6
.endm

.macro middle_round v, key
    sub_bytes
    mix_columns \v, \key
.endm

/* ShiftRows twice on planes p: rows 1 and 3 by two columns. Uses w0 and w1. */
.macro shift_planes_twice
    li      w1, 0x0f000f00
    .irp    p, p0, p1, p2, p3, p4, p5, p6, p7
    srli    w0, \p, 4
    xor     w0, w0, \p
    and     w0, w0, w1
    xor     \p, \p, w0
    slli    w0, w0, 4
    xor     \p, \p, w0
    .endr
.endm

/* Eight words to registers from offset(base). */
.macro load_words base, offset, x0, x1, x2, x3, x4, x5, x6, x7
    .set    at, \offset
    .irp    x, \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7
    lw      \x, at(\base)
    .set    at, at + 4
    .endr
.endm

.macro store_words base, offset, x0, x1, x2, x3, x4, x5, x6, x7
    .set    at, \offset
    .irp    x, \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7
    sw      \x, at(\base)
    .set    at, at + 4
    .endr
.endm

/* q ^= p. */
.macro add_planes
    xor     q0, q0, p0
    xor     q1, q1, p1
    xor     q2, q2, p2
    xor     q3, q3, p3
    xor     q4, q4, p4
    xor     q5, q5, p5
    xor     q6, q6, p6
    xor     q7, q7, p7
.endm

/* q ^= the round key at key(keys). Uses p. */
.macro add_key key
    load_words keys, \key, p0, p1, p2, p3, p4, p5, p6, p7
    add_planes
.endm

/* q = p ^ the round key at key(keys). */
.macro add_last_key key
    load_words keys, \key, q0, q1, q2, q3, q4, q5, q6, q7
    add_planes
.endm

/* Swaps the bits of a under mask << n with those of b under mask. Uses w0. */
.macro swap_bits a, b, n, mask
    srli    w0, \a, \n
    xor     w0, w0, \b
    and     w0, w0, \mask
    xor     \b, \b, w0
    slli    w0, w0, \n
    xor     \a, \a, w0
.endm

/* In each byte position of eight registers, bit i of register j becomes bit j of register i. Uses w0 to w2. */
.macro transpose_bits x0, x1, x2, x3, x4, x5, x6, x7
    li      w1, 0x55555555
    li      w2, 0x33333333
    swap_bits \x0, \x1, 1, w1
    swap_bits \x2, \x3, 1, w1
    swap_bits \x4, \x5, 1, w1
    swap_bits \x6, \x7, 1, w1
    swap_bits \x0, \x2, 2, w2
    swap_bits \x1, \x3, 2, w2
    swap_bits \x4, \x6, 2, w2
    swap_bits \x5, \x7, 2, w2
    swap_bits \x0, \x4, 4, nibbles
    swap_bits \x1, \x5, 4, nibbles
    swap_bits \x2, \x6, 4, nibbles
    swap_bits \x3, \x7, 4, nibbles
.endm

/* Swaps the bits of a and b under mask. Uses w0. */
.macro swap_same a, b, mask
    xor     w0, \a, \b
    and     w0, w0, \mask
    xor     \a, \a, w0
    xor     \b, \b, w0
.endm

/* ShiftRows n times (1, 2 or 3) on a block's columns, one word each with row 0 in the low byte. w1 is 0xff00ff00: rows
 * 1 and 3; w2 0xffff0000: rows 2 and 3. Uses w0 and w3 to w6. */
.macro shift_columns n, a, b, c, d
    .if \n == 2
    swap_same \a, \c, w1
    swap_same \b, \d, w1
    .else
    swap_same \a, \c, w2
    swap_same \b, \d, w2
    and     w3, \a, w1
    and     w4, \b, w1
    and     w5, \c, w1
    and     w6, \d, w1
    xor     \a, \a, w3
    xor     \b, \b, w4
    xor     \c, \c, w5
    xor     \d, \d, w6
    .if \n == 1
    or      \a, \a, w4
    or      \b, \b, w5
    or      \c, \c, w6
    or      \d, \d, w3
    .else
    or      \a, \a, w6
    or      \b, \b, w3
    or      \c, \c, w4
    or      \d, \d, w5
    .endif
    .endif
.endm

/* The same for the two blocks whose columns alternate in eight registers. */
.macro shift_both n, x0, x1, x2, x3, x4, x5, x6, x7
    li      w1, 0xff00ff00
    .if \n % 2
    li      w2, 0xffff0000
    .endif
    shift_columns \n, \x0, \x2, \x4, \x6
    shift_columns \n, \x1, \x3, \x5, \x7
.endm

/* Columns of two blocks at offset(base) to eight registers, alternating, as transpose_bits wants them. */
.macro load_blocks base, x0, x1, x2, x3, x4, x5, x6, x7, offset=0
    load_words \base, \offset, \x0, \x2, \x4, \x6, \x1, \x3, \x5, \x7
.endm

/* Writes the two blocks in q, XOR the job's input, to its output, and moves on. Leaves the number of pairs still to be
 * done in w1. Uses all but q and job. */
.macro put_blocks
    lw      w2, JOB_IN(job)
    lw      w3, JOB_OUT(job)
    lw      w4, JOB_IN_STEP(job)
    lw      w1, JOB_BATCHES(job)
    load_blocks w2, p0, p1, p2, p3, p4, p5, p6, p7
    add     w2, w2, w4
    add_planes
    store_words w3, 0, q0, q2, q4, q6, q1, q3, q5, q7
    addi    w3, w3, 32
    addi    w1, w1, -1
    sw      w2, JOB_IN(job)
    sw      w3, JOB_OUT(job)
    sw      w1, JOB_BATCHES(job)
.endm

.macro set_masks
    li      nibbles, 0x0f0f0f0f
    li      columns, 0x03030303
.endm

.macro function name
    .section .text.\name, "ax", @progbits
    .globl  \name
    .hidden \name
    .type   \name, @function
    .balign 4
\name:
.endm

.macro end_function name
    .size   \name, . - \name
.endm
