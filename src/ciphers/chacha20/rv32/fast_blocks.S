/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 on RV32I: the state in 16 registers, a block at a time. A rotation is three instructions, so a
 * quarter-round is 20 (12 with Zbkb); every result is ready for the next instruction, so the order does not matter. Savings are
 * possible around the rounds and in the first one: only column 0 depends on the counter, so the results of the other
 * columns, and what the second round computes from them alone, are kept for all blocks of a call. */
#include "arch/rv32/asm.h"

#if RUNNEL_RISCV_WORDS

#include "job.h"

#define JOB a0
#define OUT a1
#define IN a2
#define END a3 /* of OUT */
#define WORDS a4
#define COUNTER a5
#define LEFT a6 /* double rounds */

/* Stack */
#define START 0 /* the words that the rounds begin with, except for number 12 */
#define REGISTERS 64
#define FRAME (REGISTERS + 12 * REGISTER_BYTES)

#include "arch/rv32/arx.inc"

/* x = (x ^ y) <<< n */
.macro mix x, y, n
    xor     \x, \x, \y
    rotate_right \x, \x, 32-\n, FIRST
.endm

/* Of a quarter round, all but the first addition and XOR; all but the first addition; and all. */
.macro rest_of_quarter a, b, c, d
    add     \c, \c, \d
    mix     \b, \c, 12
    add     \a, \a, \b
    mix     \d, \a, 8
    add     \c, \c, \d
    mix     \b, \c, 7
.endm

.macro added_quarter a, b, c, d
    mix     \d, \a, 16
    rest_of_quarter \a, \b, \c, \d
.endm

.macro quarter a, b, c, d
    add     \a, \a, \b
    added_quarter \a, \b, \c, \d
.endm

.macro wipe_start x, number
    sw      zero, START+4*\number(sp)
.endm

.macro for_all_but_12 do
    \do     X0, 0
    \do     X1, 1
    \do     X2, 2
    \do     X3, 3
    \do     X4, 4
    \do     X5, 5
    \do     X6, 6
    \do     X7, 7
    \do     X8, 8
    \do     X9, 9
    \do     X10, 10
    \do     X11, 11
    \do     X13, 13
    \do     X14, 14
    \do     X15, 15
.endm

/* void runnel_chacha20_rv32_blocks(void *job, uint8_t *out, const uint8_t *in, size_t nblocks) */
function runnel_chacha20_rv32_blocks
    push_frame FRAME, REGISTERS, SAVED
    slli    END, END, 6
    add     END, OUT, END
    LOAD_REGISTER WORDS, CHACHA20_RV32_WORDS(JOB)
    lw      COUNTER, CHACHA20_RV32_COUNTER(JOB)
    for_all_but_12 from_words
    quarter X1, X5, X9, X13
    quarter X2, X6, X10, X14
    quarter X3, X7, X11, X15
    add     X0, X0, X4
    add     X1, X1, X6
    add     X2, X2, X7
    mix     X13, X2, 16
    for_all_but_12 to_start

.Lblock:
    for_all_but_12 from_start
    mv      X12, COUNTER
    li      LEFT, 9
    added_quarter X0, X4, X8, X12
    quarter X0, X5, X10, X15
    added_quarter X1, X6, X11, X12
    rest_of_quarter X2, X7, X8, X13
    quarter X3, X4, X9, X14

.Ltwo_rounds:
    quarter X0, X4, X8, X12
    quarter X1, X5, X9, X13
    quarter X2, X6, X10, X14
    quarter X3, X7, X11, X15
    quarter X0, X5, X10, X15
    quarter X1, X6, X11, X12
    quarter X2, X7, X8, X13
    quarter X3, X4, X9, X14
    addi    LEFT, LEFT, -1
    bnez    LEFT, .Ltwo_rounds

    for_all_but_12 finish
    lw      SECOND, 4*12(IN)
    add     X12, X12, COUNTER
    addi    COUNTER, COUNTER, 1
    xor     X12, X12, SECOND
    sw      X12, 4*12(OUT)
    addi    OUT, OUT, 64
    addi    IN, IN, 64
    bne     OUT, END, .Lblock

    sw      COUNTER, CHACHA20_RV32_COUNTER(JOB)
    for_all_but_12 wipe_start
    pop_frame_return FRAME, REGISTERS, SAVED
endfunc

#endif
