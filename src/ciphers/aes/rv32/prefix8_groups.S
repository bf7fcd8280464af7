/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Eight blocks at a time, bitsliced, from their packed state after some rounds: the loop of prefix8.c.
 *
 * The layout is the "barrel" one of Adomnicai and Peyrin (TCHES 2021/1): the state is 32 words, one for each row and
 * bit; a word's bytes are the columns, a byte's bits the blocks. ShiftRows rotates the eight words of a row by whole
 * bytes, MixColumns XORs words as they are. The state is in the stack frame, except for what stays in registers: row 3
 * between S-box and MixColumns, row 0 from there to the next S-box. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32
#include "fixslice.inc"

#define ROW(r) (16 + 32 * (r)) /* in the frame */

/* p = row r after S-box and ShiftRows. */
.macro sub_row r
    .if \r > 0
    load_words sp, ROW(\r), q0, q1, q2, q3, q4, q5, q6, q7
    .endif
    sub_bytes
    .if \r > 0
    .irp    p, p0, p1, p2, p3, p4, p5, p6, p7
    srli    w0, \p, 8 * \r
    slli    \p, \p, 32 - 8 * \r
    or      \p, \p, w0
    .endr
    .endif
.endm

/* The four words of a bit: a0, a1 and a2 from the frame; row 3 is in p. */
.macro load_rows j, a0, a1, a2
    lw      \a0, ROW(0) + 4 * \j(sp)
    lw      \a1, ROW(1) + 4 * \j(sp)
    lw      \a2, ROW(2) + 4 * \j(sp)
.endm

/* The terms of rows 0 to 3 from the bit below are in d0 to d3; for bits 1, 3 and 4 they take the sums of bit 7 as well,
 * which are in w0 to w3. Leaves this bit's sums (of a row and the one below it) in w4 to w7. Row 0 stays in q, the
 * others go to the frame. */
.macro mix_bit j, q, p, a0, a1, a2, t1, t3, d0, d1, d2, d3
    load_rows \j, \a0, \a1, \a2
    lw      ra, 4 * \j(keys)
    lw      s11, 32 + 4 * \j(keys)
    xor     \q, \a1, \d0
    xor     w4, \a0, \a1
    xor     \t1, \a2, \d1
    xor     w5, \a1, \a2
    lw      \a1, 64 + 4 * \j(keys)
    xor     w8, \p, \d2
    xor     w6, \a2, \p
    lw      \a2, 96 + 4 * \j(keys)
    xor     \t3, \a0, \d3
    xor     w7, \p, \a0
    xor     \q, \q, w6
    xor     \t1, \t1, w7
    xor     w8, w8, w4
    xor     \t3, \t3, w5
    .if \j == 1 || \j == 3 || \j == 4
    xor     \q, \q, w0
    xor     \t1, \t1, w1
    xor     w8, w8, w2
    xor     \t3, \t3, w3
    .endif
    add_and_store \j, \q, ra, \t1, s11, w8, \a1, \t3, \a2
.endm

.macro add_and_store j, x0, k0, x1, k1, x2, k2, x3, k3
    xor     \x1, \x1, \k1
    xor     \x2, \x2, \k2
    xor     \x3, \x3, \k3
    sw      \x1, ROW(1) + 4 * \j(sp)
    sw      \x2, ROW(2) + 4 * \j(sp)
    sw      \x3, ROW(3) + 4 * \j(sp)
    xor     \x0, \x0, \k0
.endm

.macro mix_rows
    load_rows 7, q5, q6, q7
    xor     w3, p7, q5
    xor     w0, q5, q6
    xor     w1, q6, q7
    xor     w2, q7, p7
    mix_bit 0, q0, p0, q3, q4, q5, q6, q7, w0, w1, w2, w3
    mix_bit 1, q1, p1, q3, q4, q5, q6, q7, w4, w5, w6, w7
    mix_bit 2, q2, p2, q3, q4, q5, q6, q7, w4, w5, w6, w7
    mix_bit 3, q3, p3, p0, p1, p2, q6, q7, w4, w5, w6, w7
    mix_bit 4, q4, p4, p0, p1, p2, p3, q7, w4, w5, w6, w7
    mix_bit 5, q5, p5, p0, p1, p2, p3, p4, w4, w5, w6, w7
    mix_bit 6, q6, p6, p0, p1, p2, p3, p4, w4, w5, w6, w7
    load_rows 7, p0, p1, p2
    lw      p3, 28(keys)
    lw      p4, 32 + 28(keys)
    lw      p5, 64 + 28(keys)
    lw      p6, 96 + 28(keys)
    xor     q7, p1, w4
    xor     q7, q7, w2
    xor     w5, p2, w5
    xor     w5, w5, w3
    xor     w6, p7, w6
    xor     w6, w6, w0
    xor     w7, p0, w7
    xor     w7, w7, w1
    add_and_store 7, q7, p3, w5, p4, w6, p5, w7, p6
