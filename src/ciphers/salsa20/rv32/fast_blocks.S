/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 on RV32I: the state in 16 registers, a block at a time. Both halves of a rotation are XORed into the word
 * separately, so a step is five instructions; every result is ready for the next one, so the order does not matter.
 * Savings are possible around the rounds and in the first two: in the first only one column depends on the lower half
 * of the counter, so the results of the others, and what the second round computes from them alone, are kept for all
 * blocks of a call. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32

#include "job.h"

#define JOB a0
#define OUT a1
#define IN a2
#define END a3 /* of OUT */
#define WORDS a4
#define COUNTER a5 /* its lower half, word 8 */
#define HIGH a6    /* its upper half, word 9 */
#define LEFT a7    /* double rounds */
#define ROUNDS t2

/* Stack */
#define START 0    /* the words that the rounds begin with, except for number 8 */
#define TERM_8 32  /* what the first round XORs into word 8, in word 8's place */
#define TERM_8_2 64
#define TERM_12 68 /* what the second round XORs into words 8 and 12 */
#define COLUMN 72  /* word 4 between the first two rounds */
#define REGISTERS 76
#define FRAME 128

#include "arch/rv32/arx.inc"

/* x ^= (y + z) <<< n */
.macro step x, y, z, n
    add     FIRST, \y, \z
#if RUNNEL_RISCV_ROTATES
    rori    FIRST, FIRST, 32-\n
#else
    slli    SECOND, FIRST, \n
    srli    FIRST, FIRST, 32-\n
    xor     \x, \x, SECOND
#endif
    xor     \x, \x, FIRST
.endm

/* x = (y + z) <<< n */
.macro rotated_sum x, y, z, n
    add     FIRST, \y, \z
    rotate_right \x, FIRST, 32-\n, SECOND
.endm

.macro quarter a, b, c, d
    step    \b, \a, \d, 7
    step    \c, \b, \a, 9
    step    \d, \c, \b, 13
    step    \a, \d, \c, 18
.endm

.macro for_all_but_8_and_9 do
    \do     X0, 0
    \do     X1, 1
    \do     X2, 2
    \do     X3, 3
    \do     X4, 4
    \do     X5, 5
    \do     X6, 6
    \do     X7, 7
    \do     X10, 10
    \do     X11, 11
    \do     X12, 12
    \do     X13, 13
    \do     X14, 14
    \do     X15, 15
.endm

/* void runnel_salsa20_rv32_blocks(void *job, uint8_t *out, const uint8_t *in, size_t nblocks) */
function runnel_salsa20_rv32_blocks
    push_frame FRAME, REGISTERS, SAVED
    slli    END, END, 6
    add     END, OUT, END
    lw      WORDS, SALSA20_RV32_WORDS(JOB)
    lw      COUNTER, SALSA20_RV32_LOW(JOB)
    lw      HIGH, SALSA20_RV32_HIGH(JOB)
    lw      ROUNDS, SALSA20_RV32_LEFT(JOB)
    for_all_but_8_and_9 from_words
    mv      X9, HIGH
    step    X4, X0, X12, 7
    sw      X4, COLUMN(sp)
    rotated_sum X8, X4, X0, 9
    sw      X8, TERM_8(sp)
    quarter X5, X9, X13, X1
    quarter X10, X14, X2, X6
    quarter X15, X3, X7, X11
    quarter X5, X6, X7, X4
    step    X11, X10, X9, 7
    rotated_sum X8, X11, X10, 9
    sw      X8, TERM_8_2(sp)
    rotated_sum X8, X15, X14, 7
    sw      X8, TERM_12(sp)
    for_all_but_8_and_9 to_start
    to_start X9, 9

.Lblock:
    lw      X8, TERM_8(sp)
    lw      X4, COLUMN(sp)
    from_start X12, 12
    from_start X0, 0
    xor     X8, X8, COUNTER
    step    X12, X8, X4, 13
    step    X0, X12, X8, 18
    from_start X1, 1
    from_start X2, 2
    from_start X3, 3
    from_start X4, 4
    quarter X0, X1, X2, X3
    lw      FIRST, TERM_8_2(sp)
    from_start X9, 9
    from_start X11, 11
    from_start X10, 10
    xor     X8, X8, FIRST
    step    X9, X8, X11, 13
    step    X10, X9, X8, 18
    lw      FIRST, TERM_12(sp)
    from_start X15, 15
    from_start X13, 13
    from_start X14, 14
    xor     X12, X12, FIRST
    step    X13, X12, X15, 9
    step    X14, X13, X12, 13
    step    X15, X14, X13, 18
    from_start X5, 5
    from_start X6, 6
    from_start X7, 7
    mv      LEFT, ROUNDS

.Ltwo_rounds:
    quarter X0, X4, X8, X12
    quarter X5, X9, X13, X1
    quarter X10, X14, X2, X6
    quarter X15, X3, X7, X11
    quarter X0, X1, X2, X3
    quarter X5, X6, X7, X4
    quarter X10, X11, X8, X9
    quarter X15, X12, X13, X14
    addi    LEFT, LEFT, -1
    bnez    LEFT, .Ltwo_rounds

    for_all_but_8_and_9 finish
    lw      SECOND, 4*8(IN)
    add     X8, X8, COUNTER
    addi    COUNTER, COUNTER, 1
    xor     X8, X8, SECOND
    sw      X8, 4*8(OUT)
    lw      SECOND, 4*9(IN)
    add     X9, X9, HIGH
    xor     X9, X9, SECOND
    sw      X9, 4*9(OUT)
    addi    OUT, OUT, 64
    addi    IN, IN, 64
    bne     OUT, END, .Lblock

    sw      COUNTER, SALSA20_RV32_LOW(JOB)
    .irp    at, 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72
    sw      zero, \at(sp)
    .endr
    pop_frame_return FRAME, REGISTERS, SAVED
endfunc

#endif
