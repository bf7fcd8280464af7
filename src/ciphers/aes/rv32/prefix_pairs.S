/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Two blocks at a time from their packed state after some rounds: the loop of prefix.c.
 *
 * Fixsliced. The planes may start at any phase of ShiftRows; the kernel uses the phase in which the expensive
 * MixColumns (those that move columns inside bytes by odd numbers) come up least often: rounds are taken with v = 0,
 * 1, 2, 3, 0, 1, 2, and what remains of ShiftRows (three) is done on the bytes of the result. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32
#include "fixslice.inc"

/* FROM: states, 32 bytes a pair; WORDS: is XORed to each. KEYS: keys of four rounds, v = 0 to 3, of which the first
 * to be used is that of v = 0 or, if FROM_STEP is not 0, of v = 2. LAST: value of keys in the last round but one. LAST_3, if
 * it is not 0: value of keys in a second round, after which the state goes to WORDS and all ends. */
function runnel_aes_rv32_prefix_pairs
    enter_rounds 0
    set_masks
    j       .Lpair
.Lround_3:
    sub_bytes
    lw      w3, FRAME_LAST_3(sp)
    mix_columns 3, 96
    beq     keys, w3, .Lstop
    addi    keys, keys, 128
.Lround_0:
    middle_round 0, 0
    sub_bytes
    lw      w3, FRAME_LAST_3(sp)
    mix_columns 1, 32
    beq     keys, w3, .Lstop
.Lround_2:
    sub_bytes
    lw      w3, FRAME_LAST(sp)
    mix_columns 2, 64
    bne     keys, w3, .Lround_3

    sub_bytes
    lw      job, FRAME_JOB(sp)
    add_last_key 96
    transpose_bits q0, q1, q2, q3, q4, q5, q6, q7
    shift_both 3, q0, q1, q2, q3, q4, q5, q6, q7
    put_blocks
    beqz    w1, .Ldone
.Lpair:
    lw      w1, AES_RV32_JOB_FROM(job)
    lw      w3, AES_RV32_JOB_FROM_STEP(job)
    lw      keys, AES_RV32_JOB_KEYS(job)
    load_words w1, 0, q0, q1, q2, q3, q4, q5, q6, q7
    load_words job, AES_RV32_JOB_WORDS, p0, p1, p2, p3, p4, p5, p6, p7
    addi    w1, w1, 32
    sw      w1, AES_RV32_JOB_FROM(job)
    add_planes
    bnez    w3, .Lround_2
    j       .Lround_0
.Lstop:
    lw      job, FRAME_JOB(sp)
    store_words job, AES_RV32_JOB_WORDS, q0, q1, q2, q3, q4, q5, q6, q7
.Ldone:
    leave   0
endfunc

#endif
