/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For the table of the fixsliced kernels: S-boxes on 32 bytes, one of each word of the table. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32
#include "fixslice.inc"

/* void runnel_aes_rv32_sub_to_table(const uint32_t planes[8], unsigned added, uint8_t *out): of the 32 bytes in the planes
 * the one of bit b, XOR the byte `added`, goes to byte 4 b behind out. Without NOTs. */
function runnel_aes_rv32_sub_to_table
    enter   0
    sw      a2, FRAME_LAST(sp)
    load_words a0, 0, q0, q1, q2, q3, q4, q5, q6, q7
    .set    bit, 0
    .irp    q, q0, q1, q2, q3, q4, q5, q6, q7
    slli    w0, a1, 31 - bit
    srai    w0, w0, 31
    xor     \q, \q, w0
    .set    bit, bit + 1
    .endr
    li      nibbles, 0x0f0f0f0f
    sub_bytes
    transpose_bits p0, p1, p2, p3, p4, p5, p6, p7
    lw      w3, FRAME_LAST(sp)
    .set    at, 0
    .irp    p, p0, p1, p2, p3, p4, p5, p6, p7
    srli    w0, \p, 8
    srli    w1, \p, 16
    srli    w2, \p, 24
    sb      \p, at(w3)
    sb      w0, at + 32(w3)
    sb      w1, at + 64(w3)
    sb      w2, at + 96(w3)
    .set    at, at + 4
    .endr
    leave   0
endfunc

#endif
