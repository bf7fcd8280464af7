/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* S-boxes on eight planes in memory: for the start of a run, and for tables. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32
#include "fixslice.inc"

function runnel_aes_rv32_sub_bytes
    enter   0
    load_words a0, 0, q0, q1, q2, q3, q4, q5, q6, q7
    sub_bytes
    lw      w0, FRAME_JOB(sp)
    store_words w0, 0, p0, p1, p2, p3, p4, p5, p6, p7
    leave   0
endfunc

#endif
