/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA by tables on RV32I, one block at a time. In each look-up the S-box's byte comes in three bytes of a word, which are
 * the sums inside a word; four look-ups are scheduled together, so that none is waited for. The second substitution layer
 * takes the same tables for other bytes, which turns its words by 16 bits, and the permutation of bytes behind makes up for
 * it: both layers cost the same. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32

#include "ciphers/aria/sboxes.h"

#include "job.h"

#define X0 s0
#define X1 s1
#define X2 s2
#define X3 s3
#define Y0 s4
#define Y1 s5
#define Y2 s6
#define Y3 s7
#define RUN a0
#define OUT a1
#define IN a2
#define END a3 /* of OUT */
#define TABLES a4 /* 2 KiB into them */
#define KEYS a5
#define LAST a6
#define PAIRS a7 /* 0x00ff00ff */
#define T0 t0
#define T1 t1
#define T2 t2
#define T3 t3
#define T4 t4
#define T5 t5
#define T6 t6
#define INDEX s8
#define INDEX_KEY s9
#define FIRST_KEYS s10
#define RAW s11

#define REGISTERS 0 /* stack */
#define FRAME 48

#define TABLE(number) 1024 * (number) - 2048

/* T0 to T3 = addresses of entries for the bytes of x, less those of their tables. */
.macro cut x
    andi    T0, \x, 0xff
    srli    T1, \x, 6
    srli    T2, \x, 14
    slli    T0, T0, 2
    andi    T1, T1, 0x3fc
    andi    T2, T2, 0x3fc
    srli    T3, \x, 22
    add     T0, T0, TABLES
    add     T1, T1, TABLES
    andi    T3, T3, 0x3fc
    add     T2, T2, TABLES
.endm

/* y = the four look-ups of x, the first in table number a. */
.macro substitute y, x, a, b, c, d
    cut     \x
    lw      T0, TABLE(\a)(T0)
    lw      T1, TABLE(\b)(T1)
    add     T3, T3, TABLES
    lw      T2, TABLE(\c)(T2)
    lw      T3, TABLE(\d)(T3)
    xor     \y, T0, T1
    xor     \y, \y, T2
    xor     \y, \y, T3
.endm

/* y = the S-boxes of x alone: of SL2, whose entries have their byte at these places. */
.macro substitute_last y, x
    cut     \x
    lbu     \y, TABLE(2)(T0)
    lbu     T1, TABLE(3)(T1)
    add     T3, T3, TABLES
    lbu     T2, TABLE(0) + 1(T2)
    lbu     T3, TABLE(1)(T3)
    slli    T1, T1, 8
    or      \y, \y, T1
    slli    T2, T2, 16
    slli    T3, T3, 24
    or      \y, \y, T2
    or      \y, \y, T3
.endm

/* y = each word of x becomes the sum of the three others. */
.macro add_words y0, y1, y2, y3, x0, x1, x2, x3
    xor     T0, \x0, \x1
    xor     T1, \x2, \x3
    xor     \y0, \x1, T1
    xor     \y1, \x0, T1
    xor     \y2, \x3, T0
    xor     \y3, \x2, T0
.endm

.macro turn x /* by 16 bits */
    srli    T2, \x, 16
    slli    \x, \x, 16
    or      \x, \x, T2
.endm

.macro swap_pairs x
    srli    T2, \x, 8
    and     \x, \x, PAIRS
    and     T2, T2, PAIRS
    slli    \x, \x, 8
    or      \x, \x, T2
.endm

/* X = the rest of a round behind the look-ups in Y, with the round key at `at`, or with what `from` has there. */
.macro diffuse even, at, from=KEYS
    add_words X0, X1, X2, X3, Y0, Y1, Y2, Y3
    .if \even
    turn    X3
    .else
    turn    X0
    turn    X2
    .endif
    swap_pairs X0
    swap_pairs X1
    .if \even
    turn    X1
    .endif
    lw      T3, \at(\from)
    lw      T4, \at + 4(\from)
    lw      T5, \at + 8(\from)
    lw      T6, \at + 12(\from)
    add_words Y0, Y1, Y2, Y3, X0, X1, X2, X3
    xor     X0, Y0, T3
    xor     X1, Y1, T4
    xor     X2, Y2, T5
    xor     X3, Y3, T6
.endm

/* void runnel_aria_rv32_blocks(void *run, uint8_t *out, const uint8_t *in, size_t nblocks) */
function runnel_aria_rv32_blocks
    push_frame FRAME, REGISTERS, SAVED
    slli    END, END, 4
    add     END, OUT, END
    lla     TABLES, runnel_aria_rv32_table + 2048
    li      PAIRS, 0x00ff00ff
    lw      FIRST_KEYS, ARIA_RV32_KEYS(RUN)
    lw      LAST, ARIA_RV32_LAST(RUN)
    lw      RAW, ARIA_RV32_RAW(RUN)
    lw      INDEX, ARIA_RV32_INDEX(RUN)
    lw      INDEX_KEY, ARIA_RV32_INDEX_KEY(RUN)
