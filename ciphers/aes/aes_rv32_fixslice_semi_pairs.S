/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Semi-fixsliced AES (Adomnicai, Peyrin, TCHES 2021/1), two blocks at a time: ShiftRows twice in every second round,
 * and two MixColumns. */
#if defined(__riscv) && __riscv_xlen == 32
#include "aes_rv32_fixslice_pairs.h"

/* The rounds. KEYS: key 1; LAST: value of keys in round Nr - 1. */
.macro pairs_loop front
    enter   0
    set_masks
    j       .Lpair\@
.Lround_2\@:
    sub_bytes
    shift_planes_twice
.Lmix_2\@:
    mix_columns 0, 32
    addi    keys, keys, 64
.Lround_1\@:
    middle_round 1, 0
    lw      w0, JOB(sp)
    lw      w1, JOB_LAST(w0)
    bne     keys, w1, .Lround_2\@

    sub_bytes
    add_last_key 32
    transpose_bits q0, q1, q2, q3, q4, q5, q6, q7
    shift_both 2, q0, q1, q2, q3, q4, q5, q6, q7
    put_blocks
    beqz    w1, .Ldone\@
.Lpair\@:
    .ifc    \front, table
    look_up_pair
    shift_both 1, p0, p1, p2, p3, p4, p5, p6, p7
    transpose_bits p0, p1, p2, p3, p4, p5, p6, p7
    j       .Lmix_2\@
    .else
    load_pair
    j       .Lround_1\@
    .endif
.Ldone\@:
    leave   0
.endm

function runnel_aes_rv32_semi_pairs
    pairs_loop blocks
end_function runnel_aes_rv32_semi_pairs

function runnel_aes_rv32_semi_table_pairs
    pairs_loop table
end_function runnel_aes_rv32_semi_table_pairs

    .section .note.GNU-stack, "", %progbits
#endif
