/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Semi-fixsliced AES (Adomnicai, Peyrin, TCHES 2021/1), two blocks at a time: ShiftRows twice in every second round,
 * and two MixColumns. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32
#include "ciphers/aes/rv32/pairs.inc"

/* KEYS: key 1; LAST: value of keys in round Nr - 1; the rest as in rv32/pairs.inc. */
function runnel_aes_rv32_semi_pairs
    enter_rounds 0
    set_masks
    j       .Lpair
.Lround_2:
    sub_bytes
    shift_planes_twice
.Lmix_2:
    mix_columns 0, 32
    addi    keys, keys, 64
.Lround_1:
    sub_bytes
    lw      w3, FRAME_LAST(sp)
    mix_columns 1, 0
    bne     keys, w3, .Lround_2

    sub_bytes
    lw      job, FRAME_JOB(sp)
    add_last_key 32
    transpose_bits q0, q1, q2, q3, q4, q5, q6, q7
    shift_both 2, q0, q1, q2, q3, q4, q5, q6, q7
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
    shift_both 1, p0, p1, p2, p3, p4, p5, p6, p7
    transpose_bits p0, p1, p2, p3, p4, p5, p6, p7
    j       .Lmix_2
.Ldone:
    leave   0
endfunc

#endif
