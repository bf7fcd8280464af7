/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Grain-128 on RV32I, 32 steps at a time: what they read from bit i on is a window of two words, three instructions. Both
 * registers of the cipher are in eight of the processor's; their words move, which is 4 % and saves three quarters of the
 * code. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32

#include "job.h"

#define JOB a0
#define OUT a1
#define IN a2
#define END a3 /* of OUT */
#define FEEDBACK a4
#define B0 a5
#define B1 a6
#define B2 a7
#define B3 t0
#define S0 t1
#define S1 t2
#define S2 t3
#define S3 t4
#define T t5
#define U t6
#define V s0
#define W s1
#define OUTPUT s2
#define NONLINEAR s3
#define LINEAR s4
#define REGISTERS_AT s5

#define SAVED_HERE s0, s1, s2, s3, s4, s5
#define REGISTERS 0 /* stack */
#define FRAME 32

/* to = 32 bits of the four words from bit i on, which is no multiple of 32. Uses T. */
.macro window to, x0, x1, x2, x3, i
    .if \i < 32
    srli    \to, \x0, \i
    slli    T, \x1, 32 - \i
    .elseif \i < 64
    srli    \to, \x1, \i - 32
    slli    T, \x2, 64 - \i
    .else
    srli    \to, \x2, \i - 64
    slli    T, \x3, 96 - \i
    .endif
    or      \to, \to, T
.endm

.macro b to, i
    window  \to, B0, B1, B2, B3, \i
.endm

.macro s to, i
    window  \to, S0, S1, S2, S3, \i
.endm

/* to ^= the windows from these bits of a register on, b or s. */
.macro add_windows to, register, i, more:vararg
    \register U, \i
    xor     \to, \to, U
    .ifnb \more
    add_windows \to, \register, \more
    .endif
.endm

.macro add_product to, register, i, j
    \register U, \i
    \register V, \j
    and     U, U, V
    xor     \to, \to, U
.endm

.macro each_word do
    .set    at, 0
    .irp    x, B0, B1, B2, B3, S0, S1, S2, S3
    \do     \x, at(REGISTERS_AT)
    .set    at, at + 4
    .endr
.endm

/* void runnel_grain128_rv32_blocks(void *job, uint8_t *out, const uint8_t *in, size_t nblocks) */
function runnel_grain128_rv32_blocks
    push_frame FRAME, REGISTERS, SAVED_HERE
    slli    END, END, 2
    add     END, OUT, END
    lw      REGISTERS_AT, GRAIN128_RV32_REGISTERS(JOB)
    lw      FEEDBACK, GRAIN128_RV32_FEEDBACK(JOB)
    each_word lw
.Lsteps:
    b       V, 12
    b       W, 95
    s       U, 8
    and     OUTPUT, V, U
    s       U, 42
    and     V, V, W
    and     W, W, U
    xor     OUTPUT, OUTPUT, W
    s       U, 95
    and     V, V, U
    xor     OUTPUT, OUTPUT, V
    add_product OUTPUT, s, 13, 20
    add_product OUTPUT, s, 60, 79
    add_windows OUTPUT, s, 93
    add_windows OUTPUT, b, 2, 15, 36, 45, 73, 89
    xor     OUTPUT, OUTPUT, B2 /* bit 64 */

    and     W, OUTPUT, FEEDBACK
    xor     LINEAR, S0, W
    xor     NONLINEAR, LINEAR, B0
    add_windows LINEAR, s, 7, 38, 70, 81
    xor     NONLINEAR, NONLINEAR, B3 /* bit 96 */
    add_windows NONLINEAR, b, 26, 56, 91
    add_product NONLINEAR, b, 3, 67
    add_product NONLINEAR, b, 11, 13
    add_product NONLINEAR, b, 17, 18
    add_product NONLINEAR, b, 27, 59
    add_product NONLINEAR, b, 40, 48
    add_product NONLINEAR, b, 61, 65
    add_product NONLINEAR, b, 68, 84

    lw      U, 0(IN)
    mv      S0, S1
    mv      S1, S2
    mv      S2, S3
    xor     S3, LINEAR, S3 /* bit 96 */
    mv      B0, B1
    mv      B1, B2
    mv      B2, B3
    mv      B3, NONLINEAR
    xor     OUTPUT, OUTPUT, U
    sw      OUTPUT, 0(OUT)
    addi    IN, IN, 4
    addi    OUT, OUT, 4
    bne     OUT, END, .Lsteps
    each_word sw
    pop_frame_return FRAME, REGISTERS, SAVED_HERE
endfunc

#endif
