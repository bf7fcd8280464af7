/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rabbit on RV32IM: counters and words in 16 registers, which leaves five for what is under way.
 *
 * A product has a latency of five cycles, in which the next one's counter and sum are computed, so that no instruction
 * waits. A counter is three instructions: its constant is never all ones, so constant and carry in are added first,
 * and the carry out is then one comparison. The words are mixed in place, the highest first; what words 0 and 1 take
 * from the old words 6, 7 and 0 is saved. Of two words that are rotated by 16 and added, the lower halves are added
 * before they are shifted. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32_MUL

#include "ciphers/rabbit/places.h"

#define C0 s0
#define C1 s1
#define C2 s2
#define C3 s3
#define C4 s4
#define C5 s5
#define C6 s6
#define C7 s7
#define X0 s8
#define X1 s9
#define X2 s10
#define X3 s11
#define X4 t3
#define X5 t4
#define X6 t5
#define X7 t6

#define STATE a0
#define OUT a1
#define IN a2
#define END a3 /* of OUT */
#define CARRY a4
#define A0 a5 /* the constants of counters 0, 3 and 6, of 1, 4 and 7, of 2 and 5 */
#define A1 a6
#define A2 a7
#define FIRST t0
#define SECOND t1
#define HIGH t2    /* half of a product */
#define FOR_X0 ra  /* what words 0 and 1 are still to get */
#define FOR_X1 HIGH

#define FRAME 64

/* counter += constant + carry, and begins the square of the sum with x; number 0 has no predecessor to wait for. */
.macro square c, x, constant, before
    add     FIRST, \constant, CARRY
    add     \c, \c, FIRST
    sltu    CARRY, \c, FIRST
    add     FIRST, \x, \c
    .ifnb \before
    xor     \before, \before, HIGH
    .endif
    mulhu   HIGH, FIRST, FIRST
    mul     \x, FIRST, FIRST
.endm

/* x += (a <<< 16) + (b <<< 16) */
.macro mix_even x, a, b
    add     FIRST, \a, \b
    slli    FIRST, FIRST, 16
    srli    SECOND, \a, 16
    add     \x, \x, FIRST
    srli    FIRST, \b, 16
    add     \x, \x, SECOND
    add     \x, \x, FIRST
.endm

/* x += (a <<< 8) + b */
.macro mix_odd x, a, b
    slli    FIRST, \a, 8
    srli    SECOND, \a, 24
    add     \x, \x, FIRST
    add     \x, \x, SECOND
    add     \x, \x, \b
.endm

.macro output x, upper, lower, number
    lw      HIGH, 4*\number(IN)
    srli    FIRST, \upper, 16
    slli    SECOND, \lower, 16
    xor     FIRST, FIRST, \x
    xor     SECOND, SECOND, HIGH
    xor     FIRST, FIRST, SECOND
    sw      FIRST, 4*\number(OUT)
.endm

.macro for_counters_and_words do
    .set    at, RABBIT_COUNTERS         /* and the words behind them */
    .irp    register, C0, C1, C2, C3, C4, C5, C6, C7, X0, X1, X2, X3, X4, X5, X6, X7
    \do     \register, at(STATE)
    .set    at, at + 4
    .endr
.endm

/* void runnel_rabbit_rv32_blocks(void *state, uint8_t *out, const uint8_t *in, size_t nblocks) */
function runnel_rabbit_rv32_blocks
    push_frame FRAME, 0, ra, SAVED
    slli    END, END, 4
    add     END, OUT, END
    for_counters_and_words lw
    lbu     CARRY, RABBIT_CARRY(STATE)
    li      A0, 0x4d34d34d
    li      A1, 0xd34d34d3
    li      A2, 0x34d34d34

.Lblock:
    square  C0, X0, A0
    square  C1, X1, A1, X0
    square  C2, X2, A2, X1
    square  C3, X3, A0, X2
    square  C4, X4, A1, X3
    square  C5, X5, A2, X4
    square  C6, X6, A0, X5
    square  C7, X7, A1, X6
    slli    FIRST, X0, 8
    srli    SECOND, X0, 24
    add     FIRST, FIRST, SECOND
    srli    FOR_X0, X6, 16
    xor     X7, X7, HIGH
    add     FOR_X1, FIRST, X7
    add     FIRST, X6, X7
    slli    FIRST, FIRST, 16
    srli    SECOND, X7, 16
    add     FOR_X0, FOR_X0, FIRST
    add     FOR_X0, FOR_X0, SECOND
    mix_odd X7, X6, X5
    mix_even X6, X5, X4
    mix_odd X5, X4, X3
    mix_even X4, X3, X2
    mix_odd X3, X2, X1
    mix_even X2, X1, X0
    add     X1, X1, FOR_X1
    add     X0, X0, FOR_X0
    output  X0, X5, X3, 0
    output  X2, X7, X5, 1
    output  X4, X1, X7, 2
    output  X6, X3, X1, 3
    addi    OUT, OUT, 16
    addi    IN, IN, 16
    bne     OUT, END, .Lblock

    for_counters_and_words sw
    sb      CARRY, RABBIT_CARRY(STATE)
    pop_frame_return FRAME, 0, ra, SAVED
endfunc

#endif
