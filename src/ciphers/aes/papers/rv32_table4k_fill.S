/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Makes the paper's four tables (rv32_table4k.h): section 3.2, Table 3. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32
#include "ciphers/aes/rv32/fixslice.inc"

/* void runnel_aes_rv32_fill_table4k(aes_rv32_job *job): WORDS are IV_1 and IV_2, whose four counter bytes are all 0 and
 * all 1, FROM points at IV_1's. Each of the BATCHES adds two to all of these bytes. OUT is the third table, KEYS key 0. The
 * words have the S-boxes of round 2 without NOTs, which are in the round keys. */
function runnel_aes_rv32_fill_table4k
    enter   0
    set_masks
    mv      job, a0
.Lpair:
    addi    w1, job, AES_RV32_JOB_WORDS
    lw      w2, AES_RV32_JOB_FROM(job)
    lw      keys, AES_RV32_JOB_KEYS(job)
    load_blocks w1, q0, q1, q2, q3, q4, q5, q6, q7
    lw      w3, 0(w2)
    lw      w4, 16(w2)
    li      w5, 0x02020202
    add     w3, w3, w5
    add     w4, w4, w5
    sw      w3, 0(w2)
    sw      w4, 16(w2)
    transpose_bits q0, q1, q2, q3, q4, q5, q6, q7
    add_key 0
    sub_bytes
    mix_columns 1, 32
    sub_bytes
    lw      job, FRAME_JOB(sp)
    transpose_bits p0, p1, p2, p3, p4, p5, p6, p7
    /* Round 1 omits ShiftRows: what the first counter byte moves is in bytes 0, 5, 10 and 15, and comes into a column. */
    shift_both 1, p0, p1, p2, p3, p4, p5, p6, p7
    lw      w1, AES_RV32_JOB_OUT(job)
    lw      w2, AES_RV32_JOB_BATCHES(job)
    sw      p0, -2048(w1)
    sw      p1, -2044(w1)
    sw      p2, -1024(w1)
    sw      p3, -1020(w1)
    sw      p4, 0(w1)
    sw      p5, 4(w1)
    sw      p6, 1024(w1)
    sw      p7, 1028(w1)
    addi    w1, w1, 8
    addi    w2, w2, -1
    sw      w1, AES_RV32_JOB_OUT(job)
    sw      w2, AES_RV32_JOB_BATCHES(job)
    bnez    w2, .Lpair
    leave   0
endfunc

#endif
