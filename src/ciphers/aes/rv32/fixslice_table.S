/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The table of the fixsliced kernels: 128 times the first rounds of two blocks, in which all four bytes of the counter
 * are equal: in round 2 each has a column of its own. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32
#include "pairs.inc"

/* WORDS: the blocks whose counter bytes are all 0 and all 1; KEYS: key 1; OUT: the table; BATCHES: 128. */
function runnel_aes_rv32_fill_table
    enter   0
    mv      job, a0
    set_masks
.Lpair:
    load_blocks job, q0, q1, q2, q3, q4, q5, q6, q7, AES_RV32_JOB_WORDS
    li      w1, 0x02020202
    lw      keys, AES_RV32_JOB_KEYS(job)
    add     w2, q6, w1
    add     w3, q7, w1
    sw      w2, AES_RV32_JOB_WORDS + 12(job)
    sw      w3, AES_RV32_JOB_WORDS + 28(job)
    transpose_bits q0, q1, q2, q3, q4, q5, q6, q7
    add_key -32
    middle_round 1, 0
    sub_bytes
    lw      job, FRAME_JOB(sp)
    transpose_bits p0, p1, p2, p3, p4, p5, p6, p7
    shift_both 1, p0, p1, p2, p3, p4, p5, p6, p7
    lw      w1, AES_RV32_JOB_OUT(job)
    lw      w2, AES_RV32_JOB_BATCHES(job)
    sw      p0, 0(w1)
    sw      p1, 4(w1)
    sw      p2, 1024(w1)
    sw      p3, 1028(w1)
    addi    w3, w1, 2040
    sw      p4, 8(w3)
    sw      p5, 12(w3)
    sw      p6, 1032(w3)
    sw      p7, 1036(w3)
    addi    w1, w1, 8
    addi    w2, w2, -1
    sw      w1, AES_RV32_JOB_OUT(job)
    sw      w2, AES_RV32_JOB_BATCHES(job)
    bnez    w2, .Lpair
    leave   0
endfunc

#endif