.endm

/* In row r: words of blocks instead of words of bits. */
.macro unpack_row r
    load_words sp, ROW(\r), p0, p1, p2, p3, p4, p5, p6, p7
    transpose_bits p0, p1, p2, p3, p4, p5, p6, p7
    store_words sp, ROW(\r), p0, p1, p2, p3, p4, p5, p6, p7
.endm

/* Block b: from rows to columns, the last round key (in q0 to q3), the input at (w3); to (w4). */
.macro put_block b
    .set    row_0, ROW(0) + 4 * \b
    .set    row_1, ROW(1) + 4 * \b
    .set    row_2, ROW(2) + 4 * \b
    .set    row_3, ROW(3) + 4 * \b
    lw      p0, row_0(sp)
    lw      p2, row_2(sp)
    lw      p1, row_1(sp)
    lw      p3, row_3(sp)
    swap_bits p0, p2, 16, w1
    lw      p4, 16 * \b(w3)
    lw      p5, 16 * \b + 4(w3)
    swap_bits p1, p3, 16, w1
    lw      p6, 16 * \b + 8(w3)
    lw      p7, 16 * \b + 12(w3)
    swap_bits p0, p1, 8, w2
    swap_bits p2, p3, 8, w2
    xor     p4, p4, q0
    xor     p5, p5, q1
    xor     p6, p6, q2
    xor     p7, p7, q3
    xor     p0, p0, p4
    xor     p1, p1, p5
    xor     p2, p2, p6
    xor     p3, p3, p7
    sw      p0, 16 * \b(w4)
    sw      p1, 16 * \b + 4(w4)
    sw      p2, 16 * \b + 8(w4)
    sw      p3, 16 * \b + 12(w4)
.endm

/* q = row r of the state at (w1) XOR that at (w2); rows 1 to 3 go to the frame. */
.macro start_row r
    load_words w1, 32 * \r, q0, q1, q2, q3, q4, q5, q6, q7
    load_words w2, 32 * \r, p0, p1, p2, p3, p4, p5, p6, p7
    add_planes
    .if \r > 0
    store_words sp, ROW(\r), q0, q1, q2, q3, q4, q5, q6, q7
    .endif
.endm

/* FROM: states, 128 bytes a group; LAST_3: what is XORed to each. KEYS: the key of the first round; LAST: the last key, not
 * packed and with the S-box's constant in it. */
function runnel_aes_rv32_prefix8_groups
    enter_rounds 128
.Lgroup:
    lw      w1, AES_RV32_JOB_FROM(job)
    lw      w2, AES_RV32_JOB_LAST_3(job)
    lw      keys, AES_RV32_JOB_KEYS(job)
    start_row 3
    start_row 2
    start_row 1
    start_row 0
    addi    w1, w1, 128
    sw      w1, AES_RV32_JOB_FROM(job)
    j       .Lsub_rows
.Lround:
    mix_rows
    addi    keys, keys, 128
.Lsub_rows:
    sub_row 0
    store_words sp, ROW(0), p0, p1, p2, p3, p4, p5, p6, p7
    sub_row 1
    store_words sp, ROW(1), p0, p1, p2, p3, p4, p5, p6, p7
    sub_row 2
    store_words sp, ROW(2), p0, p1, p2, p3, p4, p5, p6, p7
    sub_row 3
    lw      w1, FRAME_LAST(sp)
    lw      job, FRAME_JOB(sp)
    bne     keys, w1, .Lround

    li      nibbles, 0x0f0f0f0f
    transpose_bits p0, p1, p2, p3, p4, p5, p6, p7
    store_words sp, ROW(3), p0, p1, p2, p3, p4, p5, p6, p7
    unpack_row 0
    unpack_row 1
    unpack_row 2

    li      w1, 0x0000ffff
    li      w2, 0x00ff00ff
    lw      w3, AES_RV32_JOB_IN(job)
    lw      w4, AES_RV32_JOB_OUT(job)
    lw      q0, 0(keys)
    lw      q1, 4(keys)
    lw      q2, 8(keys)
    lw      q3, 12(keys)
    .irp    b, 0, 1, 2, 3, 4, 5, 6, 7
    put_block \b
    .endr
    lw      w1, AES_RV32_JOB_IN_STEP(job)
    lw      w2, AES_RV32_JOB_BATCHES(job)
    addi    w4, w4, 128
    add     w3, w3, w1
    addi    w2, w2, -1
    sw      w3, AES_RV32_JOB_IN(job)
    sw      w4, AES_RV32_JOB_OUT(job)
    sw      w2, AES_RV32_JOB_BATCHES(job)
    bnez    w2, .Lgroup

    .set    at, ROW(0)
    .rept   32
    sw      zero, at(sp)
    .set    at, at + 4
    .endr
    leave   128
endfunc

#endif
