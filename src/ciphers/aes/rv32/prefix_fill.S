/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A group of prefix.c's table: the entries of eight blocks, four pairs.
 *
 * The last counter byte b moves one byte of each row in round 2's S-boxes, y_0 to y_3. For eight blocks that is one pass:
 * a row in each byte, a pair in each two bits of it. In a pair's entry, with v ShiftRows omitted, row i and two bits p have
 * y_(v i - p) as often as MixColumns says. So each plane is turned by whole bytes, once for each p, and what is then in
 * pair q of p goes to p of pair q: a transposition. For v = 3 rows 1 and 3 are in each other's places in the pass, and how
 * often a byte is taken depends on whether its place is even. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32
#include "fixslice.inc"

#define FRAME_COLUMN 4 /* after FRAME_JOB, which is the place of the entries here */
#define FRAME_V 8

#define twos w1
#define even w5 /* bytes 0 and 2 */
#define low_pairs w6
#define entries w7

/* q = MixColumns of what pass 1 left in p, where its row is added once, twice or three times, and the column's constant
 * (w2). w3: where once or three times, w4: where twice or three times; w5: 0x01010101. */
.macro first_column j, q, p, below, feedback
    .if \feedback
    xor     w0, \below, p7
    and     w0, w0, w4
    .else
    and     w0, \below, w4
    .endif
    and     \q, \p, w3
    xor     \q, \q, w0
    .if \j > 0
    srli    w0, w2, \j
    and     w0, w0, w5
    .else
    and     w0, w2, w5
    .endif
    slli    w1, w0, 8
    sub     w1, w1, w0
    xor     \q, \q, w1
.endm

.macro rotate_bytes x, bytes
    srli    w0, \x, 8 * \bytes
    slli    \x, \x, 32 - 8 * \bytes
    or      \x, \x, w0
.endm

/* Plane j of four pairs from y and twice y; q0 to q3 are those of p = 0 to 3, then of pairs 0 to 3. */
.macro spread_twice v, j, y, twice
    xor     w2, \twice, \y
    .if \v == 3
    and     w3, w2, even
    and     w4, \twice, even
    xor     q0, \y, w3
    xor     q2, \twice, w3
    xor     q1, \y, w4
    xor     q3, w2, w4
    rotate_bytes q1, 1
    rotate_bytes q3, 3
    .else
    mv      q0, \twice
    mv      q1, \y
    mv      q2, \y
    mv      q3, w2
    rotate_bytes q1, 3
    rotate_bytes q3, 1
    .endif
    rotate_bytes q2, 2
    swap_bits q0, q1, 2, low_pairs
    swap_bits q2, q3, 2, low_pairs
    swap_bits q0, q2, 4, nibbles
    swap_bits q1, q3, 4, nibbles
    sw      q0, 4 * \j(entries)
    sw      q1, 32 + 4 * \j(entries)
    sw      q2, 64 + 4 * \j(entries)
    sw      q3, 96 + 4 * \j(entries)
.endm

.macro spread v, j, y, below, feedback
    .if \feedback
    xor     twos, \below, p7
    spread_twice \v, \j, \y, twos
    .else
    spread_twice \v, \j, \y, \below
    .endif
.endm

/* void runnel_aes_rv32_fill_pairs(uint32_t entries[4][8], uint32_t column, unsigned b, unsigned v): column 0 after round
 * 1 without b's part, rows in the order of the pass; b of the first block XOR its key; v: 1 or 3. */
function runnel_aes_rv32_fill_pairs
    enter   0
    sw      a1, FRAME_COLUMN(sp)
    sw      a3, FRAME_V(sp)
    slli    q0, a2, 31
    slli    q1, a2, 30
    slli    q2, a2, 29
    slli    q3, a2, 28
    slli    q4, a2, 27
    slli    q5, a2, 26
    slli    q6, a2, 25
    slli    q7, a2, 24
    .irp    q, q0, q1, q2, q3, q4, q5, q6, q7
    srai    \q, \q, 31
    .endr
    li      w0, 0xaaaaaaaa
    li      w1, 0xcccccccc
    li      w2, 0xf0f0f0f0
    xor     q0, q0, w0
    xor     q1, q1, w1
    xor     q2, q2, w2
    sub_bytes
    lw      w0, FRAME_V(sp)
    lw      w2, FRAME_COLUMN(sp)
    addi    w0, w0, -3
    li      w5, 0x01010101
    li      w3, 0xffff00ff
    li      w4, 0x00ffff00
    beqz    w0, .Lsecond
    li      w3, 0x00ffffff
    li      w4, 0xffff0000
.Lsecond:
    first_column 0, q0, p0, p7, 0
    first_column 1, q1, p1, p0, 1
    first_column 2, q2, p2, p1, 0
    first_column 3, q3, p3, p2, 1
    first_column 4, q4, p4, p3, 1
    first_column 5, q5, p5, p4, 0
    first_column 6, q6, p6, p5, 0
    first_column 7, q7, p7, p6, 0
    sub_bytes
    lw      w0, FRAME_V(sp)
    lw      entries, FRAME_JOB(sp)
    addi    w0, w0, -3
    li      even, 0x00ff00ff
    li      low_pairs, 0x33333333
    li      nibbles, 0x0f0f0f0f
    beqz    w0, .Lspread_3
    spread  1, 7, p7, p6, 0
    spread  1, 6, p6, p5, 0
    spread  1, 5, p5, p4, 0
    spread  1, 4, p4, p3, 1
    spread  1, 3, p3, p2, 1
    spread  1, 2, p2, p1, 0
    spread  1, 1, p1, p0, 1
    spread  1, 0, p0, p7, 0
    j       .Lfilled
.Lspread_3:
    spread  3, 7, p7, p6, 0
    spread  3, 6, p6, p5, 0
    spread  3, 5, p5, p4, 0
    spread  3, 4, p4, p3, 1
    spread  3, 3, p3, p2, 1
    spread  3, 2, p2, p1, 0
    spread  3, 1, p1, p0, 1
    spread  3, 0, p0, p7, 0
.Lfilled:
    leave   0
endfunc

#endif
