/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Fully fixsliced AES (Adomnicai, Peyrin, TCHES 2021/1), two blocks at a time: no ShiftRows but one of the result, and
 * four MixColumns, one for each number of omitted ShiftRows. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32
#include "ciphers/aes/rv32/pairs.inc"

/* KEYS: key 1; LAST: value of keys in round Nr - 1, if v = 1 there, LAST_3: if v = 3; the rest as in
 * rv32/pairs.inc. */
function runnel_aes_rv32_full_pairs
    enter_rounds 0
    set_masks
    j       .Lpair
.Lround_4:
    middle_round 0, 96
    addi    keys, keys, 128
.Lround_1:
    sub_bytes
    lw      w3, FRAME_LAST(sp)
    mix_columns 1, 0
    beq     keys, w3, .Llast_10
    sub_bytes
.Lmix_2:
    mix_columns 2, 32
    sub_bytes
    lw      w3, FRAME_LAST_3(sp)
    mix_columns 3, 64
    bne     keys, w3, .Lround_4

    sub_bytes
    lw      job, FRAME_JOB(sp)
    add_last_key 96
    transpose_bits q0, q1, q2, q3, q4, q5, q6, q7
    j       .Lput
.Llast_10:
    sub_bytes
    lw      job, FRAME_JOB(sp)
    add_last_key 32
    transpose_bits q0, q1, q2, q3, q4, q5, q6, q7
    shift_both 2, q0, q1, q2, q3, q4, q5, q6, q7
.Lput:
    put_blocks
    beqz    w1, .Ldone
.Lpair:
    lw      w2, AES_RV32_JOB_FROM_STEP(job)
    lw      keys, AES_RV32_JOB_KEYS(job)
    bltz    w2, .Llook_up
    load_pair
    j       .Lround_1
.Llook_up:
    look_up_pair
    shift_both 3, p0, p1, p2, p3, p4, p5, p6, p7
    transpose_bits p0, p1, p2, p3, p4, p5, p6, p7
    j       .Lmix_2
.Ldone:
    leave   0
endfunc

#endif
