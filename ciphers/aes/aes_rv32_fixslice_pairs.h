/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How the semi- and the fully-fixsliced loop start a pair of blocks: FROM_STEP tells; below 0 it is look_up_pair. */
#include "aes_rv32_fixslice_macros.h"

/* q = the two blocks at FROM, packed and whitened (with the round key before KEYS); moves FROM on by w2, FROM_STEP. Two
 * counter blocks in WORDS, with FROM_STEP 0, go on counting: their last byte does not wrap inside a job. */
.macro load_pair
    lw      w1, JOB_FROM(job)
    lw      w3, JOB_WORDS + 12(job)
    lw      w4, JOB_WORDS + 28(job)
    load_blocks w1, q0, q1, q2, q3, q4, q5, q6, q7
    lui     w5, 0x2000
    add     w3, w3, w5
    add     w4, w4, w5
    add     w1, w1, w2
    sw      w3, JOB_WORDS + 12(job)
    sw      w4, JOB_WORDS + 28(job)
    sw      w1, JOB_FROM(job)
    transpose_bits q0, q1, q2, q3, q4, q5, q6, q7
    add_key -32
.endm

/* p = the columns of two counter blocks after the S-box of round 2, from the table at FROM, alternating. The counter's
 * four bytes are in WORDS, the one that changes most slowly in the high byte; the last byte is even. */
.macro look_up_pair
    lw      w1, JOB_WORDS(job)
    lw      w2, JOB_FROM(job)
    addi    w3, w1, 2
    sw      w3, JOB_WORDS(job)
    slli    w3, w1, 24
    srli    w3, w3, 22
    add     w3, w3, w2
    slli    w4, w1, 16
    srli    w4, w4, 24
    slli    w4, w4, 2
    add     w4, w4, w2
    slli    w5, w1, 8
    srli    w5, w5, 24
    slli    w5, w5, 2
    add     w5, w5, w2
    srli    w6, w1, 24
    slli    w6, w6, 2
    add     w6, w6, w2
    lw      p0, 0(w3)
    lw      p1, 4(w3)
    lw      p2, 1024(w4)
    addi    w5, w5, 1024
    addi    w6, w6, 2047
    lw      p4, 1024(w5)
    lw      p6, 1025(w6)
    mv      p3, p2
    mv      p5, p4
    mv      p7, p6
.endm