.Lblock:
    mv      KEYS, FIRST_KEYS
    bnez    RAW, .Lraw
    xor     T0, INDEX, INDEX_KEY
    lbu     T0, 0(T0)
    lw      T1, ARIA_RV32_ENTRIES(RUN)
    lw      T2, ARIA_RV32_ENTRIES + 4(RUN)
    lw      T3, ARIA_RV32_ENTRIES + 8(RUN)
    slli    T0, T0, 2
    lw      T4, ARIA_RV32_ENTRIES + 12(RUN)
    xor     T1, T1, T0
    lw      T5, ARIA_RV32_ENTRIES + 16(RUN)
    xor     T2, T2, T0
    lw      T6, ARIA_RV32_ENTRIES + 20(RUN)
    xor     T3, T3, T0
    lw      Y3, ARIA_RV32_ENTRIES + 24(RUN)
    xor     T4, T4, T0
    lw      Y0, 0(T1)
    lw      T2, 0(T2)
    xor     T5, T5, T0
    lw      Y1, 0(T3)
    xor     T6, T6, T0
    lw      T4, 0(T4)
    xor     Y3, Y3, T0
    lw      Y2, 0(T5)
    xor     Y0, Y0, T2
    lw      T6, 0(T6)
    lw      Y3, 0(Y3)
    xor     Y1, Y1, T4
    addi    INDEX, INDEX, 4
    xor     Y2, Y2, T6
    diffuse 1, ARIA_RV32_CONSTANTS, RUN
.Lodd:
    substitute Y0, X0, 0, 1, 2, 3
    substitute Y1, X1, 0, 1, 2, 3
    substitute Y2, X2, 0, 1, 2, 3
    substitute Y3, X3, 0, 1, 2, 3
    addi    KEYS, KEYS, 32
    diffuse 0, -16
    beq     KEYS, LAST, .Llast
    substitute Y0, X0, 2, 3, 0, 1
    substitute Y1, X1, 2, 3, 0, 1
    substitute Y2, X2, 2, 3, 0, 1
    substitute Y3, X3, 2, 3, 0, 1
    diffuse 1, 0
    j       .Lodd
.Lraw:
    lw      X0, 0(IN)
    lw      X1, 4(IN)
    lw      X2, 8(IN)
    lw      X3, 12(IN)
    lw      T0, 0(KEYS)
    lw      T1, 4(KEYS)
    lw      T2, 8(KEYS)
    lw      T3, 12(KEYS)
    xor     X0, X0, T0
    xor     X1, X1, T1
    xor     X2, X2, T2
    xor     X3, X3, T3
    j       .Lodd
.Llast:
    substitute_last Y0, X0
    substitute_last Y1, X1
    substitute_last Y2, X2
    substitute_last Y3, X3
    lw      T0, 0(KEYS)
    lw      T1, 4(KEYS)
    lw      T2, 8(KEYS)
    lw      T3, 12(KEYS)
    xor     Y0, Y0, T0
    xor     Y1, Y1, T1
    xor     Y2, Y2, T2
    xor     Y3, Y3, T3
    bnez    RAW, .Lstore
    lw      T0, 0(IN)
    lw      T1, 4(IN)
    lw      T2, 8(IN)
    lw      T3, 12(IN)
    xor     Y0, Y0, T0
    xor     Y1, Y1, T1
    xor     Y2, Y2, T2
    xor     Y3, Y3, T3
.Lstore:
    sw      Y0, 0(OUT)
    sw      Y1, 4(OUT)
    sw      Y2, 8(OUT)
    sw      Y3, 12(OUT)
    addi    OUT, OUT, 16
    addi    IN, IN, 16
    bne     OUT, END, .Lblock

    sw      INDEX, ARIA_RV32_INDEX(RUN)
    pop_frame_return FRAME, REGISTERS, SAVED
endfunc

/* S1 to S4, each value in all bytes of a word but the one of its number. The assembly forms addresses by XOR. */
.macro entries mask, s:vararg
    .irp    x, \s
    .word   \x * 0x01010101 & \mask
    .endr
.endm
#define FIRST_BOX(...) entries 0xffffff00, __VA_ARGS__;
#define SECOND_BOX(...) entries 0xffff00ff, __VA_ARGS__;
#define THIRD_BOX(...) entries 0xff00ffff, __VA_ARGS__;
#define FOURTH_BOX(...) entries 0x00ffffff, __VA_ARGS__;

tables runnel_aria_rv32_table
    .balign 1024
const runnel_aria_rv32_table
    RUNNEL_ARIA_S1(FIRST_BOX)
    RUNNEL_ARIA_S2(SECOND_BOX)
    RUNNEL_ARIA_S3(THIRD_BOX)
    RUNNEL_ARIA_S4(FOURTH_BOX)
endconst

#endif
