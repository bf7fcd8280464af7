/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Fully fixsliced AES (Adomnicai, Peyrin, TCHES 2021/1), two blocks at a time: no ShiftRows but one of the result, and
 * four MixColumns, one for each number of ShiftRows left out. */
#if defined(__riscv) && __riscv_xlen == 32
#include "aes_rv32_fixslice_pairs.h"

/* The rounds. KEYS: key 1, or with a table that of round 1, which is not used; LAST: value of keys in round Nr - 1,
 * if v = 1 there, LAST_3: if v = 3. */
.macro pairs_loop front
    enter   0
    set_masks
    j       .Lpair\@
.Lround_4\@:
    middle_round 0, 96
    addi    keys, keys, 128
.Lround_1\@:
    middle_round 1, 0
    lw      w0, JOB(sp)
    lw      w1, JOB_LAST(w0)
    beq     keys, w1, .Llast_10\@
    sub_bytes
.Lmix_2\@:
    mix_columns 2, 32
    middle_round 3, 64
    lw      w0, JOB(sp)
    lw      w1, JOB_LAST_3(w0)
    bne     keys, w1, .Lround_4\@

    sub_bytes
    add_last_key 96
    transpose_bits q0, q1, q2, q3, q4, q5, q6, q7
    j       .Lput\@
.Llast_10\@:
    sub_bytes
    add_last_key 32
    transpose_bits q0, q1, q2, q3, q4, q5, q6, q7
    shift_both 2, q0, q1, q2, q3, q4, q5, q6, q7
.Lput\@:
    put_blocks
    beqz    w1, .Ldone\@
.Lpair\@:
    .ifc    \front, table
    look_up_pair
    shift_both 3, p0, p1, p2, p3, p4, p5, p6, p7
    transpose_bits p0, p1, p2, p3, p4, p5, p6, p7
    j       .Lmix_2\@
    .else
    load_pair
    j       .Lround_1\@
    .endif
.Ldone\@:
    leave   0
.endm

function runnel_aes_rv32_full_pairs
    pairs_loop blocks
end_function runnel_aes_rv32_full_pairs

function runnel_aes_rv32_full_table_pairs
    pairs_loop table
end_function runnel_aes_rv32_full_table_pairs

    .section .note.GNU-stack, "", %progbits
#endif
